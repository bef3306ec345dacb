//! Absolute URLs of HTTP, made of parts.
//!
//! A provider builds URLs from what users give, so each part is encoded where it is added, and what could send a request
//! elsewhere than it looks (user information, backslashes, control characters) is refused.

use std::fmt;

use crate::error::Error;

/// Over what a request goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Plain TCP.
    Http,
    /// TLS.
    Https,
}

/// An absolute URL: scheme, authority, path and query.
///
/// ```
/// use bulkhead_sdk::http::Url;
///
/// let url = Url::parse("https://dns.example:8443/api/")?.segment("zones").segment("a/b").query("rrsets", "no & none");
/// assert_eq!(url.to_string(), "https://dns.example:8443/api/zones/a%2Fb?rrsets=no%20%26%20none");
/// # Ok::<(), bulkhead_sdk::http::InvalidUrl>(())
/// ```
///
/// It is a string among the properties of a schema, with a pattern, so that a text that begins like none fails where it is given: in
/// [configuration](crate::Config) before anything is done, in inputs already when a preview checks them.
#[derive(Clone)]
pub struct Url {
    scheme: Scheme,
    authority: String,
    path: String,
    query: String,
    /// How it was written; empty once something was added.
    written: String,
}

/// Why a text isn't a URL that can be asked. It doesn't repeat the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidUrl(&'static str);

impl Url {
    /// Reads an absolute URL. An error where it is of another scheme, has no host, carries a user name or a fragment, or has
    /// characters that have no place in a URL.
    pub fn parse(text: &str) -> Result<Self, InvalidUrl> {
        let (scheme, rest) = text.split_once("://").ok_or(InvalidUrl("has no scheme, such as http://"))?;
        let scheme = match scheme.to_ascii_lowercase().as_str() {
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            _ => return Err(InvalidUrl("has a scheme other than http and https")),
        };
        if !rest.chars().all(|char| char.is_ascii_graphic() && !matches!(char, '\\' | '"' | '<' | '>' | '^' | '`')) {
            return Err(InvalidUrl("has characters that must be encoded"));
        }
        if rest.contains('#') {
            return Err(InvalidUrl("has a fragment"));
        }
        let (authority, target) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        if authority.contains('@') {
            return Err(InvalidUrl("has a user name; credentials have settings of their own"));
        }
        check_authority(authority)?;
        let path = if path.is_empty() { "/" } else { path };
        let authority = authority.to_ascii_lowercase();
        Ok(Self { scheme, authority, path: path.to_owned(), query: query.to_owned(), written: text.to_owned() })
    }

    /// Appends a step to the path, encoded. Nothing can be asked for that is called `.`, `..` or nothing at all: to servers they are no names.
    /// They become `%2E`, `%2E%2E` and `%00`, which nothing is called, and never lead to another place. Whoever needs a slash at the end
    /// [parses](Self::parse) the text with one.
    #[must_use]
    pub fn segment(mut self, segment: &str) -> Self {
        self.written.clear();
        if !self.path.ends_with('/') {
            self.path.push('/');
        }
        match segment {
            // Unencoded they would mean "here" and "above", and encoded dots mean the same to many. So the sign that encodes them is encoded.
            "." | ".." => segment.chars().for_each(|_| self.path.push_str("%252E")),
            // The next step would take its place, and without one the whole collection is meant.
            "" => self.path.push_str("%2500"),
            segment => encode(segment, &mut self.path),
        }
        self
    }

    /// Appends a parameter to the query, encoded.
    #[must_use]
    pub fn query(mut self, name: &str, value: &str) -> Self {
        self.written.clear();
        if !self.query.is_empty() {
            self.query.push('&');
        }
        encode(name, &mut self.query);
        self.query.push('=');
        encode(value, &mut self.query);
        self
    }

    /// The same with a parameter in the place of all of its name.
    ///
    /// ```
    /// # use bulkhead_sdk::http::Url;
    /// let url = Url::parse("https://a.example/?page=1&size=5")?.set_query("page", "2");
    /// assert_eq!(url.to_string(), "https://a.example/?size=5&page=2");
    /// # Ok::<(), bulkhead_sdk::http::InvalidUrl>(())
    /// ```
    #[must_use]
    pub fn set_query(mut self, name: &str, value: &str) -> Self {
        let is_other = |parameter: &&str| decoded(parameter.split('=').next().unwrap_or_default()) != name.as_bytes();
        self.query = self.query.split('&').filter(is_other).collect::<Vec<_>>().join("&");
        self.query(name, value)
    }

