//! Sockets, by the standard library where it has words for it.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Shutdown, TcpListener, TcpStream, ToSocketAddrs as _, UdpSocket};

use bulkhead_sdk::{Enum, Error, Inputs, Result, State, function, log};
use wasip2::sockets::instance_network::instance_network;
use wasip2::sockets::network::{ErrorCode, IpAddressFamily, IpSocketAddress, Ipv4SocketAddress};
use wasip2::sockets::tcp_create_socket::create_tcp_socket;

#[derive(Clone, Copy, Enum)]
enum Act {
    /// Says something and hears the answer.
    Talk,
    /// Says something to an address, whatever the host is called.
    Detour,
    /// Asks what the name stands for.
    Resolve,
    /// Waits for calls.
    Listen,
    /// Chooses an address of its own.
    Bind,
    /// Sends datagrams.
    Datagram,
    /// Opens sockets, and keeps them.
    Hoard,
}

#[derive(Inputs)]
pub(crate) struct Args {
    act: Act,
    /// A name or an address.
    host: String,
    port: u32,
    /// What to say, or where to go instead.
    text: Option<String>,
    /// How many.
    amount: Option<u32>,
}

/// What was heard.
#[derive(State)]
pub(crate) struct Heard {
    text: String,
}

/// Talks to somebody.
#[function(token = "networked:index:talk")]
pub(crate) fn talk(args: Args) -> Result<Heard> {
    log::info("talking");
    let port = u16::try_from(args.port)?;
    let text = args.text.unwrap_or_default();
    let heard = match args.act {
        Act::Talk => said(TcpStream::connect((args.host.as_str(), port)), &text),
        Act::Detour => {
            // The name is looked up, and then something else is called.
            (args.host.as_str(), port).to_socket_addrs()?.for_each(drop);
            let address: IpAddr = text.parse().map_err(|_| Error::failed("no address"))?;
            said(TcpStream::connect((address, port)), "hello")
        }
        Act::Resolve => (args.host.as_str(), port)
            .to_socket_addrs()
            .map(|found| found.map(|address| address.ip().to_string()).collect::<Vec<_>>().join(" ")),
        Act::Listen => TcpListener::bind((args.host.as_str(), port)).map(|_| "listening".to_owned()),
        Act::Datagram => UdpSocket::bind((args.host.as_str(), port)).map(|_| "sending".to_owned()),
        Act::Bind => return bind(),
        Act::Hoard => return hoard(args.amount.unwrap_or(0)),
    };
    heard.map(|text| Heard { text }).map_err(|error| Error::failed(format!("{:?}: {error}", error.kind())))
}

fn said(stream: std::io::Result<TcpStream>, text: &str) -> std::io::Result<String> {
    let mut stream = stream?;
    stream.write_all(text.as_bytes())?;
    stream.shutdown(Shutdown::Write)?;
    let mut heard = String::new();
    stream.read_to_string(&mut heard)?;
    Ok(heard)
}

fn bind() -> Result<Heard> {
    let failed = |error: ErrorCode| Error::failed(error.name());
    let socket = create_tcp_socket(IpAddressFamily::Ipv4).map_err(failed)?;
    let anywhere = IpSocketAddress::Ipv4(Ipv4SocketAddress { port: 0, address: (0, 0, 0, 0) });
    socket.start_bind(&instance_network(), anywhere).map_err(failed)?;
    socket.finish_bind().map_err(failed)?;
    Ok(Heard { text: "bound".to_owned() })
}

fn hoard(amount: u32) -> Result<Heard> {
    let mut sockets = Vec::new();
    for number in 0..amount {
        let socket = create_tcp_socket(IpAddressFamily::Ipv4);
        sockets.push(socket.map_err(|error| Error::failed(format!("{number} sockets, then {}", error.name())))?);
    }
    Ok(Heard { text: format!("{} sockets", sockets.len()) })
}
