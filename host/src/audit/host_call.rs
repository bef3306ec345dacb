//! One call of a component to the host, from its begin until it is over, however it ends.
//!
//! Generated bindings open spans, which `host_calls.rs` makes these of. What is linked by hand says itself what is called.

use std::time::{Instant, SystemTime};

use super::trail::Trail;

/// A call under way. It is written down when this is dropped.
pub(crate) struct HostCall {
    trail: Trail,
    interface: String,
    function: String,
    begun: Instant,
    started: SystemTime,
}

impl HostCall {
    /// A call begins. The interface may be named with its version. None if nobody listens to what is served here.
    pub(crate) fn begin(interface: &str, function: &str) -> Option<Self> {
        let trail = Trail::present()?;
        let interface = interface.split('@').next().unwrap_or_default().to_owned();
        Some(Self {
            trail,
            interface,
            function: function.to_owned(),
            begun: Instant::now(),
            started: SystemTime::now(),
        })
    }
}

impl Drop for HostCall {
    fn drop(&mut self) {
        self.trail.host_call(&self.interface, &self.function, self.started, self.begun.elapsed());
    }
}
