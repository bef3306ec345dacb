//! Which handle is which granted directory, so that a denial can say whose grant is too narrow; and whether a guest has asked.
//!
//! A guest opens files by the handle of a directory and a path below it. The handle alone doesn't say under which name the directory was
//! granted.

use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource};
use wasmtime_wasi::filesystem::WasiFilesystemView;
use wasmtime_wasi::p2::bindings::filesystem::preopens::Host;
use wasmtime_wasi::p2::bindings::filesystem::types::Descriptor;

use crate::audit::HostCall;
use crate::store::{State, Way};

/// The interface. Components may import any version compatible with it.
pub(in super::super) const INTERFACE: &str = "wasi:filesystem/preopens@0.2.12";

/// What is replaced of it.
pub(in super::super) const DIRECTORIES: &str = "get-directories";

type Directories = (Vec<(Resource<Descriptor>, String)>,);

/// Replaces the stock function by one that remembers what it gave.
///
/// # Errors
/// An interface that isn't linked.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    linker.instance(INTERFACE)?.func_wrap(DIRECTORIES, |mut store: StoreContextMut<'_, State>, (): ()| {
        let _call = HostCall::begin(INTERFACE, DIRECTORIES);
        let state = store.data_mut();
        state.looked.directories = true;
        let given = Host::get_directories(&mut state.filesystem())?;
        state.ways.extend(given.iter().map(|(directory, name)| (directory.rep(), Way::new(name.clone()))));
        let given: Directories = (given,);
        Ok(given)
    })
}
