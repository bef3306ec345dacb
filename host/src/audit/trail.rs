//! One call into a component: what it was decided to be allowed, and what it asked of the host.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::line::{Line, microseconds};
use super::rpc::{Cause, Rpc};
use super::span::Span;

tokio::task_local! {
    static TRAIL: Trail;
}

/// What a call into a component leaves behind. Silent by default.
#[derive(Clone, Default)]
pub(crate) struct Trail(Option<Arc<Followed>>);

struct Followed {
    rpc: Arc<Rpc>,
    urn: String,
    token: String,
    phase: String,
}

/// What was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict<'a> {
    /// It may.
    Allowed,
    /// It may not, and why.
    Denied(&'a str),
}

impl Trail {
    /// The trail of a call into a component.
    pub(crate) fn of(cause: &Cause, urn: Option<&str>, token: &str, phase: &dyn fmt::Display) -> Self {
        let followed = |rpc: &Arc<Rpc>| Followed {
            rpc: Arc::clone(rpc),
            urn: urn.unwrap_or_default().to_owned(),
            token: token.to_owned(),
            phase: phase.to_string(),
        };
        Self(cause.0.as_ref().map(|rpc| Arc::new(followed(rpc))))
    }

    /// Whether nobody listens.
    pub(crate) fn is_silent(&self) -> bool {
        self.0.is_none()
    }

    /// A decision: whether something may be used. The subject names it, and is no value. False if it has to be written down and isn't.
    pub(crate) fn decision(&self, capability: &dyn fmt::Display, subject: &str, verdict: Verdict<'_>) -> bool {
        let Some(followed) = &self.0 else { return true };
        let (verdict, why) = match verdict {
            Verdict::Allowed => ("allowed", ""),
            Verdict::Denied(why) => ("denied", why),
        };
        let capability = capability.to_string();
        followed.write(Line { event: "decision", capability: &capability, subject, verdict, why, ..Line::default() })
    }

    /// A call of the component to the host, now over.
    pub(super) fn called(&self, interface: &str, function: &str, duration: Duration) {
        let Some(followed) = &self.0 else { return };
        let duration_us = microseconds(duration);
        followed.write(Line { event: "call", interface, function, duration_us, ..Line::default() });
    }

    /// Exports a span of what the component had done.
    pub(super) fn export(&self, span: impl FnOnce() -> Span) {
        let Some(followed) = &self.0 else { return };
        followed.rpc.listening.export(&followed.rpc.identity, || {
            let identity = followed.rpc.identity.child();
            let mut span = Span { trace: identity.trace, id: identity.span, parent: identity.parent, ..span() };
            span.attributes.extend([
                ("bulkhead.phase", followed.phase.as_str().into()),
                ("pulumi.urn", followed.urn.as_str().into()),
                ("pulumi.token", followed.token.as_str().into()),
            ]);
            span
        });
    }

    /// The trail of the call that is being served here.
    pub(super) fn present() -> Option<Self> {
        TRAIL.try_with(Clone::clone).ok()
    }
}

impl Followed {
    fn write(&self, line: Line<'_>) -> bool {
        let trace = self.rpc.identity.to_string();
        let (rpc, urn, token, phase) = (self.rpc.method(), self.urn.as_str(), self.token.as_str(), self.phase.as_str());
        self.rpc.listening.write(Line { rpc, trace: &trace, urn, token, phase, ..line })
    }
}

impl fmt::Debug for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_silent() { "Trail(silent)" } else { "Trail" })
    }
}

/// Serves a call into a component on its trail.
pub(crate) async fn within<T>(trail: Trail, serving: impl Future<Output = T>) -> T {
    if trail.is_silent() {
        return serving.await;
    }
    TRAIL.scope(trail, serving).await
}
