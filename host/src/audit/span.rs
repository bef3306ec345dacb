//! What is exported to whoever traces: a piece of work, from when to when, below which other.

use std::time::{Duration, SystemTime};

/// A finished piece of work.
#[derive(Clone, Debug)]
pub struct Span {
    /// The trace.
    pub trace: [u8; 16],
    /// Its own id.
    pub id: [u8; 8],
    /// The span above it; all zeros if there is none.
    pub parent: [u8; 8],
    /// What was done.
    pub name: String,
    /// For whom.
    pub kind: Kind,
    /// Its begin.
    pub started: SystemTime,
    /// Its end.
    pub ended: SystemTime,
    /// What it was about.
    pub attributes: Vec<Attribute>,
    /// Why it failed; none if it didn't.
    pub failure: Option<String>,
}

impl Span {
    /// A piece of work whose place in a trace isn't known yet.
    pub(super) fn new(name: String, kind: Kind, started: SystemTime, duration: Duration) -> Self {
        let (trace, id, parent) = ([0; 16], [0; 8], [0; 8]);
        let ended = started.checked_add(duration).unwrap_or(started);
        Self { trace, id, parent, name, kind, started, ended, attributes: Vec::new(), failure: None }
    }
}

/// For whom a piece of work was done, as OpenTelemetry has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// For somebody who asked for it from outside.
    Server,
    /// By somebody outside, who was asked.
    Client,
    /// Neither.
    Internal,
}

/// A name, and what is said of it.
pub type Attribute = (&'static str, Told);

/// What is said. An empty text says nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A text.
    Text(String),
    /// A number.
    Number(i64),
}

impl From<String> for Told {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Told {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<u16> for Told {
    fn from(number: u16) -> Self {
        Self::Number(number.into())
    }
}

/// Where spans go. Never blocks; a span may be lost when nobody takes it.
pub trait Spans: Send + Sync {
    /// Takes a span.
    fn take(&self, span: Span);
}
