//! Streams out of files, each of which has a buffer for as long as it is there.
//!
//! A stream that is read once and kept holds what it read ahead, and its file open: both count until it is dropped.

use bytes::Bytes;
use wasmtime::component::{Resource, ResourceTable};
use wasmtime_wasi::p2::pipe::ClosedInputStream;
use wasmtime_wasi::p2::{DynInputStream, InputStream, Pollable, StreamResult};

use crate::store::{Opened, Room};

/// What the stock stream reads at once, at most.
pub(super) const BUFFER: usize = 64 << 10;

/// A stream that is counted.
struct Reading {
    stream: DynInputStream,
    _room: Room,
    _open: Option<Opened>,
}

/// From now on, has a stream hold what it takes.
///
/// # Errors
/// It isn't there.
pub(super) fn hold(
    table: &mut ResourceTable,
    stream: &Resource<DynInputStream>,
    room: Room,
    open: Option<Opened>,
) -> wasmtime::Result<()> {
    let entry = table.get_mut(stream)?;
    let stream = std::mem::replace(entry, Box::new(ClosedInputStream));
    *entry = Box::new(Reading { stream, _room: room, _open: open });
    Ok(())
}

#[async_trait::async_trait]
impl InputStream for Reading {
    fn read(&mut self, size: usize) -> StreamResult<Bytes> {
        self.stream.read(size)
    }

    async fn blocking_read(&mut self, size: usize) -> StreamResult<Bytes> {
        self.stream.blocking_read(size).await
    }

    fn skip(&mut self, length: usize) -> StreamResult<usize> {
        self.stream.skip(length)
    }

    async fn blocking_skip(&mut self, length: usize) -> StreamResult<usize> {
        self.stream.blocking_skip(length).await
    }

    async fn cancel(&mut self) {
        self.stream.cancel().await;
    }
}

#[async_trait::async_trait]
impl Pollable for Reading {
    async fn ready(&mut self) {
        self.stream.ready().await;
    }
}
