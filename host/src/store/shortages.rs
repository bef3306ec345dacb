//! The limits that a call met and could go on after.
//!
//! One that ends a call is its error. Others reach the guest as an error of some interface, such as `new-socket-limit`, and come
//! out of it as whatever it makes of that. So they are kept, and told with the call's error: which limit it was, and who sets it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytesize::ByteSize;

use super::limits::Limits;

/// A limit that was met, and what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shortage {
    /// Connections at once, for longer than one could be waited for.
    Connections(usize),
    /// Sockets at once.
    Sockets(usize),
    /// Files and directories open at once.
    Open(usize),
    /// Files and connections that this process has open at once, or all of the system's: its own limit is lower than what a provider
    /// may have.
    Files,
    /// Entries of a directory that is listed.
    #[cfg_attr(not(unix), expect(dead_code, reason = "the stock listings are there, which have no bound"))]
    Entries(usize),
    /// The body of a response.
    Response(usize),
    /// All that a call sends.
    Sent(u64),
    /// All that a call writes.
    Written(u64),
    /// A way out: programs are told of a proxy, and a server wasn't reached.
    Proxy,
    /// TLS, of a server that was spoken to with it.
    Tls,
    /// TLS perhaps, by a server that was spoken to without.
    NoTls,
    /// One whose error says what it is, but not who sets it.
    Told(&'static str),
}

/// Servers that are remembered as not reached.
const UNREACHED: usize = 100;

/// The limits that one call met. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shortages(Arc<Mutex<Met>>);

#[derive(Debug, Default)]
struct Met {
    limits: Vec<Shortage>,
    /// The servers that weren't reached, and would have been through a proxy.
    unreached: BTreeSet<String>,
}

impl Shortages {
    /// Keeps what was met, once.
    pub(crate) fn met(&self, shortage: Shortage) {
        let mut all = self.all_met();
        if !all.limits.contains(&shortage) {
            all.limits.push(shortage);
        }
    }

    /// Forgets what turned out to be none.
    pub(crate) fn unmet(&self, shortage: Shortage) {
        self.all_met().limits.retain(|met| *met != shortage);
    }

    /// Keeps that a server wasn't reached, and would have been through a proxy.
    pub(crate) fn unreached(&self, host: &str) {
        let unreached = &mut self.all_met().unreached;
        if unreached.len() < UNREACHED {
            unreached.insert(host.to_owned());
        }
    }

    /// Forgets a server that was reached after all.
    pub(crate) fn reached(&self, host: &str) {
        self.all_met().unreached.remove(host);
    }

    /// All that were met.
    pub(crate) fn all(&self) -> Vec<Shortage> {
        let all = self.all_met();
        let proxy = (!all.unreached.is_empty()).then_some(Shortage::Proxy);
        all.limits.iter().copied().chain(proxy).collect()
    }

    fn all_met(&self) -> MutexGuard<'_, Met> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shortage {
    /// What was met, and what an operator can do about it.
    pub(crate) fn told(self, limits: &Limits) -> String {
        let raise = |limit| limits.raise(limit);
        match self {
            Self::Connections(most) => {
                format!("a provider has at most {most} connections at once; {}", raise("connections"))
            }
            Self::Sockets(most) => format!("a provider has at most {most} sockets at once; {}", raise("sockets")),
            Self::Open(most) => format!("a provider has at most {most} files and directories open at once"),
            Self::Files => {
                "the host can't have more files and connections open; let processes have more (`ulimit -n`)".to_owned()
            }
            Self::Entries(most) => format!("a directory that is listed has at most {most} entries"),
            Self::Response(most) => format!("a response has at most {}; {}", size(most as u64), raise("response")),
            Self::Sent(most) => format!("a call sends at most {}; {}", size(most), raise("sent")),
            Self::Written(most) => format!("a call writes at most {}; {}", size(most), raise("written")),
            Self::Proxy => {
                "HTTPS_PROXY is set, and providers use no proxy: let this machine reach the server itself".to_owned()
            }
            Self::Tls => "the server doesn't speak TLS: is its address one with `http:`?".to_owned(),
            Self::NoTls => "does the server speak TLS? then its address is one with `https:`".to_owned(),
            Self::Told(limit) => raise(limit),
        }
    }
}

/// A size as an operator writes it.
fn size(bytes: u64) -> ByteSize {
    ByteSize::b(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_names_its_limit_and_is_kept_once() {
        let (shortages, limits) = (Shortages::default(), Limits::default());
        let all = [
            (Shortage::Connections(64), "connections"),
            (Shortage::Sockets(32), "sockets"),
            (Shortage::Response(1 << 28), "response"),
            (Shortage::Sent(4 << 30), "sent"),
            (Shortage::Written(4 << 30), "written"),
            (Shortage::Told("unpacked"), "unpacked"),
        ];
        for (shortage, limit) in all {
            shortages.met(shortage);
            shortages.clone().met(shortage);
            assert!(shortage.told(&limits).ends_with(&format!("raise the limit `{limit}` in bulkhead.toml")));
        }
        assert_eq!(shortages.all(), all.map(|(shortage, _)| shortage));
        let sent = Shortage::Sent(4 << 30).told(&limits);
        assert!(sent.starts_with("a call sends at most 4.0 GiB; if the provider"));
    }

    #[test]
    fn a_proxy_is_missed_for_as_long_as_one_server_is_not_reached() {
        let shortages = Shortages::default();
        shortages.unreached("one");
        shortages.unreached("other");
        shortages.reached("other");
        shortages.reached("third");
        assert_eq!(shortages.all(), [Shortage::Proxy]);
        shortages.reached("one");
        assert!(shortages.all().is_empty());
        (0..1_000).for_each(|number| shortages.unreached(&number.to_string()));
        assert_eq!(shortages.all_met().unreached.len(), UNREACHED);
    }
}
