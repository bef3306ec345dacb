//! Streams into files, each of which writes in a turn of its provider.
//!
//! The stock stream begins to write at once, and however many there are, as many threads of the process do.

use std::sync::Arc;

use bytes::Bytes;
use tokio::task::JoinHandle;
use wasmtime::component::{Resource, ResourceTable};
use wasmtime_wasi::p2::pipe::ClosedOutputStream;
use wasmtime_wasi::p2::{DynOutputStream, OutputStream, Pollable, StreamError, StreamResult};

use crate::imports::handles;
use crate::store::Terms;

/// A stream that waits for its turns.
struct Writing {
    state: Progress,
    terms: Arc<Terms>,
}

/// How far it is.
enum Progress {
    Idle(DynOutputStream),
    /// It waits for its turn, or has it. What was given is written though its stream is gone, as far as it counts.
    Busy(JoinHandle<Self>),
    /// Nothing is written any more. Why, if nobody was told.
    Over(Option<StreamError>),
}

/// From now on, has a stream wait for its turns.
///
/// # Errors
/// It isn't there.
pub(super) fn wait(
    table: &mut ResourceTable,
    stream: &Resource<DynOutputStream>,
    terms: Arc<Terms>,
) -> wasmtime::Result<()> {
    handles::wrapped(table, stream, Box::new(ClosedOutputStream), |stream| {
        Box::new(Writing { state: Progress::Idle(stream), terms })
    })
}

impl Writing {
    /// The stream, or why it isn't written to.
    fn idle(&mut self) -> StreamResult<Option<&mut DynOutputStream>> {
        match &mut self.state {
            Progress::Idle(stream) => Ok(Some(stream)),
            Progress::Busy(_) => Ok(None),
            Progress::Over(error) => Err(error.take().unwrap_or(StreamError::Closed)),
        }
    }
}

#[async_trait::async_trait]
impl OutputStream for Writing {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        if self.idle()?.is_none() {
            return Err(StreamError::trap("write not permitted: check_write not called first"));
        }
        if let Progress::Idle(mut stream) = std::mem::replace(&mut self.state, Progress::Over(None)) {
            let terms = Arc::clone(&self.terms);
            self.state = Progress::Busy(tokio::spawn(async move {
                match terms.in_turn(stream.blocking_write_and_flush(bytes)).await {
                    Ok(()) => Progress::Idle(stream),
                    Err(error) => Progress::Over(Some(error)),
                }
            }));
        }
        Ok(())
    }

    async fn blocking_write_and_flush(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.ready().await;
        let terms = Arc::clone(&self.terms);
        let Some(stream) = self.idle()? else { return Err(StreamError::Closed) };
        let written = terms.in_turn(stream.blocking_write_and_flush(bytes)).await;
        if written.is_err() {
            self.state = Progress::Over(None);
        }
        written
    }

    fn flush(&mut self) -> StreamResult<()> {
        // Whoever waits until more can be written waits for that as well.
        self.idle().map(|_| ())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        self.idle()?.map_or(Ok(0), |stream| stream.check_write())
    }

    async fn cancel(&mut self) {
        // What was given is written, and nobody has more and more of them written.
        self.ready().await;
    }
}

#[async_trait::async_trait]
impl Pollable for Writing {
    async fn ready(&mut self) {
        if let Progress::Busy(writing) = &mut self.state {
            self.state = writing.await.unwrap_or(Progress::Over(None));
        }
    }
}
