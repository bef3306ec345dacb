//! Calls a function as if it were another, in whatever it is asked for.

use hostile::{Attack, Method, Tree, attack};

struct Trap;

impl Attack for Trap {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() {
            #[allow(unsafe_code, reason = "Rust knows its functions")]
            // SAFETY: none; that is the attack.
            let other: fn(f64, f64) -> f64 = unsafe { std::mem::transmute(std::hint::black_box(plain as fn(i32))) };
            std::hint::black_box(other(1.0, 2.0));
        }
    }
}

attack!(Trap);

#[inline(never)]
fn plain(number: i32) {
    std::hint::black_box(number);
}
