//! Divides by zero, in whatever it is asked for.

use hostile::{Attack, Method, Tree, attack};

struct Trap;

impl Attack for Trap {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() {
            let (one, zero) = std::hint::black_box((1_i32, 0_i32));
            #[allow(unsafe_code, reason = "Rust looks before it divides")]
            // SAFETY: none; that is the attack.
            unsafe {
                std::hint::assert_unchecked(zero != 0);
            }
            std::hint::black_box(one / zero);
        }
    }
}

attack!(Trap);
