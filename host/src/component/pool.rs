//! The instances of one configuration.
//!
//! Calls are never serialised: each gets an instance of its own, an idle one if there is one. An instance that trapped, was
//! ended, grew past its mark or kept handles is dropped. Before it serves a call, each was given what all are given (`given.rs`).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use bulkhead_policy::{Isolation, Permissions};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::given::Given;
use super::instance::Instance;
use super::load::Loaded;
use super::pace::Pace;
use crate::outgoing::Connector;
use crate::provider::{Error, ErrorKind, Log};
use crate::store::{Amount, Descriptions, Files, Limits, Serving, Session, Share, Spare};

/// Components that are constructed at once, and methods that run.
const MOST_COMPOSING: usize = 1_024;

/// Instances of one configuration, idle ones and the right to make more.
pub(super) struct Pool {
    pub(super) loaded: Arc<Loaded>,
    pub(super) limits: Arc<Limits>,
    permits: Semaphore,
    /// Places of calls that wait for a permit.
    queue: Semaphore,
    /// Permits of components and methods, which don't queue.
    pub(super) composing: Semaphore,
    /// What the instances have of the process's memory.
    share: Share,
    /// What the instances share.
    pub(super) session: Arc<Session>,
    /// How many files the instances may have read for them.
    pub(super) files: Files,
    /// How many packages they may have described to them.
    pub(super) descriptions: Descriptions,
    /// Their way out of this machine.
    pub(super) outgoing: Connector,
    pub(super) given: Given,
    /// What calls may do, by what was configured.
    permissions: RwLock<Arc<Permissions>>,
    /// How its calls went lately.
    pub(super) pace: Arc<Pace>,
    idle: Arc<Idle>,
    log: Arc<dyn Log>,
}

/// Instances that wait for a call, the one that has waited longest first.
#[derive(Default)]
struct Idle(Mutex<VecDeque<Instance>>);

impl Idle {
    fn all(&self) -> MutexGuard<'_, VecDeque<Instance>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Spare for Idle {
    fn give_up(&self) -> bool {
        // It goes outside of the lock.
        let longest = self.all().pop_front();
        longest.is_some()
    }

    fn held(&self) -> Amount {
        self.all().iter().map(|instance| instance.store.data().meter.held()).fold(Amount::default(), Amount::and)
    }
}

impl Pool {
    pub(super) fn new(loaded: Arc<Loaded>, log: Arc<dyn Log>) -> Self {
        let (limits, idle) = (Arc::clone(&loaded.limits), Arc::<Idle>::default());
        let spare = Arc::downgrade(&idle);
        Self {
            permits: Semaphore::new(limits.concurrency.min(Semaphore::MAX_PERMITS)),
            queue: Semaphore::new(limits.queue.min(Semaphore::MAX_PERMITS)),
            share: loaded.runtime.memory().share(limits.memory_together).sparing(spare),
            session: Arc::new(Session::new(limits.session.clone())),
            composing: Semaphore::new(MOST_COMPOSING),
            files: Files::new(limits.assets.open, loaded.file_turns.clone()),
            descriptions: Descriptions::default(),
            outgoing: Connector::new(limits.outgoing.clone(), loaded.resolver.clone()),
            limits,
            permissions: RwLock::new(Arc::clone(&loaded.permissions)),
            given: Given::default(),
            pace: Arc::default(),
            idle,
            loaded,
            log,
        }
    }

