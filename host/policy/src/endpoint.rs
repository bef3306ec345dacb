//! Endpoints as requests and grants write them: `https://api.example.com`, `tcp://*.example.com:5432`, `${config.endpoint}`.
//!
//! What a user configured decides which endpoint the last one is. Only that: a value can't widen a grant, whatever it
//! holds, because it is never read as a pattern.

mod relation;

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::destination::{Destination, Scheme};
use crate::host::Host;
use crate::template::{Configured, Template, TemplateError, Unbound};

/// An endpoint as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    template: Template,
    /// What it means with values that are as simple as can be, if it is more than a value. A thousand requests are compared with as
    /// many grants, and none is read for each.
    sample: Option<Pattern>,
}

/// Why a text is no endpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// It has no scheme that a guest can use.
    #[error("`{0}` names no scheme: write http://, https:// or tcp:// before the host")]
    Scheme(String),
    /// Its host is none.
    #[error("`{0}` names no host: write a name, an address (IPv6 in brackets), or *.NAME for all names below one")]
    Host(String),
    /// Its port is none.
    #[error("`{0}` names no port: write one after the host, or :* for any")]
    Port(String),
    /// It says more than an endpoint is.
    #[error("`{0}` has more than scheme, host and port; grants hold for all paths")]
    Excess(String),
    /// Its host looks like another one, or like none.
    #[error("`{written}` can be taken for something else: write its host as `{host}`")]
    Spelling {
        /// The endpoint as it is written.
        written: String,
        /// Its host in the one spelling that it has.
        host: String,
    },
    /// A value is one endpoint, so nothing would ever be meant.
    #[error("`{0}` means nothing, whatever is configured: write `*` or ${{config.NAME}}, not both")]
    Open(String),
    /// A reference can't be read.
    #[error(transparent)]
    Template(#[from] TemplateError),
}

impl EndpointError {
    /// The same of what is written, where something was put in its place.
    fn of(self, written: &str) -> Self {
        let written = written.to_owned();
        match self {
            Self::Scheme(_) => Self::Scheme(written),
            Self::Host(_) => Self::Host(written),
            Self::Port(_) => Self::Port(written),
            Self::Excess(_) => Self::Excess(written),
            other => other,
        }
    }
}

/// An endpoint with what was configured in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    scheme: Scheme,
    pub(crate) host: HostPattern,
    pub(crate) port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HostPattern {
    Any,
    Below(String),
    One(Host),
}

impl Endpoint {
    /// Reads an endpoint.
    ///
    /// # Errors
    /// What no destination could match.
    pub fn parse(text: &str) -> Result<Self, EndpointError> {
        let template = Template::parse(text)?;
        if template.is_one_reference() {
            return Ok(Self { template, sample: None });
        }
        let sample = Pattern::parse(&template.sample("1")).map_err(|error| error.of(text))?;
        sample.is_plain_in(text)?;
        if template.references().next().is_some() && sample.destination().is_none() {
            return Err(EndpointError::Open(text.to_owned()));
        }
        Ok(Self { template, sample: Some(sample) })
    }

    /// The endpoint that is a destination, whatever the method.
    pub(crate) fn of(to: &Destination) -> Self {
        let pattern = Pattern { scheme: to.scheme, host: HostPattern::One(to.host.clone()), port: to.port };
        Self { template: Template::plain(to.endpoint()), sample: Some(pattern) }
    }

    /// As it is written.
    pub(crate) fn as_str(&self) -> &str {
        self.template.as_str()
    }

    /// The configuration that it refers to.
    pub fn references(&self) -> impl Iterator<Item = &str> {
        self.template.references()
    }

    /// The one host that it means, at whatever port, if that doesn't depend on anything.
    pub(crate) fn only_host(&self) -> Option<Host> {
        match &self.fixed()?.host {
            HostPattern::One(host) => Some(host.clone()),
            HostPattern::Any | HostPattern::Below(_) => None,
        }
    }

    /// The endpoints that it means with these values, no more than `most`. What has none is still to be configured.
    pub fn filled(&self, values: &dyn Fn(&str) -> Option<Vec<String>>, most: usize) -> Vec<Self> {
        let read = |text: String| match text.contains("${") {
            true => Self::parse(&text).ok(),
            // As it will be read: of such texts nobody sees how they are written.
            false => Pattern::parse(&text).ok().and_then(|pattern| pattern.destination()).map(|to| Self::of(&to)),
        };
        self.template.filled(values, most, insertion).into_iter().filter_map(read).collect()
    }

