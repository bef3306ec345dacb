//! One call of the engine.
//!
//! A front end opens it before anything is decoded, and has everything that answers run within it. What the call turns out to be
//! about is noted by whoever finds out.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime};

use super::auditor::Listening;
use super::identity::Identity;
use super::line::{Line, microseconds};
use super::span::Span;

tokio::task_local! {
    static PRESENT: Arc<Rpc>;
}

/// A call of the engine, while somebody listens.
pub struct Rpc {
    pub(super) listening: Arc<Listening>,
    method: String,
    pub(super) identity: Identity,
    begun: Instant,
    started: SystemTime,
    about: Mutex<About>,
}

#[derive(Clone, Default)]
struct About {
    urn: String,
    token: String,
}

impl Rpc {
    pub(super) fn new(listening: Arc<Listening>, method: &str, traceparent: Option<&str>) -> Self {
        Self {
            listening,
            method: method.to_owned(),
            identity: Identity::below(traceparent),
            begun: Instant::now(),
            started: SystemTime::now(),
            about: Mutex::default(),
        }
    }

    /// Answers the call within it.
    pub async fn answered<T>(self: Arc<Self>, answer: impl Future<Output = T>) -> T {
        PRESENT.scope(self, answer).await
    }

    /// The call is answered. `outcome` is the code of the answer; anything but `ok` is a failure.
    pub fn finished(&self, outcome: &str) {
        let About { urn, token } = self.about.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (duration, trace) = (self.begun.elapsed(), self.identity.to_string());
        self.listening.write(Line {
            event: "rpc",
            rpc: &self.method,
            trace: &trace,
            urn: &urn,
            token: &token,
            duration_us: microseconds(duration),
            outcome,
            ..Line::default()
        });
        self.listening.export(|| Span {
            trace: self.identity.trace,
            id: self.identity.span,
            parent: self.identity.parent,
            name: format!("pulumirpc.ResourceProvider/{}", self.method),
            is_rpc: true,
            started: self.started,
            ended: self.started + duration,
            attributes: vec![
                ("rpc.system", "grpc".to_owned()),
                ("rpc.service", "pulumirpc.ResourceProvider".to_owned()),
                ("rpc.method", self.method.clone()),
                ("bulkhead.provider", self.listening.provider.clone()),
                ("bulkhead.digest", self.listening.digest.clone()),
                ("pulumi.urn", urn),
                ("pulumi.token", token),
            ],
            failure: (outcome != "ok").then(|| outcome.to_owned()),
        });
    }

    /// The method's name.
    pub(super) fn method(&self) -> &str {
        &self.method
    }
}

/// The call of the engine that something is done for, if somebody listens.
#[derive(Clone, Default)]
pub struct Cause(pub(super) Option<Arc<Rpc>>);

impl Cause {
    /// The call that is being answered here.
    pub fn present() -> Self {
        Self(PRESENT.try_with(Arc::clone).ok())
    }

    /// Answers on behalf of the call, where that is another task.
    pub async fn answered<T>(self, answer: impl Future<Output = T>) -> T {
        match self.0 {
            Some(rpc) => rpc.answered(answer).await,
            None => answer.await,
        }
    }

    /// What calls of others that follow from this one carry as their `traceparent`.
    pub fn traceparent(&self) -> Option<String> {
        self.0.as_ref().map(|rpc| rpc.identity.to_string())
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cause").field(&self.0.as_ref().map(|rpc| &rpc.method)).finish()
    }
}

/// Notes the resource that the call being answered is about.
pub fn note_urn(urn: &str) {
    let _ = PRESENT.try_with(|rpc| rpc.about.lock().unwrap_or_else(PoisonError::into_inner).urn = urn.to_owned());
}

/// Notes the type or function that the call being answered is about.
pub fn note_token(token: &str) {
    let _ = PRESENT.try_with(|rpc| rpc.about.lock().unwrap_or_else(PoisonError::into_inner).token = token.to_owned());
}
