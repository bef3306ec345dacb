//! What may be told of who was asked for, in words of which some are the guest's and some an operator's.
//!
//! A guest could spell a secret by whom it asks for, so that is masked. But which secrets a call has is for a guest to say as well, by
//! what it puts on record: the name of whomever it means to talk to, or more than anybody looks for. So what somebody had written down
//! before, who grants or who asks, is told as it is, whatever is secret; beside an allowed name that is masked stands which grant allowed
//! it; and where there is more than can be looked for, only the guest's own words are withheld.

use std::borrow::Cow;

use bulkhead_policy::{Destination, Host, Permissions, Phase};

use crate::provider::{Leaks, Spelt};

/// Who was asked for.
#[derive(Clone, Copy)]
pub(super) enum Whom<'a> {
    /// Whoever it is, nothing of it is the guest's.
    Written,
    /// A destination.
    To(&'a Destination),
    /// A host, by its name.
    Host(&'a str),
    /// Another package, and where its plugin comes from.
    Package(&'a str, Option<&'a str>),
    /// Something that only the guest has a name for.
    Name(&'a str),
    /// Something in words that anything may be in.
    Words,
}

/// What may be told in one call.
pub(super) struct Telling<'a> {
    pub(super) permissions: &'a Permissions,
    pub(super) phase: Phase,
    pub(super) leaks: &'a Leaks,
}

impl Telling<'_> {
    /// A text about somebody, with what may be told of it.
    pub(super) fn told(&self, whom: Whom<'_>, text: String) -> String {
        if matches!(whom, Whom::Written) {
            return text;
        }
        let masked = self.leaks.name(text.clone());
        if masked == text || matches!(whom, Whom::Words) {
            return masked;
        }
        let is_known = self.is_known(whom);
        if !is_known && self.leaks.spelt_by(&text) != Spelt::Unknown {
            return masked;
        }
        let name = whom.name().filter(|_| !is_known);
        let words = name.into_iter().chain(whom.beside().map(Cow::Borrowed)).filter(|word| !word.is_empty());
        let words: Vec<Cow<'_, str>> = words.collect();
        // A command that grants it has it in another spelling.
        if words.iter().any(|word| word.contains(['\'', '"', '\\'])) {
            return masked;
        }
        words.iter().fold(text, |text, word| text.replace(&**word, &self.leaks.name(word.to_string())))
    }

    /// The same of somebody who may be talked to.
    pub(super) fn told_of_allowed(&self, whom: Whom<'_>, text: String) -> String {
        let told = self.told(whom, text.clone());
        // Most are told as they are, and nobody decides on them again.
        match whom {
            Whom::To(to) if told != text => match self.permissions.reach(self.phase, to) {
                Some(reach) => format!("{told}, granted as {}", reach.granted()),
                None => told,
            },
            _ => told,
        }
    }

    /// Whether nothing is told by the name. An address is as long as it is, and nobody is found by half of it.
    fn is_known(&self, whom: Whom<'_>) -> bool {
        let is_known = |host: &Host| match host {
            Host::Address(_) if self.leaks.spelt_by(&host.to_string()) == Spelt::Unknown => true,
            host => self.permissions.has_written_host(host),
        };
        match whom {
            Whom::Written => true,
            Whom::To(to) => is_known(&to.host),
            Whom::Host(name) => Host::parse(name).as_ref().is_some_and(is_known),
            Whom::Package(package, _) => self.permissions.has_written(package),
            Whom::Name(_) | Whom::Words => false,
        }
    }
}

