//! Spans to an OpenTelemetry collector: the engine's own, if it traces, so that what its providers do stands in its trace.
//!
//! Nobody waits for a collector. Spans queue, are sent together, and are lost when there are too many or nobody takes them; when the
//! process leaves, what is left has a second. Without an endpoint nothing is started.

mod endpoint;
mod exporter;
mod message;

pub(crate) use exporter::{flush, of_environment};
