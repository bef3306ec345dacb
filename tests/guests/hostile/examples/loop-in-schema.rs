//! Loops for ever when it is asked what it is.

use hostile::{Attack, Method, Tree, attack};

struct Loop;

impl Attack for Loop {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method == Method::Schema {
            loop {
                std::hint::black_box(());
            }
        }
    }
}

attack!(Loop);
