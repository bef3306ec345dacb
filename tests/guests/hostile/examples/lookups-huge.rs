//! Looks up names of seven megabytes, of which it takes a billion steps to know how they are spelt in ASCII.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack};
use wasip2::sockets::instance_network::instance_network;
use wasip2::sockets::ip_name_lookup::resolve_addresses;

struct Huge;

impl Attack for Huge {
    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        let network = instance_network();
        // To spell one of these takes as many steps as the square of its letters, none of which is twice there.
        let label: String = ('\u{4e00}'..).take(1_000).collect();
        let name = vec![label; 2_300].join(".");
        let refused = (0..10).filter(|_| resolve_addresses(&network, &name).is_err()).count();
        Err(Error::Failed(format!("{refused} were refused")))
    }
}

attack!(Huge);
