//! Waits for many clocks that have rung, again and again, so that its task has used up whatever a task may have at once.

use hostile::{Attack, Method, Tree, attack};

struct Wait;

impl Attack for Wait {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() && method != Method::Configure {
            let clock = || wasip2::clocks::monotonic_clock::subscribe_duration(1_000_000);
            let clocks: Vec<_> = (0..500).map(|_| clock()).collect();
            let all: Vec<_> = clocks.iter().collect();
            loop {
                std::hint::black_box(wasip2::io::poll::poll(&all));
            }
        }
    }
}

attack!(Wait);