    /// What a reference means that stands in an answer of this URL (RFC 3986). Dots in paths stay what they are.
    pub(super) fn resolve(&self, reference: &str) -> Result<Self, InvalidUrl> {
        let reference = reference.split('#').next().unwrap_or_default();
        let (scheme, _) = reference.split_once(':').unwrap_or_default();
        let (above, _) = self.path.rsplit_once('/').unwrap_or_default();
        let origin = self.origin();
        Self::parse(&match reference.chars().next() {
            _ if !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => reference.to_owned(),
            Some('/') if reference.starts_with("//") => format!("{}:{reference}", self.scheme),
            Some('/') => format!("{origin}{reference}"),
            Some('?') => format!("{origin}{}{reference}", self.path),
            Some(_) => format!("{origin}{above}/{reference}"),
            None => self.to_string(),
        })
    }

    /// As it was written, where nothing was added since: who gave it expects that back.
    pub(super) fn spelling(&self) -> String {
        if self.written.is_empty() { self.to_string() } else { self.written.clone() }
    }

    /// Over what it is asked.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Host and port, as they were given, in lower case.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// Path and query, starting with `/`.
    pub fn path_and_query(&self) -> String {
        let separator = if self.query.is_empty() { "" } else { "?" };
        format!("{}{separator}{}", self.path, self.query)
    }

    /// Scheme, host and port: whom it is asked of, and what a grant names.
    pub fn origin(&self) -> String {
        format!("{}://{}", self.scheme, self.authority)
    }

    /// Whether both are asked of the same. A port may be said that goes without saying.
    pub(super) fn has_origin_of(&self, other: &Self) -> bool {
        self.scheme == other.scheme && self.host_and_port() == other.host_and_port()
    }

    fn host_and_port(&self) -> (&str, u16) {
        // The colons of an address are in brackets, and so is what is behind the last one.
        let said = self.authority.rsplit_once(':').and_then(|(host, port)| Some((host, port.parse().ok()?)));
        said.unwrap_or((&self.authority, self.scheme.default_port()))
    }
}

/// Whether the same is asked of the same, however it was written.
impl PartialEq for Url {
    fn eq(&self, other: &Self) -> bool {
        (self.scheme, &self.authority, &self.path, &self.query)
            == (other.scheme, &other.authority, &other.path, &other.query)
    }
}

impl Eq for Url {}

impl Scheme {
    fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

fn check_authority(authority: &str) -> Result<(), InvalidUrl> {
    let no_host = InvalidUrl("names no host");
    let (host, port) = if let Some(address) = authority.strip_prefix('[') {
        let (address, port) = address.split_once(']').ok_or(InvalidUrl("has an address that doesn't end with ]"))?;
        if address.parse::<std::net::Ipv6Addr>().is_err() {
            return Err(InvalidUrl("has something other than an IPv6 address in [ ]"));
        }
        (address, port)
    } else {
        let (host, _) = authority.split_once(':').unwrap_or((authority, ""));
        (host, authority.strip_prefix(host).unwrap_or_default())
    };
    if host.is_empty() {
        return Err(no_host);
    }
    match port.strip_prefix(':') {
        None if port.is_empty() => Ok(()),
        Some(digits)
            if digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.parse::<u16>().is_ok_and(|port| port > 0) =>
        {
            Ok(())
        }
        _ => Err(InvalidUrl("has a port that is no number from 1 to 65535")),
    }
}

/// What an encoded part of a query stands for.
fn decoded(text: &str) -> Vec<u8> {
    let mut decoded = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        let digits = others.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                rest = others.get(2..).unwrap_or_default();
            }
            None => {
                decoded.push(if *first == b'+' { b' ' } else { *first });
                rest = others;
            }
        }
    }
    decoded
}

/// Everything but what RFC 3986 calls unreserved.
fn encode(text: &str, out: &mut String) {
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(byte.into()),
            _ => {
                out.push('%');
                for digit in [byte >> 4, byte & 0xf] {
                    out.push(char::from_digit(digit.into(), 16).unwrap_or('0').to_ascii_uppercase());
                }
            }
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Http => "http",
            Self::Https => "https",
        })
    }
}

impl fmt::Display for Url {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}://{}{}", self.scheme, self.authority, self.path_and_query())
    }
}

