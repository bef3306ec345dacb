//! Heads of requests, which the host keeps for a guest: bounded together, and with those of responses (`received_heads.rs`).
//!
//! The stock implementation bounds each set of fields and nothing bounds all of them. What a guest gives for heads is counted
//! until it has no handle of anything left, since fields pass from one handle to another, and a guest that hoards is ended. Those that it
//! asks of requests and responses are the same ones, unless it makes a request of them: that has a copy once it is sent. And a request
//! that is sent has one wherever somebody asked for them before, which counts until its response begins.

use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource};
use wasmtime_wasi_http::WasiHttpCtxView;
use wasmtime_wasi_http::p2::HeaderError as Failure;
use wasmtime_wasi_http::p2::bindings::http::types::{
    self, HeaderError, Host, HostFields, HostOutgoingRequest as HostOutgoingRequestFunctions,
};
use wasmtime_wasi_http::p2::types::HostOutgoingRequest;
use wasmtime_wasi_http::{FieldMap, FieldMapError};

use super::{Nowhere, TYPES, odd};
use crate::store::State;

/// What a field takes besides its text, in a map that has grown for it.
pub(super) const EACH: usize = 192;

const FIELDS_NEW: &str = "[constructor]fields";
const FIELDS_FROM_LIST: &str = "[static]fields.from-list";
const FIELDS_SET: &str = "[method]fields.set";
const FIELDS_APPEND: &str = "[method]fields.append";
const FIELDS_CLONE: &str = "[method]fields.clone";
const OUTGOING_REQUEST_NEW: &str = "[constructor]outgoing-request";
const OUTGOING_REQUEST_SET_PATH_WITH_QUERY: &str = "[method]outgoing-request.set-path-with-query";
const OUTGOING_REQUEST_SET_AUTHORITY: &str = "[method]outgoing-request.set-authority";
const OUTGOING_REQUEST_SET_METHOD: &str = "[method]outgoing-request.set-method";

/// What is replaced.
#[cfg(test)]
pub(in crate::imports) const REPLACED: [&str; 9] = [
    FIELDS_NEW,
    FIELDS_FROM_LIST,
    FIELDS_SET,
    FIELDS_APPEND,
    FIELDS_CLONE,
    OUTGOING_REQUEST_NEW,
    OUTGOING_REQUEST_SET_PATH_WITH_QUERY,
    OUTGOING_REQUEST_SET_AUTHORITY,
    OUTGOING_REQUEST_SET_METHOD,
];

type Fields = Resource<FieldMap>;
type Outcome<T> = (Result<T, HeaderError>,);
type Request = Resource<HostOutgoingRequest>;

