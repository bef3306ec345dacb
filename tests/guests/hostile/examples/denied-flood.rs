//! Asks for twenty thousand places, each another one, of which it is granted none.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Request, Tree, attack, send};

struct Flood;

impl Attack for Flood {
    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        for number in 0..20_000 {
            let authority = format!("{number}.{}.example", "x".repeat(60));
            let _ = send(&Request { authority, ..Request::default() });
        }
        Err(Error::Failed("nobody is there".to_owned()))
    }
}

attack!(Flood);
