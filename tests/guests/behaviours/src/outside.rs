//! What a guest finds outside of itself.

use std::fs;
use std::io::Write as _;
use std::net::{TcpStream, ToSocketAddrs as _, UdpSocket};

use bulkhead_sdk::{Inputs, Result, State, function};

#[derive(Inputs)]
pub(crate) struct Args {
    /// An address where somebody listens.
    address: String,
}

/// What is there: each text is what came of an attempt.
#[derive(State)]
pub(crate) struct Surroundings {
    /// The arguments.
    arguments: Vec<String>,
    /// The names of environment variables.
    variables: Vec<String>,
    /// Opening a file.
    file: String,
    /// Making a file.
    new_file: String,
    /// Reading a directory.
    directory: String,
    /// Connecting.
    connection: String,
    /// Opening a socket for datagrams.
    datagrams: String,
    /// Resolving a name.
    resolution: String,
    /// Writing to stdout.
    stdout: String,
}

/// Looks around.
#[function(token = "behaviours:index:surroundings")]
pub(crate) fn surroundings(args: Args) -> Result<Surroundings> {
    Ok(Surroundings {
        arguments: std::env::args().collect(),
        variables: std::env::vars().map(|(name, _)| name).collect(),
        file: said(fs::read("/etc/passwd")),
        new_file: said(fs::write("/tmp/bulkhead-was-here", "x")),
        directory: said(fs::read_dir("/")),
        connection: said(TcpStream::connect(&args.address)),
        datagrams: said(UdpSocket::bind("0.0.0.0:0")),
        resolution: said("localhost:80".to_socket_addrs()),
        stdout: said(std::io::stdout().write_all(b"a guest was here\n")),
    })
}

fn said<T>(attempt: std::io::Result<T>) -> String {
    attempt.map_or_else(|error| error.to_string(), |_| "allowed".to_owned())
}