    /// The patterns that it means, one for each configured value, and no more than `most`.
    pub(crate) fn bind(&self, configured: &dyn Fn(&str) -> Configured, most: usize) -> Result<Vec<Pattern>, Unbound> {
        if let Some(fixed) = self.fixed() {
            return Ok(vec![fixed.clone()]);
        }
        let bound = self.template.bind(configured, most, insertion)?;
        let parsed = bound.iter().map(|text| Pattern::parse(text).ok());
        parsed.collect::<Option<Vec<Pattern>>>().ok_or_else(|| self.template.unusable())
    }
}

/// What a configured value puts into an endpoint: an authority, or all of it where nothing stands before it.
fn insertion(before: &str, value: &str) -> Option<String> {
    let value = value.trim();
    let (scheme, rest) = value.split_once("://").map_or((None, value), |(scheme, rest)| (Some(scheme), rest));
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let plain = !authority.is_empty()
        && authority.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']'));
    match (plain, scheme, before) {
        // Clients take it for the host as it is, beside a port.
        (true, None, before) if before.ends_with("://") && value.parse::<Ipv6Addr>().is_ok() => {
            Some(format!("[{value}]"))
        }
        (true, Some(scheme), "") => Some(format!("{scheme}://{authority}")),
        (true, Some(scheme), before) if before.eq_ignore_ascii_case(&format!("{scheme}://")) => {
            Some(authority.to_owned())
        }
        (true, None, _) if authority == value => Some(authority.to_owned()),
        _ => None,
    }
}

