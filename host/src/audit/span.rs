//! What is exported to whoever traces: a piece of work, from when to when, below which other.

use std::time::SystemTime;

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
    /// Whether an engine asked for it, rather than the component.
    pub is_rpc: bool,
    /// Its begin.
    pub started: SystemTime,
    /// Its end.
    pub ended: SystemTime,
    /// What it was about.
    pub attributes: Vec<Attribute>,
    /// Why it failed; none if it didn't.
    pub failure: Option<String>,
}

/// A name, and what is said of it.
pub type Attribute = (&'static str, String);

/// Where spans go. Never blocks; a span may be lost when nobody takes it.
pub trait Spans: Send + Sync {
    /// Takes a span.
    fn take(&self, span: Span);
}
