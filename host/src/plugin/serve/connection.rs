//! A connection that remembers which conversation takes place on it.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tonic::transport::server::Connected;

use super::attachable::Conversation;

/// The conversation of a connection. It goes with the connection.
#[derive(Clone, Default)]
pub(super) struct Slot(Arc<Mutex<Option<Arc<Conversation>>>>);

impl Slot {
    pub(super) fn get(&self) -> Option<Arc<Conversation>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Begins another conversation: the one before.
    pub(super) fn replace(&self, conversation: Arc<Conversation>) -> Option<Arc<Conversation>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).replace(conversation)
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
        if let Some(conversation) = self.slot.get() {
            conversation.leave();
        }
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
