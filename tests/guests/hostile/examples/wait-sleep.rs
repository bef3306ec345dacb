//! Sleeps for ever, and goes to sleep again when it is woken.

use hostile::{Attack, Method, Tree, attack, operation};

struct Wait;

impl Attack for Wait {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() && method != Method::Configure {
            loop {
                operation::sleep(u32::MAX);
            }
        }
    }
}

attack!(Wait);
