//! Computes for ever, with a short wait after each short while, so that it never seems to compute for long.

use hostile::{Attack, Method, Tree, attack, operation};

struct Stutter;

impl Attack for Stutter {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method.describes() || method == Method::Configure {
            return;
        }
        loop {
            for number in 0..3_000_000_u32 {
                std::hint::black_box(number);
            }
            operation::sleep(0);
        }
    }
}

attack!(Stutter);
