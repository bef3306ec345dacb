//! What a provider did and what it was allowed, written down for whoever runs it (`docs/audit.md`).
//!
//! An operator who grants something to somebody else's code wants to see what became of it, afterwards and elsewhere: one line per
//! decision, per call of the engine and per call of the component to the host; and the same as spans, for those who trace. Values
//! never stand there. Nobody listens unless an operator or an engine says so, and then it costs nothing.
//!
//! This decides nothing and may know neither protocol nor sandbox: front ends open an [`Rpc`], which finds its way to the component
//! as a [`Cause`], and becomes a `Trail` there.

mod auditor;
mod exchange;
mod file;
mod host_call;
mod host_calls;
mod identity;
mod line;
mod outcome;
mod rpc;
mod span;
mod trail;

pub use auditor::Auditor;
pub use file::AuditFile;
pub(crate) use file::flush;
pub(crate) use host_call::HostCall;
pub use host_calls::{HostCalls, listen};
pub(crate) use line::BEGINNING;
pub use outcome::Outcome;
pub use rpc::{Cause, Rpc, note_token, note_urn};
pub use span::{Attribute, Kind, Span, Spans, Told};
pub(crate) use trail::{Trail, Verdict, within};
