//! A service that keeps the keys of stacks, in the place of a passphrase.
//!
//! To make a key of a passphrase costs each command of the CLI 0.7 s of computing, by design, and all else that an `up` does less than
//! that. So stacks have the CLI's own provider for HashiCorp Vault, and this is what it asks for a stack's key. Secrets are encrypted by
//! the CLI itself, as with a passphrase, which the quickstart and the programs with published SDKs have.

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::OnceLock;
use std::thread;

use serde_json::{Value, json};

use crate::gate::read_request;

/// What a stack is made with to have its key kept here.
pub(crate) const PROVIDER: &str = "hashivault://tests";

/// The address of the service, as `VAULT_ADDR` says it. It stands until this process ends.
pub(crate) fn address() -> &'static str {
    static ADDRESS: OnceLock<String> = OnceLock::new();
    ADDRESS.get_or_init(|| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there should be a free port");
        let address = listener.local_addr().expect("a listener should have an address");
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // A request that breaks here breaks for the CLI, which says so.
                thread::spawn(move || answer(client));
            }
        });
        format!("http://{address}")
    })
}

/// One request to wrap a key, or to unwrap one again. Whoever has the wrapped key has the key: nobody tests Vault here.
fn answer(mut client: TcpStream) -> io::Result<()> {
    let request = read_request(&mut client)?;
    let text = String::from_utf8_lossy(&request);
    let asked: Value = serde_json::from_str(text.split_once("\r\n\r\n").map_or("", |(_, body)| body))?;
    let data = match (&asked["plaintext"], &asked["ciphertext"]) {
        (Value::String(key), _) => json!({ "ciphertext": key }),
        (_, wrapped) => json!({ "plaintext": wrapped }),
    };
    let body = json!({ "data": data }).to_string();
    let length = body.len();
    write!(client, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}")
}
