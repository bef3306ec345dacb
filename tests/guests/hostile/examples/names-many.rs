//! Has a thousand names found for one address, none of which lets it connect there, and asks again and again: the host looks for one that does.

use std::time::Instant;

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, object, text};
use wasip2::sockets::instance_network::instance_network;
use wasip2::sockets::ip_name_lookup::resolve_addresses;
use wasip2::sockets::network::{ErrorCode, IpAddress, IpAddressFamily, IpSocketAddress, Ipv4SocketAddress};
use wasip2::sockets::tcp_create_socket::create_tcp_socket;

struct Many;

fn failed(error: ErrorCode) -> Error {
    Error::Failed(error.name().to_owned())
}

impl Attack for Many {
    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        let (network, mut took, mut address) = (instance_network(), Vec::new(), (0, 0, 0, 0));
        for names in [0..1, 1..1_024] {
            for number in names {
                let found = resolve_addresses(&network, &format!("{number}.evil.example")).map_err(failed)?;
                found.subscribe().block();
                while let Some(IpAddress::Ipv4(next)) = found.resolve_next_address().map_err(failed)? {
                    address = next;
                }
            }
            let socket = create_tcp_socket(IpAddressFamily::Ipv4).map_err(failed)?;
            let begun = Instant::now();
            for _ in 0..200 {
                let to = IpSocketAddress::Ipv4(Ipv4SocketAddress { port: 444, address });
                match socket.start_connect(&network, to) {
                    Err(ErrorCode::AccessDenied) => {}
                    other => return Err(Error::Failed(format!("{other:?}"))),
                }
            }
            took.push(begun.elapsed().as_micros().to_string());
        }
        Ok(object(&["text"], vec![text(&took.join(" "))]))
    }
}

attack!(Many);
