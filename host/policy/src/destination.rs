//! Where a guest wants to go, as the policy sees it: before anything is resolved.

use std::fmt;

use crate::host::Host;

/// How a destination is talked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scheme {
    /// HTTP in clear.
    Http,
    /// HTTP over TLS.
    Https,
    /// A TCP connection of which nothing more is known.
    Tcp,
}

impl Scheme {
    /// Reads a scheme, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Http, Self::Https, Self::Tcp].into_iter().find(|scheme| text.eq_ignore_ascii_case(scheme.as_str()))
    }

    /// As it stands in a URL.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
            Self::Tcp => "tcp",
        }
    }

    /// The port where none is named.
    pub fn default_port(self) -> Option<u16> {
        match self {
            Self::Http => Some(80),
            Self::Https => Some(443),
            Self::Tcp => None,
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One place that a guest wants to talk to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Destination {
    /// How.
    pub scheme: Scheme,
    /// With whom.
    pub host: Host,
    /// At which port; any, where a name is only looked up.
    pub port: Option<u16>,
    /// The HTTP method, in the case that it has on the wire.
    pub method: Option<String>,
}

impl Destination {
    /// As a grant would name it.
    pub fn endpoint(&self) -> String {
        let Self { scheme, host, port, .. } = self;
        match port {
            port if *port == scheme.default_port() && port.is_some() => format!("{scheme}://{host}"),
            Some(port) => format!("{scheme}://{host}:{port}"),
            None => format!("{scheme}://{host}:*"),
        }
    }
}

/// Without path and query, which may hold what nobody should read.
impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.endpoint())?;
        self.method.as_ref().map_or(Ok(()), |method| write!(f, " ({method})"))
    }
}
