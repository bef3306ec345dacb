//! The permissions that a manifest requests (`docs/manifest.md`).

use std::fmt;

use humantime_serde::re::humantime;
use serde::{Deserialize, Serialize};

use crate::endpoint::Endpoint;
use crate::explain::beginning;
use crate::grant::quoted;
use crate::limits::LimitSettings;
use crate::package::PackageGrant;

/// Everything that a component asks for. The default asks for nothing: pure computation, log, clocks and random.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Requests {
    /// Endpoints to talk to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub network: Vec<NetworkRequest>,
    /// Environment variables to read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<EnvironmentRequest>,
    /// Directories to use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filesystem: Vec<FilesystemRequest>,
    /// Other packages to have the engine use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<PackageRequest>,
    /// Limits to raise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<LimitRequest>,
}

/// One endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkRequest {
    /// Scheme, host and optional port; `${config.NAME}` stands for a configuration value.
    pub endpoint: Endpoint,
    /// HTTP methods; empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub methods: Vec<String>,
    /// When; empty means everywhere but in check, diff and preview.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<Phase>,
    /// Why, in words.
    pub reason: String,
}

/// One environment variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvironmentRequest {
    /// Its name.
    pub name: String,
    /// Why, in words.
    pub reason: String,
}

/// One directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilesystemRequest {
    /// The directory, as the operator will see it.
    pub path: String,
    /// What for.
    pub access: Access,
    /// Why, in words.
    pub reason: String,
}

/// One package that isn't the component's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageRequest {
    /// Its name.
    pub package: String,
    /// Where its plugin comes from, if not from where engines have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Why, in words.
    pub reason: String,
}

/// One limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitRequest {
    /// Which.
    pub limit: LimitName,
    /// The value, with a unit (`2GiB`, `60s`, `128`).
    pub value: String,
    /// Why, in words.
    pub reason: String,
}

/// Part of a resource's life in which a permission holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are the contract's")]
pub enum Phase {
    Configure,
    Check,
    Diff,
    Preview,
    Create,
    Read,
    Update,
    Delete,
    Invoke,
    Construct,
    Call,
    List,
}

impl Phase {
    /// All of them.
    pub(crate) const ALL: [Self; 12] = [
        Self::Configure,
        Self::Check,
        Self::Diff,
        Self::Preview,
        Self::Create,
        Self::Read,
        Self::Update,
        Self::Delete,
        Self::Invoke,
        Self::Construct,
        Self::Call,
        Self::List,
    ];

    /// Whether a permission with these phases holds in it. Without any it holds in all but those that ask what would be, which
    /// engines expect to have no effect.
    pub fn is_among(self, phases: &[Self]) -> bool {
        match phases {
            [] => !matches!(self, Self::Check | Self::Diff | Self::Preview),
            phases => phases.contains(&self),
        }
    }
}

/// As a manifest names it.
impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
    }
}

/// What a directory is used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Access {
    /// Reading.
    #[default]
    Read,
    /// Reading and writing.
    Write,
}

/// As a manifest names it.
impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
        })
    }
}

/// A limit that may be raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LimitName {
    /// Linear memory of an instance.
    Memory,
    /// Computing time of a call.
    Compute,
    /// Calls at once.
    Concurrency,
    /// Wall time of a call.
    Wall,
}

impl LimitName {
    /// As an operator's file names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Compute => "compute",
            Self::Concurrency => "concurrency",
            Self::Wall => "wall",
        }
    }
}

