//! Begins to send a body that it doesn't say the length of, and comes to no end of it, as the argument `what` says behind the server: crashes, waits, computes, or drops it; or sends all of it.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, object, operation, text};
use wasip2::http::outgoing_handler::handle;
use wasip2::http::types::{Fields, Method, OutgoingBody, OutgoingRequest, Scheme};

struct Cut;

impl Attack for Cut {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let what = field(&request.arguments, "what").unwrap_or_default();
        let (authority, how) = what.split_once(' ').unwrap_or((&what, "crash"));
        let sent = OutgoingRequest::new(Fields::new());
        let _ = sent.set_method(&Method::Put);
        let _ = sent.set_scheme(Some(&Scheme::Http));
        let _ = sent.set_authority(Some(authority));
        let body = sent.body().unwrap();
        let stream = body.write().unwrap();
        let response = handle(sent, None).unwrap();
        stream.blocking_write_and_flush(b"the first half, ").unwrap();
        // Until the server has it.
        operation::sleep(50);
        match how {
            "crash" => core::arch::wasm32::unreachable(),
            "wait" => loop {
                operation::sleep(1_000);
            },
            "compute" => loop {
                core::hint::black_box(1);
            },
            "drop" => {
                drop(stream);
                drop(body);
            }
            _ => {
                stream.blocking_write_and_flush(b"the second half").unwrap();
                drop(stream);
                OutgoingBody::finish(body, None).unwrap();
            }
        }
        response.subscribe().block();
        let answered = matches!(response.get(), Some(Ok(Ok(_))));
        Ok(object(&["text"], vec![text(if answered { "answered" } else { "not answered" })]))
    }
}

attack!(Cut);
