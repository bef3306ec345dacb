//! The body of a response, as much of it as a guest may have.
//!
//! Nothing is read before it is asked for, so a body costs what is in flight, whatever the server sends. It holds its connection:
//! dropped before its end, it closes that.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::time::Sleep;

use super::error::OutgoingError;
use super::idle::Lent;
use super::terms::Terms;

/// The body of a response.
#[derive(Debug)]
pub(crate) struct ResponseBody {
    incoming: Incoming,
    /// None once the end was seen.
    lent: Option<Lent>,
    terms: Terms,
    /// Ends a pause.
    pause: Option<Pin<Box<Sleep>>>,
    limit: usize,
    left: usize,
}

impl ResponseBody {
    /// A body of at most so many bytes.
    pub(super) fn new(incoming: Incoming, lent: Lent, terms: Terms, limit: usize) -> Self {
        Self { incoming, lent: Some(lent), terms, pause: None, limit, left: limit }
    }

    /// A frame, within its limits.
    fn counted(&mut self, frame: Frame<Bytes>) -> Result<Frame<Bytes>, OutgoingError> {
        let length = frame.data_ref().map_or(0, Bytes::len);
        if let Some(lent) = &self.lent {
            lent.connection.framing.made();
        }
        self.left = self.left.checked_sub(length).ok_or(OutgoingError::Body(self.limit))?;
        Ok(frame)
    }

    fn next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, OutgoingError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.incoming).poll_frame(context) {
            self.pause = None;
            let frame = frame.map(|frame| frame.map_err(|error| OutgoingError::of(&error)));
            return Poll::Ready(frame.map(|frame| frame.and_then(|frame| self.counted(frame))));
        }
        let (terms, wait) = (self.terms, self.terms.between_bytes.max(Duration::from_millis(1)));
        let pause = self.pause.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(terms.until(wait))));
        ready!(pause.as_mut().poll(context));
        Poll::Ready(Some(Err(OutgoingError::BetweenBytesTimeout)))
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = OutgoingError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, OutgoingError>>> {
        if self.lent.is_none() {
            return Poll::Ready(None);
        }
        let next = ready!(self.next(context));
        // At its end or after an error there is nothing to wait for, and others may want to connect.
        match &next {
            Some(Ok(_)) => {}
            Some(Err(_)) => self.lent = None,
            None => self.lent.take().map(Lent::give_back).unwrap_or_default(),
        }
        Poll::Ready(next)
    }

    fn is_end_stream(&self) -> bool {
        self.lent.is_none() || self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}

impl Drop for ResponseBody {
    fn drop(&mut self) {
        // Of a response without a body nobody reads the end.
        if let Some(lent) = self.lent.take().filter(|_| self.incoming.is_end_stream()) {
            lent.give_back();
        }
    }
}
