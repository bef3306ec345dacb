//! Times of what lies beneath a directory, set without waiting for anybody.
//!
//! The stock function opens what it sets the times of, for writing, and waits with a pipe until somebody reads it: for ever, and long after
//! its call has ended, since a thread that waits there is stopped by nobody. So it is opened as everything else is (`opening.rs`).

use wasmtime::StoreContextMut;
use wasmtime::component::{LinkerInstance, Resource};
use wasmtime_wasi::p2::bindings::filesystem::types::{
    Descriptor, DescriptorFlags, ErrorCode, HostDescriptor, NewTimestamp, OpenFlags, PathFlags,
};

use super::entries::{Done, done};
use super::{TYPES, is_openable, opened_at, turns};
use crate::audit::HostCall;
use crate::store::State;

pub(super) const TIMES: &str = "[method]descriptor.set-times-at";

type Request = (Resource<Descriptor>, PathFlags, String, NewTimestamp, NewTimestamp);

/// Replaces the stock function.
///
/// # Errors
/// Two definitions of one function.
pub(super) fn add_to_linker(types: &mut LinkerInstance<'_, State>) -> wasmtime::Result<()> {
    types.func_wrap_async(TIMES, |store: StoreContextMut<'_, State>, request: Request| Box::new(set(store, request)))
}

async fn set(
    mut store: StoreContextMut<'_, State>,
    (directory, follow, path, accessed, modified): Request,
) -> wasmtime::Result<Done> {
    let _call = HostCall::begin(TYPES, TIMES);
    if let Err(code) = turns::fit([&path]) {
        return Ok((Err(code),));
    }
    let state = store.data_mut();
    // What isn't followed isn't opened either.
    if !follow.contains(PathFlags::SYMLINK_FOLLOW) {
        return done(turns::filesystem(state).set_times_at(directory, follow, path, accessed, modified).await);
    }
    let again = Resource::new_borrow(directory.rep());
    if !is_openable(state, again, follow, path.clone()).await.unwrap_or(true) {
        return Ok((Err(ErrorCode::NotPermitted),));
    }
    let places = vec![(directory.rep(), follow, path.clone())];
    let opened = match open(state, directory, path).await? {
        Ok(opened) => opened,
        Err(code) => return done(turns::filesystem(state).changed(Err(code.into()), places).await),
    };
    let again = Resource::new_borrow(opened.rep());
    let outcome = turns::filesystem(state).set_times(again, accessed, modified).await;
    state.table.delete(opened)?;
    // A directory, which is opened for reading whatever is granted.
    done(turns::filesystem(state).changed(outcome, places).await)
}

/// Opens it in whichever way it may be opened.
async fn open(
    state: &mut State,
    directory: Resource<Descriptor>,
    path: String,
) -> wasmtime::Result<Result<Resource<Descriptor>, ErrorCode>> {
    let again = Resource::new_borrow(directory.rep());
    let manner = |access| (PathFlags::SYMLINK_FOLLOW, OpenFlags::empty(), access);
    match opened_at(state, again, path.clone(), manner(DescriptorFlags::WRITE)).await? {
        Err(ErrorCode::Access | ErrorCode::IsDirectory) => {
            opened_at(state, directory, path, manner(DescriptorFlags::READ)).await
        }
        opened => Ok(opened),
    }
}
