//! Where a request goes, in the one form that policy, resolver, connection, certificate and `host` header all see.
//!
//! Two readings of one URL are how a check is passed by: a decision on one host, a connection to another. So whatever has a
//! second reading is refused, and everybody after this sees the canonical form alone.

use bulkhead_policy::{Destination, Host, Scheme};
use http::uri::PathAndQuery;
use http::{HeaderValue, Method, Uri, uri};

use super::error::OutgoingError;

/// The longest method, bytes. Any that is known has a dozen, and it stands in whatever is told of the request.
const LONGEST_METHOD: usize = 100;
/// The longest authority, bytes: a name has 253.
const LONGEST_AUTHORITY: usize = 300;

/// A destination and what it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) to: Destination,
    pub(super) port: u16,
    /// The `host` header, which never differs from the destination.
    pub(super) authority: HeaderValue,
    pub(super) path: PathAndQuery,
}

impl Target {
    /// The target of a request.
    ///
    /// # Errors
    /// A method that is never sent, or a destination with more than one reading.
    pub(super) fn of(method: &Method, uri: &Uri) -> Result<Self, OutgoingError> {
        let method = sendable(method)?;
        let scheme = match uri.scheme() {
            Some(scheme) if *scheme == uri::Scheme::HTTP => Scheme::Http,
            Some(scheme) if *scheme == uri::Scheme::HTTPS => Scheme::Https,
            _ => return Err(OutgoingError::Target("is neither http nor https")),
        };
        let authority = uri.authority().ok_or(OutgoingError::Target("names no host"))?;
        // What comes is as long as a guest likes, and read more than once.
        if authority.as_str().len() > LONGEST_AUTHORITY {
            return Err(OutgoingError::Target("is longer than any"));
        }
        if authority.as_str().contains('@') {
            return Err(OutgoingError::Target("holds a user or a password"));
        }
        if authority.as_str().contains('%') {
            return Err(OutgoingError::Target("has a host that is percent-encoded"));
        }
        let host = Host::parse(authority.host()).ok_or(OutgoingError::Target("names no host"))?;
        let default = scheme.default_port();
        let port = match authority.as_str().strip_prefix(authority.host()) {
            Some("") => default.ok_or(OutgoingError::Target("names no port"))?,
            Some(port) => port.strip_prefix(':').and_then(number).ok_or(OutgoingError::Target("names no port"))?,
            None => return Err(OutgoingError::Target("names no host")),
        };
        let named = if default == Some(port) { host.to_string() } else { format!("{host}:{port}") };
        let authority = HeaderValue::try_from(named).map_err(|_| OutgoingError::Target("names no host"))?;
        let path = match uri.path_and_query().map_or("/", PathAndQuery::as_str) {
            path if path.starts_with('/') => path.to_owned(),
            // A query alone.
            query => format!("/{query}"),
        };
        let path = PathAndQuery::try_from(path).map_err(|_| OutgoingError::Target("has no path"))?;
        // What isn't ASCII is percent-encoded by whoever knows what it means.
        if !path.as_str().is_ascii() {
            return Err(OutgoingError::Target("has a path that isn't percent-encoded"));
        }
        Ok(Self { to: Destination { scheme, host, port: Some(port), method: Some(method) }, port, authority, path })
    }
}

/// A method that makes a request and nothing else: a tunnel would carry what nobody looks at, and an echo shows
/// the guest what intermediaries added.
fn sendable(method: &Method) -> Result<String, OutgoingError> {
    match method.as_str() {
        name if name.len() > LONGEST_METHOD => Err(OutgoingError::Method("methods of more than 100 bytes")),
        "CONNECT" => Err(OutgoingError::Method("tunnels")),
        "TRACE" => Err(OutgoingError::Method("echoes of requests")),
        // Methods are told apart by case, and servers that don't would take for a PUT what policy took for something else.
        name if name.chars().any(|letter| letter.is_ascii_lowercase()) => {
            Err(OutgoingError::Method("methods in small letters"))
        }
        name => Ok(name.to_owned()),
    }
}

