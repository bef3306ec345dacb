//! Begins the bodies of very many requests that it never sends, or of responses that nobody asked for, and writes them, or as the
//! argument `what` says nothing of them: they are kept by the host, not in its own memory.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, object, text};
use wasip2::http::types::{Fields, OutgoingBody, OutgoingRequest, OutgoingResponse};

struct Flood;

/// As much as a body takes before anybody reads it.
fn fill(body: &OutgoingBody) -> bool {
    let Ok(stream) = body.write() else { return false };
    while let Ok(most) = stream.check_write() {
        if most == 0 {
            return true;
        }
        if stream.write(&vec![b'x'; most as usize]).is_err() {
            return false;
        }
    }
    false
}

/// Bodies of which nothing is written, as many as there may be handles: of each one end is kept, or none.
fn begin(what: &str) {
    let (mut requests, mut responses, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..30_000 {
        if what == "unwritten responses" {
            let response = OutgoingResponse::new(Fields::new());
            response.body().expect("a response has a body");
            responses.push(response);
            continue;
        }
        let request = OutgoingRequest::new(Fields::new());
        let body = request.body().expect("a request has a body");
        match what {
            "unwritten" => requests.push(request),
            "orphaned" => bodies.push(body),
            "finished" => OutgoingBody::finish(body, None).expect("a body has an end"),
            _ => {}
        }
    }
}

impl Attack for Flood {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let what = field(&request.arguments, "what").unwrap_or_default();
        if !["requests", "responses"].contains(&&*what) {
            begin(&what);
            return Ok(object(&["text"], vec![text("gone")]));
        }
        let (mut requests, mut responses) = (Vec::new(), Vec::new());
        for _ in 0..2_000 {
            let filled = if what == "responses" {
                let response = OutgoingResponse::new(Fields::new());
                let filled = fill(&response.body().expect("a response has a body"));
                responses.push(response);
                filled
            } else {
                let request = OutgoingRequest::new(Fields::new());
                let filled = fill(&request.body().expect("a request has a body"));
                requests.push(request);
                filled
            };
            if !filled {
                return Err(Error::Failed("a body takes nothing".to_owned()));
            }
        }
        Err(Error::Failed("there is room for all of them".to_owned()))
    }
}

attack!(Flood);
