//! Whether another program would have gone through a proxy: providers use none, and where a server is reached only through one, nothing
//! else says so. Nothing is decided here.

use std::net::IpAddr;

use bulkhead_policy::AddressRange;

use crate::outgoing::OutgoingError;
use crate::scarcity;

/// What names a proxy for `https`, and what it isn't for, to programs that use one.
const NAMES: [[&str; 2]; 2] = [["HTTPS_PROXY", "https_proxy"], ["NO_PROXY", "no_proxy"]];

/// Whether an exchange failed as those do that need a proxy.
pub(super) fn may_be_missed(error: &OutgoingError) -> bool {
    match error {
        OutgoingError::Resolve(error) | OutgoingError::Connect(error) => !scarcity::is_of_files(error),
        OutgoingError::ConnectTimeout => true,
        _ => false,
    }
}

/// Whether the process's variables have a proxy for a server.
pub(super) fn is_for(host: &str) -> bool {
    let [proxy, exceptions] = NAMES.map(|names| names.into_iter().find_map(|name| std::env::var(name).ok()));
    proxy.is_some_and(|proxy| !proxy.is_empty()) && !is_excepted(host, exceptions.as_deref().unwrap_or_default())
}

/// Whether nobody uses a proxy for a server: it is this machine, or among the exceptions, which are names and those above it, and networks.
fn is_excepted(host: &str, exceptions: &str) -> bool {
    let host = host.trim_matches(['[', ']']).trim_end_matches('.').to_ascii_lowercase();
    let address = host.parse::<IpAddr>().ok();
    let within = |name: &str| host.strip_suffix(name).is_some_and(|below| below.is_empty() || below.ends_with('.'));
    if within("localhost") || address.is_some_and(|address| address.is_loopback()) {
        return true;
    }
    exceptions.split(',').map(|name| name.trim().to_ascii_lowercase()).filter(|name| !name.is_empty()).any(|name| {
        if name.contains('/') {
            let network = name.replace(['[', ']'], "").parse::<AddressRange>();
            return address.is_some_and(|address| network.is_ok_and(|network| network.contains(address)));
        }
        // A port may stand behind a name, and an address of IPv6 has colons of its own.
        let name = match name.split_once(':') {
            Some((before, port)) if !port.contains(':') => before,
            _ => &name,
        };
        let name = name.trim_matches(['[', ']']).trim_start_matches('*').trim_start_matches('.');
        name.is_empty() || within(name)
    })
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn a_proxy_is_missed_where_nobody_was_reached() {
        for (error, missed) in [
            (OutgoingError::ConnectTimeout, true),
            (OutgoingError::Connect(io::ErrorKind::ConnectionRefused.into()), true),
            (OutgoingError::Resolve(io::ErrorKind::NotFound.into()), true),
            (OutgoingError::FirstByteTimeout, false),
        ] {
            assert_eq!(may_be_missed(&error), missed, "{error}");
        }
    }

    #[test]
    fn nobody_uses_a_proxy_for_this_machine_and_for_what_is_excepted() {
        let exceptions = "10.1.2.3, .corp.example,api.other.example:8443,fd00::1, LAN";
        for host in [
            "localhost",
            "app.localhost",
            "127.0.0.2",
            "[::1]",
            "10.1.2.3",
            "corp.example",
            "git.corp.example.",
            "api.other.example",
            "[fd00::1]",
            "nas.lan",
        ] {
            assert!(is_excepted(host, exceptions), "{host}");
        }
        for host in ["other.example", "notcorp.example", "10.1.2.33", "[fd00::11]", "lan.example", "mylocalhost"] {
            assert!(!is_excepted(host, exceptions), "{host}");
        }
        let networks = "10.0.0.0/8, fd00::/8,192.0.2.0/25,10.11.0.0/x,/8,198.51.100.7/33";
        for (host, excepted) in [
            ("10.255.0.1", true),
            ("11.0.0.1", false),
            ("192.0.2.127", true),
            ("192.0.2.128", false),
            ("198.51.100.7", false),
            ("[fd12::1]", true),
            ("[fe80::1]", false),
            ("ten.example", false),
        ] {
            assert_eq!(is_excepted(host, networks), excepted, "{host}");
        }
        assert!(is_excepted("10.1.2.3", "0.0.0.0/0") && is_excepted("10.1.2.3", "10.1.2.3/32"));
        assert!(is_excepted("any.example", "*") && !is_excepted("any.example", " ,"));
    }
}