/// A request that an operator couldn't judge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// A reason is missing.
    #[error("the request for {subject} gives no reason")]
    NoReason {
        /// What is requested.
        subject: String,
    },
    /// The subject is missing.
    #[error("a request for {capability} names nothing")]
    NoSubject {
        /// The kind of permission.
        capability: &'static str,
    },
    /// The subject is more than anybody reads.
    #[error("a request for {capability} names something of {found} bytes, and may name {LONGEST}")]
    LongSubject {
        /// The kind of permission.
        capability: &'static str,
        /// Its length.
        found: usize,
    },
    /// What is to be one method of HTTP is something else, or there is no end of them.
    #[error("the request for {subject} names methods that are none, or more than {MOST}: write them like GET")]
    NoMethod {
        /// What is requested.
        subject: String,
    },
    /// A phase is named again.
    #[error("the request for {subject} names a phase twice")]
    PhaseTwice {
        /// What is requested.
        subject: String,
    },
    /// What a limit is to be raised to can't be written as one.
    #[error(
        "the request for the limit {limit} names `{value}`, which is none: write it as in bulkhead.toml, like 2GiB, 60s or 128"
    )]
    NoLimit {
        /// The limit.
        limit: &'static str,
        /// What it is to be.
        value: String,
    },
    /// The subject is a path that no system has.
    #[error("a request for filesystem names a path with a NUL in it")]
    NoPath,
}

/// The longest subject of a request, bytes: a path has no more.
const LONGEST: usize = 4096;
/// The most methods of a request: HTTP's registry has some forty.
const MOST: usize = 64;
/// The longest of them, bytes.
const LONGEST_METHOD: usize = 32;
/// Characters of a limit that is none which are told.
const SHOWN: usize = 100;

/// All that a request asks for.
impl From<&PackageRequest> for PackageGrant {
    fn from(PackageRequest { package, from, .. }: &PackageRequest) -> Self {
        Self { package: package.clone(), from: from.clone() }
    }
}

impl Requests {
    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a package is asked for, from where engines have it or from an address.
    pub fn ask_for(&self, package: &PackageGrant) -> bool {
        self.packages.iter().any(|request| PackageGrant::from(request).covers(package))
    }

    /// Refuses requests that name nothing or give no reason.
    ///
    /// # Errors
    /// The first such request.
    pub fn validate(&self) -> Result<(), RequestError> {
        self.problems().into_iter().next().map_or(Ok(()), |(_, error)| Err(error))
    }

