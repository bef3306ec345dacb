//! The packages that a provider is to one engine, each with its session.
//!
//! A provider has one package until a parameter replaces it or adds others. That happens while calls run, and an engine names
//! no package in most of them, only a token. So calls ask here for the session of the package that their token is of, and
//! keep it to their end, whatever is added meanwhile.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use bulkhead_schema::Package;
use bulkhead_value::Object;
use semver::Version;
use tokio::sync::{Mutex, MutexGuard, Notify};

use super::{Component, Error, ErrorKind, Leaving, Log, Origin, Session, Subpackage};
use crate::audit::note_token;

/// How long a call waits for the parameter that makes its package. Engines send both at about the same time.
const PATIENCE: Duration = Duration::from_secs(2);

/// All packages of one engine's use of a provider.
pub struct Sessions {
    /// The name of the component's own package, whatever took its place.
    pub(super) base: String,
    /// Its version.
    pub(super) version: Option<Version>,
    present: RwLock<Arc<Present>>,
    changing: Mutex<()>,
    changed: Notify,
}

/// The packages at one time.
#[derive(Clone)]
pub(super) struct Present {
    /// The component's own package, or the one in its place.
    pub(super) own: Described,
    /// Those beside it. No two have the same name and version.
    pub(super) extensions: Vec<Described>,
}

/// A package with its session.
#[derive(Clone)]
pub(super) struct Described {
    pub(super) session: Arc<Session>,
    /// Its schema's text.
    pub(super) schema: Arc<[u8]>,
    /// What it is called, if a parameter made it.
    pub(super) subpackage: Option<Subpackage>,
}

impl Sessions {
    /// Starts using a loaded component, which the package and its schema's text describe, until the process leaves.
    pub fn new(
        schema: Arc<[u8]>,
        package: Arc<Package>,
        component: &dyn Component,
        log: Arc<dyn Log>,
        origin: Origin,
        leaving: &Leaving,
    ) -> Self {
        let (base, version) = (package.name.clone(), package.version.clone());
        let session = Arc::new(Session::new(package, component, log).from(origin).until(leaving));
        let own = Described { session, schema, subpackage: None };
        Self {
            base,
            version,
            present: RwLock::new(Arc::new(Present { own, extensions: Vec::new() })),
            changing: Mutex::default(),
            changed: Notify::new(),
        }
    }

    /// The session of the package that configures the provider: the component's own, or the one in its place.
    pub fn own(&self) -> Arc<Session> {
        Arc::clone(&self.present().own.session)
    }

    /// The session of the package that a resource type or a function is of. The component's own package comes first, then of those
    /// that have the token the one that it is named after, in its highest version: engines name no version in these calls. One that
    /// no package has is for the package to refuse that its name begins with.
    pub fn of(&self, token: &str) -> Arc<Session> {
        note_token(token);
        let present = self.present();
        let own = &present.own.session;
        if present.extensions.is_empty() || has(own.package(), token) {
            return Arc::clone(own);
        }
        let named = |package: &Package| token.split(':').next() == Some(package.name.as_str());
        let rank = |package: &Package| (has(package, token), named(package));
        let extensions = present.extensions.iter().filter(|extension| rank(extension.package()) != (false, false));
        let fitting = extensions.max_by(|one, other| {
            let (one, other) = (one.package(), other.package());
            rank(one).cmp(&rank(other)).then_with(|| one.version.cmp(&other.version))
        });
        Arc::clone(fitting.map_or(own, |extension| &extension.session))
    }

    /// As [`of`](Self::of), for calls that engines don't hold back until the parameter has come that makes their package:
    /// those wait for it here, a moment.
    pub async fn settled(&self, token: &str) -> Arc<Session> {
        let awaited = |session: &Session| {
            session.exports.parameterization && token.split(':').next() != Some(session.package().name.as_str())
        };
        let arrived = async {
            loop {
                let changed = self.changed.notified();
                let session = self.of(token);
                if has(session.package(), token) || !awaited(&session) {
                    return session;
                }
                changed.await;
            }
        };
        match tokio::time::timeout(PATIENCE, arrived).await {
            Ok(session) => session,
            Err(_) => {
                // One that has come is under way for as long as it takes.
                drop(self.turn().await);
                self.of(token)
            }
        }
    }

    /// Takes the configuration. Members may be unknown, in previews.
    ///
    /// # Errors
    /// As [`Session::configure`].
    pub async fn configure(&self, inputs: &Object, unsaid: &[String]) -> Result<(), Error> {
        let _turn = self.turn().await;
        self.own().configure(inputs, unsaid).await
    }

    /// How many times as much work as usual a value may be, in whichever of the packages.
    pub fn labour(&self) -> usize {
        let present = self.present();
        let all = [&present.own].into_iter().chain(&present.extensions);
        all.map(|described| described.package().labour()).max().unwrap_or(1)
    }

    /// The text of a schema: of a sub-package if one is named, else of the package that configures the provider. Without a
    /// version, the sub-package of the name with the highest one.
    ///
    /// # Errors
    /// A sub-package that no parameter has made.
    pub fn schema(&self, name: &str, version: &str) -> Result<Arc<[u8]>, Error> {
        let present = self.present();
        if name.is_empty() {
            return Ok(Arc::clone(&present.own.schema));
        }
        let meant =
            |subpackage: &Subpackage| subpackage.name == name && (version.is_empty() || subpackage.version == version);
        let all = [&present.own].into_iter().chain(&present.extensions);
        let found = all.filter(|described| described.subpackage.as_ref().is_some_and(meant));
        let highest = found.max_by(|one, other| one.package().version.cmp(&other.package().version));
        highest.map(|described| Arc::clone(&described.schema)).ok_or_else(|| {
            let version = if version.is_empty() { String::new() } else { format!(" of version {version}") };
            let error = Error::new(ErrorKind::InvalidRequest, format!("there is no sub-package `{name}`{version}"));
            match present.own.session.exports.parameterization {
                true => error.hint("call Parameterize first, with the parameter that makes it"),
                false => error,
            }
        })
    }

    /// Ends what runs and refuses what comes. Returns at once.
    pub fn cancel(&self) {
        self.own().cancel();
    }

    /// Whether what comes is refused.
    pub fn is_cancelled(&self) -> bool {
        self.own().is_cancelled()
    }

    pub(super) fn present(&self) -> Arc<Present> {
        Arc::clone(&self.present.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn become_present(&self, present: Present) {
        *self.present.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(present);
        self.changed.notify_waiters();
    }

    /// Waits for one's turn to change what the provider is: instances are given all of it in one order.
    pub(super) async fn turn(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().await
    }
}

impl Described {
    fn package(&self) -> &Package {
        self.session.package()
    }
}

fn has(package: &Package, token: &str) -> bool {
    package.resource(token).is_some() || package.function(token).is_some()
}
