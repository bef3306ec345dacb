//! How endpoints relate before anybody configures anything: whether one means no more than another, and whether both can mean
//! the same at all.
//!
//! What refers to a configuration may turn out to be nearly anything. So the first answer is yes only where it always holds, and
//! the second no only where it never does.

use super::{Endpoint, HostPattern, Pattern};
use crate::host::Host;

impl Endpoint {
    /// Whether the other one means whatever it means, too.
    pub fn is_within(&self, other: &Self) -> bool {
        let patterns = self.fixed().zip(other.fixed());
        self == other || patterns.is_some_and(|(one, other)| one.is_within(other))
    }

    /// Whether there may be a destination that both mean.
    pub fn may_meet(&self, other: &Self) -> bool {
        if let Some((one, other)) = self.fixed().zip(other.fixed()) {
            return one.meets(other);
        }
        let schemes = self.sample.as_ref().zip(other.sample.as_ref());
        schemes.is_none_or(|(one, other)| one.scheme == other.scheme) && self.may_be(other) && other.may_be(self)
    }

    /// The pattern that it is, if it refers to nothing.
    pub(crate) fn fixed(&self) -> Option<&Pattern> {
        if self.references().next().is_some() { None } else { self.sample.as_ref() }
    }

    /// Whether its host can end as that of another one does, which refers to a configuration only before that.
    fn may_be(&self, other: &Self) -> bool {
        let Some(Pattern { host: HostPattern::One(Host::Name(name)), .. }) = self.fixed() else { return true };
        let end = other.template.as_str().rsplit_once('}').map_or("", |(_, end)| end.trim_end_matches('/'));
        end.contains(':') || name.ends_with(&end.to_ascii_lowercase())
    }
}

impl Pattern {
    fn is_within(&self, other: &Self) -> bool {
        self.names_within(other) && (other.port.is_none() || self.port == other.port)
    }

    fn meets(&self, other: &Self) -> bool {
        let ports = self.port.is_none() || other.port.is_none() || self.port == other.port;
        // Of two sets of names one lies in the other, or they have nothing in common.
        ports && (self.names_within(other) || other.names_within(self))
    }

    fn names_within(&self, other: &Self) -> bool {
        let hosts = match (&self.host, &other.host) {
            (_, HostPattern::Any) => true,
            (HostPattern::Below(one), HostPattern::Below(above)) => one == above || is_below(one, above),
            (HostPattern::One(Host::Name(one)), HostPattern::Below(above)) => is_below(one, above),
            (HostPattern::One(one), HostPattern::One(other)) => one == other,
            _ => false,
        };
        hosts && self.scheme == other.scheme
    }
}

/// Whether one name lies below another one. No name begins with a dot.
pub(super) fn is_below(name: &str, above: &str) -> bool {
    name.strip_suffix(above).is_some_and(|below| below.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_lie_within_each_other_or_meet_or_do_neither() {
        for (one, other, within, meet) in [
            ("https://a.example.com", "https://a.example.com", true, true),
            ("https://a.example.com", "https://A.example.com:443", true, true),
            ("https://a.example.com", "https://*.example.com", true, true),
            ("https://*.example.com", "https://a.example.com", false, true),
            ("https://*.a.example.com", "https://*.example.com", true, true),
            ("https://*.b.example", "https://*.example.com", false, false),
            ("https://example.com", "https://*.example.com", false, false),
            ("https://10.0.0.1", "https://*", true, true),
            ("https://10.0.0.1", "https://*.example.com", false, false),
            ("https://a.example.com", "http://a.example.com", false, false),
            ("https://a.example.com:8443", "http://a.example.com:8443", false, false),
            ("tcp://a.example.com:443", "https://*.example.com", false, false),
            ("https://evilexample.com", "https://*.example.com", false, false),
            ("https://a.example.com", "https://a.example.com:*", true, true),
            ("https://*.example.com:*", "https://a.example.com", false, true),
            ("https://a.example.com", "https://a.example.com:8443", false, false),
            ("${config.endpoint}", "${config.endpoint}", true, true),
            ("${config.endpoint}", "${config.other}", false, true),
            ("${config.endpoint}", "https://*", false, true),
            ("tcp://db:5432", "${config.endpoint}", false, true),
            ("https://${config.host}", "http://a.example.com", false, false),
            ("https://${config.region}.example.com", "https://eu.example.com", false, true),
            ("https://${config.region}.example.com", "https://eu.other.example", false, false),
            ("https://api:${config.port}", "https://api:8443", false, true),
            ("https://${config.host}:8443", "https://a.example.com:8443", false, true),
            ("https://*.example.com", "https://*.example.com:*", true, true),
        ] {
            let (parsed, parsed_other) = (Endpoint::parse(one).unwrap(), Endpoint::parse(other).unwrap());
            assert_eq!(parsed.is_within(&parsed_other), within, "{one} {other}");
            assert_eq!(parsed.may_meet(&parsed_other), meet, "{one} {other}");
            assert_eq!(parsed_other.may_meet(&parsed), meet, "{other} {one}");
        }
    }
}