/// Whom it is asked of. Queries may hold what is secret.
impl fmt::Debug for Url {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.origin(), self.path)
    }
}

impl InvalidUrl {
    pub(super) fn reason(self) -> &'static str {
        self.0
    }
}

/// Reads well after "the URL".
impl fmt::Display for InvalidUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
}

impl From<InvalidUrl> for Error {
    fn from(invalid: InvalidUrl) -> Self {
        Self::other(format!("the URL {invalid}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_told_apart() {
        for (text, authority, target) in [
            ("http://a.example", "a.example", "/"),
            ("HTTP://A.example:80/b/c?d=e&f", "a.example:80", "/b/c?d=e&f"),
            ("https://[::1]:8443?x", "[::1]:8443", "/?x"),
            ("https://127.0.0.1/a%20b", "127.0.0.1", "/a%20b"),
        ] {
            let url = Url::parse(text).unwrap();
            assert_eq!((url.authority(), url.path_and_query().as_str()), (authority, target), "{text}");
        }
    }

    #[test]
    fn a_port_that_goes_without_saying_makes_no_other_origin() {
        let same = |one: &str, other: &str| Url::parse(one).unwrap().has_origin_of(&Url::parse(other).unwrap());
        for (one, other) in [
            ("http://a/", "http://A:80/b"),
            ("https://a:443/", "https://a/"),
            ("https://[::1]/", "https://[::1]:0443/"),
        ] {
            assert!(same(one, other) && same(other, one), "{one} {other}");
        }
        for (one, other) in [
            ("http://a/", "https://a/"),
            ("http://a:443/", "https://a/"),
            ("http://a:81/", "http://a/"),
            ("http://[::1]/", "http://[::]:1/"),
            ("http://[::1]/", "http://[::1]:1/"),
        ] {
            assert!(!same(one, other) && !same(other, one), "{one} {other}");
        }
    }

    #[test]
    fn what_misleads_is_refused() {
        for (text, reason) in [
            ("a.example", "has no scheme, such as http://"),
            ("ftp://a.example", "has a scheme other than http and https"),
            ("http:///x", "names no host"),
            ("http://:80", "names no host"),
            ("http://granted.example@other.example/", "has a user name; credentials have settings of their own"),
            ("http://a.example\\@b/", "has characters that must be encoded"),
            ("http://a b/", "has characters that must be encoded"),
            ("http://a\r\nhost: b/", "has characters that must be encoded"),
            ("http://ä.example/", "has characters that must be encoded"),
            ("http://a/#b", "has a fragment"),
            ("http://a:/", "has a port that is no number from 1 to 65535"),
            ("http://a:0/", "has a port that is no number from 1 to 65535"),
            ("http://a:+1/", "has a port that is no number from 1 to 65535"),
            ("http://a:65536/", "has a port that is no number from 1 to 65535"),
            ("http://[::1/", "has an address that doesn't end with ]"),
            ("http://[a.example]/", "has something other than an IPv6 address in [ ]"),
        ] {
            assert_eq!(Url::parse(text).unwrap_err().to_string(), reason, "{text}");
        }
    }

    #[test]
    fn a_parameter_takes_the_place_of_those_of_its_name_however_they_are_spelt() {
        let url = Url::parse("http://a/?page[number]=1&page%5bnumber%5d=2&page=3&b+c&%zz=%").unwrap();
        let set = url.set_query("page[number]", "4").set_query("b c", "d").to_string();
        assert_eq!(set, "http://a/?page=3&%zz=%&page%5Bnumber%5D=4&b%20c=d");
        assert_eq!(Url::parse("http://a").unwrap().set_query("a", "1").to_string(), "http://a/?a=1");
    }

    #[test]
    fn parts_that_are_added_stay_parts() {
        let base = Url::parse("http://a/api?key=1").unwrap();
        let url = base.clone().segment("x/../y?z#").query("a&b", "c=d").to_string();
        assert_eq!(url, "http://a/api/x%2F..%2Fy%3Fz%23?key=1&a%26b=c%3Dd");
        assert!(!base.clone().segment("..").to_string().contains(".."));
        assert_eq!(base.segment("").segment("keys").path_and_query(), "/api/%2500/keys?key=1", "nothing is a part too");
        assert_eq!(format!("{:?}", Url::parse("http://a/b?token=t").unwrap()), "http://a/b");
    }
}
