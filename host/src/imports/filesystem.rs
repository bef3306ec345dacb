//! `wasi:filesystem`: what is opened in a granted directory.
//!
//! Paths are resolved beneath the directory (cap-std's rules: no `..` out of it, no link out of it, no absolute path). What this
//! adds: only files and directories are opened, because a pipe keeps a thread for as long as nobody writes to it and a device
//! is no file; and an operator is told what a directory's grant was too narrow for.

use bulkhead_policy::{Capability, Denial, Why};
use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource};
use wasmtime_wasi::filesystem::WasiFilesystemView;
use wasmtime_wasi::p2::FsError;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorType, ErrorCode, HostDescriptor, OpenFlags, PathFlags,
};

use crate::store::State;

type Request = (Resource<Descriptor>, PathFlags, String, OpenFlags, DescriptorFlags);
type Answer = (Result<Resource<Descriptor>, ErrorCode>,);

/// Replaces the stock `open-at`.
///
/// # Errors
/// An interface that isn't linked.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    linker
        .instance("wasi:filesystem/types@0.2.12")?
        .func_wrap_async("[method]descriptor.open-at", |store: StoreContextMut<'_, State>, request: Request| {
            Box::new(open(store, request))
        })
}

async fn open(mut store: StoreContextMut<'_, State>, request: Request) -> wasmtime::Result<Answer> {
    let (directory, follow, path, how, access) = request;
    let state = store.data_mut();
    let again = Resource::new_borrow(directory.rep());
    let found = state.filesystem().stat_at(again, follow, path.clone()).await.map(|found| found.type_);
    if let Ok(kind) = found
        && !matches!(kind, DescriptorType::RegularFile | DescriptorType::Directory | DescriptorType::SymbolicLink)
    {
        return Ok((Err(ErrorCode::NotPermitted),));
    }
    match state.filesystem().open_at(directory, follow, path.clone(), how, access).await {
        Ok(opened) => Ok((Ok(opened),)),
        Err(error) => {
            let code = code(error)?;
            if matches!(code, ErrorCode::NotPermitted | ErrorCode::ReadOnly) {
                let _ = state.call.authority.decided::<()>(Err(too_narrow(state.call.leaks.name(path), how, access)));
            }
            Ok((Err(code),))
        }
    }
}

fn code(error: FsError) -> wasmtime::Result<ErrorCode> {
    error.downcast()
}

/// What a directory's grant was too narrow for. The path may be cut, so nothing of it is secret any more.
fn too_narrow(path: String, how: OpenFlags, access: DescriptorFlags) -> Denial {
    let writes = access.intersects(DescriptorFlags::WRITE | DescriptorFlags::MUTATE_DIRECTORY)
        || how.intersects(OpenFlags::CREATE | OpenFlags::TRUNCATE);
    let (access, reason) = match writes {
        true => ("write", "it lies outside of what is granted, or is granted for reading"),
        false => ("read", "it lies outside of what is granted"),
    };
    let subject = format!("{} ({access})", crate::provider::shortened(path.escape_debug().to_string(), 256));
    Denial { capability: Capability::Filesystem, subject, why: Why::Other(reason.to_owned()), remedy: None }
}
