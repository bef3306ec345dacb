//! Waits for ever for a clock.

use hostile::{Attack, Method, Tree, attack};

struct Wait;

impl Attack for Wait {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() && method != Method::Configure {
            loop {
                std::thread::sleep(std::time::Duration::from_secs(1 << 40));
            }
        }
    }
}

attack!(Wait);
