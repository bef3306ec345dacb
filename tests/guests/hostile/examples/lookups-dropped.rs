//! Looks up a name that it was granted twenty thousand times at once and forgets about each, drops what is still asked, or waits for
//! all by one list, as the argument `what` says.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, object, text};
use wasip2::io::poll::{Pollable, poll};
use wasip2::sockets::instance_network::instance_network;
use wasip2::sockets::ip_name_lookup::{ResolveAddressStream, resolve_addresses};

struct Dropped;

const NAME: &str = "db.example";

impl Attack for Dropped {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let network = instance_network();
        let failed = |error: wasip2::sockets::network::ErrorCode| Error::Failed(error.name().to_owned());
        let looked = || resolve_addresses(&network, NAME).map_err(failed);
        let told = match field(&request.arguments, "what").as_deref() {
            Some("dropped") => {
                for _ in 0..20_000 {
                    drop(looked()?);
                }
                "dropped".to_owned()
            }
            Some("kept") => {
                let kept = (0..20_000).map(|_| looked()).collect::<Result<Vec<ResolveAddressStream>, _>>()?;
                let early = kept.iter().filter(|stream| stream.resolve_next_address().is_ok()).count();
                std::mem::forget(kept);
                format!("{early} at once")
            }
            Some("waited for") => {
                let stream = looked()?;
                let waiting: Vec<Pollable> = (0..5_000).map(|_| stream.subscribe()).collect();
                let ready = poll(&waiting.iter().collect::<Vec<_>>()).len();
                format!("{ready} ready, {:?}", stream.resolve_next_address().is_ok())
            }
            Some("before its pollable") => {
                let stream = looked()?;
                let waiting = stream.subscribe();
                drop(stream);
                waiting.block();
                "waited".to_owned()
            }
            _ => "nothing happened".to_owned(),
        };
        Ok(object(&["text"], vec![text(&told)]))
    }
}

attack!(Dropped);
