//! One engine's use of a provider: from its first call to the end of its connection.
//!
//! A session belongs to one configuration, goes from unconfigured to configured once, and refuses calls once it was
//! cancelled. Several sessions of a component run side by side and share nothing but compiled code, but for those of
//! packages that parameters made (`sessions.rs`): they share all of that, and differ in the schema that they go by.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bulkhead_schema::{Function, Package, Resource};
use tokio_util::sync::CancellationToken;

use super::leaks::Guarded;
use super::{Call, Component, Context, Error, ErrorKind, Exports, Guest, Leaks, Leaving, Log, Origin};
use crate::audit::Cause;

/// How long a call that changes something may go on after it was cancelled, to save what it did.
const CHANGING_GRACE: Duration = Duration::from_secs(10);

/// A provider in use.
pub struct Session {
    pub(super) package: Arc<Package>,
    pub(super) exports: Exports,
    pub(super) guest: Arc<dyn Guest>,
    reading_deadline: Duration,
    origin: Origin,
    stage: Arc<Stage>,
}

/// How far one engine's use of a provider has got.
#[derive(Default)]
struct Stage {
    configured: OnceLock<()>,
    configuring: AtomicBool,
    /// Cancelled when the process leaves, too.
    cancel: CancellationToken,
    leaving: Leaving,
}

/// The right to be what configures a session. It is given back unless it was used: after a failure, and where nobody waits any
/// longer, so that the engine may correct itself or try again.
pub(super) struct Claim<'s>(&'s Stage);

impl Claim<'_> {
    /// The session is configured.
    pub(super) fn used(self) {
        let _ = self.0.configured.set(());
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if self.0.configured.get().is_none() {
            self.0.configuring.store(false, Ordering::Release);
        }
    }
}

impl Session {
    /// Starts a session of a loaded component that the package describes.
    pub fn new(package: Arc<Package>, component: &dyn Component, log: Arc<dyn Log>) -> Self {
        Self {
            package,
            exports: component.exports(),
            reading_deadline: component.reading_deadline(),
            guest: Arc::new(Guarded::new(component.start(log))),
            origin: Origin::default(),
            stage: Arc::default(),
        }
    }

    /// Has it end with the process.
    #[must_use]
    pub(super) fn until(mut self, leaving: &Leaving) -> Self {
        let cancel = leaving.begun().child_token();
        self.stage = Arc::new(Stage { cancel, leaving: leaving.clone(), ..Stage::default() });
        self
    }

    /// Says where the session's requests come from.
    #[must_use]
    pub fn from(mut self, origin: Origin) -> Self {
        self.origin = origin;
        self
    }

    /// The same use of the same provider, as another package describes it.
    pub(super) fn described_by(&self, package: Arc<Package>) -> Self {
        let (guest, stage) = (Arc::clone(&self.guest), Arc::clone(&self.stage));
        Self { package, guest, stage, origin: self.origin.clone(), ..*self }
    }

    /// The package that describes it.
    pub fn package(&self) -> &Package {
        &self.package
    }

    /// Ends what runs and refuses what comes. Returns at once.
    pub fn cancel(&self) {
        self.stage.cancel.cancel();
    }

    /// Whether what comes is refused.
    pub(super) fn is_cancelled(&self) -> bool {
        self.stage.cancel.is_cancelled()
    }

    /// Whether a configuration was taken, or is being taken.
    pub(super) fn is_configured(&self) -> bool {
        self.stage.configuring.load(Ordering::Acquire)
    }

    /// Claims the one configuration that a session takes.
    pub(super) fn begin_configuration(&self) -> Result<Claim<'_>, Error> {
        self.running()?;
        if self.stage.configuring.swap(true, Ordering::AcqRel) {
            return Err(Error::new(ErrorKind::NotReady, "it was configured before").hint(
                "a provider instance takes its configuration once; start another one for another configuration",
            ));
        }
        Ok(Claim(&self.stage))
    }

    /// Refuses calls of a cancelled session.
    pub(super) fn running(&self) -> Result<(), Error> {
        if self.is_cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, "the engine has cancelled this provider"));
        }
        Ok(())
    }

    /// Refuses calls that need a configuration.
    pub(super) fn ready(&self) -> Result<(), Error> {
        self.running()?;
        if self.stage.configured.get().is_none() {
            return Err(Error::new(ErrorKind::NotReady, "the provider isn't configured yet")
                .hint("call Configure first, with an empty configuration if there is none"));
        }
        Ok(())
    }

    /// The schema of a resource type that is created, not constructed.
    pub(super) fn resource(&self, token: &str) -> Result<&Resource, Error> {
        let resource = self.package.resource(token).ok_or_else(|| {
            let error = Error::new(
                ErrorKind::InvalidRequest,
                format!("the package `{}` has no resource type `{token}`", self.package.name),
            );
            match self.package.nearest_resource(token) {
                Some(nearest) => error.hint(format!("did you mean `{nearest}`?")),
                None => error,
            }
        })?;
        if resource.is_component {
            let message = format!("`{token}` is a component resource: it is constructed, not created");
            return Err(Error::new(ErrorKind::InvalidRequest, message)
                .hint("register it as a remote component, as the package's SDKs do"));
        }
        Ok(resource)
    }

    /// The schema of a function.
    pub(super) fn function(&self, token: &str) -> Result<&Function, Error> {
        self.package.function(token).ok_or_else(|| {
            let error = Error::new(
                ErrorKind::InvalidRequest,
                format!("the package `{}` has no function `{token}`", self.package.name),
            );
            match self.package.nearest_function(token) {
                Some(nearest) => error.hint(format!("did you mean `{nearest}`?")),
                None => error,
            }
        })
    }

    /// A call that changes nothing: as long as the component's operator lets it, unless the engine says otherwise; no grace.
    pub(super) fn reading(&self, context: &Context) -> Call {
        self.call(context, Some(context.timeout.unwrap_or(self.reading_deadline)), Duration::ZERO)
    }

    /// A call that changes something: no deadline unless the engine names one, and time to save what was done.
    pub(super) fn changing(&self, context: &Context) -> Call {
        self.call(context, context.timeout, CHANGING_GRACE)
    }

    fn call(&self, context: &Context, deadline: Option<Duration>, grace: Duration) -> Call {
        Call {
            context: context.clone(),
            deadline,
            grace,
            generated: Vec::new(),
            origin: self.origin.clone(),
            package: Arc::clone(&self.package),
            cause: Cause::present(),
            leaks: Leaks::default(),
            cancel: self.stage.cancel.child_token(),
            leaving: self.stage.leaving.begun(),
            under_way: self.stage.leaving.under_way(),
        }
    }
}
