//! Bodies of requests and responses that a guest writes, which the host keeps until they are sent: bounded together.
//!
//! A body takes a few chunks before anybody reads it, and a request that is never sent keeps them for ever. So each chunk counts
//! from its writing until it is dropped, by the connection or with its request. They are small, so that as many requests at once
//! as anybody makes have room.

use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource};
use wasmtime_wasi::p2::DynOutputStream;
use wasmtime_wasi_http::p2::bindings::http::types::HostOutgoingBody as _;
use wasmtime_wasi_http::p2::body::HostOutgoingBody;

use super::heads::view;
use super::{Nowhere, TYPES};
use crate::imports::counted::{Bounds, count};
use crate::store::State;

/// What a body takes at once.
pub(super) const CHUNK: usize = 64 << 10;

/// What is replaced.
pub(in crate::imports) const WRITE: &str = "[method]outgoing-body.write";

/// Replaces what gives a guest the stream into a body.
///
/// # Errors
/// An interface that isn't linked.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    linker.instance(TYPES)?.func_wrap(
        WRITE,
        |mut store: StoreContextMut<'_, State>, (body,): (Resource<HostOutgoingBody>,)| {
            let state = store.data_mut();
            let stream: Result<Resource<DynOutputStream>, ()> = view(state, &mut Nowhere).write(body)?;
            if let Ok(stream) = &stream {
                let bounds = Bounds { kept: state.kept.clone(), of: "bodies", allowance: None, open: None };
                count(&mut state.table, stream, bounds)?;
            }
            Ok((stream,))
        },
    )
}
