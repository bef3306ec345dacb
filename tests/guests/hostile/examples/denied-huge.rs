//! Asks for places by methods with names of a megabyte, and is granted none of them.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Request, Tree, attack, field, object, send, text};

struct Huge;

impl Attack for Huge {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        for number in 0..20 {
            let (method, authority) = ("X".repeat(1 << 20), format!("{number}.example"));
            let _ = send(&Request { method, authority, ..Request::default() });
        }
        if field(&request.arguments, "what").as_deref() == Some("go on") {
            return Ok(object(&["text"], vec![text("told")]));
        }
        Err(Error::Failed("nobody is there".to_owned()))
    }
}

attack!(Huge);
