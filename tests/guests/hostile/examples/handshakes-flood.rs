//! Asks a server that it was granted for something, sixty-four times at once, whose certificates lead on to each other in very many ways, and to no authority.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, object, text};
use wasip2::http::outgoing_handler::handle;
use wasip2::http::types::{ErrorCode, Fields, OutgoingRequest, Scheme};

struct Flood;

impl Attack for Flood {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let authority = field(&request.arguments, "what");
        let asked = || {
            let request = OutgoingRequest::new(Fields::new());
            let _ = request.set_scheme(Some(&Scheme::Https));
            let _ = request.set_authority(authority.as_deref());
            handle(request, None).map_err(|error| Error::Failed(format!("{error:?}")))
        };
        let pending = (0..64).map(|_| asked()).collect::<Result<Vec<_>, _>>()?;
        let mut refused = 0;
        for pending in pending {
            pending.subscribe().block();
            refused += u32::from(matches!(pending.get(), Some(Ok(Err(ErrorCode::TlsCertificateError)))));
        }
        Ok(object(&["text"], vec![text(&format!("{refused} weren't believed"))]))
    }
}

attack!(Flood);
