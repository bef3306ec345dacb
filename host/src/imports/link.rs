//! One linker with everything that any component may import.

use wasmtime::Engine;
use wasmtime::component::{HasSelf, Linker};

use super::{filesystem, http, sockets, waiting};
use crate::store::State;
use crate::wit::bindings::{
    assets, defaults, engine, log, operation, options, packages, session, types, values, views,
};

/// Links all imports.
///
/// # Errors
/// Two definitions of one import.
pub(crate) fn linker(engine: &Engine) -> wasmtime::Result<Linker<State>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    // Stock waits end only when what they wait for happens; ours also when the call does.
    linker.allow_shadowing(true);
    waiting::add_to_linker(&mut linker)?;
    filesystem::add_to_linker(&mut linker)?;
    // Stock sockets ask nobody.
    sockets::add_to_linker(&mut linker)?;
    linker.allow_shadowing(false);
    http::add_to_linker(&mut linker)?;
    defaults::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    engine::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    log::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    operation::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    session::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    assets::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    packages::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    views::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state)?;
    Ok(linker)
}

impl options::Host for State {}
impl types::Host for State {}
impl values::Host for State {}
