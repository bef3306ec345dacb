//! `wasi:filesystem`: what is opened in a granted directory, and how much is written there.
//!
//! Paths are resolved beneath the directory (cap-std's rules: no `..` out of it, no link out of it, no absolute path). What this
//! adds: only files and directories are opened, because a pipe keeps a thread for as long as nobody writes to it and a device
//! is no file; an operator is told what a directory's grant was too narrow for; a call fills no disk, by what it writes or
//! by what it makes; and nobody has all the descriptors of the process, or its memory, by keeping what was opened.

mod entries;
#[cfg(unix)]
mod listings;
mod narrow;
#[cfg(unix)]
mod opening;
mod reading;
pub(super) mod roots;
#[cfg(unix)]
mod times;
mod turns;
mod writing;

use std::sync::Arc;

use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource, ResourceType};
use wasmtime_wasi::filesystem::WasiFilesystemView;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorType, ErrorCode, HostDescriptor, OpenFlags, PathFlags,
};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, FsError, FsResult};

use self::narrow::Granted;
use super::counted::{self, Bounds};
use crate::audit::HostCall;
use crate::store::{Opened, Shortage, State};

/// The interface. Components may import any version compatible with it.
pub(super) const TYPES: &str = "wasi:filesystem/types@0.2.12";

/// What is replaced of it.
#[cfg(test)]
pub(super) const REPLACED: [&str; 14] = [
    OPEN,
    WRITE,
    READ_STREAM,
    WRITE_STREAM,
    APPEND_STREAM,
    SET_SIZE,
    DESCRIPTOR,
    entries::DIRECTORY,
    entries::LINK,
    entries::SYMLINK,
    listings::READ,
    listings::NEXT,
    listings::STREAM,
    times::TIMES,
];

const OPEN: &str = "[method]descriptor.open-at";
const WRITE: &str = "[method]descriptor.write";
const READ_STREAM: &str = "[method]descriptor.read-via-stream";
const WRITE_STREAM: &str = "[method]descriptor.write-via-stream";
const APPEND_STREAM: &str = "[method]descriptor.append-via-stream";
const SET_SIZE: &str = "[method]descriptor.set-size";
const DESCRIPTOR: &str = "descriptor";

/// What is written at once of what is given for that; the rest isn't kept until a slow disk has taken it.
const PIECE: usize = 1 << 20;

type Request = (Resource<Descriptor>, PathFlags, String, OpenFlags, DescriptorFlags);
type Answer = (Result<Resource<Descriptor>, ErrorCode>,);

type Reading = (Result<Resource<DynInputStream>, ErrorCode>,);
type Stream = (Result<Resource<DynOutputStream>, ErrorCode>,);
type Written = (Result<u64, ErrorCode>,);

/// Replaces the stock functions that open, that write, and that make something.
///
/// # Errors
/// An interface that isn't linked.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    turns::add_to_linker(linker)?;
    roots::add_to_linker(linker)?;
    let mut types = linker.instance(TYPES)?;
    entries::add_to_linker(&mut types)?;
    #[cfg(unix)]
    listings::add_to_linker(&mut types)?;
    #[cfg(unix)]
    times::add_to_linker(&mut types)?;
    types
        .func_wrap_async(OPEN, |store: StoreContextMut<'_, State>, request: Request| Box::new(open(store, request)))?;
    types.func_wrap_async(
        WRITE,
        |store: StoreContextMut<'_, State>, request: (Resource<Descriptor>, Vec<u8>, u64)| {
            Box::new(write(store, request))
        },
    )?;
    types.func_wrap(
        WRITE_STREAM,
        |mut store: StoreContextMut<'_, State>, (file, offset): (Resource<Descriptor>, u64)| {
            let _call = HostCall::begin(TYPES, WRITE_STREAM);
            let open = opened(store.data(), &file);
            if !store.data().call.written.take(beginning(offset)) {
                return Ok((Err(ErrorCode::Quota),));
            }
            let stream = turns::filesystem(store.data_mut()).write_via_stream(file, offset);
            counted(store.data_mut(), stream, open)
        },
    )?;
    types.func_wrap(APPEND_STREAM, |mut store: StoreContextMut<'_, State>, (file,): (Resource<Descriptor>,)| {
        let _call = HostCall::begin(TYPES, APPEND_STREAM);
        let open = opened(store.data(), &file);
        // The end of a file may be in the middle of a block, or wherever its length was set to.
        if !entries::may_take_a_block(store.data()) {
            return Ok((Err(ErrorCode::Quota),));
        }
        let stream = turns::filesystem(store.data_mut()).append_via_stream(file);
        counted(store.data_mut(), stream, open)
    })?;
    types.func_wrap_async(SET_SIZE, |store: StoreContextMut<'_, State>, request: (Resource<Descriptor>, u64)| {
        Box::new(set_size(store, request))
    })?;
    types.func_wrap(
        READ_STREAM,
        |mut store: StoreContextMut<'_, State>, (file, offset): (Resource<Descriptor>, u64)| {
            let _call = HostCall::begin(TYPES, READ_STREAM);
            read_stream(store.data_mut(), file, offset)
        },
    )?;
    types.resource(DESCRIPTOR, ResourceType::host::<Descriptor>(), |mut store, place| {
        let state = store.data_mut();
        state.table.delete(Resource::<Descriptor>::new_own(place))?;
        state.open.remove(&place);
        state.ways.remove(&place);
        Ok(())
    })
}

