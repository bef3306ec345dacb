//! From a component's bytes to machine code, within bounds.
//!
//! A compiler works on whatever it is given for as long as that takes. So what it is given is looked at first (`shape.rs`), and it
//! runs on a thread of its own that nobody waits for longer than an operator allows. A thread can't be ended from outside: what
//! was given up goes on until it is done, or until the process ends, which it does where there was nothing else to serve.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;

use wasmtime::Engine;
use wasmtime::component::Component;

use super::artefact::Artefact;
use super::load_error::LoadError;
use super::shape;
use super::workers::STACK;
use crate::store::Limits;
use crate::threads::{Way, give_way};

/// Compiles a component.
///
/// # Errors
/// A component that is too much to compile, that the compiler refuses or fails over, or that takes too long.
pub(super) fn compile(engine: &Engine, artefact: &Arc<Artefact>, limits: &Limits) -> Result<Component, LoadError> {
    shape::examine(&artefact.bytes()?)?;
    let (sender, receiver) = sync_channel(1);
    let (engine, artefact) = (engine.clone(), Arc::clone(artefact));
    let compiling = move || {
        give_way(Way::Computing);
        let compiled = artefact.bytes().and_then(|bytes| {
            Component::new(&engine, bytes).map_err(|error| LoadError::Compile(error.root_cause().to_string()))
        });
        // Nobody waits any more if this fails.
        let _ = sender.send(compiled);
    };
    let thread = thread::Builder::new().name("compiler".to_owned()).stack_size(STACK).spawn(compiling);
    thread.map_err(|error| LoadError::Compile(format!("there is no thread for it: {error}")))?;
    match receiver.recv_timeout(limits.compile) {
        Ok(compiled) => compiled,
        Err(RecvTimeoutError::Timeout) => Err(LoadError::Slow { limit: limits.compile }),
        Err(RecvTimeoutError::Disconnected) => Err(LoadError::Compile("the compiler failed".to_owned())),
    }
}
