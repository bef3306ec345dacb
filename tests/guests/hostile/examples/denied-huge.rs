//! Asks for places with names of a megabyte, of which it is granted none.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Request, Tree, attack, field, object, send, text};

struct Huge;

impl Attack for Huge {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        for number in 0..20 {
            let method = format!("{number}{}", "X".repeat(1 << 20));
            let _ = send(&Request { method, authority: "there.example".to_owned(), ..Request::default() });
        }
        if field(&request.arguments, "what").as_deref() == Some("go on") {
            return Ok(object(&["text"], vec![text("told")]));
        }
        Err(Error::Failed("nobody is there".to_owned()))
    }
}

attack!(Huge);
