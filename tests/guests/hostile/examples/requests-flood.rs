//! Sends requests without end to a server that it was granted, or to one that it wasn't, and waits for no response: the host keeps
//! what it takes to send each, and few have a connection.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field};
use wasip2::http::outgoing_handler::handle;
use wasip2::http::types::{Fields, OutgoingRequest, Scheme};

struct Flood;

impl Attack for Flood {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let authority = field(&request.arguments, "what").unwrap_or_default();
        let mut sent = Vec::new();
        loop {
            let request = OutgoingRequest::new(Fields::new());
            let _ = request.set_scheme(Some(&Scheme::Http));
            let _ = request.set_authority(Some(&authority));
            match handle(request, None) {
                Ok(response) => sent.push(response),
                Err(error) => return Err(Error::Failed(format!("after {} comes {error:?}", sent.len()))),
            }
        }
    }
}

attack!(Flood);