/// Replaces what adds to heads in the stock `wasi:http`.
///
/// # Errors
/// An interface that isn't linked.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    let mut types = linker.instance(TYPES)?;
    types.func_wrap(FIELDS_NEW, |mut store: StoreContextMut<'_, State>, (): ()| {
        let state = store.data_mut();
        count(state, EACH)?;
        Ok((HostFields::new(&mut view(state, &mut Nowhere))?,))
    })?;
    types.func_wrap(
        FIELDS_FROM_LIST,
        |mut store: StoreContextMut<'_, State>, (entries,): (Vec<(String, Vec<u8>)>,)| {
            let state = store.data_mut();
            count(state, entries.iter().map(|(name, value)| name.len() + value.len() + EACH).sum())?;
            let made = HostFields::from_list(&mut view(state, &mut Nowhere), entries);
            answer(state, made)
        },
    )?;
    types.func_wrap(
        FIELDS_SET,
        |mut store: StoreContextMut<'_, State>, (fields, name, values): (Fields, String, Vec<Vec<u8>>)| {
            let state = store.data_mut();
            count(state, values.iter().map(|value| name.len() + value.len() + EACH).sum())?;
            let set = HostFields::set(&mut view(state, &mut Nowhere), fields, name, values);
            answer(state, set)
        },
    )?;
    types.func_wrap(
        FIELDS_APPEND,
        |mut store: StoreContextMut<'_, State>, (fields, name, value): (Fields, String, Vec<u8>)| {
            let state = store.data_mut();
            count(state, name.len() + value.len() + EACH)?;
            let appended = HostFields::append(&mut view(state, &mut Nowhere), fields, name, value);
            answer(state, appended)
        },
    )?;
    types.func_wrap(FIELDS_CLONE, |mut store: StoreContextMut<'_, State>, (fields,): (Fields,)| {
        let state = store.data_mut();
        count_copy(state, &fields)?;
        Ok((HostFields::clone(&mut view(state, &mut Nowhere), fields)?,))
    })?;
    types.func_wrap(OUTGOING_REQUEST_NEW, |mut store: StoreContextMut<'_, State>, (fields,): (Fields,)| {
        let state = store.data_mut();
        if are_shared(state, &fields)? {
            count_copy(state, &fields)?;
        }
        Ok((HostOutgoingRequestFunctions::new(&mut view(state, &mut Nowhere), fields)?,))
    })?;
    types.func_wrap(
        OUTGOING_REQUEST_SET_PATH_WITH_QUERY,
        |mut store: StoreContextMut<'_, State>, (request, path): (Request, Option<String>)| {
            let state = store.data_mut();
            count(state, path.as_ref().map_or(0, String::len))?;
            Ok((view(state, &mut Nowhere).set_path_with_query(request, path)?,))
        },
    )?;
    types.func_wrap(
        OUTGOING_REQUEST_SET_AUTHORITY,
        |mut store: StoreContextMut<'_, State>, (request, authority): (Request, Option<String>)| {
            let state = store.data_mut();
            count(state, authority.as_ref().map_or(0, String::len))?;
            let outcome = view(state, &mut Nowhere).set_authority(request, authority.clone())?;
            if let Some(refused) = authority.filter(|_| outcome.is_err()) {
                odd::illegible(&state.call.authority, &refused);
            }
            Ok((outcome,))
        },
    )?;
    types.func_wrap(
        OUTGOING_REQUEST_SET_METHOD,
        |mut store: StoreContextMut<'_, State>, (request, method): (Request, types::Method)| {
            let state = store.data_mut();
            count(state, if let types::Method::Other(name) = &method { name.len() } else { 0 })?;
            Ok((view(state, &mut Nowhere).set_method(request, method)?,))
        },
    )
}

/// Counts what is added.
///
/// # Errors
/// It is too much.
fn count(state: &mut State, bytes: usize) -> wasmtime::Result<()> {
    if state.table.is_empty() {
        state.heads = None;
    }
    let room = state.kept.room(bytes, "headers")?;
    match &mut state.heads {
        Some(all) => all.join(room),
        none => *none = Some(room),
    }
    Ok(())
}

/// Whether some fields are another request's, or a response's. Nobody may change those, not even to something that no field may have.
///
/// # Errors
/// There are no such fields.
fn are_shared(state: &mut State, fields: &Fields) -> wasmtime::Result<bool> {
    let changed = state.table.get_mut(fields)?.set(&mut Nowhere, "x".to_owned(), vec![b"\n".to_vec()]);
    Ok(changed == Err(FieldMapError::Immutable))
}

/// Counts what another handle of some fields may become: they are copied once they are changed, or sent.
///
/// # Errors
/// It is too much.
fn count_copy(state: &mut State, fields: &Fields) -> wasmtime::Result<()> {
    let size = size(state.table.get(fields)?);
    count(state, size)
}

/// What fields take.
pub(super) fn size(fields: &FieldMap) -> usize {
    fields.iter().map(|(name, value)| name.as_str().len() + value.len() + EACH).sum()
}

pub(super) fn view<'s>(state: &'s mut State, hooks: &'s mut Nowhere) -> WasiHttpCtxView<'s> {
    WasiHttpCtxView { hooks, table: &mut state.table, ctx: &mut state.http }
}

/// What the contract says of a failure.
fn answer<T>(state: &mut State, outcome: Result<T, Failure>) -> wasmtime::Result<Outcome<T>> {
    match outcome {
        Ok(done) => Ok((Ok(done),)),
        Err(error) => Ok((Err(view(state, &mut Nowhere).convert_header_error(error)?),)),
    }
}
