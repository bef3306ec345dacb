//! New files, directories and links: none of them has to hold anything to use up a disk.
//!
//! Each takes a block of what its call may write, before it is made. What is refused afterwards has taken it all the same, so
//! that nothing can be tried without end.

use wasmtime::StoreContextMut;
use wasmtime::component::{LinkerInstance, Resource};
use wasmtime_wasi::p2::FsResult;
use wasmtime_wasi::p2::bindings::filesystem::types::{Descriptor, ErrorCode, HostDescriptor, PathFlags};

use super::{TYPES, code, turns};
use crate::audit::HostCall;
use crate::store::State;

pub(super) const DIRECTORY: &str = "[method]descriptor.create-directory-at";
pub(super) const LINK: &str = "[method]descriptor.link-at";
pub(super) const SYMLINK: &str = "[method]descriptor.symlink-at";

/// What an entry counts as, bytes: a block, which is what most file systems keep at least.
pub(super) const BLOCK: usize = 4 << 10;

type Named = (Resource<Descriptor>, String);
type Linked = (Resource<Descriptor>, PathFlags, String, Resource<Descriptor>, String);
type Pointing = (Resource<Descriptor>, String, String);
pub(super) type Done = (Result<(), ErrorCode>,);

/// Replaces the stock functions that make entries and open none.
///
/// # Errors
/// Two definitions of one function.
pub(super) fn add_to_linker(types: &mut LinkerInstance<'_, State>) -> wasmtime::Result<()> {
    types.func_wrap_async(DIRECTORY, |store: StoreContextMut<'_, State>, request: Named| {
        Box::new(create_directory(store, request))
    })?;
    types.func_wrap_async(LINK, |store: StoreContextMut<'_, State>, request: Linked| Box::new(link(store, request)))?;
    types.func_wrap_async(SYMLINK, |store: StoreContextMut<'_, State>, request: Pointing| {
        Box::new(symlink(store, request))
    })
}

/// Whether the call may have the disk keep another block: for an entry, or for what begins within a file.
pub(super) fn may_take_a_block(state: &State) -> bool {
    state.call.written.take(BLOCK)
}

async fn create_directory(mut store: StoreContextMut<'_, State>, (directory, path): Named) -> wasmtime::Result<Done> {
    let _call = HostCall::begin(TYPES, DIRECTORY);
    let state = store.data_mut();
    if !may_take_a_block(state) {
        return Ok((Err(ErrorCode::Quota),));
    }
    done(turns::filesystem(state).create_directory_at(directory, path).await)
}

async fn link(
    mut store: StoreContextMut<'_, State>,
    (directory, follow, path, other, name): Linked,
) -> wasmtime::Result<Done> {
    let _call = HostCall::begin(TYPES, LINK);
    let state = store.data_mut();
    if !may_take_a_block(state) {
        return Ok((Err(ErrorCode::Quota),));
    }
    done(turns::filesystem(state).link_at(directory, follow, path, other, name).await)
}

async fn symlink(mut store: StoreContextMut<'_, State>, (directory, target, name): Pointing) -> wasmtime::Result<Done> {
    let _call = HostCall::begin(TYPES, SYMLINK);
    let state = store.data_mut();
    if !may_take_a_block(state) {
        return Ok((Err(ErrorCode::Quota),));
    }
    done(turns::filesystem(state).symlink_at(directory, target, name).await)
}

/// What became of it, as the contract has it.
pub(super) fn done(outcome: FsResult<()>) -> wasmtime::Result<Done> {
    Ok((outcome.map(Ok).or_else(|error| code(error).map(Err))?,))
}