/// The right by which a file is open. None of what was there when the instance began.
fn opened(state: &State, file: &Resource<Descriptor>) -> Option<Opened> {
    state.open.get(&file.rep()).cloned()
}

/// A stream out of a file.
fn read_stream(state: &mut State, file: Resource<Descriptor>, offset: u64) -> wasmtime::Result<Reading> {
    let open = opened(state, &file);
    let room = state.kept.room(reading::BUFFER, "streams of files")?;
    match state.filesystem().read_via_stream(file, offset) {
        Ok(stream) => {
            reading::hold(&mut state.table, &stream, Arc::clone(&state.call.terms), room, open)?;
            Ok((Ok(stream),))
        }
        Err(error) => Ok((Err(code(error)?),)),
    }
}

/// A stream into a file, which counts for the call. It doesn't outlive it: an instance with handles left isn't used again.
fn counted(
    state: &mut State,
    stream: FsResult<Resource<DynOutputStream>>,
    open: Option<Opened>,
) -> wasmtime::Result<Stream> {
    match stream {
        Ok(stream) => {
            let allowance = Some(state.call.written.clone());
            let bounds = Bounds { kept: state.kept.clone(), of: "what is written", allowance, open };
            let room = state.kept.room(writing::EACH, "streams of files")?;
            writing::wait(&mut state.table, &stream, Arc::clone(&state.call.terms), room)?;
            counted::count(&mut state.table, &stream, bounds)?;
            Ok((Ok(stream),))
        }
        Err(error) => Ok((Err(code(error)?),)),
    }
}

async fn write(
    mut store: StoreContextMut<'_, State>,
    (file, mut bytes, offset): (Resource<Descriptor>, Vec<u8>, u64),
) -> wasmtime::Result<Written> {
    let _call = HostCall::begin(TYPES, WRITE);
    bytes.truncate(PIECE);
    bytes.shrink_to_fit();
    let state = store.data_mut();
    if !state.call.written.take(bytes.len().saturating_add(beginning(offset))) {
        return Ok((Err(ErrorCode::Quota),));
    }
    match turns::filesystem(state).write(file, bytes, offset).await {
        Ok(written) => Ok((Ok(written),)),
        Err(error) => Ok((Err(code(error)?),)),
    }
}

/// Sets a file's length, which moves the place that streams append at: each time, a byte there takes another block.
async fn set_size(
    mut store: StoreContextMut<'_, State>,
    (file, size): (Resource<Descriptor>, u64),
) -> wasmtime::Result<entries::Done> {
    let _call = HostCall::begin(TYPES, SET_SIZE);
    let state = store.data_mut();
    if !entries::may_take_a_block(state) {
        return Ok((Err(ErrorCode::Quota),));
    }
    entries::done(turns::filesystem(state).set_size(file, size).await)
}

