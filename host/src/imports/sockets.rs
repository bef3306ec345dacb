//! `wasi:sockets`: names that are granted, and TCP connections to what they stand for.
//!
//! The stock sockets do the work; what is asked of them passes policy first, here. Nobody listens, and nobody sends datagrams:
//! a provider is a client. Waits go through `wasi:io`, and end with the call (`waiting.rs`).

mod lookup;
mod tcp;

use wasmtime::component::{HasSelf, Linker, Resource};
use wasmtime_wasi::p2::SocketError;
use wasmtime_wasi::p2::bindings::sockets::{
    ip_name_lookup, network, tcp as stock, tcp_create_socket, udp_create_socket,
};
use wasmtime_wasi::sockets::WasiSocketsView;

use crate::store::State;

/// Replaces what touches the network in the stock `wasi:sockets`.
///
/// # Errors
/// Two definitions of one import.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    ip_name_lookup::add_to_linker::<_, HasSelf<State>>(linker, |state| state)?;
    tcp_create_socket::add_to_linker::<_, HasSelf<State>>(linker, |state| state)?;
    stock::add_to_linker::<_, HasSelf<State>>(linker, |state| state)?;
    udp_create_socket::add_to_linker::<_, HasSelf<State>>(linker, |state| state)
}

/// What the stock implementation makes of errors.
impl network::Host for State {
    fn convert_error_code(&mut self, error: SocketError) -> wasmtime::Result<network::ErrorCode> {
        error.downcast()
    }

    fn network_error_code(&mut self, error: Resource<wasmtime::Error>) -> wasmtime::Result<Option<network::ErrorCode>> {
        network::Host::network_error_code(&mut self.sockets(), error)
    }
}

impl network::HostNetwork for State {
    fn drop(&mut self, network: Resource<network::Network>) -> wasmtime::Result<()> {
        network::HostNetwork::drop(&mut self.sockets(), network)
    }
}
