//! `bulkhead.toml`: what the operator of a machine or a project decides (`docs/operator.md`).
//!
//! A component can only ask. What it gets stands in files that the artefact has no part in: one beside `Pulumi.yaml`, which
//! anybody who may change the project can edit, and above it one of the user and one of the organisation, which only narrow.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::audit::AuditSettings;
use crate::explain::beginning;
use crate::grant::{Ceiling, Grant, Granted};
use crate::limits::LimitSettings;
use crate::request::Access;

/// Characters of a line in what is said of a file.
const LONGEST: usize = 1_000;

/// One operator's file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OperatorFile {
    audit: AuditSettings,
    limits: LimitSettings,
    allow: Ceiling,
    providers: BTreeMap<String, ProviderSettings>,
}

/// What the file says of one provider.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ProviderSettings {
    limits: LimitSettings,
    allow: Ceiling,
    #[serde(deserialize_with = "blocks")]
    grants: Vec<Grant>,
}

/// Reads grants, each a table of its own.
fn blocks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Grant>, D::Error> {
    deserializer.deserialize_any(Blocks)
}

struct Blocks;

impl<'de> Visitor<'de> for Blocks {
    type Value = Vec<Grant>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("grants, each under [[providers.NAME.grants]]")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, blocks: S) -> Result<Vec<Grant>, S::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(blocks))
    }

    fn visit_map<M: MapAccess<'de>>(self, _: M) -> Result<Vec<Grant>, M::Error> {
        Err(M::Error::custom(
            "there may be grants for several digests: write [[providers.NAME.grants]] in double brackets",
        ))
    }
}

/// A file that can't be read as an operator's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OperatorFileError(String);

impl OperatorFileError {
    /// Whether it is about a name that isn't known, which may be a mistake or from a later version.
    pub fn is_about_something_unknown(&self) -> bool {
        self.0.lines().any(|line| line.starts_with("unknown "))
    }

    /// Whether it is about a name that stands twice where it may stand once.
    pub fn is_about_something_twice(&self) -> bool {
        self.0.lines().any(|line| line.starts_with("duplicate key"))
    }
}

impl Grant {
    /// What lines of a file would grant to a component.
    ///
    /// # Errors
    /// Lines that grant nothing, or not only.
    pub fn parse(digest: &Granted, lines: &str) -> Result<Self, OperatorFileError> {
        // By itself, so that errors count its lines.
        let mut table: toml::Table = toml::from_str(lines).map_err(told)?;
        if table.insert("digest".to_owned(), digest.to_string().into()).is_some() {
            return Err(OperatorFileError("it names a component".to_owned()));
        }
        let grant: Self = table.try_into().map_err(told)?;
        if grant.is_empty() {
            return Err(OperatorFileError("it grants nothing".to_owned()));
        }
        if grant.network.is_empty() && !grant.certificates.is_empty() {
            let what = "it names authorities, and none of the endpoints that they are believed for";
            return Err(OperatorFileError(what.to_owned()));
        }
        Ok(grant)
    }
}

fn told(error: toml::de::Error) -> OperatorFileError {
    // A line of the file is quoted before what is wrong with it is said, and may be as long as the file.
    let told: Vec<String> = error.to_string().trim_end().lines().map(|line| beginning(line, LONGEST)).collect();
    OperatorFileError(told.join("\n"))
}

impl OperatorFile {
    /// The most that a file may measure, bytes: more than anybody writes.
    pub const LARGEST: usize = 1 << 20;

    /// Reads a file. Nothing unknown is passed over: a mistyped limit would be no limit.
    ///
    /// # Errors
    /// What isn't TOML of this form, with the line, and what has no end.
    pub fn parse(text: &str) -> Result<Self, OperatorFileError> {
        if text.len() > Self::LARGEST {
            return Err(OperatorFileError("it is larger than 1 MiB".to_owned()));
        }
        toml::from_str(text).map_err(told)
    }

    /// Where it is written down what components do.
    pub fn audit(&self) -> &AuditSettings {
        &self.audit
    }

    /// What is granted to components of this name, each with the digest that it is for.
    pub fn grants(&self, provider: &str) -> &[Grant] {
        self.providers.get(provider).map_or(&[], |settings| &settings.grants)
    }

