//! Bodies of requests and responses that a guest writes, which the host keeps until they are sent: bounded together.
//!
//! A body takes a few chunks before anybody reads it, and a request that is never sent keeps them for ever. So each chunk counts
//! from its writing until it is dropped, by the connection or with its request. They are small, so that as many requests at once
//! as anybody makes have room. What a body goes through is kept whether anything is written or not: it counts from the beginning, until
//! neither the guest nor a request nor a connection has an end of it.

use std::sync::Arc;

use http_body_util::BodyExt;
use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource, ResourceType};
use wasmtime_wasi::p2::DynOutputStream;
use wasmtime_wasi_http::WasiHttpCtxView;
use wasmtime_wasi_http::p2::HttpResult;
use wasmtime_wasi_http::p2::bindings::http::types::{
    ErrorCode, HostOutgoingBody as _, HostOutgoingRequest as HostOutgoingRequestFunctions,
    HostOutgoingResponse as HostOutgoingResponseFunctions, Trailers,
};
use wasmtime_wasi_http::p2::body::{HostOutgoingBody, HyperOutgoingBody};
use wasmtime_wasi_http::p2::types::{HostOutgoingRequest, HostOutgoingResponse};

use super::heads::view;
use super::{Nowhere, TYPES};
use crate::imports::counted::{Bounds, count};
use crate::store::{Room, State};

/// What a body takes at once.
pub(super) const CHUNK: usize = 64 << 10;

/// What a body takes beside what is written: the channels that it goes through.
const EACH: usize = 4 << 10;

const BODY: &str = "outgoing-body";
const OF_REQUEST: &str = "[method]outgoing-request.body";
const OF_RESPONSE: &str = "[method]outgoing-response.body";
const WRITE: &str = "[method]outgoing-body.write";
const FINISH: &str = "[static]outgoing-body.finish";

/// What is replaced.
#[cfg(test)]
pub(in crate::imports) const REPLACED: [&str; 5] = [BODY, OF_REQUEST, OF_RESPONSE, WRITE, FINISH];

type Body = Resource<HostOutgoingBody>;

/// The stock function that gives a guest its end of a message's body, once.
type Begin<T> = fn(&mut WasiHttpCtxView<'_>, Resource<T>) -> wasmtime::Result<Result<Body, ()>>;

/// Replaces what gives a guest a body and the stream into it, and what ends one.
///
/// # Errors
/// An interface that isn't linked.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    let mut types = linker.instance(TYPES)?;
    types.func_wrap(
        OF_REQUEST,
        |store: StoreContextMut<'_, State>, (request,): (Resource<HostOutgoingRequest>,)| {
            given(
                store,
                request,
                |view, request| HostOutgoingRequestFunctions::body(view, request),
                |sent| &mut sent.body,
            )
        },
    )?;
    types.func_wrap(
        OF_RESPONSE,
        |store: StoreContextMut<'_, State>, (response,): (Resource<HostOutgoingResponse>,)| {
            given(
                store,
                response,
                |view, response| HostOutgoingResponseFunctions::body(view, response),
                |sent| &mut sent.body,
            )
        },
    )?;
    types.func_wrap(
        FINISH,
        |mut store: StoreContextMut<'_, State>, (body, trailers): (Body, Option<Resource<Trailers>>)| {
            let state = store.data_mut();
            let place = body.rep();
            let finished: HttpResult<()> = view(state, &mut Nowhere).finish(body, trailers);
            state.bodies.remove(&place);
            Ok((finished.map_or_else(|error| error.downcast().map(Err::<(), ErrorCode>), |()| Ok(Ok(())))?,))
        },
    )?;
    types.resource(BODY, ResourceType::host::<HostOutgoingBody>(), |mut store, place| {
        let state = store.data_mut();
        state.table.delete(Body::new_own(place))?.abort();
        state.bodies.remove(&place);
        Ok(())
    })?;
    types.func_wrap(WRITE, |mut store: StoreContextMut<'_, State>, (body,): (Resource<HostOutgoingBody>,)| {
        let state = store.data_mut();
        let stream: Result<Resource<DynOutputStream>, ()> = view(state, &mut Nowhere).write(body)?;
        if let Ok(stream) = &stream {
            let bounds = Bounds { kept: state.kept.clone(), of: "bodies", allowance: None, open: None };
            count(&mut state.table, stream, bounds)?;
        }
        Ok((stream,))
    })
}

/// The guest's end of the body of a message, which holds room from now on, as the other end does.
///
/// # Errors
/// A message that isn't there, or no room.
fn given<T: 'static>(
    mut store: StoreContextMut<'_, State>,
    message: Resource<T>,
    body: Begin<T>,
    sent: fn(&mut T) -> &mut Option<HyperOutgoingBody>,
) -> wasmtime::Result<(Result<Body, ()>,)> {
    let state = store.data_mut();
    let place = Resource::<T>::new_borrow(message.rep());
    let body = body(&mut view(state, &mut Nowhere), message)?;
    if let Ok(body) = &body {
        let room = Arc::new(state.kept.room(EACH, "bodies")?);
        state.bodies.insert(body.rep(), Arc::clone(&room));
        hold(room, sent(state.table.get_mut(&place)?));
    }
    Ok((body,))
}

/// Has the other end hold the room as well.
fn hold(room: Arc<Room>, sent: &mut Option<HyperOutgoingBody>) {
    let holding = |sent: HyperOutgoingBody| {
        let held = move |error| {
            let _room = &room;
            error
        };
        sent.map_err(held).boxed_unsync()
    };
    *sent = sent.take().map(holding);
}
