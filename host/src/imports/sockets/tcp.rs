//! TCP connections to where policy lets them go. Everything but `start-connect`, what a server
//! would need, and how much is sent, is the stock socket's.

use std::net::SocketAddr;

use bulkhead_policy::{Denial, Destination, Host as Named, Scheme, Why};
use wasmtime::component::Resource;
use wasmtime_wasi::p2::bindings::sockets::network::{ErrorCode, IpAddressFamily, IpSocketAddress, Network};
use wasmtime_wasi::p2::bindings::sockets::tcp::{Host, HostTcpSocket, ShutdownType, TcpSocket};
use wasmtime_wasi::p2::bindings::sockets::udp::UdpSocket;
use wasmtime_wasi::p2::bindings::sockets::{tcp_create_socket, udp_create_socket};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, DynPollable, SocketError, SocketResult};
use wasmtime_wasi::sockets::WasiSocketsView;

use super::super::counted::{Bounds, count};
use crate::store::{Shortage, State};

type Socket = Resource<TcpSocket>;

impl tcp_create_socket::Host for State {
    fn create_tcp_socket(&mut self, family: IpAddressFamily) -> SocketResult<Socket> {
        self.call.authority.sockets().map_err(|_| ErrorCode::AccessDenied)?;
        let permit = self.call.outgoing.socket().ok_or_else(|| {
            self.call.shortages.met(Shortage::Sockets(self.limits.outgoing.sockets));
            ErrorCode::NewSocketLimit
        })?;
        let created = tcp_create_socket::Host::create_tcp_socket(&mut self.sockets(), family);
        let socket = created.inspect_err(|error| {
            // It knows no limit but the host's own.
            if matches!(error.downcast_ref(), Some(ErrorCode::NewSocketLimit)) {
                self.call.shortages.met(Shortage::Files);
            }
        })?;
        self.sockets.open.insert(socket.rep(), permit);
        Ok(socket)
    }
}

impl udp_create_socket::Host for State {
    async fn create_udp_socket(&mut self, _family: IpAddressFamily) -> SocketResult<Resource<UdpSocket>> {
        Err(self.never("udp", "datagrams"))
    }
}

impl State {
    /// Whether the call may connect to an address, by a name that it was found for or as itself.
    fn may_connect(&self, address: SocketAddr) -> Result<(), Denial> {
        let ip = address.ip().to_canonical();
        let port = Some(address.port());
        let to = |host| Destination { scheme: Scheme::Tcp, host, port, method: None };
        let mut names = self.sockets.names(ip).into_iter().map(to);
        let itself = to(Named::Address(ip));
        match names.next() {
            // Whoever looks a name up means it.
            Some(last) => self.call.authority.connection(&last, &names.chain([itself]).collect::<Vec<_>>(), ip),
            None => self.call.authority.connection(&itself, &[], ip),
        }
    }

    /// What no grant allows.
    fn never(&self, subject: &str, what: &'static str) -> SocketError {
        self.call.authority.never(subject.to_owned(), Why::Never(what));
        ErrorCode::AccessDenied.into()
    }
}

impl Host for State {}

impl HostTcpSocket for State {
    fn start_connect(&mut self, socket: Socket, network: Resource<Network>, to: IpSocketAddress) -> SocketResult<()> {
        let address = SocketAddr::from(to);
        self.may_connect(address).map_err(|_| ErrorCode::AccessDenied)?;
        // The stock socket asks again, in its own words.
        self.sockets.pass(address);
        HostTcpSocket::start_connect(&mut self.sockets(), socket, network, to)
    }

    async fn start_bind(&mut self, _: Socket, _: Resource<Network>, _: IpSocketAddress) -> SocketResult<()> {
        Err(self.never("tcp (bind)", "a provider to have an address of its own"))
    }

    async fn start_listen(&mut self, _: Socket) -> SocketResult<()> {
        Err(self.never("tcp (listen)", "a provider to be called"))
    }

    fn drop(&mut self, socket: Socket) -> wasmtime::Result<()> {
        let place = socket.rep();
        HostTcpSocket::drop(&mut self.sockets(), socket)?;
        self.sockets.open.remove(&place);
        Ok(())
    }

    fn finish_bind(&mut self, socket: Socket) -> SocketResult<()> {
        HostTcpSocket::finish_bind(&mut self.sockets(), socket)
    }

    fn finish_connect(
        &mut self,
        socket: Socket,
    ) -> SocketResult<(Resource<DynInputStream>, Resource<DynOutputStream>)> {
        let (input, output) = HostTcpSocket::finish_connect(&mut self.sockets(), socket)?;
        // It doesn't outlive the call: an instance with handles left isn't used again.
        let allowance = Some(self.call.sent.clone());
        let bounds = Bounds { kept: self.kept.clone(), of: "what is sent", allowance, open: None };
        count(&mut self.table, &output, bounds).map_err(SocketError::trap)?;
        Ok((input, output))
    }