    /// The requests that name nothing or give no reason: the kind of each, its position among those of its kind, and what is
    /// wrong.
    pub fn problems(&self) -> Vec<((&'static str, usize), RequestError)> {
        let network = self.network.iter().map(|r| (r.endpoint.to_string(), r.reason.as_str())).enumerate();
        let environment = self.environment.iter().map(|r| (r.name.clone(), r.reason.as_str())).enumerate();
        let filesystem = self.filesystem.iter().map(|r| (r.path.clone(), r.reason.as_str())).enumerate();
        let subject = |r: &PackageRequest| format!("{}{}", r.package, r.from.as_deref().unwrap_or_default());
        let packages = self.packages.iter().map(|r| (subject(r), r.reason.as_str())).enumerate();
        let limits = self.limits.iter().map(|r| (r.value.clone(), r.reason.as_str())).enumerate();
        let of = |capability| move |(position, (subject, reason))| ((capability, position), subject, reason);
        let all = network.map(of("network")).chain(environment.map(of("environment")));
        let all = all.chain(filesystem.map(of("filesystem"))).chain(packages.map(of("packages")));
        let all = all.chain(limits.map(of("limits")));
        let mut problems = Vec::new();
        for (place, subject, reason) in all {
            if subject.trim().is_empty() {
                problems.push((place, RequestError::NoSubject { capability: place.0 }));
            } else if subject.len() > LONGEST {
                problems.push((place, RequestError::LongSubject { capability: place.0, found: subject.len() }));
            } else if place.0 == "filesystem" && subject.contains('\0') {
                problems.push((place, RequestError::NoPath));
            } else if reason.chars().all(is_unseen) {
                problems.push((place, RequestError::NoReason { subject }));
            }
        }
        let limits = self.limits.iter().enumerate().filter(|(_, request)| !request.value.trim().is_empty());
        problems.extend(limits.filter(|(_, request)| !request.is_a_limit()).map(|(position, request)| {
            let error = RequestError::NoLimit { limit: request.limit.name(), value: beginning(&request.value, SHOWN) };
            (("limits", position), error)
        }));
        let network = self.network.iter().enumerate();
        problems.extend(network.filter_map(|(position, request)| Some((("network", position), request.misshapen()?))));
        problems
    }
}

/// Blank, by name or as fonts show it, or nothing at all.
fn is_unseen(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        )
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}')
        || matches!(character, '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

impl LimitRequest {
    /// As an operator's file sets it: a number where it is one, and else a text.
    fn written(&self) -> String {
        let value = &self.value;
        value.parse::<i64>().map_or_else(|_| quoted(value), |number| number.to_string())
    }

    /// Whether an operator's file could set it. Nothing else could be granted along with what can't.
    fn is_a_limit(&self) -> bool {
        self.as_set().is_some()
    }

    /// The same as an operator's settings.
    fn as_set(&self) -> Option<LimitSettings> {
        toml::from_str(&format!("{} = {}", self.limit.name(), self.written())).ok()
    }

    /// What settings give where that is less than what is asked for, in words.
    pub fn falls_short(&self, set: &LimitSettings) -> Option<String> {
        fn less<T: PartialOrd>(set: Option<T>, asked: Option<T>, said: impl Fn(T) -> String) -> Option<String> {
            set.zip(asked).filter(|(set, asked)| set < asked).map(|(set, _)| said(set))
        }
        let asked = self.as_set()?;
        match self.limit {
            LimitName::Memory => less(set.memory, asked.memory, |size| size.to_string()),
            LimitName::Compute => less(set.compute, asked.compute, |time| humantime::format_duration(time).to_string()),
            LimitName::Wall => less(set.wall, asked.wall, |time| humantime::format_duration(time).to_string()),
            LimitName::Concurrency => less(set.concurrency, asked.concurrency, |number| number.to_string()),
        }
    }
}

impl NetworkRequest {
    /// What stands in the place of methods and phases and is more than those. Operators read them before the reason, and whatever they
    /// held would pass for the host's words.
    fn misshapen(&self) -> Option<RequestError> {
        let subject = || self.endpoint.to_string();
        let is_again =
            |(position, phase): (usize, &Phase)| self.phases.iter().take(position).any(|other| other == phase);
        if self.methods.len() > MOST || !self.methods.iter().all(|method| is_method(method)) {
            return Some(RequestError::NoMethod { subject: subject() });
        }
        self.phases.iter().enumerate().any(is_again).then(|| RequestError::PhaseTwice { subject: subject() })
    }
}

/// Whether something can be a method of HTTP. All that are in use are letters and hyphens.
pub(crate) fn is_method(text: &str) -> bool {
    let letters = text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    letters && (1..=LONGEST_METHOD).contains(&text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_needs_a_subject_and_a_reason() {
        let parse = |text: &str| serde_json::from_str::<Requests>(text).unwrap();
        assert_eq!(parse("{}").validate(), Ok(()));
        for unseen in ["", " ", "\u{3164}", "\u{200b}\u{2800}", "\u{e0041}\n"] {
            let silent = serde_json::json!({"environment": [{"name": "TOKEN", "reason": unseen}]});
            assert_eq!(
                parse(&silent.to_string()).validate().unwrap_err().to_string(),
                "the request for TOKEN gives no reason",
                "{unseen:?}"
            );
        }
        let vague = parse(r#"{"filesystem":[{"path":"","access":"read","reason":"reads"}]}"#);
        assert_eq!(vague.validate().unwrap_err().to_string(), "a request for filesystem names nothing");
        let plain = parse(r#"{"filesystem":[{"path":"/srv","access":"read","reason":"reads"}]}"#);
        assert_eq!(plain.validate(), Ok(()));
        let nowhere = parse(r#"{"filesystem":[{"path":"/srv\u0000","access":"read","reason":"reads"}]}"#);
        assert_eq!(nowhere.validate(), Err(RequestError::NoPath));
        let unlimited = parse(r#"{"limits":[{"limit":"wall","value":" ","reason":"r"}]}"#);
        let problems: Vec<_> = unlimited.problems().into_iter().map(|(_, error)| error).collect();
        assert_eq!(problems, [RequestError::NoSubject { capability: "limits" }], "and nothing more is said of it");
        let longest =
            |length| parse(&format!(r#"{{"environment":[{{"name":"{}","reason":"r"}}]}}"#, "x".repeat(length)));
        assert!(longest(4096).validate().is_ok() && longest(4097).validate().is_err());
        let long = parse(&format!(r#"{{"packages":[{{"package":"p","from":"{}","reason":"r"}}]}}"#, "x".repeat(4096)));
        let said = "a request for packages names something of 4097 bytes, and may name 4096";
        assert_eq!(long.validate().unwrap_err().to_string(), said);
    }

    #[test]
    fn less_than_is_asked_for_is_told_as_it_was_set() {
        let set = "memory = \"2GiB\"\ncompute = \"90s\"\nwall = \"1h\"\nconcurrency = 4";
        let set: LimitSettings = toml::from_str(set).unwrap();
        for (limit, value, less) in [
            (LimitName::Memory, "4GiB", Some("2.0 GiB")),
            (LimitName::Memory, "2GiB", None),
            (LimitName::Compute, "2m", Some("1m 30s")),
            (LimitName::Wall, "30m", None),
            (LimitName::Wall, "1day", Some("1h")),
            (LimitName::Concurrency, "5", Some("4")),
            (LimitName::Concurrency, "many", None),
        ] {
            let request = LimitRequest { limit, value: value.to_owned(), reason: "r".to_owned() };
            assert_eq!(request.falls_short(&set).as_deref(), less, "{value}");
            assert_eq!(request.falls_short(&LimitSettings::default()), None, "nothing is set");
        }
    }

    #[test]
    fn a_limit_is_asked_for_as_it_is_set() {
        let validated = |limit: &str, value: &str| {
            let request = serde_json::json!({"limit": limit, "value": value, "reason": "r"});
            let requests: Requests = serde_json::from_value(serde_json::json!({"limits": [request]})).unwrap();
            requests.validate().map_err(|error| error.to_string())
        };
        for (limit, value) in [("memory", "2GiB"), ("memory", "4096"), ("compute", "1m 30s"), ("concurrency", "128")] {
            assert_eq!(validated(limit, value), Ok(()), "{limit} {value}");
        }
        for (limit, value) in [("memory", "lots"), ("compute", "60"), ("concurrency", "0"), ("wall", "1s\"\nqueue = 1")]
        {
            let told = validated(limit, value).unwrap_err();
            assert!(
                told.starts_with(&format!("the request for the limit {limit} names `{value}`, which is none")),
                "{told}"
            );
        }
    }

    #[test]
    fn nothing_passes_for_methods_and_phases_but_methods_and_phases() {
        let validated = |methods: &[&str], phases: &[&str]| {
            let request =
                serde_json::json!({"endpoint": "https://*", "methods": methods, "phases": phases, "reason": "r"});
            let requests = serde_json::json!({"network": [request]});
            let requests: Requests = serde_json::from_value(requests).unwrap();
            requests.validate().map_err(|error| error.to_string())
        };
        assert_eq!(validated(&["GET", "get", "M-SEARCH"], &["create", "read"]), Ok(()));
        assert_eq!(validated(&["GET"; 64], &[]), Ok(()));
        let none = "the request for https://* names methods that are none, or more than 64: write them like GET";
        for methods in
            [&[""][..], &["GET): reads the zones. Never"], &["GET\n"], &["A".repeat(33).as_str()], &["GET"; 65]]
        {
            assert_eq!(validated(methods, &[]), Err(none.to_owned()), "{methods:?}");
        }
        let twice = "the request for https://* names a phase twice";
        assert_eq!(validated(&[], &["create", "read", "create"]), Err(twice.to_owned()));
    }

    #[test]
    fn unknown_members_are_refused_rather_than_ignored() {
        let error = serde_json::from_str::<Requests>(r#"{"netwrok":[]}"#).unwrap_err().to_string();
        assert!(error.contains("unknown field `netwrok`"), "{error}");
        let nowhere = serde_json::from_str::<Requests>(r#"{"network":[{"endpoint":"a.example","reason":"r"}]}"#);
        assert!(nowhere.unwrap_err().to_string().starts_with("`a.example` names no scheme"));
        assert!(
            serde_json::from_str::<Requests>(r#"{"filesystem":[{"path":"x","access":"execute","reason":"r"}]}"#)
                .is_err()
        );
    }
}
