//! One instance of a component: a store, and its functions.

use std::sync::Arc;

use wasmtime::component::Instance as WasmInstance;
use wasmtime::{Store, UpdateDeadline};

use super::exports::{Bound, Found};
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
    /// What the replies of its present call take of the host's memory.
    pub(super) replies: Vec<Taken>,
    retired: bool,
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
        let state = State::new(&loaded.limits, share, log, Arc::clone(&loaded.surroundings), call)?;
        let mut store = Store::new(loaded.pre.engine(), state);
        store.limiter_async(|state| &mut state.meter);
        store.set_hostcall_fuel(loaded.limits.value_bytes);
        // Those of its own resources, too, which are in no table of the host's.
        store.set_max_component_handles(HANDLES);
        let most = loaded.limits.compute;
        store.epoch_deadline_callback(move |mut context| {
            let call = &mut context.data_mut().call;
            if call.hard.is_cancelled() {
                return Err(Ending::of(call).into());
            }
            if call.computing.spent() > most {
                return Err(Ending::Compute.into());
            }
            // Others run before this guest goes on: a loop holds no thread. It is asked again at once when it is back, since that
            // may be after its deadline.
            call.rested = !call.rested;
            Ok(if call.rested { UpdateDeadline::Yield(0) } else { UpdateDeadline::Continue(1) })
        });
        store.set_epoch_deadline(1);
        let wasm = match loaded.pre.instantiate_async(&mut store).await {
            Ok(wasm) => wasm,
            // The store is gone in a moment, and with it what it knows of the reason.
            Err(error) if error.is::<Ending>() => return Err(error),
            Err(error) => return Err(store.data().meter.refused.map_or(error, |what| Refused(what).into())),
        };
        let bound = Arc::clone(&loaded.bound);
        Ok(Self { store, wasm, bound, found: Found::default(), given: 0, replies: Vec::new(), retired: false })
    }

    /// Prepares for a call.
    pub(super) fn arm(&mut self, call: Serving) {
        let state = self.store.data_mut();
        state.meter.arm(&call.computing);
        state.call = call;
        self.store.set_epoch_deadline(1);
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
