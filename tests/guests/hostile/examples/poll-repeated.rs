//! Waits for a clock that never comes by a list that names it four million times, all of which the host keeps meanwhile.

use hostile::{Attack, Method, Tree, attack};

struct Wait;

impl Attack for Wait {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() && method != Method::Configure {
            let clock = wasip2::clocks::monotonic_clock::subscribe_duration(u64::MAX);
            std::hint::black_box(wasip2::io::poll::poll(&vec![&clock; 4_000_000]));
        }
    }
}

attack!(Wait);