    /// What calls may do.
    pub(super) fn permissions(&self) -> Arc<Permissions> {
        Arc::clone(&self.permissions.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// From now on calls may do this.
    pub(super) fn permit(&self, permissions: Permissions) {
        *self.permissions.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(permissions);
    }

    /// Where messages about calls go.
    pub(super) fn log(&self) -> &dyn Log {
        self.log.as_ref()
    }

    /// Waits for a place among the calls that run at once, after those who came before.
    ///
    /// # Errors
    /// Too many wait already.
    pub(super) async fn turn(&self) -> Result<Option<SemaphorePermit<'_>>, Error> {
        if let Ok(permit) = self.permits.try_acquire() {
            return Ok(Some(permit));
        }
        let Ok(_place) = self.queue.try_acquire() else {
            let Limits { queue, concurrency, .. } = self.limits.as_ref();
            let message = format!("{concurrency} calls of the provider run and {queue} wait already");
            let (running, waiting) = (self.limits.place("concurrency"), self.limits.place("queue"));
            let hint = format!(
                "ask for less at once (`pulumi up --parallel`), or raise the limit `concurrency` in {running}, or `queue` in {waiting}"
            );
            return Err(Error::new(ErrorKind::Exhausted, message).hint(hint));
        };
        Ok(self.permits.acquire().await.ok())
    }

    /// An idle instance for a call that draws from a seed, or for any other.
    pub(super) fn idle(&self, seeded: bool) -> Option<Instance> {
        // The others go here, outside of the lock.
        std::iter::from_fn(|| self.next_idle(seeded)).find(|instance| self.given.fits(instance))
    }

    /// The next idle instance. Those that have drawn already are of no use to calls that draw from a seed and come first for all others,
    /// which would otherwise use up the rest one by one.
    fn next_idle(&self, seeded: bool) -> Option<Instance> {
        let mut idle = self.idle.all();
        let fitting = idle.iter().rposition(|instance| instance.store.data().chance.drawn() != seeded);
        let any = || idle.len().checked_sub(1).filter(|_| !seeded);
        let at = fitting.or_else(any)?;
        idle.remove(at)
    }

    /// A new instance, which was given nothing yet.
    ///
    /// # Errors
    /// The component can't be instantiated.
    pub(super) async fn fresh(&self, call: Serving) -> wasmtime::Result<Instance> {
        Instance::new(&self.loaded, &self.share, Arc::clone(&self.log), call).await
    }

    /// Takes an instance back after a call that returned.
    pub(super) fn give(&self, mut instance: Instance) {
        if self.limits.isolation == Isolation::Configuration && instance.reusable() {
            let state = instance.store.data_mut();
            // It has no handle left, nor any that a head belongs to.
            state.table.renew();
            (state.call, state.heads) = (Serving::none(), None);
            state.chance.seed(None);
            let mut idle = self.idle.all();
            // The one that was idle longest goes, and outside of the lock.
            let surplus = (idle.len() >= self.limits.concurrency).then(|| idle.pop_front());
            idle.push_back(instance);
            drop((idle, surplus));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cache::Cache;
    use super::super::engine::Runtime;
    use super::super::exports::nothing;
    use super::*;
    use crate::provider::Silent;
    use crate::store::{KEPT, Terms};

    /// Instances of a component with nothing in it, which have so many bytes together.
    fn pool(memory_together: usize) -> Pool {
        let (runtime, limits) = (Runtime::new().unwrap(), Limits { memory_together, ..Limits::default() });
        let loaded = Loaded::from_bytes(&runtime, &Cache::disabled(), limits, &nothing()).unwrap();
        Pool::new(loaded, Arc::new(Silent))
    }

    #[tokio::test]
    async fn instances_that_serve_nobody_make_room_for_one_that_does() {
        let pool = pool(100);
        let fresh = || async { pool.fresh(Serving::none()).await.unwrap() };
        let mut waiting = [fresh().await, fresh().await, fresh().await];
        waiting.iter_mut().for_each(|instance| instance.store.data_mut().meter.keep(30).unwrap());
        waiting.into_iter().for_each(|instance| pool.give(instance));
        let mut busy = fresh().await;
        let mut keeps = |bytes| (busy.store.data_mut().meter.keep(bytes).is_ok(), pool.idle.all().len());
        assert_eq!(keeps(10), (true, 3));
        assert_eq!(keeps(50), (true, 1), "as many go as are needed");
        assert_eq!(keeps(101), (false, 1), "none goes for what nobody may have");
        assert_eq!(keeps(100), (true, 0));
    }

    #[tokio::test]
    async fn an_instance_that_serves_nobody_keeps_nothing_of_the_call_that_it_served() {
        let pool = pool(usize::MAX);
        let terms = Arc::new(Terms::default());
        let kept = Arc::downgrade(&terms);
        let mut instance = pool.fresh(terms.into()).await.unwrap();
        let state = instance.store.data_mut();
        state.heads = Some(state.kept.room(KEPT, "headers").unwrap());
        pool.give(instance);
        assert!(kept.upgrade().is_none());
        assert!(pool.idle(false).unwrap().store.data().kept.room(KEPT, "headers").is_ok());
    }
}