impl<'a> Whom<'a> {
    fn name(self) -> Option<Cow<'a, str>> {
        match self {
            Self::To(to) => Some(Cow::Owned(to.host.to_string())),
            Self::Host(name) | Self::Package(name, _) | Self::Name(name) => Some(Cow::Borrowed(name)),
            Self::Written | Self::Words => None,
        }
    }

    /// What else of it is the guest's.
    fn beside(self) -> Option<&'a str> {
        match self {
            Self::To(to) => to.method.as_deref(),
            Self::Package(_, from) => from,
            Self::Written | Self::Host(_) | Self::Name(_) | Self::Words => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use bulkhead_policy::{Applicant, OperatorFile, Requests, Scheme};

    use super::*;

    fn permissions() -> Permissions {
        let asked = r#"{"network":[{"endpoint":"https://*:*","reason":"r"},{"endpoint":"https://asked.example","reason":"r"}]}"#;
        let requests: Requests = serde_json::from_str(asked).unwrap();
        let file = "[[providers.p.grants]]\ndigest = \"dev\"\nnetwork = [\"https://*:*\", \"https://granted.example\"]";
        let file = OperatorFile::parse(file).unwrap();
        let applicant = Applicant { development: true, ..Applicant::default() };
        Permissions::new(applicant, requests, file.grants("p"), Vec::new(), Path::new("/"))
    }

    fn to(host: &str, method: &str) -> Destination {
        let host = Host::parse(host).unwrap();
        Destination { scheme: Scheme::Https, host, port: Some(8443), method: Some(method.to_owned()) }
    }

    #[test]
    fn what_is_written_down_is_told_though_a_guest_makes_it_its_secret() {
        let (permissions, leaks) =
            (permissions(), Leaks::of(["granted.example", "elsewhere.example", "93.184.216.34"]));
        let telling = Telling { permissions: &permissions, phase: Phase::Create, leaks: &leaks };
        let told = |host: &str, method: &str| {
            let to = to(host, method);
            telling.told_of_allowed(Whom::To(&to), to.to_string())
        };
        assert_eq!(told("granted.example", "GET"), "https://granted.example:8443 (GET)");
        assert_eq!(
            told("granted.example", "ELSEWHEREEXAMPLE"),
            "https://granted.example:8443 ([secret]), granted as https://*:*"
        );
        assert_eq!(told("elsewhere.example", "GET"), "https://[secret]:8443 (GET), granted as https://*:*");
        assert_eq!(told("93.184.216.34", "GET"), "https://[secret]:8443 (GET), granted as https://*:*");
        assert_eq!(told("other.example", "GET"), "https://other.example:8443 (GET)");
        // As a command has it, whose words stand in quotation marks.
        let quoted = to("granted.example", "ELSEWHERE'EXAMPLE");
        let command = r"bulkhead grant --only 'https://granted.example ELSEWHERE'\''EXAMPLE'".to_owned();
        let masked = telling.told(Whom::To(&quoted), command);
        assert!(!masked.contains("ELSEWHERE") && !masked.contains("EXAMPLE"), "{masked}");
    }

    #[test]
    fn of_too_many_secrets_no_more_is_withheld_than_what_a_guest_says() {
        let (permissions, leaks) = (permissions(), Leaks::of([&*"x".repeat(2 << 20)]));
        let telling = Telling { permissions: &permissions, phase: Phase::Create, leaks: &leaks };
        let told = |host: &str, method: &str| {
            let to = to(host, method);
            telling.told_of_allowed(Whom::To(&to), to.to_string())
        };
        for host in ["granted.example", "asked.example", "93.184.216.34", "[2001:db8::1]"] {
            assert_eq!(told(host, "DELETE"), format!("https://{host}:8443 (DELETE)"));
        }
        let withheld = told("elsewhere.example", "DELETE");
        assert!(withheld.starts_with("https://[secret: the request holds more secrets than"), "{withheld}");
        assert!(withheld.ends_with("]:8443 (DELETE), granted as https://*:*"), "{withheld}");
        let made_up = told("granted.example", "ELSEWHERE");
        assert!(made_up.starts_with("https://granted.example:8443 ([secret: "), "{made_up}");

        let why = "nothing grants elsewhere.example; add https://elsewhere.example:8443 to /srv/bulkhead.toml";
        let denied = telling.told(Whom::To(&to("elsewhere.example", "GET")), why.to_owned());
        assert!(!denied.contains("elsewhere"), "{denied}");
        assert!(denied.contains(":8443 to /srv/bulkhead.toml"), "{denied}");
        assert_eq!(telling.told(Whom::Name("a package"), "in 65536 bytes".to_owned()), "in 65536 bytes");
        assert!(telling.told(Whom::Words, "in 65536 bytes".to_owned()).starts_with("[secret: "));
    }

    #[test]
    fn of_more_secrets_than_are_spelt_no_more_is_withheld_than_what_a_guest_says() {
        let (permissions, leaks) =
            (permissions(), Leaks::of((0..10_000).map(|number| format!("Token-{number:05}-{number:05}"))));
        let telling = Telling { permissions: &permissions, phase: Phase::Create, leaks: &leaks };
        let told = |host: &str| {
            let to = to(host, "GET");
            telling.told_of_allowed(Whom::To(&to), to.to_string())
        };
        for host in ["granted.example", "asked.example", "93.184.216.34", "db.example"] {
            assert_eq!(told(host), format!("https://{host}:8443 (GET)"));
        }
        let withheld = told("token-09999-09999.example");
        assert!(withheld.starts_with("https://[secret") && !withheld.contains("token"), "{withheld}");
        assert!(withheld.ends_with("]:8443 (GET), granted as https://*:*"), "{withheld}");
    }
}
