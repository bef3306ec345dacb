//! Says more than anybody searches for the secrets that it was given, then is denied what it asks for, and succeeds or fails, as the
//! argument `what` says.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Request, Tree, attack, field, log, object, send, text};

struct Drowned;

impl Attack for Drowned {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let said = "x".repeat(300_000);
        for _ in 0..140 {
            log::log(log::Level::Debug, &said);
        }
        let _ = send(&Request { authority: "denied.example".to_owned(), ..Request::default() });
        match field(&request.arguments, "what").as_deref() {
            Some("fail") => Err(Error::Failed("nobody is there".to_owned())),
            _ => Ok(object(&["text"], vec![text("well")])),
        }
    }
}

attack!(Drowned);