    /// The other provider under whose name something is granted to this digest.
    pub fn named_otherwise(&self, provider: &str, digest: &str) -> Option<&str> {
        let is_meant = |grant: &Grant| matches!(&grant.digest, Granted::Digest(granted) if granted == digest);
        let mut others = self.providers.iter().filter(|(name, _)| *name != provider);
        others.find(|(_, settings)| settings.grants.iter().any(is_meant)).map(|(name, _)| name.as_str())
    }

    /// Where directories lie that any component may write to, of whatever provider: as it is written.
    pub fn writable(&self) -> impl Iterator<Item = &str> {
        let granted = self.providers.values().flat_map(|settings| &settings.grants).flat_map(|grant| &grant.filesystem);
        let written = granted.filter(|directory| directory.access == Access::Write);
        written.map(|directory| directory.at.as_deref().unwrap_or(&directory.path))
    }

    /// The providers that are granted anything.
    pub fn granted(&self) -> impl Iterator<Item = &str> {
        self.providers.iter().filter(|(_, settings)| !settings.grants.is_empty()).map(|(name, _)| name.as_str())
    }

    /// What a provider is allowed at most: what is said of all, and what is said of it. Each with the table that says so.
    pub fn ceilings(&self, provider: &str) -> impl Iterator<Item = (String, &Ceiling)> {
        let own =
            self.providers.get(provider).map(|settings| (format!("[providers.{provider}.allow]"), &settings.allow));
        std::iter::once(("[allow]".to_owned(), &self.allow)).chain(own)
    }

    /// Whether any provider has limits of its own.
    pub fn tells_providers_apart(&self) -> bool {
        self.providers.values().any(|settings| settings.limits != LimitSettings::default())
    }

