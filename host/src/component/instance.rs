//! One instance of a component: a store, and its functions.

use std::sync::Arc;

use bulkhead_value::Object;
use tokio::task::spawn_blocking;
use wasmtime::Store;
use wasmtime::component::Instance as WasmInstance;

use super::engine::Clock;
use super::exports::{Bound, Found};
use super::interruption;
use super::load::Loaded;
use crate::provider::Log;
use crate::store::{Ending, HANDLES, Refused, Serving, Share, State};
use crate::wit::Taken;

/// An instance. It serves one call at a time.
pub(super) struct Instance {
    pub(super) store: Store<State>,
    pub(super) wasm: WasmInstance,
    pub(super) bound: Arc<Bound>,
    pub(super) found: Found,
    /// How much it was given of what every instance is given.
    pub(super) given: usize,
    /// The configuration that it took before it was kept for all.
    pub(super) took: Option<Arc<Object>>,
    /// What the replies of its present call take of the host's memory.
    pub(super) replies: Vec<Taken>,
    retired: bool,
    clock: Arc<Clock>,
}

/// What surrounds an instance. Directories are opened on a thread of their own: one on a mount that doesn't answer would stop whoever
/// answers the engine, and with him Cancel and all deadlines.
async fn supplied(loaded: &Loaded, share: &Share, log: Arc<dyn Log>, call: Serving) -> wasmtime::Result<State> {
    let (limits, share, surroundings) = (Arc::clone(&loaded.limits), share.clone(), Arc::clone(&loaded.surroundings));
    let none = surroundings.directories() == 0;
    let whose = call.clone();
    let supply = move || State::new(&limits, &share, log, surroundings, call);
    if none { supply() } else { aside(&whose, supply).await? }
}

/// Works on a thread of its own, which belongs to the whole process: with one of the few rights to begin that a configuration has, held until
/// it is over even if nobody waits any more. A mount that doesn't answer keeps the thread of each call that is given up over it.
async fn aside<T: Send + 'static>(call: &Serving, work: impl FnOnce() -> T + Send + 'static) -> wasmtime::Result<T> {
    let right = tokio::select! {
        biased;
        () = call.hard.cancelled() => return Err(Ending::of(call).into()),
        // What hasn't begun doesn't: whoever cancelled counts on nothing more being changed.
        () = call.soft.cancelled() => return Err(Ending::Cancelled.into()),
        right = call.files.beginning() => right,
    };
    let work = move || {
        let _right = right;
        work()
    };
    Ok(spawn_blocking(work).await?)
}

impl Instance {
    /// Instantiates a component for a first call.
    ///
    /// # Errors
    /// A trap in the component's start code, memory beyond the limit, or a directory that can't be opened any more.
    pub(super) async fn new(
        loaded: &Loaded,
        share: &Share,
        log: Arc<dyn Log>,
        call: Serving,
    ) -> wasmtime::Result<Self> {
        let state = supplied(loaded, share, log, call).await?;
        let mut store = Store::new(loaded.pre.engine(), state);
        store.data_mut().meter.begin(loaded.parts).await?;
        store.limiter_async(|state| &mut state.meter);
        store.set_hostcall_fuel(loaded.limits.value_bytes);
        // Those of its own resources, too, which are in no table of the host's.
        store.set_max_component_handles(HANDLES);
        interruption::interrupt(&mut store, loaded);
        let wasm = match loaded.pre.instantiate_async(&mut store).await {
            Ok(wasm) => wasm,
            // The store is gone in a moment, and with it what it knows of the reason.
            Err(error) if error.is::<Ending>() => return Err(error),
            Err(error) => return Err(store.data_mut().last_refused().map_or(error, |what| Refused(what).into())),
        };
        let bound = Arc::clone(&loaded.bound);
        let (found, clock) = (Found::default(), loaded.runtime.clock());
        Ok(Self { store, wasm, bound, found, given: 0, took: None, replies: Vec::new(), retired: false, clock })
    }

    /// Prepares for a call.
    pub(super) fn arm(&mut self, call: Serving) {
        let state = self.store.data_mut();
        state.meter.arm(&call.computing);
        state.call = call;
        interruption::begin(&mut self.store, &self.clock);
    }

    /// Keeps it from serving another call.
    pub(super) fn retire(&mut self) {
        self.retired = true;
    }

    /// Whether the instance may serve another call: small, without handles left over, and with no chance that others know.
    pub(super) fn reusable(&self) -> bool {
        let state = self.store.data();
        !self.retired
            && state.table.is_empty()
            && !state.chance.spoilt()
            && state.meter.memory() <= state.limits.retire_above
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Mutex, mpsc};
    use std::time::Duration;

    use tokio::time::timeout;
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::store::{Files, Terms};

    fn call(terms: Terms) -> Serving {
        Serving::from(Arc::new(terms))
    }

    /// Each call is given up after a while, and the next one comes.
    #[tokio::test]
    async fn directories_that_do_not_answer_take_a_few_threads_and_no_more() {
        let (files, hard, soft) = (Files::default(), CancellationToken::new(), CancellationToken::new());
        let silenced = call(Terms { files: files.clone(), ..Terms::default() });
        let (silent, answers) = mpsc::channel::<()>();
        let (answers, begun) = (Arc::new(Mutex::new(answers)), Arc::<AtomicUsize>::default());
        for _ in 0..20 {
            let (answers, begun) = (Arc::clone(&answers), Arc::clone(&begun));
            let opened = aside(&silenced, move || {
                begun.fetch_add(1, Ordering::Relaxed);
                let _ = answers.lock().map(|answers| answers.recv());
            });
            timeout(Duration::from_millis(10), opened).await.unwrap_err();
        }
        assert!((1..=8).contains(&begun.load(Ordering::Relaxed)), "{begun:?}");
        for (which, ended) in [
            (&hard, call(Terms { files: files.clone(), hard: hard.clone(), ..Terms::default() })),
            (&soft, call(Terms { files: files.clone(), soft: soft.clone(), ..Terms::default() })),
        ] {
            let waiting = aside(&ended, || {});
            let (waited, ()) = tokio::join!(waiting, async { which.cancel() });
            assert!(waited.unwrap_err().is::<Ending>(), "who waits for a thread ends without one");
        }
        drop(silent);
        aside(&silenced, || {}).await.unwrap();
    }

    #[tokio::test]
    async fn directories_are_opened_however_much_is_read() {
        let files = Files::default();
        let _all = files.none_left().await;
        let call = call(Terms { files, ..Terms::default() });
        timeout(Duration::from_secs(30), aside(&call, || {})).await.unwrap().unwrap();
    }
}