/// What it counts as that something is written in the middle of a file: a disk has whole blocks, and a byte in each takes all of them.
fn beginning(offset: u64) -> usize {
    if offset == 0 { 0 } else { entries::BLOCK }
}

async fn open(mut store: StoreContextMut<'_, State>, request: Request) -> wasmtime::Result<Answer> {
    let _call = HostCall::begin(TYPES, OPEN);
    let (directory, follow, path, how, access) = request;
    if let Err(code) = turns::fit([&path]) {
        return Ok((Err(code),));
    }
    let state = store.data_mut();
    let again = Resource::new_borrow(directory.rep());
    let way = state.ways.get(&directory.rep()).map(|way| way.to(&path));
    let found = is_openable(state, again, follow, path.clone()).await;
    if found == Some(false) {
        return Ok((Err(ErrorCode::NotPermitted),));
    }
    if how.contains(OpenFlags::CREATE) && found.is_none() && !entries::may_take_a_block(state) {
        return Ok((Err(ErrorCode::Quota),));
    }
    let right = match state.call.files.descriptor() {
        Ok(right) => right,
        Err(most) => {
            state.call.shortages.met(Shortage::Open(most));
            return Ok((Err(ErrorCode::Quota),));
        }
    };
    match opened_at(state, directory, path.clone(), (follow, how, access)).await? {
        Ok(opened) => {
            state.open.insert(opened.rep(), right);
            state.ways.extend(way.map(|way| (opened.rep(), way)));
            Ok((Ok(opened),))
        }
        Err(code) => {
            // A file system that nothing is written to is `read-only`, and nobody's denial.
            if code == ErrorCode::NotPermitted {
                Granted::of(state).denied(way.as_ref(), &path, is_writing(how, access));
            }
            Ok((Err(code),))
        }
    }
}

/// Whether what is there is a file or a directory, or a link; none if nothing is there that could be looked at.
async fn is_openable(
    state: &mut State,
    directory: Resource<Descriptor>,
    follow: PathFlags,
    path: String,
) -> Option<bool> {
    let kind = turns::filesystem(state).looked_at(directory, follow, path).await.ok()?.type_;
    Some(matches!(kind, DescriptorType::RegularFile | DescriptorType::Directory | DescriptorType::SymbolicLink))
}

/// Opens something, whatever is in its place by now.
#[cfg(unix)]
async fn opened_at(
    state: &mut State,
    directory: Resource<Descriptor>,
    path: String,
    manner: (PathFlags, OpenFlags, DescriptorFlags),
) -> wasmtime::Result<Result<Resource<Descriptor>, ErrorCode>> {
    let directory = match state.table.get(&directory)? {
        Descriptor::Dir(directory) => directory.clone(),
        Descriptor::File(_) => return Ok(Err(ErrorCode::NotDirectory)),
    };
    let terms = Arc::clone(&state.call.terms);
    match terms.in_turn(opening::open(directory, path, manner)).await {
        Ok(opened) => Ok(Ok(state.table.push(opened)?)),
        Err(opening::Unopened::Code(code)) => Ok(Err(code)),
        Err(opening::Unopened::NoFiles) => {
            // The interface has no word for it.
            state.call.shortages.met(Shortage::Files);
            Ok(Err(ErrorCode::Io))
        }
    }
}

#[cfg(not(unix))]
async fn opened_at(
    state: &mut State,
    directory: Resource<Descriptor>,
    path: String,
    (follow, how, access): (PathFlags, OpenFlags, DescriptorFlags),
) -> wasmtime::Result<Result<Resource<Descriptor>, ErrorCode>> {
    let opened = turns::filesystem(state).open_at(directory, follow, path, how, access).await;
    opened.map(Ok).or_else(|error| code(error).map(Err))
}

fn code(error: FsError) -> wasmtime::Result<ErrorCode> {
    error.downcast()
}

/// Whether something is opened in order to change it.
fn is_writing(how: OpenFlags, access: DescriptorFlags) -> bool {
    access.intersects(DescriptorFlags::WRITE | DescriptorFlags::MUTATE_DIRECTORY)
        || how.intersects(OpenFlags::CREATE | OpenFlags::TRUNCATE)
}
