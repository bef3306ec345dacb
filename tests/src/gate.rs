//! A gate before a server that speaks HTTP: requests of some kinds get no answer while it is shut for them.
//!
//! What happens when a server goes away between two requests can't be timed from outside; here it can be said.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A gate. It stands until the process ends.
pub struct Gate {
    address: SocketAddr,
    shut: Arc<Mutex<Vec<String>>>,
    passed: Arc<Mutex<Vec<String>>>,
}

impl Gate {
    /// A gate before the server at an address, open to all.
    pub fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there should be a free port");
        let address = listener.local_addr().expect("a listener should have an address");
        let gate = Self { address, shut: Arc::default(), passed: Arc::default() };
        let (shut, passed) = (Arc::clone(&gate.shut), Arc::clone(&gate.passed));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (shut, passed) = (Arc::clone(&shut), Arc::clone(&passed));
                // A request that breaks here breaks for its client, which is who says so.
                thread::spawn(move || pass(client, server, &shut, &passed));
            }
        });
        gate
    }

    /// The URL of the gate.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Shuts the gate for requests whose first line starts like this: `PUT /api`, or nothing for all.
    pub fn shut(&self, start: &str) {
        self.shut.lock().expect("no thread should have panicked").push(start.to_owned());
    }

    /// Opens the gate to all.
    pub fn open(&self) {
        self.shut.lock().expect("no thread should have panicked").clear();
    }

    /// The first lines of all requests so far, those too that weren't let through.
    pub fn asked(&self) -> Vec<String> {
        self.passed.lock().expect("no thread should have panicked").clone()
    }
}

/// One request and its answer.
fn pass(
    mut client: TcpStream,
    server: SocketAddr,
    shut: &Mutex<Vec<String>>,
    asked: &Mutex<Vec<String>>,
) -> io::Result<()> {
    let request = read_request(&mut client)?;
    let text = String::from_utf8_lossy(&request);
    let line = text.lines().next().unwrap_or_default();
    asked.lock().expect("no thread should have panicked").push(line.to_owned());
    if shut.lock().expect("no thread should have panicked").iter().any(|start| line.starts_with(start.as_str())) {
        return client.shutdown(Shutdown::Both);
    }
    let mut server = TcpStream::connect(server)?;
    server.write_all(&request)?;
    // The server ends each connection after its answer.
    io::copy(&mut server, &mut client)?;
    client.shutdown(Shutdown::Both)
}

/// A request with its body.
fn read_request(client: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut request = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                if name.eq_ignore_ascii_case("content-length") { value.trim().parse::<usize>().ok() } else { None }
            });
            if body.len() >= length.unwrap_or(0) {
                return Ok(request);
            }
        }
        let read = client.read(&mut piece)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        request.extend_from_slice(&piece[..read]);
    }
}
