//! Loops for ever, in whatever it is asked for.

use hostile::{Attack, Method, Tree, attack};

struct Loop;

impl Attack for Loop {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() {
            loop {
                std::hint::black_box(());
            }
        }
    }
}

attack!(Loop);
