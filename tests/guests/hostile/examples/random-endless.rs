//! Asks for random bytes without end, a megabyte at a time.

use hostile::{Attack, Method, Tree, attack};

struct Endless;

impl Attack for Endless {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method == Method::Create {
            loop {
                std::hint::black_box(wasip2::random::random::get_random_bytes(1 << 20));
            }
        }
    }
}

attack!(Endless);
