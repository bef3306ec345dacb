//! One call of a component to the host, from its begin until it is over, however it ends.
//!
//! Generated bindings open spans, which `host_calls.rs` makes these of. What is linked by hand says itself what is called.

use std::time::{Instant, SystemTime};

use super::exchange::{ABANDONED, Exchange};
use super::span::{Kind, Span};
use super::trail::Trail;

/// A call under way. It is written down when this is dropped.
pub(crate) struct HostCall {
    /// None once it is written down.
    trail: Option<Trail>,
    interface: String,
    function: String,
    begun: Instant,
    started: SystemTime,
}

impl HostCall {
    /// A call begins. The interface may be named with its version. None if nobody listens to what is served here.
    pub(crate) fn begin(interface: &str, function: &str) -> Option<Self> {
        let trail = Some(Trail::present()?);
        let interface = interface.split('@').next().unwrap_or_default().to_owned();
        Some(Self {
            trail,
            interface,
            function: function.to_owned(),
            begun: Instant::now(),
            started: SystemTime::now(),
        })
    }

    /// It began a request over HTTP, which is a span instead: it takes longer, and there is more to be said of it.
    pub(crate) fn exchange(mut self) -> Option<Exchange> {
        let trail = self.trail.take()?;
        let (begun, started) = (self.begun, self.started);
        trail.called(&self.interface, &self.function, begun.elapsed());
        let (method, address) = (String::new(), String::new());
        Some(Exchange { trail, begun, started, method, address, port: None, outcome: ABANDONED })
    }
}

impl Drop for HostCall {
    fn drop(&mut self) {
        let Some(trail) = self.trail.take() else { return };
        let (interface, function, duration) = (&self.interface, &self.function, self.begun.elapsed());
        trail.called(interface, function, duration);
        trail.export(|| {
            let name = format!("{interface}.{function}");
            let attributes = vec![
                ("bulkhead.interface", interface.as_str().into()),
                ("bulkhead.function", function.as_str().into()),
            ];
            Span { attributes, ..Span::new(name, Kind::Internal, self.started, duration) }
        });
    }
}
