//! Logs a message of 100 MB, ten times.

use hostile::{Attack, Method, Tree, attack, log};

struct Huge;

impl Attack for Huge {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method == Method::Create {
            let message = "x".repeat(100_000_000);
            for _ in 0..10 {
                log::log(log::Level::Warning, &message);
            }
        }
    }
}

attack!(Huge);
