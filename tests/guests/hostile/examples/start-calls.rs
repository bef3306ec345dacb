//! Calls its host as soon as an instance of it begins, as the input `what` of the call before says: announces a resource, takes a lock,
//! logs, keeps handles, waits for ever, crashes.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, attack, field, log, object, operation, session, text};
use wasip2::clocks::monotonic_clock::subscribe_duration;

struct Starting;

/// What runs before anything else of an instance does.
#[used]
#[unsafe(link_section = ".init_array")]
#[allow(unsafe_code, reason = "there is no other way to run that early")]
static START: extern "C" fn() = start;

extern "C" fn start() {
    match session::get("what").as_deref() {
        Some(b"announce") => {
            let _ = operation::checkpoint("early-1", &object(&["text"], vec![text("early")]));
            std::process::abort()
        }
        Some(b"lock") => std::mem::forget(session::lock("mine")),
        Some(b"log") => log::log(log::Level::Info, "early"),
        Some(b"handles") => (0..100).for_each(|_| std::mem::forget(subscribe_duration(u64::MAX))),
        Some(b"wait") => subscribe_duration(u64::MAX).block(),
        Some(b"crash") => std::process::abort(),
        _ => {}
    }
}

impl Attack for Starting {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let what = field(&request.inputs, "what").unwrap_or_default();
        let (before, after) = (session::get("what"), Some(what.into_bytes()));
        session::compare_and_swap("what", before.as_deref(), after.as_deref())
            .map_err(|error| Error::Failed(format!("{error}")))?;
        // Nobody but another instance serves the next call.
        std::mem::forget(subscribe_duration(1));
        Ok(Created {
            id: "made-1".to_owned(),
            state: object(&["text"], vec![text("made")]),
            refresh_before_update: false,
        })
    }
}

attack!(Starting);
