//! Executes an instruction that can't be executed, in whatever it is asked for.

use hostile::{Attack, Method, Tree, attack};

struct Trap;

impl Attack for Trap {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() {
            core::arch::wasm32::unreachable()
        }
    }
}

attack!(Trap);
