//! Uses handles as nobody may, as the argument `what` says: twice after they were given back, before they were made, as what they aren't, as what is still needed by others.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, object, text};
use wasip2::cli::stdout::get_stdout;
use wasip2::clocks::monotonic_clock::subscribe_duration;
use wasip2::http::types::{Fields, OutgoingRequest};
use wasip2::io::poll::{Pollable, poll};
use wasip2::io::streams::OutputStream;

struct Misuse;

/// The handle of a number that anybody may make up.
fn stream(number: u32) -> OutputStream {
    #[allow(unsafe_code, reason = "the number is a lie, which is what is tried")]
    // SAFETY: the host looks at it.
    unsafe {
        OutputStream::from_handle(number)
    }
}

fn pollable(number: u32) -> Pollable {
    #[allow(unsafe_code, reason = "the number is a lie, which is what is tried")]
    // SAFETY: the host looks at it.
    unsafe {
        Pollable::from_handle(number)
    }
}

impl Attack for Misuse {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let stdout = get_stdout();
        match field(&request.arguments, "what").as_deref() {
            Some("dropped twice") => drop(stream(stdout.handle())),
            Some("used after") => {
                let number = stdout.handle();
                drop(stdout);
                let _ = std::mem::ManuallyDrop::new(stream(number)).write(b"x");
                return Ok(object(&["text"], vec![text("used")]));
            }
            Some("never made") => drop(stream(12_345)),
            Some("of another kind") => {
                let clock = subscribe_duration(1);
                let _ = std::mem::ManuallyDrop::new(stream(clock.handle())).write(b"x");
            }
            Some("wait for a stream") => std::mem::ManuallyDrop::new(pollable(stdout.handle())).block(),
            Some("wait twice") => {
                let clock = subscribe_duration(1);
                let again = std::mem::ManuallyDrop::new(pollable(clock.handle()));
                poll(&[&clock, &again, &clock]);
                return Ok(object(&["text"], vec![text("waited")]));
            }
            Some("parent first") => {
                let waiting = stdout.subscribe();
                drop(stdout);
                waiting.block();
                return Ok(object(&["text"], vec![text("waited")]));
            }
            Some("request before its body") => {
                let request = OutgoingRequest::new(Fields::new());
                let body = request.body();
                let headers = request.headers();
                drop(request);
                let _ = headers.append("a", b"b");
                let stream = body.and_then(|body| body.write());
                let written = stream.map(|stream| stream.blocking_write_and_flush(b"x"));
                return Ok(object(&["text"], vec![text(if written.is_ok() { "written" } else { "refused" })]));
            }
            _ => {}
        }
        Ok(object(&["text"], vec![text("nothing happened")]))
    }
}

attack!(Misuse);
