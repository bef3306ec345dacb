//! Keeps a few handles in each call, and returns as if nothing were.

use hostile::{Attack, Method, Tree, attack};

struct Leak;

impl Attack for Leak {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method.describes() || method == Method::Configure {
            return;
        }
        for _ in 0..100 {
            std::mem::forget(wasip2::clocks::monotonic_clock::subscribe_duration(u64::MAX));
        }
    }
}

attack!(Leak);