impl Pattern {
    fn parse(text: &str) -> Result<Self, EndpointError> {
        let wrong = |error: fn(String) -> EndpointError| error(text.to_owned());
        let (scheme, rest) = text.split_once("://").ok_or_else(|| wrong(EndpointError::Scheme))?;
        let scheme = Scheme::parse(scheme).ok_or_else(|| wrong(EndpointError::Scheme))?;
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.contains(['/', '?', '#', '@', '\\']) {
            return Err(wrong(EndpointError::Excess));
        }
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, Some(port)),
            _ => (rest, None),
        };
        let port = match port {
            Some("*") => None,
            // No sign, no zero before it.
            Some(port) if !port.starts_with(|first| matches!(first, '1'..='9')) => {
                return Err(wrong(EndpointError::Port));
            }
            Some(port) => Some(port.parse().map_err(|_| wrong(EndpointError::Port))?),
            None => Some(scheme.default_port().ok_or_else(|| wrong(EndpointError::Port))?),
        };
        // Of an address and a port without brackets nobody knows where the one ends.
        let one = |host: &str| Host::parse(host).filter(|_| !host.contains(':') || host.starts_with('['));
        let host = match host.strip_prefix('*') {
            Some("") => HostPattern::Any,
            Some(below) => match below.strip_prefix('.').and_then(Host::parse) {
                Some(Host::Name(name)) => HostPattern::Below(name),
                _ => return Err(wrong(EndpointError::Host)),
            },
            None => HostPattern::One(one(host).ok_or_else(|| wrong(EndpointError::Host))?),
        };
        Ok(Self { scheme, host, port })
    }

    /// Whoever reads a request or a grant decides by what it looks like: letters of other scripts look like Latin ones, and an
    /// address that is written as one number looks like none. Values that a user configured are nobody's request; where one is no
    /// more than the port, the host is written all the same.
    fn is_plain_in(&self, written: &str) -> Result<(), EndpointError> {
        let is_settled = written.split_once("${").is_none_or(|(before, _)| before.matches(':').count() > 1);
        let (host, plain) = match &self.host {
            HostPattern::Any => ("*".to_owned(), true),
            HostPattern::Below(name) => (format!("*.{name}"), true),
            HostPattern::One(host @ Host::Address(IpAddr::V4(_))) if is_settled => {
                let host = host.to_string();
                let plain = written.contains(&host);
                (host, plain)
            }
            HostPattern::One(host) => (host.to_string(), true),
        };
        // What is percent-encoded is read as something else, letter by letter.
        match plain && written.is_ascii() && !written.contains('%') {
            true => Ok(()),
            false => Err(EndpointError::Spelling { written: written.to_owned(), host }),
        }
    }

    /// The one destination that it means, with whatever method.
    fn destination(&self) -> Option<Destination> {
        let HostPattern::One(host) = &self.host else { return None };
        let (scheme, host, port) = (self.scheme, host.clone(), Some(self.port?));
        Some(Destination { scheme, host, port, method: None })
    }

    pub(crate) fn is_over(&self, scheme: Scheme) -> bool {
        self.scheme == scheme
    }

    /// Whether it means a destination. One without a port is meant if any of its ports is.
    pub(crate) fn matches(&self, destination: &Destination) -> bool {
        let host = match (&self.host, &destination.host) {
            (HostPattern::Any, _) => true,
            (HostPattern::Below(above), Host::Name(name)) => relation::is_below(name, above),
            (HostPattern::Below(_), Host::Address(_)) => false,
            (HostPattern::One(one), host) => one == host,
        };
        let port = self.port.is_none_or(|port| destination.port.is_none_or(|wanted| wanted == port));
        host && port && self.scheme == destination.scheme
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Endpoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl Serialize for Endpoint {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn destination(text: &str) -> Destination {
        let (scheme, rest) = text.split_once("://").unwrap();
        let (host, port) = rest.rsplit_once(':').unwrap();
        Destination {
            scheme: Scheme::parse(scheme).unwrap(),
            host: Host::parse(host).unwrap(),
            port: Some(port.parse().unwrap()),
            method: None,
        }
    }

    fn matches(pattern: &str, to: &str) -> bool {
        let patterns = Endpoint::parse(pattern).unwrap().bind(&|_| Configured::Absent, 1).unwrap();
        patterns.iter().any(|pattern| pattern.matches(&destination(to)))
    }

    #[test]
    fn an_endpoint_means_scheme_host_and_port() {
        for (pattern, to, meant) in [
            ("https://api.example.com", "https://api.example.com:443", true),
            ("https://api.example.com", "HTTPS://API.example.com.:443", true),
            ("https://api.example.com", "http://api.example.com:80", false),
            ("https://api.example.com", "https://api.example.com:8443", false),
            ("https://api.example.com/", "https://api.example.com:443", true),
            ("https://api.example.com", "https://x.api.example.com:443", false),
            ("https://api.example.com", "https://api.example.com.evil.example:443", false),
            ("https://*.example.com", "https://a.b.example.com:443", true),
            ("https://*.example.com", "https://example.com:443", false),
            ("https://*.example.com", "https://evilexample.com:443", false),
            ("https://*.0.0.1x", "https://127.0.0.1:443", false),
            ("https://*", "https://93.184.216.34:443", true),
            ("http://[::1]", "http://[::1]:80", true),
            ("http://h:*", "http://h:8080", true),
            ("tcp://db.example.com:5432", "tcp://db.example.com:5432", true),
            ("tcp://db.example.com:5432", "https://db.example.com:5432", false),
            ("http://127.0.0.1:8081", "http://0x7f.1:8081", true),
            ("http://[::1]:8081", "http://[0::1]:8081", true),
            ("http://[::ffff:127.0.0.1]", "http://127.0.0.1:80", true),
        ] {
            assert_eq!(matches(pattern, to), meant, "{pattern} {to}");
        }
    }

    #[test]
    fn what_is_no_endpoint_says_what_it_lacks() {
        for (text, lacks) in [
            ("api.example.com", "names no scheme"),
            ("ftp://a", "names no scheme"),
            ("https://", "names no host"),
            ("https://a b", "names no host"),
            ("https://*.10.0.0.1", "names no host"),
            ("https://a.*.b", "names no host"),
            ("tcp://db", "names no port"),
            ("https://a:0", "names no port"),
            ("https://a:+443", "names no port"),
            ("https://a:0443", "names no port"),
            ("${config.a}:443", "`${config.a}:443` names no scheme"),
            ("https://*.${config.a}", "`https://*.${config.a}` names no host"),
            ("https://a:99999", "names no port"),
            ("https://a/v1", "has more than scheme"),
            ("https://u:p@a", "has more than scheme"),
            ("https://\u{430}pple.com", "write its host as `xn--pple-43d.com`"),
            ("http://::1:8081", "IPv6 in brackets"),
            ("http://::1", "names no host"),
            ("http://[::1", "names no host"),
            ("https://${config.host}:*", "write `*` or ${config.NAME}, not both"),
            ("https://*.${config.region}.example.com", "write `*` or ${config.NAME}, not both"),
            ("https://*.b\u{fc}cher.example", "write its host as `*.xn--bcher-kva.example`"),
            ("https://ex\u{ad}ample.com", "write its host as `example.com`"),
            ("https://good.example%2eevil.example", "write its host as `good.example.evil.example`"),
            ("https://*.%65xample.com:8443", "write its host as `*.example.com`"),
            ("http://0xA9FEA9FE", "write its host as `169.254.169.254`"),
            ("http://127.1:8081", "write its host as `127.0.0.1`"),
            ("http://127.1:${config.port}", "write its host as `127.0.0.1`"),
            ("https://${config.}", "refers to nothing"),
            ("https://${env.X}", "refers to nothing"),
            ("https://${config.a b}", "refers to nothing"),
            ("https://${config.x", "refers to nothing"),
        ] {
            let error = Endpoint::parse(text).unwrap_err().to_string();
            assert!(error.contains(lacks), "{text}: {error}");
        }
    }

    #[test]
    fn what_a_schema_fills_in_makes_an_endpoint_of_a_reference_or_leaves_it_one() {
        let values = |name: &str| match name {
            "host" => Some(vec!["0x7f.1".to_owned(), "b.example".to_owned()]),
            "bad" => Some(vec!["${config.region}".to_owned(), "https://*".to_owned(), "%61.example".to_owned()]),
            _ => None,
        };
        let filled = |text: &str, most| -> Vec<String> {
            let all = Endpoint::parse(text).unwrap().filled(&values, most);
            all.iter().map(ToString::to_string).collect()
        };
        assert_eq!(filled("http://${config.host}", 2), ["http://127.0.0.1", "http://b.example"]);
        assert_eq!(filled("http://${config.host}", 1), [""; 0]);
        assert_eq!(filled("http://${config.host}:${config.port}", 2), ["http://b.example:${config.port}"]);
        assert_eq!(filled("https://${config.bad}", 9), [""; 0]);
        assert_eq!(filled("${config.bad}", 9), [""; 0]);
    }

    #[test]
    fn a_configured_value_is_one_endpoint_and_never_a_pattern() {
        let given = |text: &str| {
            let value = text.to_owned();
            move |_: &str| Configured::Given(vec![value.clone()])
        };
        for (endpoint, value, to) in [
            ("${config.endpoint}", "https://api.example.com", Some("https://api.example.com:443")),
            ("${config.endpoint}", "http://user:secret@10.1.2.3:8081/api/v1?x=y", Some("http://10.1.2.3:8081")),
            ("${config.endpoint}", "tcp://db:5432", Some("tcp://db:5432")),
            ("${config.endpoint}", "api.example.com", None),
            ("${config.endpoint}", "https://*.example.com", None),
            ("${config.endpoint}", "https://*", None),
            ("${config.endpoint}", " https://api.example.com\n", Some("https://api.example.com:443")),
            ("${config.endpoint}", "https://%61pi.example.com", None),
            ("${config.endpoint}", "http://::1:8081", None),
            ("${config.dns-1.end_point}", "https://api.example.com", Some("https://api.example.com:443")),
            ("https://a${config.suffix}.example.com", "", None),
            ("${config.endpoint}", "https://a:*", None),
            ("${config.endpoint}", "ftp://a", None),
            ("${config.endpoint}", "", None),
            ("https://${config.host}", "api.example.com", Some("https://api.example.com:443")),
            ("https://${config.host}", "api.example.com:8443", Some("https://api.example.com:8443")),
            ("https://${config.host}", "https://api.example.com/v1", Some("https://api.example.com:443")),
            ("https://${config.host}", "http://api.example.com", None),
            ("https://${config.host}", "*.example.com", None),
            ("https://${config.host}", "a.example/../b", None),
            ("tcp://${config.host}:5432", "fd00::1", Some("tcp://[fd00::1]:5432")),
            ("tcp://${config.host}:5432", "[fd00::1]", Some("tcp://[fd00::1]:5432")),
            ("https://${config.host}.example.com", "fd00::1", None),
            ("https://api:${config.port}", "::1", None),
            ("https://${config.region}.example.com", "eu", Some("https://eu.example.com:443")),
            ("https://${config.region}.example.com", "evil.example/", None),
            ("https://${config.region}.example.com", "evil.example#", None),
            ("https://api:${config.port}", "8443", Some("https://api:8443")),
            ("https://api:${config.port}", "*", None),
        ] {
            let bound = Endpoint::parse(endpoint).unwrap().bind(&given(value), 1);
            match to {
                Some(to) => {
                    let bound = bound.unwrap_or_else(|unbound| panic!("{endpoint} {value}: {unbound}"));
                    assert!(
                        matches!(&bound[..], [one] if one.matches(&destination(to))),
                        "{endpoint} {value}: {bound:?}"
                    );
                }
                None => assert!(bound.is_err(), "{endpoint} {value}: {bound:?}"),
            }
        }
    }

    #[test]
    fn lists_that_multiply_are_never_multiplied_out() {
        let servers = |count: usize, length: usize| move |_: &str| Configured::Given(vec!["a".repeat(length); count]);
        let repeated =
            |count: usize| Endpoint::parse(&format!("https://{}x", "${config.servers}.".repeat(count))).unwrap();
        assert_eq!(repeated(1).bind(&servers(100, 1), 100).unwrap().len(), 100);
        assert_eq!(repeated(2).bind(&servers(10, 1), 100).unwrap().len(), 100);
        for (endpoint, configured) in [(repeated(1), servers(101, 1)), (repeated(100), servers(2, 1))] {
            let unbound = endpoint.bind(&configured, 100).unwrap_err().to_string();
            assert!(unbound.ends_with("because `servers` would make too many endpoints of it"), "{unbound}");
        }
        let unbound = repeated(100).bind(&servers(1, 1_000_000), 100).unwrap_err().to_string();
        assert!(unbound.ends_with("is configured to what is no single endpoint"), "{unbound}");
    }
}
