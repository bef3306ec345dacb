//! `bulkhead.toml`: what the operator of a machine or a project decides (`docs/operator.md`).
//!
//! A component can only ask. What it gets stands in files that the artefact has no part in: one beside `Pulumi.yaml`, which
//! anybody who may change the project can edit, and above it one of the user and one of the organisation, which only narrow.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Duration;

use bytesize::ByteSize;
use serde::Deserialize;

use crate::audit::AuditSettings;
use crate::grant::{Ceiling, Grant};

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
    grants: Vec<Grant>,
}

/// Limits of one configuration of a provider, as far as a file names them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct LimitSettings {
    /// Linear memory of an instance.
    pub memory: Option<ByteSize>,
    /// Elements of an instance's tables.
    pub table_elements: Option<usize>,
    /// Calls at once; more wait.
    pub concurrency: Option<NonZeroUsize>,
    /// Time that a call may compute.
    #[serde(with = "humantime_serde")]
    pub compute: Option<Duration>,
    /// Time that a call may take that changes nothing, where the engine names none.
    #[serde(with = "humantime_serde")]
    pub wall: Option<Duration>,
    /// The values that a guest passes in one call.
    pub value: Option<ByteSize>,
    /// The nodes of a value that a guest passes.
    pub nodes: Option<usize>,
    /// The levels of a value that a guest passes.
    pub depth: Option<usize>,
    /// A request from the engine.
    pub message: Option<ByteSize>,
    /// One asset, or the file of one archive.
    pub asset: Option<ByteSize>,
    /// What is unpacked from archives in one call.
    pub unpacked: Option<ByteSize>,
    /// What the instances of one configuration share.
    pub session: Option<ByteSize>,
    /// The body of a response from elsewhere.
    pub response: Option<ByteSize>,
    /// What calls share.
    pub isolation: Option<Isolation>,
    /// Calls that wait for others to end.
    pub queue: Option<usize>,
    /// All log messages of one call.
    pub log: Option<ByteSize>,
    /// A component's file.
    pub component: Option<ByteSize>,
    /// Time that compiling a component may take.
    #[serde(with = "humantime_serde")]
    pub compile: Option<Duration>,
}

/// What calls into a component share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// Calls of one configuration may follow each other in one instance.
    #[default]
    Configuration,
    /// Each call gets an instance of its own.
    Call,
}

/// A file that can't be read as an operator's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OperatorFileError(String);

impl OperatorFile {
    /// Reads a file. Nothing unknown is passed over: a mistyped limit would be no limit.
    ///
    /// # Errors
    /// What isn't TOML of this form, with the line.
    pub fn parse(text: &str) -> Result<Self, OperatorFileError> {
        toml::from_str(text).map_err(|error| OperatorFileError(error.to_string().trim_end().to_owned()))
    }

    /// Where it is written down what components do.
    pub fn audit(&self) -> &AuditSettings {
        &self.audit
    }

    /// What is granted to components of this name, each with the digest that it is for.
    pub fn grants(&self, provider: &str) -> &[Grant] {
        self.providers.get(provider).map_or(&[], |settings| &settings.grants)
    }

    /// The providers that are granted anything.
    pub fn granted(&self) -> impl Iterator<Item = &str> {
        self.providers.iter().filter(|(_, settings)| !settings.grants.is_empty()).map(|(name, _)| name.as_str())
    }

    /// What a provider is allowed at most: what is said of all, and what is said of it.
    pub fn ceilings(&self, provider: &str) -> impl Iterator<Item = &Ceiling> {
        std::iter::once(&self.allow).chain(self.providers.get(provider).map(|settings| &settings.allow))
    }

    /// The limits of a provider: its own before those of all.
    pub fn limits(&self, provider: &str) -> LimitSettings {
        let all = self.limits.clone();
        match self.providers.get(provider) {
            Some(ProviderSettings { limits: own, .. }) => LimitSettings {
                memory: own.memory.or(all.memory),
                table_elements: own.table_elements.or(all.table_elements),
                concurrency: own.concurrency.or(all.concurrency),
                compute: own.compute.or(all.compute),
                wall: own.wall.or(all.wall),
                value: own.value.or(all.value),
                nodes: own.nodes.or(all.nodes),
                depth: own.depth.or(all.depth),
                message: own.message.or(all.message),
                asset: own.asset.or(all.asset),
                unpacked: own.unpacked.or(all.unpacked),
                session: own.session.or(all.session),
                response: own.response.or(all.response),
                isolation: own.isolation.or(all.isolation),
                queue: own.queue.or(all.queue),
                log: own.log.or(all.log),
                component: own.component.or(all.component),
                compile: own.compile.or(all.compile),
            },
            None => all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        OperatorFile::parse(text).unwrap_err().to_string()
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
            ..all
        };
        assert_eq!(file.limits("dns"), own);
        assert_eq!(OperatorFile::parse("").unwrap().limits("dns"), LimitSettings::default());
    }

    #[test]
    fn what_is_not_understood_is_an_error_with_its_line() {
        let mistyped = error("[limits]\nmemroy = \"1GiB\"");
        assert!(mistyped.contains("line 2") && mistyped.contains("unknown field `memroy`"), "{mistyped}");
        assert!(error("[grants]").contains("unknown field `grants`"));
        for wrong in [
            "memory = \"lots\"",
            "memory = -1",
            "compute = 5",
            "compute = \"soon\"",
            "concurrency = 0",
            "isolation = \"none\"",
        ] {
            let error = error(&format!("[limits]\n{wrong}"));
            assert!(error.contains("line 2"), "{wrong}: {error}");
        }
    }
}
