//! Waits for many clocks that never come, with ten thousand handles at once.

use hostile::{Attack, Method, Tree, attack};

struct Wait;

impl Attack for Wait {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() && method != Method::Configure {
            let clock = || wasip2::clocks::monotonic_clock::subscribe_duration(u64::MAX);
            let clocks: Vec<_> = (0..10_000).map(|_| clock()).collect();
            let all: Vec<_> = clocks.iter().collect();
            loop {
                std::hint::black_box(wasip2::io::poll::poll(&all));
            }
        }
    }
}

attack!(Wait);
