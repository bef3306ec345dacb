//! One thing that was found.

use std::collections::BTreeSet;

use serde::Serialize;

/// One thing that was found. Findings order by how bad they are, then by where they stand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub level: Level,
    /// What was being looked at.
    pub stage: Stage,
    /// Where: a JSON pointer into the schema (`#/…`), or the manifest (`manifest#/…`), an interface, or a token.
    pub location: String,
    /// Which property, if it is about the values of a token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What. Names and kinds, never a value that a user gave.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// How bad a finding is, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It doesn't work.
    Error,
    /// It doesn't do what it says.
    Warning,
    /// It could be better.
    Hint,
    /// It couldn't be tried.
    Skipped,
}

/// What was being looked at, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// The file.
    Load,
    /// The package schema, and the facts about it.
    Schema,
    /// The manifest.
    Manifest,
    /// The exports against schema and manifest.
    Exports,
    /// The first calls, before any configuration.
    Handshake,
    /// Parameterize, before any configuration.
    Parameters,
    /// CheckConfig, DiffConfig and Configure.
    Configuration,
    /// Check.
    Check,
    /// Create and Update in a preview.
    Preview,
    /// Create, Read, Update, Diff, Delete.
    Lifecycle,
    /// Construct, with an engine that makes nothing.
    Components,
    /// List.
    Lists,
    /// Invoke.
    Functions,
    /// Call, with the same engine.
    Methods,
    /// Cancel.
    Cancel,
}

impl Level {
    /// The level in a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Hint => "hint",
            Self::Skipped => "skipped",
        }
    }
}

impl Stage {
    /// The stage in a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Schema => "schema",
            Self::Manifest => "manifest",
            Self::Exports => "exports",
            Self::Handshake => "handshake",
            Self::Parameters => "parameters",
            Self::Configuration => "configuration",
            Self::Check => "check",
            Self::Preview => "preview",
            Self::Lifecycle => "lifecycle",
            Self::Components => "components",
            Self::Lists => "lists",
            Self::Functions => "functions",
            Self::Methods => "methods",
            Self::Cancel => "cancel",
        }
    }
}

impl Finding {
    /// A finding about a place as a whole, with nothing to do about it.
    pub fn new(level: Level, stage: Stage, location: impl Into<String>, message: impl Into<String>) -> Self {
        Self { level, stage, location: location.into(), path: None, message: message.into(), hint: None }
    }

    /// Adds the property.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// What was found so far, each thing once.
#[derive(Debug, Default)]
pub(super) struct Findings(BTreeSet<Finding>);

impl Findings {
    pub(super) fn add(&mut self, finding: Finding) {
        self.0.insert(finding);
    }

    pub(super) fn any_errors(&self) -> bool {
        self.0.iter().any(|finding| finding.level == Level::Error)
    }

    pub(super) fn into_sorted(self) -> Vec<Finding> {
        self.0.into_iter().collect()
    }
}
