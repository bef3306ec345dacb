//! A request that is counted against what its call may send: its head at once, and its body as it goes.
//!
//! A body that goes with the instance that writes it looks finished: the stock implementation tells one that is dropped with its store
//! from no other that has an end. In chunks it would reach its server as a whole one, which takes half an object for all of it. So
//! no body has an end any more once its call is over. A request of which that is too late is broken off anyway.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{HeaderMap, Request};
use hyper::body::{Body, Frame, SizeHint};
use tokio_util::sync::CancellationToken;
use wasmtime_wasi_http::{Error, WasiBody};

use crate::store::Allowance;

/// A body whose bytes are counted, and which is whole only if its call goes on.
pub(super) struct SentBody {
    body: WasiBody,
    /// Set before anything of the call goes.
    over: CancellationToken,
    allowance: Allowance,
    spent: Arc<AtomicBool>,
}

/// Takes a request's head from the allowance, and from now on its body, for as long as its call isn't over. None if there is too little
/// for the head.
pub(super) fn counted(
    request: Request<WasiBody>,
    allowance: &Allowance,
    over: &CancellationToken,
) -> Option<Request<SentBody>> {
    let path = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    let head = request.method().as_str().len().saturating_add(path).saturating_add(length(request.headers()));
    let counted = |body| SentBody { body, over: over.clone(), allowance: allowance.clone(), spent: Arc::default() };
    allowance.take(head).then(|| request.map(counted))
}

impl SentBody {
    /// Whether there was more of it than may be sent.
    pub(super) fn spent(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.spent)
    }

    fn passed(&self, frame: Frame<Bytes>) -> Result<Frame<Bytes>, Error> {
        let bytes = frame.data_ref().map_or_else(|| frame.trailers_ref().map_or(0, length), Bytes::len);
        if self.allowance.take(bytes) {
            return Ok(frame);
        }
        self.spent.store(true, Ordering::Relaxed);
        Err(Error::HttpRequestBodySize(Some(self.allowance.limit())))
    }
}

/// The bytes of some fields.
fn length(fields: &HeaderMap) -> usize {
    fields.iter().map(|(name, value)| name.as_str().len() + value.len()).fold(0, usize::saturating_add)
}

impl Body for SentBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let frame = match ready!(Pin::new(&mut self.body).poll_frame(context)) {
            Some(frame) => frame.and_then(|frame| self.passed(frame)),
            // Not asked before: whatever ended it, the call was over first.
            None if self.over.is_cancelled() => Err(Error::HttpProtocolError),
            None => return Poll::Ready(None),
        };
        Poll::Ready(Some(frame))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use http_body_util::{BodyExt, Full};
    use wasmtime_wasi_http::p2::body::{HostOutgoingBody, StreamContext};

    use super::*;
    use crate::store::{Shortage, Shortages};

    fn request(allowed: usize) -> Option<Request<SentBody>> {
        let body = Full::new(Bytes::from_static(b"body")).map_err(|never| match never {}).boxed_unsync();
        let request = Request::post("http://host/path").header("name", "value").body(body).unwrap();
        counted(request, &Allowance::new(allowed as u64, &Shortages::default(), Shortage::Sent), &<_>::default())
    }

    #[tokio::test]
    async fn a_request_counts_with_its_method_its_path_its_headers_and_its_body() {
        let head = "POST/pathnamevalue".len();
        assert!(request(head - 1).is_none(), "nothing of it is sent");
        let body = request(head + 4).unwrap().into_body();
        assert_eq!(body.collect().await.unwrap().to_bytes(), "body");
        let body = request(head + 3).unwrap().into_body();
        let spent = body.spent();
        assert!(body.collect().await.is_err() && spent.load(Ordering::Relaxed));
    }

    /// What its guest wrote is gone by then, as it is with an instance.
    #[test]
    fn a_body_that_was_dropped_with_its_instance_has_no_end() {
        for finished in [true, false] {
            let over = CancellationToken::new();
            let (mut written, body) = HostOutgoingBody::new(StreamContext::Request, None, 1, 64);
            let allowance = Allowance::new(1_000, &Shortages::default(), Shortage::Sent);
            let mut body =
                counted(Request::put("http://host/").body(body).unwrap(), &allowance, &over).unwrap().into_body();
            written.take_output_stream().unwrap().write(Bytes::from_static(b"half")).unwrap();
            assert_eq!(body.frame().now_or_never().unwrap().unwrap().unwrap().into_data().unwrap(), "half");
            assert!(body.frame().now_or_never().is_none(), "more may come");
            if finished {
                written.finish(None).unwrap();
            } else {
                over.cancel();
                drop(written);
            }
            let ended = body.frame().now_or_never().unwrap();
            assert_eq!(ended.is_none(), finished, "{ended:?}");
        }
    }
}
