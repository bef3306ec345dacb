//! Aborts, in whatever it is asked for.

use hostile::{Attack, Method, Tree, attack};

struct Trap;

impl Attack for Trap {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() {
            std::process::abort()
        }
    }
}

attack!(Trap);
