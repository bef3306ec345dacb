//! `wasi:cli/environment`, with a note of who has looked at it.
//!
//! A guest finds the variables that are granted, and isn't told of others. If its call fails, an operator is told which it lacks,
//! but only if it has looked: nothing fails for what nobody asked for.

use wasmtime::component::{HasSelf, Linker};
use wasmtime_wasi::cli::WasiCliView;
use wasmtime_wasi::p2::bindings::cli::environment::{self, Host};

use crate::store::State;

/// Replaces the stock environment.
///
/// # Errors
/// Two definitions of one import.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    environment::add_to_linker::<_, HasSelf<State>>(linker, |state| state)
}

impl Host for State {
    fn get_environment(&mut self) -> wasmtime::Result<Vec<(String, String)>> {
        self.looked.environment = true;
        self.cli().get_environment()
    }

    fn get_arguments(&mut self) -> wasmtime::Result<Vec<String>> {
        self.cli().get_arguments()
    }

    fn initial_cwd(&mut self) -> wasmtime::Result<Option<String>> {
        self.cli().initial_cwd()
    }
}