    fn finish_listen(&mut self, socket: Socket) -> SocketResult<()> {
        HostTcpSocket::finish_listen(&mut self.sockets(), socket)
    }

    fn accept(
        &mut self,
        socket: Socket,
    ) -> SocketResult<(Socket, Resource<DynInputStream>, Resource<DynOutputStream>)> {
        HostTcpSocket::accept(&mut self.sockets(), socket)
    }

    fn local_address(&mut self, socket: Socket) -> SocketResult<IpSocketAddress> {
        HostTcpSocket::local_address(&mut self.sockets(), socket)
    }

    fn remote_address(&mut self, socket: Socket) -> SocketResult<IpSocketAddress> {
        HostTcpSocket::remote_address(&mut self.sockets(), socket)
    }

    fn is_listening(&mut self, socket: Socket) -> wasmtime::Result<bool> {
        HostTcpSocket::is_listening(&mut self.sockets(), socket)
    }

    fn address_family(&mut self, socket: Socket) -> wasmtime::Result<IpAddressFamily> {
        HostTcpSocket::address_family(&mut self.sockets(), socket)
    }

    fn set_listen_backlog_size(&mut self, socket: Socket, value: u64) -> SocketResult<()> {
        HostTcpSocket::set_listen_backlog_size(&mut self.sockets(), socket, value)
    }

    fn keep_alive_enabled(&mut self, socket: Socket) -> SocketResult<bool> {
        HostTcpSocket::keep_alive_enabled(&mut self.sockets(), socket)
    }

    fn set_keep_alive_enabled(&mut self, socket: Socket, value: bool) -> SocketResult<()> {
        HostTcpSocket::set_keep_alive_enabled(&mut self.sockets(), socket, value)
    }

    fn keep_alive_idle_time(&mut self, socket: Socket) -> SocketResult<u64> {
        HostTcpSocket::keep_alive_idle_time(&mut self.sockets(), socket)
    }

    fn set_keep_alive_idle_time(&mut self, socket: Socket, value: u64) -> SocketResult<()> {
        HostTcpSocket::set_keep_alive_idle_time(&mut self.sockets(), socket, value)
    }

    fn keep_alive_interval(&mut self, socket: Socket) -> SocketResult<u64> {
        HostTcpSocket::keep_alive_interval(&mut self.sockets(), socket)
    }

    fn set_keep_alive_interval(&mut self, socket: Socket, value: u64) -> SocketResult<()> {
        HostTcpSocket::set_keep_alive_interval(&mut self.sockets(), socket, value)
    }

    fn keep_alive_count(&mut self, socket: Socket) -> SocketResult<u32> {
        HostTcpSocket::keep_alive_count(&mut self.sockets(), socket)
    }

    fn set_keep_alive_count(&mut self, socket: Socket, value: u32) -> SocketResult<()> {
        HostTcpSocket::set_keep_alive_count(&mut self.sockets(), socket, value)
    }

    fn hop_limit(&mut self, socket: Socket) -> SocketResult<u8> {
        HostTcpSocket::hop_limit(&mut self.sockets(), socket)
    }

    fn set_hop_limit(&mut self, socket: Socket, value: u8) -> SocketResult<()> {
        HostTcpSocket::set_hop_limit(&mut self.sockets(), socket, value)
    }

    fn receive_buffer_size(&mut self, socket: Socket) -> SocketResult<u64> {
        HostTcpSocket::receive_buffer_size(&mut self.sockets(), socket)
    }

    fn set_receive_buffer_size(&mut self, socket: Socket, value: u64) -> SocketResult<()> {
        HostTcpSocket::set_receive_buffer_size(&mut self.sockets(), socket, value)
    }

    fn send_buffer_size(&mut self, socket: Socket) -> SocketResult<u64> {
        HostTcpSocket::send_buffer_size(&mut self.sockets(), socket)
    }

    fn set_send_buffer_size(&mut self, socket: Socket, value: u64) -> SocketResult<()> {
        HostTcpSocket::set_send_buffer_size(&mut self.sockets(), socket, value)
    }

    fn subscribe(&mut self, socket: Socket) -> wasmtime::Result<Resource<DynPollable>> {
        HostTcpSocket::subscribe(&mut self.sockets(), socket)
    }

    fn shutdown(&mut self, socket: Socket, what: ShutdownType) -> SocketResult<()> {
        HostTcpSocket::shutdown(&mut self.sockets(), socket, what)
    }
}
