//! Makes handles of clocks without end, and gives none back.

use hostile::{Attack, Method, Tree, attack};

struct Leak;

impl Attack for Leak {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method.describes() || method == Method::Configure {
            return;
        }
        loop {
            std::mem::forget(wasip2::clocks::monotonic_clock::subscribe_duration(u64::MAX));
        }
    }
}

attack!(Leak);
