//! What leaves a sandbox by a stream, counted against what its call may send or write, and against what the host keeps.
//!
//! A stream of the stock implementation takes whatever it is given. It is put into one of these, which asks the call's allowance
//! first; what is too much isn't passed on, not even in part, and the stream is closed. What is passed on counts as kept until
//! whoever is at the other end has dropped it; where there is no room for it, the call ends. It is a copy: a byte that was spliced from
//! another stream would keep all that was read there at once.

use std::io;

use bytes::Bytes;
use wasmtime::component::{Resource, ResourceTable};
use wasmtime_wasi::p2::pipe::ClosedOutputStream;
use wasmtime_wasi::p2::{DynOutputStream, OutputStream, Pollable, StreamError, StreamResult};

use super::handles;
use crate::store::{Allowance, Kept, Opened};

/// A stream whose bytes are counted.
struct Counted {
    stream: DynOutputStream,
    bounds: Bounds,
    /// Whether it was given too much.
    spent: bool,
}

/// What a stream counts against.
pub(super) struct Bounds {
    /// What the host keeps for the instance.
    pub(super) kept: Kept,
    /// What of that goes through the stream.
    pub(super) of: &'static str,
    /// What the call may send or write; none where that is counted elsewhere.
    pub(super) allowance: Option<Allowance>,
    /// By which right the file behind it is open.
    #[expect(dead_code, reason = "had for as long as the stream is there")]
    pub(super) open: Option<Opened>,
}

/// From now on, has what goes through a stream counted.
///
/// # Errors
/// It isn't there.
pub(super) fn count(
    table: &mut ResourceTable,
    stream: &Resource<DynOutputStream>,
    bounds: Bounds,
) -> wasmtime::Result<()> {
    handles::wrapped(table, stream, Box::new(ClosedOutputStream), |stream| {
        Box::new(Counted { stream, bounds, spent: false })
    })
}

impl Counted {
    /// The same bytes, counted.
    fn take(&mut self, bytes: Bytes) -> StreamResult<Bytes> {
        if self.spent {
            return Err(StreamError::Closed);
        }
        if self.bounds.allowance.as_ref().is_none_or(|allowance| allowance.take(bytes.len())) {
            let counted = self.bounds.kept.bytes(Bytes::copy_from_slice(&bytes), self.bounds.of);
            return counted.map_err(|refused| StreamError::Trap(refused.into()));
        }
        self.spent = true;
        Err(StreamError::LastOperationFailed(io::Error::from(io::ErrorKind::QuotaExceeded).into()))
    }
}

#[async_trait::async_trait]
impl OutputStream for Counted {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        let bytes = self.take(bytes)?;
        self.stream.write(bytes)
    }

    async fn blocking_write_and_flush(&mut self, bytes: Bytes) -> StreamResult<()> {
        let bytes = self.take(bytes)?;
        self.stream.blocking_write_and_flush(bytes).await
    }

    fn flush(&mut self) -> StreamResult<()> {
        self.stream.flush()
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        if self.spent { Err(StreamError::Closed) } else { self.stream.check_write() }
    }

    async fn cancel(&mut self) {
        self.stream.cancel().await;
    }
}

#[async_trait::async_trait]
impl Pollable for Counted {
    async fn ready(&mut self) {
        // Nothing becomes of it any more, which is known at once.
        if !self.spent {
            self.stream.ready().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use wasmtime_wasi::p2::pipe::MemoryOutputPipe;

    use super::*;
    use crate::store::{self, Shortage, Shortages};

    /// A stream whose other end takes nothing.
    struct Kept(Vec<Bytes>);

    impl OutputStream for Kept {
        fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
            self.0.push(bytes);
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
    impl Pollable for Kept {
        async fn ready(&mut self) {}
    }

    #[test]
    fn a_part_of_what_was_read_does_not_keep_the_rest() {
        let mut table = ResourceTable::new();
        let stream = table.push(Box::new(Kept(Vec::new())) as DynOutputStream).unwrap();
        let bounds = Bounds { kept: store::Kept::default(), of: "bodies", allowance: None, open: None };
        count(&mut table, &stream, bounds).unwrap();
        let read = Bytes::from(vec![0; 1 << 16]);
        table.get_mut(&stream).unwrap().write(read.slice(..1)).unwrap();
        assert!(read.is_unique(), "the stream has a byte, and it counts as one");
    }

    #[tokio::test]
    async fn what_is_too_much_is_not_passed_on_and_closes_the_stream() {
        let mut table = ResourceTable::new();
        let (pipe, shortages) = (MemoryOutputPipe::new(100), Shortages::default());
        let allowance = Allowance::new(10, &shortages, Shortage::Written);
        let stream = table.push(Box::new(pipe.clone()) as DynOutputStream).unwrap();
        let bounds =
            Bounds { kept: store::Kept::default(), of: "bodies", allowance: Some(allowance.clone()), open: None };
        count(&mut table, &stream, bounds).unwrap();
        let counted = table.get_mut(&stream).unwrap();
        assert_eq!(counted.write_ready().await.unwrap(), 100, "what may be given at once is the stream's own");
        counted.write(Bytes::from_static(b"hello")).unwrap();
        counted.write_zeroes(1).unwrap();
        counted.blocking_write_and_flush(Bytes::from_static(b"you")).await.unwrap();
        let refused = counted.write(Bytes::from_static(b"all")).unwrap_err();
        assert!(matches!(refused, StreamError::LastOperationFailed(error) if error.to_string().contains("quota")));
        assert!(matches!(counted.write(Bytes::new()), Err(StreamError::Closed)));
        assert!(matches!(counted.check_write(), Err(StreamError::Closed)));
        assert!(matches!(counted.blocking_write_and_flush(Bytes::new()).await, Err(StreamError::Closed)));
        assert_eq!(pipe.contents(), b"hello\0you".as_slice());
        assert_eq!(shortages.all(), [Shortage::Written(10)]);
        assert!(allowance.take(1), "what was refused took nothing");
    }
}
