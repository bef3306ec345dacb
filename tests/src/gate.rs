//! A gate before a server that speaks HTTP: requests of some kinds are turned away while it is shut for them, kept waiting, or
//! answered by what is no such server.
//!
//! What happens when a server goes away between two requests can't be timed from outside; here it can be said.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A gate. It stands until the process ends.
pub struct Gate {
    address: SocketAddr,
    rules: Arc<Mutex<Vec<Rule>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

/// What becomes of requests whose first line starts so.
#[derive(Clone)]
struct Rule {
    start: String,
    verdict: Verdict,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The connection breaks.
    TurnedAway,
    /// Nothing happens until the client gives up.
    KeptWaiting,
    /// The answer is in another protocol.
    Misunderstood,
    /// The answer is another server's, which has nothing at all.
    Misled,
}

impl Gate {
    /// A gate before the server at an address, open to all.
    pub fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there should be a free port");
        let address = listener.local_addr().expect("a listener should have an address");
        let gate = Self { address, rules: Arc::default(), asked: Arc::default() };
        let (rules, asked) = (Arc::clone(&gate.rules), Arc::clone(&gate.asked));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (rules, asked) = (Arc::clone(&rules), Arc::clone(&asked));
                // A request that breaks here breaks for its client, which is who says so.
                thread::spawn(move || pass(client, server, &rules, &asked));
            }
        });
        gate
    }

    /// The URL of the gate.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Turns away requests whose first line starts like this: `PUT /api`, or nothing for all.
    pub fn shut(&self, start: &str) {
        self.add(start, Verdict::TurnedAway);
    }

    /// Keeps such requests waiting until their client gives up.
    pub fn stall(&self, start: &str) {
        self.add(start, Verdict::KeptWaiting);
    }

    /// Answers such requests in another protocol.
    pub fn misunderstand(&self, start: &str) {
        self.add(start, Verdict::Misunderstood);
    }

    /// Answers such requests as a server does that has no such page.
    pub fn mislead(&self, start: &str) {
        self.add(start, Verdict::Misled);
    }

    fn add(&self, start: &str, verdict: Verdict) {
        let rule = Rule { start: start.to_owned(), verdict };
        self.rules.lock().expect("no thread should have panicked").push(rule);
    }

    /// Opens the gate to all.
    pub fn open(&self) {
        self.rules.lock().expect("no thread should have panicked").clear();
    }

    /// The first lines of all requests so far, those too that weren't let through.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no thread should have panicked").clone()
    }
}

/// One request and its answer.
fn pass(
    mut client: TcpStream,
    server: SocketAddr,
    rules: &Mutex<Vec<Rule>>,
    asked: &Mutex<Vec<String>>,
) -> io::Result<()> {
    let request = read_request(&mut client)?;
    let text = String::from_utf8_lossy(&request);
    let line = text.lines().next().unwrap_or_default();
    asked.lock().expect("no thread should have panicked").push(line.to_owned());
    let rules = rules.lock().expect("no thread should have panicked").clone();
    match rules.iter().find(|rule| line.starts_with(rule.start.as_str())).map(|rule| rule.verdict) {
        Some(Verdict::TurnedAway) => return client.shutdown(Shutdown::Both),
        // Ends when the client closes its side.
        Some(Verdict::KeptWaiting) => return io::copy(&mut client, &mut io::sink()).map(drop),
        Some(Verdict::Misunderstood) => return client.write_all(b"SSH-2.0-OpenSSH_9.2\r\n"),
        Some(Verdict::Misled) => {
            return client
                .write_all(b"HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 9\r\n\r\nNot Found");
        }
        None => {}
    }
    let mut server = TcpStream::connect(server)?;
    server.write_all(&request)?;
    // The server ends each connection after its answer.
    io::copy(&mut server, &mut client)?;
    client.shutdown(Shutdown::Both)
}

/// A request with its body.
pub(crate) fn read_request(client: &mut TcpStream) -> io::Result<Vec<u8>> {
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
