//! From a component's bytes to machine code, within bounds.
//!
//! A compiler works on whatever it is given for as long as that takes. So what it is given is looked at first (`shape.rs`), and
//! nobody waits for it longer than an operator allows. Bulkhead's executable compiles in a process that can be ended then
//! (`compiler/`). Who uses this as a library has no such executable: there a thread compiles, and what was given up goes on until it
//! is done, or until the process ends.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;

use wasmtime::Engine;
use wasmtime::component::Component;

use super::artefact::Artefact;
use super::cache::Code;
use super::compiler::Compiler;
use super::load_error::LoadError;
use super::shape;
use super::workers::STACK;
use crate::store::Limits;
use crate::threads::{Way, give_way};

/// Compiles a component, with a compiler if there is one.
///
/// # Errors
/// A component that is too much to compile, that the compiler refuses or fails over, or that takes too long. A compiler that
/// can't be started: nothing is compiled without the bounds that somebody relies on.
pub(super) fn compile(
    engine: &Engine,
    compiler: Option<&Compiler>,
    artefact: &Arc<Artefact>,
    limits: &Limits,
) -> Result<Code, LoadError> {
    let bytes = artefact.bytes()?;
    let items = shape::examine(&bytes)?;
    let component = match compiler {
        Some(compiler) => compiler.compile(engine, &bytes, limits)?,
        None => {
            drop(bytes);
            compile_here(engine, artefact, limits)?
        }
    };
    Ok(Code { component, items })
}

/// Compiles a component in this process.
fn compile_here(engine: &Engine, artefact: &Arc<Artefact>, limits: &Limits) -> Result<Component, LoadError> {
    let (sender, receiver) = sync_channel(1);
    let (engine, artefact) = (engine.clone(), Arc::clone(artefact));
    let compiling = move || {
        give_way(Way::Compiling);
        let compiled = artefact.bytes().and_then(|bytes| {
            let refused = |error: &wasmtime::Error| LoadError::Compile(error.root_cause().to_string());
            Component::new(&engine, bytes)
                .map_err(|error| LoadError::unmapped(&error).unwrap_or_else(|| refused(&error)))
        });
        // Nobody waits any more if this fails.
        let _ = sender.send(compiled);
    };
    let thread = thread::Builder::new().name("compiler".to_owned()).stack_size(STACK).spawn(compiling);
    thread.map_err(LoadError::NoCompiler)?;
    match receiver.recv_timeout(limits.compile) {
        Ok(compiled) => compiled,
        Err(RecvTimeoutError::Timeout) => {
            Err(LoadError::Slow { limit: limits.compile, place: limits.place("compile") })
        }
        Err(RecvTimeoutError::Disconnected) => Err(LoadError::Compile("the compiler failed".to_owned())),
    }
}
