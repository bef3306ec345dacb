//! One request of a component over HTTP, until its response begins or there will be none: a span as OpenTelemetry's conventions have
//! those of clients.
//!
//! They would have the whole address too. Its path and query may be secret, and nobody can know, so neither is told. The name of the
//! server and a method that nobody knows are the component's to make up, and are masked by whoever knows what is secret.

use std::time::{Instant, SystemTime};

use super::span::{Kind, Span};
use super::trail::Trail;

/// The methods that have a meaning. Traces are searched by them, so any other one is just another one.
const METHODS: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];

/// A request under way. Its span is exported when this is dropped.
pub(crate) struct Exchange {
    pub(super) trail: Trail,
    pub(super) begun: Instant,
    pub(super) started: SystemTime,
    pub(super) method: String,
    pub(super) address: String,
    pub(super) port: Option<u16>,
    pub(super) outcome: Result<u16, &'static str>,
}

/// What becomes of a request that nobody waits for any longer.
pub(super) const ABANDONED: Result<u16, &str> = Err("cancelled");

impl Exchange {
    /// What is asked, and whom.
    #[must_use]
    pub(crate) fn of(mut self, method: String, address: String, port: Option<u16>) -> Self {
        (self.method, self.address, self.port) = (method, address, port);
        self
    }

    /// Its response begins, or why there is none.
    pub(crate) fn ended(mut self, outcome: Result<u16, &'static str>) {
        self.outcome = outcome;
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let known = METHODS.contains(&self.method.as_str());
        let (method, original) = if known { (self.method.as_str(), "") } else { ("_OTHER", self.method.as_str()) };
        let name = if known { method } else { "HTTP" };
        self.trail.export(|| {
            let mut span = Span::new(name.to_owned(), Kind::Client, self.started, self.begun.elapsed());
            span.attributes = vec![
                ("http.request.method", method.into()),
                ("http.request.method_original", original.into()),
                ("server.address", self.address.as_str().into()),
            ];
            span.attributes.extend(self.port.map(|port| ("server.port", port.into())));
            span.attributes.extend(self.outcome.ok().map(|status| ("http.response.status_code", status.into())));
            let failure = match self.outcome {
                Ok(status) if status < 400 => None,
                Ok(status) => Some(status.to_string()),
                Err(why) => Some(why.to_owned()),
            };
            if let Some(failure) = failure {
                span.attributes.push(("error.type", failure.into()));
                // The attributes say all there is to say.
                span.failure = Some(String::new());
            }
            span
        });
    }
}
