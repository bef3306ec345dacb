//! `wasi:io`, with waits that end when the call does.
//!
//! A guest that waits for ever would keep its instance and its permit for ever. Each wait races two tokens: the soft one
//! makes it return early, so that the guest may look at `operation.cancelled`; the hard one ends the call. After the
//! soft one a wait still takes a moment, or a loop around it would spin until the grace is over.

use std::future::Future;
use std::time::Duration;

use wasmtime::component::{HasData, Linker, Resource, ResourceTable};
use wasmtime_wasi::p2::bindings::io::{error, poll, streams};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, DynPollable, StreamError, StreamResult};

use crate::store::{Ending, Serving, State};

/// The least that a wait takes once the call should end.
const PAUSE: Duration = Duration::from_millis(50);

/// Replaces the stock `wasi:io`.
///
/// # Errors
/// Two definitions of one import.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    error::add_to_linker::<_, HasWaiting>(linker, waiting)?;
    poll::add_to_linker::<_, HasWaiting>(linker, waiting)?;
    streams::add_to_linker::<_, HasWaiting>(linker, waiting)
}

fn waiting(state: &mut State) -> Waiting<'_> {
    Waiting { call: state.call.clone(), table: &mut state.table }
}

struct HasWaiting;

impl HasData for HasWaiting {
    type Data<'a> = Waiting<'a>;
}

/// The handles of a call that may end.
pub(super) struct Waiting<'a> {
    call: Serving,
    table: &'a mut ResourceTable,
}

impl Waiting<'_> {
    /// A wait: what it waited for, or none if the call should end.
    pub(super) async fn race<T>(call: &Serving, wait: impl Future<Output = T>) -> wasmtime::Result<Option<T>> {
        let paused = async {
            call.soft.cancelled().await;
            tokio::time::sleep(PAUSE).await;
        };
        tokio::select! {
            biased;
            () = call.hard.cancelled() => Err(Ending::of(call).into()),
            outcome = wait => Ok(Some(outcome)),
            () = paused => Ok(None),
        }
    }

    /// A wait that can't return early with nothing done: it goes on until the call is ended.
    async fn until_ended<T>(call: &Serving, wait: impl Future<Output = StreamResult<T>>) -> StreamResult<T> {
        tokio::select! {
            biased;
            () = call.hard.cancelled() => Err(StreamError::Trap(Ending::of(call).into())),
            outcome = wait => outcome,
        }
    }

    /// The release of a handle, which may wait for what goes on behind it.
    async fn released(call: &Serving, wait: impl Future<Output = wasmtime::Result<()>>) -> wasmtime::Result<()> {
        tokio::select! {
            biased;
            outcome = wait => outcome,
            () = call.hard.cancelled() => Err(Ending::of(call).into()),
        }
    }
}

impl error::Host for Waiting<'_> {}

impl error::HostError for Waiting<'_> {
    fn to_debug_string(&mut self, error: Resource<error::Error>) -> wasmtime::Result<String> {
        error::HostError::to_debug_string(self.table, error)
    }

    fn drop(&mut self, error: Resource<error::Error>) -> wasmtime::Result<()> {
        error::HostError::drop(self.table, error)
    }
}

impl poll::Host for Waiting<'_> {
    async fn poll(&mut self, pollables: Vec<Resource<DynPollable>>) -> wasmtime::Result<Vec<u32>> {
        let ready = Self::race(&self.call, poll::Host::poll(self.table, pollables)).await?;
        // Readiness that proves false is allowed, and a list must not be empty.
        ready.unwrap_or_else(|| Ok(vec![0]))
    }
}

impl poll::HostPollable for Waiting<'_> {
    async fn ready(&mut self, pollable: Resource<DynPollable>) -> wasmtime::Result<bool> {
        poll::HostPollable::ready(self.table, pollable).await
    }

    async fn block(&mut self, pollable: Resource<DynPollable>) -> wasmtime::Result<()> {
        Self::race(&self.call, poll::HostPollable::block(self.table, pollable)).await?.unwrap_or(Ok(()))
    }

    fn drop(&mut self, pollable: Resource<DynPollable>) -> wasmtime::Result<()> {
        poll::HostPollable::drop(self.table, pollable)
    }
}

