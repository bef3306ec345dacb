//! Reads where it has no memory, in whatever it is asked for.

use hostile::{Attack, Method, Tree, attack};

struct Trap;

impl Attack for Trap {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() {
            let beyond = std::ptr::with_exposed_provenance::<u64>(std::hint::black_box(0xffff_fff0));
            #[allow(unsafe_code, reason = "Rust has no memory there")]
            // SAFETY: none; that is the attack.
            unsafe {
                std::hint::black_box(beyond.read_volatile());
            }
        }
    }
}

attack!(Trap);
