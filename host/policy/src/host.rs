//! Hosts in one spelling.
//!
//! A policy that compares names as they are written is passed by whoever writes them differently: `LOCALHOST.`, `0x7f.1`,
//! `[::ffff:127.0.0.1]`. So there is one spelling of each host, and what has none is no host.

use std::fmt;
use std::net::IpAddr;

/// The longest text that is read as a host, bytes. A name has 253 letters in ASCII, and four times as many bytes at most however else people
/// write it. To find those letters takes as many steps as the square of a label has, and a component may ask for a text of any length.
const LONGEST: usize = 1_024;

/// A host, by name or by address.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Host {
    /// A name, in lower case, in its ASCII form, without a dot at its end.
    Name(String),
    /// An address; never an IPv6 one that stands for an IPv4 one.
    Address(IpAddr),
}

impl Host {
    /// Reads a host, an IPv6 address with or without brackets. None if it is neither a name nor an address.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        if let Ok(address) = text.parse::<IpAddr>() {
            return Some(Self::from(address));
        }
        match url::Host::parse(text).ok()? {
            url::Host::Ipv4(address) => Some(Self::from(IpAddr::V4(address))),
            url::Host::Ipv6(address) => Some(Self::from(IpAddr::V6(address))),
            url::Host::Domain(name) => {
                let name = name.strip_suffix('.').unwrap_or(&name);
                let label = |label: &str| {
                    (1..=63).contains(&label.len())
                        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
                };
                (name.len() <= 253 && name.split('.').all(label)).then(|| Self::Name(name.to_owned()))
            }
        }
    }

    /// Whether it is this machine by its reserved name (RFC 6761).
    pub fn is_localhost(&self) -> bool {
        matches!(self, Self::Name(name) if name == "localhost" || name.ends_with(".localhost"))
    }
}

impl From<IpAddr> for Host {
    fn from(address: IpAddr) -> Self {
        Self::Address(address.to_canonical())
    }
}

/// As it stands in a URL.
impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(IpAddr::V4(address)) => address.fmt(f),
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn each_host_has_one_spelling() {
        for (spelt, one) in [
            ("API.Example.COM", "api.example.com"),
            ("api.example.com.", "api.example.com"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("%61pi.example", "api.example"),
            ("_dmarc.example", "_dmarc.example"),
            ("127.0.0.1", "127.0.0.1"),
            ("127.1", "127.0.0.1"),
            ("0x7f.1", "127.0.0.1"),
            ("017700000001", "127.0.0.1"),
            ("2130706433", "127.0.0.1"),
            ("127.0.0.1.", "127.0.0.1"),
            ("::1", "[::1]"),
            ("[0:0:0:0:0:0:0:1]", "[::1]"),
            ("::ffff:169.254.169.254", "169.254.169.254"),
            ("[::FFFF:7f00:1]", "127.0.0.1"),
        ] {
            assert_eq!(Host::parse(spelt).map(|host| host.to_string()).as_deref(), Some(one), "{spelt}");
        }
    }

    #[test]
    fn what_has_no_spelling_is_no_host() {
        for text in [
            "",
            ".",
            "a..b",
            "a b",
            "a/b",
            "a@b",
            "a:80",
            "*.example",
            "[::1",
            "fe80::1%eth0",
            "[fe80::1%25eth0]",
            "1.2.3.4.5",
            "999.1.1.1",
            "a\nb",
            "a%00b",
            "a#b",
            "a?b",
            "a!b",
            "a*b",
        ] {
            assert_eq!(Host::parse(text), None, "{text:?}");
        }
        assert_eq!(Host::parse(&"a".repeat(64)), None);
        assert_eq!(Host::parse(&format!("a{}", ["a"; 127].join("."))), None);
        for longest in ["a".repeat(63), ["a"; 127].join(".")] {
            assert!(Host::parse(&longest).is_some(), "{longest}");
        }
    }

    #[test]
    fn nobody_reads_what_is_longer_than_any_name() {
        let longest = vec!["\u{20000}".repeat(50); 4].join(".");
        assert!((800..=LONGEST).contains(&longest.len()));
        assert!(matches!(Host::parse(&longest), Some(Host::Name(name)) if (200..=253).contains(&name.len())));
        // Two million steps for each of them.
        let label: String = ('\u{4e00}'..).take(1_000).collect();
        let text = vec![label; 2_300].join(".");
        let begun = Instant::now();
        assert_eq!(Host::parse(&text), None);
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    }

    #[test]
    fn localhost_is_a_name_of_this_machine() {
        for (name, local) in
            [("localhost", true), ("db.localhost.", true), ("localhost.example", false), ("127.0.0.1", false)]
        {
            assert_eq!(Host::parse(name).unwrap().is_localhost(), local, "{name}");
        }
    }
}
