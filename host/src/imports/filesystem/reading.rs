//! Streams out of files, each of which has a buffer for as long as it is there.
//!
//! A stream that is read once and kept holds what it read ahead, and its file open: both count until it is dropped. It reads in a turn
//! of its provider, whether or not anybody waits for it; the stock stream begins at once, however many there are.

use std::sync::Arc;

use bytes::Bytes;
use wasmtime::component::{Resource, ResourceTable};
use wasmtime_wasi::p2::pipe::ClosedInputStream;
use wasmtime_wasi::p2::{DynInputStream, InputStream, Pollable, StreamError, StreamResult};
use wasmtime_wasi::runtime::{AbortOnDropJoinHandle, spawn};

use crate::imports::handles;
use crate::store::{Opened, Room, Terms};

/// What the stock stream reads at once, at most.
pub(super) const BUFFER: usize = 64 << 10;
/// What is read ahead for whoever only waits, as the stock stream does.
const AHEAD: usize = 4 << 10;

/// A stream that is counted.
struct Reading {
    state: Progress,
    terms: Arc<Terms>,
    _room: Room,
    _open: Option<Opened>,
}

/// How far it is.
enum Progress {
    Idle(DynInputStream),
    /// It waits for its turn, or has it.
    Busy(AbortOnDropJoinHandle<Self>),
    Read(DynInputStream, Bytes),
    /// Nothing comes any more. Why, if nobody was told.
    Over(Option<StreamError>),
}

impl Progress {
    fn after(stream: DynInputStream, read: StreamResult<Bytes>) -> Self {
        match read {
            Ok(bytes) if bytes.is_empty() => Self::Idle(stream),
            Ok(bytes) => Self::Read(stream, bytes),
            Err(error) => Self::Over(Some(error)),
        }
    }
}

/// From now on, has a stream hold what it takes, and wait for its turns.
///
/// # Errors
/// It isn't there.
pub(super) fn hold(
    table: &mut ResourceTable,
    stream: &Resource<DynInputStream>,
    terms: Arc<Terms>,
    room: Room,
    open: Option<Opened>,
) -> wasmtime::Result<()> {
    handles::wrapped(table, stream, Box::new(ClosedInputStream), |stream| {
        Box::new(Reading { state: Progress::Idle(stream), terms, _room: room, _open: open })
    })
}

impl Reading {
    fn take(&mut self) -> Progress {
        std::mem::replace(&mut self.state, Progress::Over(None))
    }

    /// Begins to read, and waits for nothing.
    fn begin(&mut self, mut stream: DynInputStream, size: usize) {
        let terms = Arc::clone(&self.terms);
        self.state = Progress::Busy(spawn(async move {
            let read = terms.in_turn(stream.blocking_read(size)).await;
            Progress::after(stream, read)
        }));
    }

    /// Waits for what was begun.
    async fn settle(&mut self) {
        if let Progress::Busy(reading) = &mut self.state {
            self.state = reading.await;
        }
    }
}

#[async_trait::async_trait]
impl InputStream for Reading {
    fn read(&mut self, size: usize) -> StreamResult<Bytes> {
        match self.take() {
            Progress::Idle(stream) if size > 0 => self.begin(stream, size),
            Progress::Read(stream, mut bytes) => {
                let read = bytes.split_to(size.min(bytes.len()));
                self.state = Progress::after(stream, Ok(bytes));
                return Ok(read);
            }
            Progress::Over(error) => return Err(error.unwrap_or(StreamError::Closed)),
            unchanged => self.state = unchanged,
        }
        Ok(Bytes::new())
    }

    async fn blocking_read(&mut self, size: usize) -> StreamResult<Bytes> {
        self.settle().await;
        if let Progress::Idle(stream) = &mut self.state {
            let read = self.terms.in_turn(stream.blocking_read(size)).await;
            if read.is_err() {
                self.state = Progress::Over(None);
            }
            return read;
        }
        self.read(size)
    }

    async fn cancel(&mut self) {
        // Whoever drops streams that are being read may not have more and more of them read.
        self.settle().await;
    }
}

#[async_trait::async_trait]
impl Pollable for Reading {
    async fn ready(&mut self) {
        if matches!(self.state, Progress::Idle(_))
            && let Progress::Idle(stream) = self.take()
        {
            self.begin(stream, AHEAD);
        }
        self.settle().await;
    }
}