impl streams::Host for Waiting<'_> {
    fn convert_stream_error(&mut self, error: StreamError) -> wasmtime::Result<streams::StreamError> {
        streams::Host::convert_stream_error(self.table, error)
    }
}

impl streams::HostInputStream for Waiting<'_> {
    fn read(&mut self, stream: Resource<DynInputStream>, length: u64) -> StreamResult<Vec<u8>> {
        streams::HostInputStream::read(self.table, stream, length)
    }

    async fn blocking_read(&mut self, stream: Resource<DynInputStream>, length: u64) -> StreamResult<Vec<u8>> {
        Self::until_ended(&self.call, streams::HostInputStream::blocking_read(self.table, stream, length)).await
    }

    fn skip(&mut self, stream: Resource<DynInputStream>, length: u64) -> StreamResult<u64> {
        streams::HostInputStream::skip(self.table, stream, length)
    }

    async fn blocking_skip(&mut self, stream: Resource<DynInputStream>, length: u64) -> StreamResult<u64> {
        Self::until_ended(&self.call, streams::HostInputStream::blocking_skip(self.table, stream, length)).await
    }

    fn subscribe(&mut self, stream: Resource<DynInputStream>) -> wasmtime::Result<Resource<DynPollable>> {
        streams::HostInputStream::subscribe(self.table, stream)
    }

    async fn drop(&mut self, stream: Resource<DynInputStream>) -> wasmtime::Result<()> {
        Self::released(&self.call, streams::HostInputStream::drop(self.table, stream)).await
    }
}

impl streams::HostOutputStream for Waiting<'_> {
    fn check_write(&mut self, stream: Resource<DynOutputStream>) -> StreamResult<u64> {
        streams::HostOutputStream::check_write(self.table, stream)
    }

    fn write(&mut self, stream: Resource<DynOutputStream>, bytes: Vec<u8>) -> StreamResult<()> {
        streams::HostOutputStream::write(self.table, stream, bytes)
    }

    async fn blocking_write_and_flush(
        &mut self,
        stream: Resource<DynOutputStream>,
        bytes: Vec<u8>,
    ) -> StreamResult<()> {
        Self::until_ended(&self.call, streams::HostOutputStream::blocking_write_and_flush(self.table, stream, bytes))
            .await
    }

    fn flush(&mut self, stream: Resource<DynOutputStream>) -> StreamResult<()> {
        streams::HostOutputStream::flush(self.table, stream)
    }

    async fn blocking_flush(&mut self, stream: Resource<DynOutputStream>) -> StreamResult<()> {
        Self::until_ended(&self.call, streams::HostOutputStream::blocking_flush(self.table, stream)).await
    }

    fn subscribe(&mut self, stream: Resource<DynOutputStream>) -> wasmtime::Result<Resource<DynPollable>> {
        streams::HostOutputStream::subscribe(self.table, stream)
    }

    fn write_zeroes(&mut self, stream: Resource<DynOutputStream>, length: u64) -> StreamResult<()> {
        streams::HostOutputStream::write_zeroes(self.table, stream, length)
    }

    async fn blocking_write_zeroes_and_flush(
        &mut self,
        stream: Resource<DynOutputStream>,
        length: u64,
    ) -> StreamResult<()> {
        let wait = streams::HostOutputStream::blocking_write_zeroes_and_flush(self.table, stream, length);
        Self::until_ended(&self.call, wait).await
    }

    fn splice(
        &mut self,
        to: Resource<DynOutputStream>,
        from: Resource<DynInputStream>,
        length: u64,
    ) -> StreamResult<u64> {
        streams::HostOutputStream::splice(self.table, to, from, length)
    }

    async fn blocking_splice(
        &mut self,
        to: Resource<DynOutputStream>,
        from: Resource<DynInputStream>,
        length: u64,
    ) -> StreamResult<u64> {
        Self::until_ended(&self.call, streams::HostOutputStream::blocking_splice(self.table, to, from, length)).await
    }

    async fn drop(&mut self, stream: Resource<DynOutputStream>) -> wasmtime::Result<()> {
        Self::released(&self.call, streams::HostOutputStream::drop(self.table, stream)).await
    }
}

#[cfg(test)]
mod tests;
