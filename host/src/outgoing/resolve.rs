//! What a name stands for. Asked once for each exchange: whoever asks twice may be told two things.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, ToSocketAddrs};
use std::sync::Arc;

use bulkhead_policy::Host;
use tokio::sync::Semaphore;

/// Questions at once; more wait. Each takes a thread of the process.
const QUESTIONS: usize = 8;
/// Addresses of one name that are looked at.
const ADDRESSES: usize = 64;

/// What answers for names.
#[async_trait::async_trait]
pub trait Resolver: Send + Sync {
    /// The addresses of a name, in the order in which to try them.
    ///
    /// # Errors
    /// The name has none, or nobody answers.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// This machine's own resolver.
#[derive(Debug)]
pub(crate) struct SystemResolver {
    questions: Arc<Semaphore>,
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self { questions: Arc::new(Semaphore::new(QUESTIONS)) }
    }
}

#[async_trait::async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let permit = Arc::clone(&self.questions).acquire_owned().await.map_err(io::Error::other)?;
        let name = name.to_owned();
        let asked = tokio::task::spawn_blocking(move || {
            // Held until the system has answered, even if nobody waits any more.
            let _permit = permit;
            (name.as_str(), 0).to_socket_addrs().map(|found| found.map(|address| address.ip()).collect())
        });
        asked.await.map_err(io::Error::other)?
    }
}

/// The addresses of a host. `localhost` means this machine and nothing else, whatever a resolver says.
///
/// # Errors
/// As the resolver has it, or no address at all.
pub(super) async fn addresses(resolver: &dyn Resolver, host: &Host) -> io::Result<Vec<IpAddr>> {
    let name = match host {
        Host::Address(address) => return Ok(vec![*address]),
        Host::Name(_) if host.is_localhost() => {
            return Ok(vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]);
        }
        Host::Name(name) => name,
    };
    let mut addresses = Vec::new();
    for address in resolver.resolve(name).await?.into_iter().map(|address| address.to_canonical()) {
        if !addresses.contains(&address) && addresses.len() < ADDRESSES {
            addresses.push(address);
        }
    }
    if addresses.is_empty() { Err(io::Error::new(io::ErrorKind::NotFound, "it has no address")) } else { Ok(addresses) }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Answers(Vec<IpAddr>);

    #[async_trait::async_trait]
    impl Resolver for Answers {
        async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
            Ok(self.0.clone())
        }
    }

    fn named(name: &str) -> Host {
        Host::parse(name).unwrap()
    }

    #[tokio::test]
    async fn localhost_is_this_machine_whatever_others_say() {
        let liar = Answers(vec!["192.0.2.1".parse().unwrap()]);
        for name in ["localhost", "db.localhost"] {
            let found = addresses(&liar, &named(name)).await.unwrap();
            assert!(found.len() == 2 && found.iter().all(IpAddr::is_loopback), "{name}: {found:?}");
        }
        assert_eq!(addresses(&liar, &named("localhost.example")).await.unwrap(), liar.0);
    }

    #[tokio::test]
    async fn addresses_are_canonical_few_and_at_least_one() {
        let answers = ["::ffff:127.0.0.1", "127.0.0.1", "::1"].map(|address| address.parse().unwrap());
        let found = addresses(&Answers(answers.to_vec()), &named("x.example")).await.unwrap();
        assert_eq!(found, [IpAddr::from([127, 0, 0, 1]), Ipv6Addr::LOCALHOST.into()]);
        let many = (0..=u8::MAX).map(|last| IpAddr::from([192, 0, 2, last])).collect();
        assert_eq!(addresses(&Answers(many), &named("x.example")).await.unwrap().len(), ADDRESSES);
        let error = addresses(&Answers(Vec::new()), &named("x.example")).await.unwrap_err();
        assert_eq!(error.to_string(), "it has no address");
    }
}
