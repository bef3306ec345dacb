//! Holds a lock for ever in one call, and waits for it in all others.

use hostile::{Attack, Method, Tree, attack, field, operation, session};

struct Lock;

impl Attack for Lock {
    fn strike(&self, method: Method, inputs: Option<&Tree>) {
        if method.describes() || method == Method::Configure {
            return;
        }
        let what = inputs.and_then(|inputs| field(inputs, "what")).unwrap_or_default();
        let guard = session::lock("lock");
        if what == "twice" {
            std::mem::forget(session::lock("lock"));
        }
        hostile::log::log(hostile::log::Level::Info, "held");
        loop {
            operation::sleep(u32::MAX);
            std::hint::black_box(&guard);
        }
    }
}

attack!(Lock);
