//! Logs as many messages as it may, each as long as it may be.

use hostile::{Attack, Method, Tree, attack, log};

struct Large;

impl Attack for Large {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method == Method::Create {
            let message = "é".repeat(16_384);
            for _ in 0..1_000 {
                log::log(log::Level::Info, &message);
            }
        }
    }
}

attack!(Large);
