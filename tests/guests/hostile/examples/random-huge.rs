//! Asks for 4 GiB of random bytes at once.

use hostile::{Attack, Method, Tree, attack};

struct Huge;

impl Attack for Huge {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method == Method::Create {
            std::hint::black_box(wasip2::random::random::get_random_bytes(4 << 30));
        }
        if method == Method::Invoke {
            std::hint::black_box(wasip2::random::insecure::get_insecure_random_bytes(u64::MAX));
        }
    }
}

attack!(Huge);
