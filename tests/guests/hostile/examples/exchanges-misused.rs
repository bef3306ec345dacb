//! Uses requests, responses, their bodies and what announces them as nobody may, as the argument `what` says: out of order, twice, for
//! longer than there is a call, with fields after a body that frame it. An address after it is of a server that it was granted.

use std::cell::RefCell;

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, object, text};
use wasip2::http::outgoing_handler::handle;
use wasip2::http::types::{
    Fields, FutureIncomingResponse, IncomingBody, IncomingResponse, Method, OutgoingBody, OutgoingRequest,
    RequestOptions, Scheme,
};
use wasip2::io::poll::{Pollable, poll};
use wasip2::io::streams::InputStream;

struct Misused;

thread_local! {
    /// What is kept from one call for the next one.
    static KEPT: RefCell<Option<(FutureIncomingResponse, Pollable)>> = const { RefCell::new(None) };
}

fn request(to: &str, fields: Fields) -> OutgoingRequest {
    let request = OutgoingRequest::new(fields);
    let _ = request.set_scheme(Some(&Scheme::Http));
    let _ = request.set_authority(Some(to));
    let _ = request.set_method(&Method::Post);
    request
}

fn begun(to: &str) -> Result<FutureIncomingResponse, String> {
    handle(request(to, Fields::new()), None).map_err(|error| format!("{error:?}"))
}

fn response(to: &str) -> Result<IncomingResponse, String> {
    let future = begun(to)?;
    future.subscribe().block();
    match future.get() {
        Some(Ok(Ok(response))) => Ok(response),
        other => Err(format!("no response: {other:?}")),
    }
}

fn body(to: &str) -> Result<(IncomingResponse, IncomingBody, InputStream), String> {
    let response = response(to)?;
    let body = response.consume().map_err(|()| "no body")?;
    let stream = body.stream().map_err(|()| "no stream")?;
    Ok((response, body, stream))
}

/// A request with a body and what comes after it, in these fields.
fn trailed(to: &str, announced: &[(String, Vec<u8>)], after: &[(String, Vec<u8>)]) -> Result<String, String> {
    let head = Fields::from_list(announced).map_err(|error| format!("head: {error:?}"))?;
    let sent = request(to, head);
    let body = sent.body().map_err(|()| "no body")?;
    let trailers = Fields::from_list(after).map_err(|error| format!("trailers: {error:?}"))?;
    let future = handle(sent, None).map_err(|error| format!("{error:?}"))?;
    let stream = body.write().map_err(|()| "no stream")?;
    let _ = stream.blocking_write_and_flush(b"body");
    drop(stream);
    let finished = OutgoingBody::finish(body, Some(trailers)).is_ok();
    future.subscribe().block();
    let answered = matches!(future.get(), Some(Ok(Ok(_))));
    Ok(format!("finished {finished}, answered {answered}"))
}

fn fields(fields: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    fields.iter().map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_owned())).collect()
}

