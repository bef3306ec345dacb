//! Streams into files, each of which writes in a turn of its provider.
//!
//! The stock stream begins to write at once, and however many there are, as many threads of the process do. What waits for its turn is
//! kept meanwhile, with what it is done by: that counts from the beginning, until neither the stream is there nor the last that was
//! written to it.

use std::sync::Arc;

use bytes::Bytes;
use tokio::task::JoinHandle;
use wasmtime::component::{Resource, ResourceTable};
use wasmtime_wasi::p2::pipe::ClosedOutputStream;
use wasmtime_wasi::p2::{DynOutputStream, OutputStream, Pollable, StreamError, StreamResult};

use crate::imports::handles;
use crate::store::{Room, Terms};

/// What a stream takes, with a task that waits for its turn, beside the bytes.
pub(super) const EACH: usize = 4 << 10;

/// A stream that waits for its turns.
struct Writing {
    state: Progress,
    terms: Arc<Terms>,
    room: Arc<Room>,
}

/// How far it is.
enum Progress {
    Idle(DynOutputStream),
    /// It waits for its turn, or has it. What was given is written though its stream is gone, as far as it counts.
    Busy(JoinHandle<Self>),
    /// Nothing is written any more. Why, if nobody was told.
    Over(Option<StreamError>),
}

/// From now on, has a stream hold what it takes, and wait for its turns.
///
/// # Errors
/// It isn't there.
pub(super) fn wait(
    table: &mut ResourceTable,
    stream: &Resource<DynOutputStream>,
    terms: Arc<Terms>,
    room: Room,
) -> wasmtime::Result<()> {
    handles::wrapped(table, stream, Box::new(ClosedOutputStream), |stream| {
        Box::new(Writing { state: Progress::Idle(stream), terms, room: Arc::new(room) })
    })
}

/// Writes what was given to a stream, in its turn, however long the stream itself is there.
async fn written(mut stream: DynOutputStream, bytes: Bytes, terms: Arc<Terms>, room: Arc<Room>) -> Progress {
    let _room = room;
    match terms.in_turn(stream.blocking_write_and_flush(bytes)).await {
        Ok(()) => Progress::Idle(stream),
        Err(error) => Progress::Over(Some(error)),
    }
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
        if let Progress::Idle(stream) = std::mem::replace(&mut self.state, Progress::Over(None)) {
            let (terms, room) = (Arc::clone(&self.terms), Arc::clone(&self.room));
            self.state = Progress::Busy(tokio::spawn(written(stream, bytes, terms, room)));
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

#[cfg(test)]
mod tests {
    use tokio::sync::Notify;

    use super::*;
    use crate::store::{KEPT, Kept};

    /// A disk that takes what it is given once it is told to.
    struct Slow(Arc<Notify>);

    #[async_trait::async_trait]
    impl OutputStream for Slow {
        fn write(&mut self, _: Bytes) -> StreamResult<()> {
            Ok(())
        }

        async fn blocking_write_and_flush(&mut self, _: Bytes) -> StreamResult<()> {
            self.0.notified().await;
            Ok(())
        }

        fn flush(&mut self) -> StreamResult<()> {
            Ok(())
        }

        fn check_write(&mut self) -> StreamResult<usize> {
            Ok(1)
        }
    }

    #[async_trait::async_trait]
    impl Pollable for Slow {
        async fn ready(&mut self) {}
    }

    #[tokio::test]
    async fn a_stream_counts_until_what_was_written_to_it_is_on_the_disk() {
        let (mut table, kept, disk) = (ResourceTable::new(), Kept::default(), Arc::<Notify>::default());
        let stream = table.push(Box::new(Slow(Arc::clone(&disk))) as DynOutputStream).unwrap();
        wait(&mut table, &stream, Arc::default(), kept.room(EACH, "streams of files").unwrap()).unwrap();
        table.get_mut(&stream).unwrap().write(Bytes::from_static(b"x")).unwrap();
        tokio::task::yield_now().await;
        // As when its instance goes.
        drop(table.delete(stream).unwrap());
        assert!(kept.room(KEPT, "others").is_err(), "it is written though nobody has the stream");
        disk.notify_one();
        while kept.room(KEPT, "others").is_err() {
            tokio::task::yield_now().await;
        }
    }

    #[test]
    fn a_stream_takes_no_more_than_it_counts_for() {
        let stream: DynOutputStream = Box::new(ClosedOutputStream);
        let room = Arc::new(Kept::default().room(EACH, "streams of files").unwrap());
        let waiting = written(stream, Bytes::new(), Arc::default(), room);
        // Around it is a task, and in it what the stock stream waits for.
        let others = 512;
        let all = size_of::<Writing>() + size_of_val(&waiting) + others;
        assert!(all <= EACH, "{all}");
    }
}
