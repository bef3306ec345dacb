//! The sockets of one store: for which granted names which addresses were found, and which connections policy let pass.
//!
//! A guest resolves names and connects to addresses in two steps, and only names mean anything to an operator. So what was found
//! is kept, and a connection is judged by the name that its address was found for.

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bulkhead_policy::Host;
use tokio::sync::OwnedSemaphorePermit;
use wasmtime_wasi::WasiCtxBuilder;
use wasmtime_wasi::sockets::SocketAddrUse;

/// Addresses that are kept; the oldest are forgotten.
const KEPT: usize = 1_024;
/// Names of one address that a connection is judged by. Whoever answers for a domain has all names below it stand for one address, and all
/// that a connection is judged by is asked for while the guest waits.
const NAMES: usize = 16;

/// The sockets of one store.
#[derive(Debug, Default)]
pub(crate) struct Sockets {
    shared: Arc<Mutex<Shared>>,
    /// The rights of those that are open, by their handles.
    pub(crate) open: HashMap<u32, OwnedSemaphorePermit>,
}

#[derive(Debug, Default)]
struct Shared {
    /// What was found for which name, the oldest first.
    found: VecDeque<(IpAddr, Host)>,
    /// Connections that policy let pass, each for once.
    passed: Vec<SocketAddr>,
}

/// Where a lookup writes what it found.
#[derive(Clone, Debug)]
pub(crate) struct Findings(Arc<Mutex<Shared>>);

impl Sockets {
    /// Makes a WASI context connect where policy let it, and nowhere else: it listens to nobody and sends no datagram.
    pub(crate) fn supply(&self, context: &mut WasiCtxBuilder) {
        let shared = Arc::clone(&self.shared);
        context.allow_tcp(true).socket_addr_check(move |address, used| {
            let passes = match used {
                // What the system chooses when a socket connects. Guests choose no address of their own (`imports/sockets.rs`).
                SocketAddrUse::TcpBind => address.ip().is_unspecified() && address.port() == 0,
                SocketAddrUse::TcpConnect => {
                    let passed = &mut locked(&shared).passed;
                    let place = passed.iter().position(|passed| *passed == address);
                    place.map(|place| passed.swap_remove(place)).is_some()
                }
                _ => false,
            };
            Box::pin(std::future::ready(passes))
        });
    }

    /// The last names that an address was found for, the very last first.
    pub(crate) fn names(&self, address: IpAddr) -> Vec<Host> {
        let shared = locked(&self.shared);
        let found = shared.found.iter().rev().filter(|(found, _)| *found == address);
        found.take(NAMES).map(|(_, name)| name.clone()).collect()
    }

    /// Lets one connection pass.
    pub(crate) fn pass(&self, address: SocketAddr) {
        let passed = &mut locked(&self.shared).passed;
        // Those that were never made, since their sockets were dropped.
        if passed.len() >= KEPT {
            passed.clear();
        }
        passed.push(address);
    }

    /// Where a lookup writes what it found.
    pub(crate) fn findings(&self) -> Findings {
        Findings(Arc::clone(&self.shared))
    }
}

impl Findings {
    /// Keeps what was found for a name.
    pub(crate) fn keep(&self, name: &Host, addresses: &[IpAddr]) {
        let found = &mut locked(&self.0).found;
        found.retain(|(address, kept)| kept != name || !addresses.contains(address));
        found.extend(addresses.iter().map(|address| (*address, name.clone())));
        let surplus = found.len().saturating_sub(KEPT);
        found.drain(..surplus);
    }
}

fn locked(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_for_their_addresses_within_bounds() {
        let sockets = Sockets::default();
        let name = |name: &str| Host::parse(name).unwrap();
        let address = |last: u16| IpAddr::from([0x2001, 0, 0, 0, 0, 0, 0, last]);
        sockets.findings().keep(&name("a.example"), &[address(1), address(2)]);
        sockets.findings().keep(&name("b.example"), &[address(1)]);
        assert_eq!(sockets.names(address(1)), [name("b.example"), name("a.example")]);
        sockets.findings().keep(&name("a.example"), &[address(1)]);
        assert_eq!(sockets.names(address(1)), [name("a.example"), name("b.example")], "the last comes first, once");
        assert_eq!(sockets.names(address(3)), []);
        for number in 0..100 {
            sockets.findings().keep(&name(&format!("{number}.example")), &[address(2)]);
        }
        let last: Vec<Host> = (100 - NAMES..100).rev().map(|number| name(&format!("{number}.example"))).collect();
        assert_eq!(sockets.names(address(2)), last);
        let many: Vec<IpAddr> = (10..10 + KEPT as u16).map(address).collect();
        sockets.findings().keep(&name("c.example"), &many);
        assert_eq!(sockets.names(address(1)), []);
        assert_eq!(sockets.names(address(10)), [name("c.example")]);
    }
}
