//! Allocates small things without end.

use hostile::{Attack, Method, Tree, attack};

struct Allocations;

impl Attack for Allocations {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method.describes() || method == Method::Configure {
            return;
        }
        let mut held = Vec::new();
        loop {
            held.push(std::hint::black_box(Box::new([1_u8; 4_096])));
        }
    }
}

attack!(Allocations);
