//! A request that is counted against what its call may send: its head at once, and its body as it goes.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{HeaderMap, Request};
use hyper::body::{Body, Frame, SizeHint};
use wasmtime_wasi_http::{Error, WasiBody};

use crate::store::Allowance;

/// A body whose bytes are counted.
pub(super) struct SentBody {
    body: WasiBody,
    allowance: Allowance,
    spent: Arc<AtomicBool>,
}

/// Takes a request's head from the allowance, and from now on its body. None if there is too little for the head.
pub(super) fn counted(request: Request<WasiBody>, allowance: &Allowance) -> Option<Request<SentBody>> {
    let path = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    let head = request.method().as_str().len().saturating_add(path).saturating_add(length(request.headers()));
    let counted = |body| SentBody { body, allowance: allowance.clone(), spent: Arc::default() };
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
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        Poll::Ready(frame.map(|frame| frame.and_then(|frame| self.passed(frame))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
