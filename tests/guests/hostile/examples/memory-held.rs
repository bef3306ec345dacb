//! Takes 20 MiB in each call and keeps it for ever, so that many calls at once have a lot.

use hostile::{Attack, Method, Tree, attack, operation};

struct Held;

impl Attack for Held {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method.describes() || method == Method::Configure {
            return;
        }
        let memory = vec![1_u8; 20 << 20];
        loop {
            operation::sleep(u32::MAX);
            std::hint::black_box(&memory);
        }
    }
}

attack!(Held);