fn misused(what: &str, to: &str) -> Result<String, String> {
    match what {
        "response twice" => {
            let future = begun(to)?;
            let early = future.get().is_some();
            let waiting: Vec<Pollable> = (0..1_000).map(|_| future.subscribe()).collect();
            let ready = poll(&waiting.iter().collect::<Vec<_>>()).len();
            let (first, second) = (future.get(), future.get());
            Ok(format!("{early} {ready} {} {}", matches!(first, Some(Ok(Ok(_)))), matches!(second, Some(Err(())))))
        }
        "body twice" => {
            let (response, body, _stream) = body(to)?;
            Ok(format!("{} {}", response.consume().is_ok(), body.stream().is_ok()))
        }
        "fields of others" => {
            let response = response(to)?;
            let headers = response.headers();
            let own = headers.clone();
            let changed = [
                headers.append("a", b"b").is_ok(),
                headers.set("a", &[b"b".to_vec()]).is_ok(),
                headers.delete("server").is_ok(),
            ];
            Ok(format!("{changed:?} {}", own.append("a", b"b").is_ok()))
        }
        "body before its stream" => {
            let (_response, body, stream) = body(to)?;
            drop(body);
            Ok(format!("{}", stream.blocking_read(100).is_ok()))
        }
        "finished before its stream" => {
            let (_response, body, stream) = body(to)?;
            let _trailers = IncomingBody::finish(body);
            Ok(format!("{}", stream.blocking_read(100).is_ok()))
        }
        "response before its body" => {
            let (response, body, stream) = body(to)?;
            drop(response);
            let read = stream.blocking_read(1_000).map(|read| read.len()).map_err(|error| format!("{error:?}"))?;
            drop(stream);
            let trailers = IncomingBody::finish(body);
            let waiting: Vec<Pollable> = (0..100).map(|_| trailers.subscribe()).collect();
            poll(&waiting.iter().collect::<Vec<_>>());
            let first = trailers.get();
            let came = matches!(&first, Some(Ok(Ok(Some(fields)))) if fields.has("x-after"));
            Ok(format!("{read} {came} {}", matches!(trailers.get(), Some(Err(())))))
        }
        "future before its pollable" => {
            let future = begun(to)?;
            let waiting = future.subscribe();
            drop(future);
            waiting.block();
            Ok("waited".to_owned())
        }
        "given up" => {
            for _ in 0..500 {
                drop(begun(to)?);
            }
            Ok("given up".to_owned())
        }
        "request twice" => {
            let sent = request(to, Fields::new());
            let again = sent.body().is_ok();
            Ok(format!("{again} {}", sent.body().is_ok()))
        }
        "stream of none" => {
            let sent = request(to, Fields::new());
            let body = sent.body().map_err(|()| "no body")?;
            let stream = body.write().map_err(|()| "no stream")?;
            drop(sent);
            let written = (0..64).take_while(|_| stream.check_write().is_ok_and(|room| room > 0)).count();
            Ok(format!("{} {}", written > 0, body.write().is_ok()))
        }
        "body before what writes it" => {
            let sent = request(to, Fields::new());
            let body = sent.body().map_err(|()| "no body")?;
            let _stream = body.write().map_err(|()| "no stream")?;
            drop(body);
            Ok("dropped".to_owned())
        }
        "for ever" => {
            let options = RequestOptions::new();
            let longest = Some(u64::MAX);
            let set = options.set_connect_timeout(longest).is_ok()
                && options.set_first_byte_timeout(longest).is_ok()
                && options.set_between_bytes_timeout(longest).is_ok();
            let future = handle(request(to, Fields::new()), Some(options)).map_err(|error| format!("{error:?}"))?;
            future.subscribe().block();
            Ok(format!("{set} {}", matches!(future.get(), Some(Ok(Ok(_))))))
        }
        "at once" => {
            let options = RequestOptions::new();
            let _ = options.set_first_byte_timeout(Some(0));
            let future = handle(request(to, Fields::new()), Some(options)).map_err(|error| format!("{error:?}"))?;
            future.subscribe().block();
            Ok(format!("{:?}", future.get().map(|outcome| outcome.map(|outcome| outcome.map(drop)))))
        }
        "trailed" => trailed(to, &fields(&[("trailer", "x-sum")]), &fields(&[("x-sum", "1")])),
        "trailed by framing" => trailed(
            to,
            &fields(&[("trailer", "host, content-length, x-sum")]),
            &fields(&[("content-length", "0"), ("x-sum", "1")]),
        ),
        "trailed by a host" => trailed(to, &fields(&[("trailer", "host")]), &fields(&[("host", "evil.example")])),
        "trailed beside a length" => {
            let head = fields(&[("content-length", "4"), ("trailer", "x-sum")]);
            trailed(to, &head, &fields(&[("x-sum", "1\r\nGET /smuggled HTTP/1.1")]))
        }
        "kept" => {
            let future = begun(to)?;
            let waiting = future.subscribe();
            KEPT.with(|kept| kept.replace(Some((future, waiting))));
            Ok("kept".to_owned())
        }
        "kept before" => Ok(format!("{}", KEPT.with(RefCell::take).is_some())),
        "none" => Ok(format!("{:?}", poll(&[]))),
        _ => Err("no such attack".to_owned()),
    }
}

impl Attack for Misused {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let what = field(&request.arguments, "what").unwrap_or_default();
        let (what, to) = what.rsplit_once(' ').unwrap_or((&what, ""));
        let outcome = misused(what, to).unwrap_or_else(|error| error);
        Ok(object(&["text"], vec![text(&outcome)]))
    }
}

attack!(Misused);
