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

/// A server, as it was spoken to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Server {
    pub(crate) host: String,
    pub(crate) port: u16,
    /// With TLS.
    pub(crate) secure: bool,
}

/// Servers that are remembered for each reason.
const SERVERS: usize = 100;

/// The limits that one call met. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shortages(Arc<Mutex<Met>>);

#[derive(Debug, Default)]
struct Met {
    limits: Vec<Shortage>,
    /// The servers that weren't reached, and would have been through a proxy.
    unreached: BTreeSet<String>,
    /// Those that seem to speak in the other scheme.
    misspoken: BTreeSet<Server>,
    /// Those that answered as they were spoken to. What they break off later has other reasons.
    answered: BTreeSet<Server>,
}

impl Shortages {
    /// Keeps what was met, once.
    pub(crate) fn met(&self, shortage: Shortage) {
        let mut all = self.all_met();
        if !all.limits.contains(&shortage) {
            all.limits.push(shortage);
        }
    }

    /// Keeps that a server wasn't reached, and would have been through a proxy.
    pub(crate) fn unreached(&self, host: &str) {
        let unreached = &mut self.all_met().unreached;
        if unreached.len() < SERVERS {
            unreached.insert(host.to_owned());
        }
    }

    /// Keeps that a server seems to speak in the other scheme, unless it answered in this one.
    pub(crate) fn misspoken(&self, server: &Server) {
        let mut all = self.all_met();
        if all.misspoken.len() < SERVERS && !all.answered.contains(server) {
            all.misspoken.insert(server.clone());
        }
    }

    /// Keeps that a server answered: no proxy is missed to reach it, and it was spoken to as it speaks.
    pub(crate) fn reached(&self, server: &Server) {
        let mut all = self.all_met();
        if server.secure {
            all.unreached.remove(&server.host);
        }
        all.misspoken.remove(server);
        if all.answered.len() < SERVERS && !all.answered.contains(server) {
            all.answered.insert(server.clone());
        }
    }

    /// All that were met.
    pub(crate) fn all(&self) -> Vec<Shortage> {
        let all = self.all_met();
        let proxy = (!all.unreached.is_empty()).then_some(Shortage::Proxy);
        let other_scheme =
            |secure, shortage| all.misspoken.iter().any(|server| server.secure == secure).then_some(shortage);
        let schemes = [other_scheme(true, Shortage::Tls), other_scheme(false, Shortage::NoTls)];
        all.limits.iter().copied().chain(proxy).chain(schemes.into_iter().flatten()).collect()
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

    fn server(host: &str, secure: bool) -> Server {
        Server { host: host.to_owned(), port: 8443, secure }
    }

    #[test]
    fn a_proxy_is_missed_for_as_long_as_one_server_is_not_reached() {
        let shortages = Shortages::default();
        shortages.unreached("one");
        shortages.unreached("other");
        shortages.reached(&server("other", true));
        shortages.reached(&server("third", true));
        shortages.reached(&server("one", false));
        assert_eq!(shortages.all(), [Shortage::Proxy]);
        shortages.reached(&server("one", true));
        assert!(shortages.all().is_empty());
        (0..1_000).for_each(|number| shortages.unreached(&number.to_string()));
        assert_eq!(shortages.all_met().unreached.len(), SERVERS);
    }

    #[test]
    fn a_server_is_asked_about_its_scheme_unless_it_answered_itself_in_this_one() {
        let shortages = Shortages::default();
        for secure in [true, false] {
            shortages.reached(&server("well", secure));
            shortages.misspoken(&server("well", secure));
        }
        assert!(shortages.all().is_empty(), "it broke off, and speaks as it is spoken to");
        shortages.misspoken(&server("one", true));
        shortages.misspoken(&server("other", false));
        shortages.reached(&server("well", true));
        shortages.reached(&server("one", false));
        shortages.reached(&Server { port: 80, ..server("other", false) });
        assert_eq!(shortages.all(), [Shortage::Tls, Shortage::NoTls], "others say nothing of them");
        shortages.reached(&server("other", false));
        assert_eq!(shortages.all(), [Shortage::Tls]);
        for number in 0..1_000 {
            shortages.misspoken(&server(&number.to_string(), true));
            shortages.reached(&server(&format!("{number} too"), true));
        }
        let met = shortages.all_met();
        assert_eq!((met.misspoken.len(), met.answered.len()), (SERVERS, SERVERS));
    }
}
