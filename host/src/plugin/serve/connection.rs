//! A connection that remembers which conversation takes place on it, or which one it goes on with.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tonic::Status;
use tonic::transport::server::Connected;

use super::attachable::Conversation;

/// The conversations of a connection. They go with the connection.
#[derive(Clone, Default)]
pub(super) struct Slot(Arc<Mutex<Uses>>);

#[derive(Default)]
struct Uses {
    /// Its own, which it began or ended.
    own: Option<Use>,
    /// One that was begun on another connection.
    anothers: Option<Use>,
}

/// That a connection uses a conversation, for as long as it does.
struct Use(Arc<Conversation>);

impl Use {
    fn of(conversation: &Arc<Conversation>) -> Self {
        conversation.begin_use();
        Self(Arc::clone(conversation))
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        self.0.end_use();
    }
}

impl Slot {
    fn uses(&self) -> MutexGuard<'_, Uses> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connection's own conversation.
    pub(super) fn own(&self) -> Option<Arc<Conversation>> {
        Some(Arc::clone(&self.uses().own.as_ref()?.0))
    }

    /// Begins another conversation: its own before.
    pub(super) fn replace(&self, conversation: &Arc<Conversation>) -> Option<Arc<Conversation>> {
        let before = std::mem::replace(&mut *self.uses(), Uses { own: Some(Use::of(conversation)), anothers: None });
        before.own.map(|before| Arc::clone(&before.0))
    }

    /// The conversation that it goes on with: as before, or one that is chosen now.
    ///
    /// # Errors
    /// Those of choosing.
    pub(super) fn going_on(
        &self,
        choose: impl FnOnce() -> Result<Arc<Conversation>, Status>,
    ) -> Result<Arc<Conversation>, Status> {
        let mut uses = self.uses();
        if let Some(Use(before)) = uses.anothers.as_ref().filter(|before| !before.0.is_cancelled()) {
            return Ok(Arc::clone(before));
        }
        let chosen = choose()?;
        uses.anothers = Some(Use::of(&chosen));
        Ok(chosen)
    }

    /// Makes a conversation its own, unless another connection uses it: whether it did.
    pub(super) fn owns(&self, conversation: &Arc<Conversation>) -> bool {
        let mut uses = self.uses();
        let used = uses.anothers.as_ref().is_some_and(|anothers| Arc::ptr_eq(&anothers.0, conversation));
        let alone = conversation.users() <= usize::from(used);
        if alone {
            *uses = Uses { own: Some(Use::of(conversation)), anothers: None };
        }
        alone
    }

    /// The connection is gone.
    fn leave(&self) {
        drop(std::mem::take(&mut *self.uses()));
    }
}

/// A connection with its slot, which its requests carry among their extensions.
pub(super) struct Connection {
    stream: TcpStream,
    slot: Slot,
}

impl Connection {
    /// A connection on which nothing was said yet.
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, slot: Slot::default() }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Its requests may be there for a moment longer.
        self.slot.leave();
    }
}

impl Connected for Connection {
    type ConnectInfo = Slot;

    fn connect_info(&self) -> Slot {
        self.slot.clone()
    }
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