/// A port: digits alone, and not 0.
fn number(port: &str) -> Option<u16> {
    let digits = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    port.parse().ok().filter(|port| digits && *port != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(uri: &str) -> Result<Target, String> {
        let uri = uri.parse().map_err(|_| "isn't a URI".to_owned())?;
        Target::of(&Method::GET, &uri).map_err(|error| error.to_string())
    }

    #[test]
    fn each_destination_has_one_form() {
        for (uri, host, port, header, path) in [
            ("http://api.example.com", "api.example.com", 80, "api.example.com", "/"),
            ("http://API.Example.COM./x?y#z", "api.example.com", 80, "api.example.com", "/x?y"),
            ("https://api.example.com:443/", "api.example.com", 443, "api.example.com", "/"),
            ("https://api.example.com:80/", "api.example.com", 80, "api.example.com:80", "/"),
            ("http://api.example.com:8081?q=1", "api.example.com", 8081, "api.example.com:8081", "/?q=1"),
            ("http://xn--bcher-kva.example/", "xn--bcher-kva.example", 80, "xn--bcher-kva.example", "/"),
        ] {
            let target = target(uri).unwrap_or_else(|error| panic!("{uri}: {error}"));
            assert_eq!(target.to.host, Host::Name(host.to_owned()), "{uri}");
            assert_eq!((target.port, target.path.as_str()), (port, path), "{uri}");
            assert_eq!(target.authority, header, "{uri}");
        }
    }

    #[test]
    fn an_address_is_an_address_however_it_is_spelt() {
        for (uri, address, header) in [
            ("http://127.0.0.1/", "127.0.0.1", "127.0.0.1"),
            ("http://0x7f.1/", "127.0.0.1", "127.0.0.1"),
            ("http://2130706433/", "127.0.0.1", "127.0.0.1"),
            ("http://017700000001/", "127.0.0.1", "127.0.0.1"),
            ("http://127.1:8080/", "127.0.0.1", "127.0.0.1:8080"),
            ("http://[::1]/", "::1", "[::1]"),
            ("http://[::ffff:127.0.0.1]/", "127.0.0.1", "127.0.0.1"),
            ("http://[::ffff:7f00:1]:81/", "127.0.0.1", "127.0.0.1:81"),
            ("http://[0:0:0:0:0:0:0:1]:81/", "::1", "[::1]:81"),
        ] {
            let target = target(uri).unwrap_or_else(|error| panic!("{uri}: {error}"));
            assert_eq!(target.to.host, Host::Address(address.parse().unwrap()), "{uri}");
            assert_eq!(target.authority, header, "{uri}");
        }
    }

    #[test]
    fn what_has_two_readings_is_refused() {
        for uri in [
            "http://granted.example@evil.example/",
            "http://user:secret@granted.example/",
            "http://granted.example%40evil.example/",
            "http://granted%2eexample/",
            "http://granted.example:/",
            "http://granted.example:0/",
            "http://granted.example:+80/",
            "http://granted.example:65616/",
            "http://granted.example:80:81/",
            "http://[fe80::1%25eth0]/",
            "http://[fe80::1%eth0]/",
            "http://[::1/",
            "http://a..b/",
            "http://./",
            "http:///x",
            "ftp://granted.example/",
            "http://bücher.example/",
            "http://granted.example\\@evil.example/",
            "http://granted.example/a b",
            "http://granted.example/ü",
            "/only/a/path",
        ] {
            assert!(target(uri).is_err(), "{uri}: {:?}", target(uri));
        }
    }

    #[test]
    fn only_requests_are_sent() {
        let uri = Uri::from_static("http://granted.example/");
        let (longest, longer) = ("X".repeat(LONGEST_METHOD), "X".repeat(LONGEST_METHOD + 1));
        for method in ["CONNECT", "TRACE", "get", "Post", "pUT", &longer] {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            assert!(matches!(Target::of(&method, &uri), Err(OutgoingError::Method(_))), "{method}");
        }
        for method in ["GET", "HEAD", "PATCH", "OPTIONS", "M-SEARCH", "PURGE", &longest] {
            let target = Target::of(&Method::from_bytes(method.as_bytes()).unwrap(), &uri).unwrap();
            assert_eq!(target.to.method.as_deref(), Some(method));
        }
    }
}
