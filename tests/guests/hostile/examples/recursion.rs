//! Calls itself until there is no stack left.

use hostile::{Attack, Method, Tree, attack};

struct Recursion;

#[allow(unconditional_recursion, reason = "that is the attack")]
fn deeper(depth: u64) -> u64 {
    let here = std::hint::black_box([depth; 8]);
    deeper(depth + 1) + here[0]
}

impl Attack for Recursion {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() {
            std::hint::black_box(deeper(0));
        }
    }
}

attack!(Recursion);
