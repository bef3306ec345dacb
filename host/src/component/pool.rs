//! The instances of one configuration.
//!
//! Calls are never serialised: each gets an instance of its own, an idle one if there is one. An instance that trapped, was
//! ended, grew past its mark or kept handles is dropped. Configuration is given again to each new instance, marked as a
//! replay.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bulkhead_policy::Isolation;
use bulkhead_schema::Package;
use bulkhead_value::Object;
use tokio::sync::Semaphore;

use super::instance::Instance;
use super::load::Loaded;
use crate::provider::Log;
use crate::store::{Files, Limits, Serving, Session};
use crate::wit::bindings::exports::config::ConfigureRequest;
use crate::wit::tree_from_object;

/// Components that are constructed at once, and methods that run.
const MOST_COMPOSING: usize = 1_024;

/// Instances of one configuration, idle ones and the right to make more.
pub(super) struct Pool {
    pub(super) loaded: Arc<Loaded>,
    pub(super) limits: Arc<Limits>,
    pub(super) permits: Semaphore,
    /// Permits of components and methods, which don't queue.
    pub(super) composing: Semaphore,
    /// What the instances share.
    pub(super) session: Arc<Session>,
    /// How many files the instances may have read for them.
    pub(super) files: Files,
    configuration: OnceLock<Object>,
    idle: Mutex<Vec<Instance>>,
    log: Arc<dyn Log>,
    package: Arc<Package>,
}

impl Pool {
    pub(super) fn new(loaded: Arc<Loaded>, package: Arc<Package>, log: Arc<dyn Log>) -> Self {
        let limits = Arc::clone(&loaded.limits);
        Self {
            loaded,
            permits: Semaphore::new(limits.concurrency.min(Semaphore::MAX_PERMITS)),
            session: Arc::new(Session::new(limits.session.clone())),
            composing: Semaphore::new(MOST_COMPOSING),
            files: Files::new(limits.assets.open),
            limits,
            configuration: OnceLock::new(),
            idle: Mutex::default(),
            log,
            package,
        }
    }

    /// Remembers the configuration for instances to come.
    pub(super) fn configured(&self, configuration: &Object) {
        let _ = self.configuration.set(configuration.clone());
    }

    /// An idle instance for a call that draws from a seed, or for any other. Those that have drawn already are of no use to the
    /// former and come first for the latter, which would otherwise use up the others one by one.
    pub(super) fn idle(&self, seeded: bool) -> Option<Instance> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let fitting = idle.iter().rposition(|instance| instance.store.data().chance.drawn() != seeded);
        let any = || idle.len().checked_sub(1).filter(|_| !seeded);
        let at = fitting.or_else(any)?;
        Some(idle.remove(at))
    }

    /// A new instance, not configured yet.
    ///
    /// # Errors
    /// The component can't be instantiated.
    pub(super) async fn fresh(&self, call: Serving) -> wasmtime::Result<Instance> {
        let package = Some(Arc::clone(&self.package));
        Instance::new(&self.loaded, &self.limits, Arc::clone(&self.log), package, call).await
    }

    /// Gives a new instance the configuration that others have.
    ///
    /// # Errors
    /// The component's `configure` failed though it succeeded before.
    pub(super) async fn replay(&self, instance: &mut Instance) -> wasmtime::Result<()> {
        if let (Some(configuration), Some(config)) = (self.configuration.get(), &self.loaded.bound.config) {
            let request = ConfigureRequest { inputs: tree_from_object(configuration), replay: true };
            let guest = config.load(&mut instance.store, &instance.wasm)?;
            if guest.call_configure(&mut instance.store, &request).await?.is_err() {
                return Err(wasmtime::Error::msg("a configuration that it took before was refused"));
            }
        }
        Ok(())
    }

    /// Takes an instance back after a call that returned.
    pub(super) fn give(&self, mut instance: Instance) {
        if self.limits.isolation == Isolation::Configuration && instance.reusable() {
            instance.store.data_mut().call = Serving::default();
            instance.store.data().chance.seed(None);
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            // The one that was idle longest goes, and outside of the lock.
            let surplus = (idle.len() >= self.limits.concurrency).then(|| idle.remove(0));
            idle.push(instance);
            drop((idle, surplus));
        }
    }
}
