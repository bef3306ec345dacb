//! Does as if nobody had asked it to stop.

use hostile::{Attack, Method, Tree, attack, operation};

struct Wait;

impl Attack for Wait {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() && method != Method::Configure {
            hostile::log::log(hostile::log::Level::Info, "begun");
            while operation::remaining() != Some(0) {
                operation::sleep(1_000);
            }
        }
    }
}

attack!(Wait);
