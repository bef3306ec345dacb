//! One call of the engine.
//!
//! A front end opens it before anything is decoded, and has everything that answers run within it. What the call turns out to be
//! about is noted by whoever finds out.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime};

use super::auditor::Listening;
use super::identity::Identity;
use super::line::{Line, RPC, microseconds};
use super::outcome::Outcome;
use super::span::{Attribute, Kind, Span};

/// What engines call.
const SERVICE: &str = "pulumirpc.ResourceProvider";
/// Characters of a name that a peer made up.
const LONGEST: usize = 256;

tokio::task_local! {
    static PRESENT: Arc<Rpc>;
}

/// A call of the engine, while somebody listens.
pub struct Rpc {
    pub(super) listening: Arc<Listening>,
    method: String,
    server: String,
    port: Option<u16>,
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
    pub(super) fn new(
        listening: Arc<Listening>,
        method: &str,
        server: Option<(&str, Option<u16>)>,
        traceparent: Option<&str>,
    ) -> Self {
        let cut = |text: &str| text.chars().take(LONGEST).collect::<String>();
        Self {
            listening,
            method: cut(method),
            server: server.map(|(address, _)| cut(address)).unwrap_or_default(),
            port: server.and_then(|(_, port)| port),
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

    /// The call is answered.
    pub fn finished(&self, outcome: Outcome) {
        let About { urn, token } = self.about.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (duration, trace) = (self.begun.elapsed(), self.identity.to_string());
        self.listening.write(Line {
            event: RPC,
            rpc: &self.method,
            trace: &trace,
            urn: &urn,
            token: &token,
            duration_us: microseconds(duration),
            outcome: outcome.name(),
            ..Line::default()
        });
        self.listening.export(&self.identity, || {
            let failed = outcome.is_failure();
            let name = format!("{SERVICE}/{}", self.method);
            let mut attributes: Vec<Attribute> = vec![
                ("rpc.system", "grpc".into()),
                ("rpc.service", SERVICE.into()),
                ("rpc.method", self.method.as_str().into()),
                ("rpc.grpc.status_code", outcome.number().into()),
                ("rpc.response.status_code", outcome.constant().into()),
                ("error.type", if failed { outcome.constant() } else { String::new() }.into()),
                ("server.address", self.server.as_str().into()),
                ("bulkhead.provider", self.listening.provider.as_str().into()),
                ("bulkhead.digest", self.listening.digest.as_str().into()),
                ("pulumi.urn", urn.into()),
                ("pulumi.token", token.into()),
            ];
            attributes.extend(self.port.map(|port| ("server.port", port.into())));
            let Identity { trace, span: id, parent, .. } = self.identity;
            let failure = failed.then(|| outcome.name().to_owned());
            Span { trace, id, parent, attributes, failure, ..Span::new(name, Kind::Server, self.started, duration) }
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