    /// The limits of a provider: its own before those of all.
    pub fn limits(&self, provider: &str) -> LimitSettings {
        let own = self.providers.get(provider).map(|settings| settings.limits.clone()).unwrap_or_default();
        own.or(&self.limits)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::time::Duration;

    use bytesize::ByteSize;

    use super::*;
    use crate::limits::Isolation;
    use crate::request::LimitName;

    fn error(text: &str) -> String {
        OperatorFile::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn the_documents_examples_are_files() {
        let documents = [include_str!("../../../docs/operator.md"), include_str!("../../../docs/audit.md")];
        let examples = documents.iter().flat_map(|document| document.split("```toml\n").skip(1));
        let examples: Vec<&str> = examples.map(|rest| rest.split("```").next().unwrap()).collect();
        assert!(examples.len() > 3, "{examples:?}");
        for example in examples {
            let whole = example.replace("6efeaa35…", &"6".repeat(64));
            OperatorFile::parse(&whole).unwrap_or_else(|error| panic!("{error}: {example}"));
        }
    }

    #[test]
    fn limits_of_a_provider_come_before_those_of_all() {
        let file = OperatorFile::parse(
            r#"
                [limits]
                memory = "512MiB"
                asset = "64MiB"
                compute = "1m 30s"
                isolation = "call"
                [providers.dns.limits]
                memory = "2GiB"
                asset = "1MiB"
                unpacked = "2MiB"
                session = "3MiB"
                response = "4MiB"
                concurrency = 4
                queue = 100
                log = "4KiB"
                component = "5MiB"
                compile = "6s"
                instances = 7
                connections = 8
                sockets = 0
                sent = "9MiB"
                written = "10MiB"
            "#,
        )
        .unwrap();
        let all = LimitSettings {
            memory: Some(ByteSize::mib(512)),
            asset: Some(ByteSize::mib(64)),
            compute: Some(Duration::from_secs(90)),
            isolation: Some(Isolation::Call),
            ..LimitSettings::default()
        };
        assert_eq!(file.limits("random"), all);
        let own = LimitSettings {
            memory: Some(ByteSize::gib(2)),
            asset: Some(ByteSize::mib(1)),
            unpacked: Some(ByteSize::mib(2)),
            session: Some(ByteSize::mib(3)),
            response: Some(ByteSize::mib(4)),
            concurrency: NonZeroUsize::new(4),
            queue: Some(100),
            log: Some(ByteSize::kib(4)),
            component: Some(ByteSize::mib(5)),
            compile: Some(Duration::from_secs(6)),
            instances: Some(7),
            connections: NonZeroUsize::new(8),
            sockets: Some(0),
            sent: Some(ByteSize::mib(9)),
            written: Some(ByteSize::mib(10)),
            ..all
        };
        assert_eq!(file.limits("dns"), own);
        assert_eq!(OperatorFile::parse("").unwrap().limits("dns"), LimitSettings::default());
    }

    #[test]
    fn each_limit_is_the_providers_own_or_that_of_all() {
        let sizes = [
            "memory",
            "memory-together",
            "value",
            "message",
            "asset",
            "unpacked",
            "session",
            "response",
            "sent",
            "written",
            "log",
            "component",
        ]
        .map(|name| (name, "\"1MiB\"", "\"2MiB\""));
        let numbers =
            ["table-elements", "instances", "concurrency", "nodes", "depth", "connections", "sockets", "queue"]
                .map(|name| (name, "1", "2"));
        let times = ["compute", "wall", "compile"].map(|name| (name, "\"1s\"", "\"2s\""));
        let isolation = ("isolation", "\"call\"", "\"configuration\"");
        let all: Vec<_> = [&sizes[..], &numbers, &times, &[isolation]].concat();
        let fields = format!("{:?}", LimitSettings::default()).matches("None").count();
        assert_eq!(all.len(), fields, "none is left out");
        let of = |text: &str| OperatorFile::parse(text).unwrap().limits("dns");
        for (name, value, other) in all {
            let own = of(&format!("[providers.dns.limits]\n{name} = {value}"));
            assert_ne!(own, LimitSettings::default(), "{name}");
            assert_eq!(of(&format!("[limits]\n{name} = {value}")), own, "{name}");
            let both = format!("[limits]\n{name} = {other}\n[providers.dns.limits]\n{name} = {value}");
            assert_eq!(of(&both), own, "{name}");
        }
    }

    #[test]
    fn a_limit_is_set_only_by_its_own_name() {
        let names = [LimitName::Memory, LimitName::Compute, LimitName::Concurrency, LimitName::Wall];
        for (line, set) in [
            ("memory = 1", "memory"),
            ("compute = \"1s\"", "compute"),
            ("concurrency = 1", "concurrency"),
            ("wall = \"1s\"", "wall"),
        ] {
            let settings = OperatorFile::parse(&format!("[limits]\n{line}")).unwrap().limits("dns");
            for limit in names {
                assert_eq!(settings.sets(limit), limit.name() == set, "{line} {limit:?}");
            }
        }
    }

    #[test]
    fn lines_grant_what_they_say_to_whom_they_are_for() {
        let parse = |lines: &str| Grant::parse(&Granted::Development, lines).map_err(|error| error.to_string());
        assert_eq!(parse("environment = [\"A\"]").map(|grant| grant.digest), Ok(Granted::Development));
        assert_eq!(parse("digest = \"dev\"\nenvironment = [\"A\"]"), Err("it names a component".to_owned()));
        assert_eq!(parse("environment = []"), Err("it grants nothing".to_owned()));
        let nobodys = parse("environment = [\"A\"]\ncertificates = [\"ca.pem\"]").unwrap_err();
        assert_eq!(nobodys, "it names authorities, and none of the endpoints that they are believed for");
        assert!(parse("network = [\"https://a\"]\ncertificates = [\"ca.pem\"]").is_ok());
    }

    #[test]
    fn providers_with_settings_and_no_grants_are_granted_nothing() {
        let file = "[providers.dns.limits]\nwall = \"1s\"\n[[providers.random.grants]]\ndigest = \"dev\"";
        let file = OperatorFile::parse(file).unwrap();
        assert_eq!(file.granted().collect::<Vec<_>>(), ["random"]);
    }

    #[test]
    fn directories_that_anybody_may_write_to_are_all_named() {
        let file = r#"
            [[providers.dns.grants]]
            digest = "dev"
            filesystem = ["in", { path = "out", access = "write" }, { path = "etc", at = "/etc" }]
            [[providers.random.grants]]
            digest = "dev"
            filesystem = [{ path = "drawn", at = "/srv/drawn", access = "write" }]
        "#;
        let file = OperatorFile::parse(file).unwrap();
        assert_eq!(file.writable().collect::<Vec<_>>(), ["out", "/srv/drawn"]);
    }

    #[test]
    fn a_file_has_an_end() {
        assert_eq!(OperatorFile::parse(&"#".repeat(OperatorFile::LARGEST)), Ok(OperatorFile::default()));
        assert_eq!(error(&"#".repeat(OperatorFile::LARGEST + 1)), "it is larger than 1 MiB");
    }

    #[test]
    fn what_is_from_a_later_version_is_told_from_what_is_wrong_in_any() {
        for (text, unknown) in
            [("[grants]", true), ("[limits]\nisolation = \"none\"", true), ("[limits]\nmemory = \"unknown \"", false)]
        {
            let error = OperatorFile::parse(text).unwrap_err();
            assert_eq!(error.is_about_something_unknown(), unknown, "{error}");
        }
    }

    #[test]
    fn what_stands_twice_is_told_from_what_is_wrong_otherwise() {
        for (text, twice) in [
            ("[[providers.p.grants]]\ndigest = \"dev\"\nenvironment = [\"A\"]\nenvironment = [\"B\"]", true),
            ("[limits]\n[limits]", true),
            ("[limits]\nmemory = \"duplicate key\"", false),
        ] {
            let error = OperatorFile::parse(text).unwrap_err();
            assert_eq!(error.is_about_something_twice(), twice, "{error}");
        }
    }

    #[test]
    fn what_is_not_understood_is_an_error_with_its_line() {
        let mistyped = error("[limits]\nmemroy = \"1GiB\"");
        assert!(mistyped.contains("line 2") && mistyped.contains("unknown field `memroy`"), "{mistyped}");
        assert!(error("[grants]").contains("unknown field `grants`"));
        for (wrong, said) in [
            ("memory = \"lots\"", "`lots` means nothing here: write a size like \"512MiB\""),
            ("memory = -1", "`-1` means nothing here: write a size like \"512MiB\""),
            ("memory = true", "expected a size like \"512MiB\""),
            ("sent = \"everything\"", "write a size like \"512MiB\""),
            ("compute = \"5\"", "`5` means nothing here: write a time like \"5s\""),
            ("compute = 5", "`5` means nothing here: write a time like \"5s\""),
            ("wall = \"soon\"", "write a time like \"5s\""),
            ("concurrency = 0", "write a number of at least 1"),
            ("connections = 0", "write a number of at least 1"),
            ("nodes = 2000001", "this limit can't be raised: write 2000000 or less"),
            ("depth = 1025", "this limit can't be raised: write 1024 or less"),
            ("message = \"401MiB\"", "this limit can't be raised so far: write \"400MiB\" or less"),
            ("component = \"2GiB\"", "this limit can't be raised so far: write \"1024MiB\" or less"),
            ("isolation = \"none\"", "unknown variant `none`"),
        ] {
            let error = error(&format!("[limits]\n{wrong}"));
            assert!(error.contains("line 2") && error.contains(said), "{wrong}: {error}");
        }
        let single = error("[limits]\n[providers.dns.grants]\ndigest = \"dev\"");
        assert!(
            single.contains("line 2") && single.contains("write [[providers.NAME.grants]] in double brackets"),
            "{single}"
        );
        assert!(error("[providers.dns]\ngrants = 1").contains("expected grants, each under [[providers.NAME.grants]]"));
        let within = error("[[providers.dns.grants]]\ndigest = \"dev\"\nenvironment = [1]");
        assert!(within.contains("line 3"), "{within}");
        let long = error(&format!("[limits]\nmemory = \"{}\"", "x".repeat(1_000_000)));
        assert!(long.contains("line 2") && long.contains("means nothing here") && long.len() < 4_000, "{}", long.len());
        let most = "[limits]\nnodes = 2000000\ndepth = 1024\nmemory = 4096\nmessage = \"400MiB\"\ncomponent = \"1GiB\"";
        let most = OperatorFile::parse(most).unwrap().limits("x");
        assert_eq!((most.nodes, most.depth, most.memory), (Some(2_000_000), Some(1_024), Some(ByteSize::kib(4))));
    }
}
