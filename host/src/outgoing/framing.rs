//! What a server sends beside the body of its response, as much of it as anybody needs.
//!
//! A connection reads on for as long as bytes come, whatever they come to: responses that only announce another one (`103`), by the
//! million, or the digits of a length without end. Nothing is made of these that a limit of heads or bodies would count, and they
//! are read by the thread that answers engines. So all that is read counts until something is made of it.
//!
//! Encrypted, a server can go on with less: with tickets for later sessions, of which nothing is read at all. So there the bytes beneath
//! count too.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Bytes that are read until something is made of them. Pieces of a body that wait for a guest are among them: one that was made and
/// not taken, one that is being made, and what is read ahead, of at most a head's length each.
const MOST: usize = 256 << 10;

/// The same of an encrypted connection, before it is decrypted: small records are mostly not what is in them.
const MOST_ENCRYPTED: usize = 8 * MOST;

/// Bytes that are read at a stretch, before others have a turn.
const STRETCH: usize = 16 << 10;

/// That more was read than anybody needs.
#[derive(Debug, thiserror::Error)]
#[error("it is all framing")]
pub(super) struct AllFraming;

/// What may still be read before something has to come of it. Clones are the same.
#[derive(Clone, Debug)]
pub(super) struct Framing {
    read: Arc<AtomicUsize>,
    encrypted: Arc<AtomicUsize>,
}

impl Framing {
    /// Nothing was read so far.
    pub(super) fn new() -> Self {
        Self { read: Arc::new(AtomicUsize::new(MOST)), encrypted: Arc::new(AtomicUsize::new(MOST_ENCRYPTED)) }
    }

    /// Something came of what was read.
    pub(super) fn made(&self) {
        self.read.store(MOST, Ordering::Relaxed);
        self.encrypted.store(MOST_ENCRYPTED, Ordering::Relaxed);
    }

    /// Whether a connection ended since it is all framing.
    pub(super) fn ended(error: &hyper::Error) -> bool {
        let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<io::Error>());
        cause.and_then(io::Error::get_ref).is_some_and(|cause| cause.is::<AllFraming>())
    }

    /// A stream of which no more is read.
    pub(super) fn of<S>(&self, stream: S) -> Framed<S> {
        Framed { stream, left: Arc::clone(&self.read), stretch: STRETCH }
    }

    /// A stream that one is decrypted from, of which no more is read.
    pub(super) fn beneath<S>(&self, stream: S) -> Framed<S> {
        Framed { stream, left: Arc::clone(&self.encrypted), stretch: STRETCH }
    }
}

/// A stream whose bytes are counted as they are read.
pub(super) struct Framed<S> {
    stream: S,
    left: Arc<AtomicUsize>,
    /// What is left of a stretch.
    stretch: usize,
}

impl<S> Framed<S> {
    fn take(&self, bytes: usize) -> io::Result<()> {
        let less = |left: usize| left.checked_sub(bytes);
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.map(drop).map_err(|_| io::Error::other(AllFraming))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Framed<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.stretch == 0 {
            self.stretch = STRETCH;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let bytes = buffer.filled().len().saturating_sub(before);
        self.stretch = self.stretch.saturating_sub(bytes);
        Poll::Ready(self.take(bytes))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Framed<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn what_nothing_comes_of_ends_and_what_something_comes_of_does_not() {
        let framing = Framing::new();
        let mut stream = framing.of(tokio::io::repeat(b'0'));
        let mut piece = vec![0; MOST];
        stream.read_exact(&mut piece).await.unwrap();
        framing.made();
        stream.read_exact(&mut piece).await.unwrap();
        let error = stream.read_exact(&mut piece).await.unwrap_err();
        assert!(error.get_ref().is_some_and(|cause| cause.is::<AllFraming>()), "{error}");
    }

    #[tokio::test]
    async fn a_stretch_is_read_and_then_others_have_a_turn() {
        let mut stream = std::pin::pin!(Framing::new().of(tokio::io::repeat(b'0')));
        let mut piece = vec![0; 2 * STRETCH];
        let mut buffer = ReadBuf::new(&mut piece);
        let mut context = Context::from_waker(std::task::Waker::noop());
        assert!(stream.as_mut().poll_read(&mut context, &mut buffer).is_ready());
        buffer.clear();
        assert!(stream.as_mut().poll_read(&mut context, &mut buffer).is_pending());
        assert!(stream.as_mut().poll_read(&mut context, &mut buffer).is_ready());
    }
}
