//! Logs a million messages.

use hostile::{Attack, Method, Tree, attack, log};

struct Flood;

impl Attack for Flood {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method == Method::Create {
            for number in 0..500_000 {
                log::log(log::Level::Warning, &format!("message {number}"));
                log::status("and more");
            }
        }
    }
}

attack!(Flood);
