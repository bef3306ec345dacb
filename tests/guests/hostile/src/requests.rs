//! Requests over HTTP, which a well-behaved host sends nowhere.

use wasip2::http::outgoing_handler::handle;
use wasip2::http::types::{ErrorCode, Fields, Method, OutgoingBody, OutgoingRequest, Scheme};

/// A request. What is empty is left out.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "each is the part of a request of that name")]
pub struct Request {
    pub method: String,
    pub authority: String,
    pub path: String,
    pub header: Option<(String, String)>,
    pub body: String,
}

/// Sends a request, and waits for an answer. The status, or why there is none.
pub fn send(request: &Request) -> Result<u16, String> {
    let fields = Fields::new();
    if let Some((name, value)) = &request.header {
        fields.append(name, value.as_bytes()).map_err(|error| format!("{error:?}"))?;
    }
    let sent = OutgoingRequest::new(fields);
    let method = if request.method.is_empty() { Method::Get } else { Method::Other(request.method.clone()) };
    sent.set_method(&method).map_err(|()| "the method is refused")?;
    sent.set_scheme(Some(&Scheme::Http)).map_err(|()| "the scheme is refused")?;
    sent.set_authority(Some(&request.authority)).map_err(|()| "the authority is refused")?;
    if !request.path.is_empty() {
        sent.set_path_with_query(Some(&request.path)).map_err(|()| "the path is refused")?;
    }
    let body = sent.body().map_err(|()| "the body is refused")?;
    let stream = body.write().map_err(|()| "the body is gone")?;
    let future = handle(sent, None).map_err(code)?;
    if !request.body.is_empty() {
        stream.blocking_write_and_flush(request.body.as_bytes()).map_err(|error| format!("{error:?}"))?;
    }
    drop(stream);
    let finished = OutgoingBody::finish(body, None);
    loop {
        if let Some(answer) = future.get() {
            let answer = answer.map_err(|()| "the answer is gone")?.map_err(code)?;
            return finished.map(|()| answer.status()).map_err(code);
        }
        future.subscribe().block();
    }
}

fn code(error: ErrorCode) -> String {
    format!("{error:?}")
}
