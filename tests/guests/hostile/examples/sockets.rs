//! Tries to reach somebody: by TCP, by UDP, by listening, by asking for names. The input `what` is an address where somebody is.

use std::net::{TcpListener, TcpStream, ToSocketAddrs as _, UdpSocket};

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, object, text};

struct Sockets;

impl Attack for Sockets {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let address = field(&request.arguments, "what").unwrap_or_default();
        let port = address.rsplit(':').next().unwrap_or_default();
        let (mut found, mut tried) = (Vec::new(), 0);
        let mut note = |well: bool, what: String| {
            tried += 1;
            found.extend(well.then_some(what));
        };
        let metadata = ["169.254.169.254:80".to_owned(), "[fd00:ec2::254]:80".to_owned()];
        let odd = [format!("0x7f.1:{port}"), format!("2130706433:{port}")];
        let spelt =
            [address.clone(), format!("[::ffff:127.0.0.1]:{port}"), format!("0.0.0.0:{port}"), format!("[::1]:{port}")];
        for address in spelt.iter().chain(&odd).chain(&metadata) {
            let datagram = UdpSocket::bind("0.0.0.0:0").and_then(|socket| socket.send_to(b"x", address.as_str()));
            note(TcpStream::connect(address.as_str()).is_ok(), format!("connect to {address}"));
            note(datagram.is_ok(), format!("send to {address}"));
        }
        for address in ["127.0.0.1:0", "0.0.0.0:0", "[::]:0"] {
            note(TcpListener::bind(address).is_ok(), format!("listen at {address}"));
        }
        for name in ["localhost:80", "metadata.google.internal:80", "example.com:443"] {
            note(name.to_socket_addrs().is_ok(), format!("resolve {name}"));
        }
        Ok(object(&["text"], vec![text(&format!("of {tried}: {}", found.join(", ")))]))
    }
}

attack!(Sockets);
