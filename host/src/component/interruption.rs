//! Where a guest is interrupted: wherever its code looks at the clock, and after whatever its host does for it.
//!
//! Code looks at the clock where a function of it begins, and a loop begins anew. One function without a loop has room for a hundred
//! thousand calls of its host, each of which may take a tenth of a second, and compilers that put a function of the guest's own before
//! each are a courtesy. So the clock is looked at after each of them as well.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use async_trait::async_trait;
use wasmtime::{CallHook, CallHookHandler, Store, StoreContextMut, UpdateDeadline};

use super::engine::Clock;
use super::load::Loaded;
use crate::store::{Ending, Serving, State};

/// Has all that an instance does interrupted: each tick others run, and its call is asked whether it should end.
pub(super) fn interrupt(store: &mut Store<State>, loaded: &Loaded) {
    let clock = loaded.runtime.clock();
    let interruption = Arc::new(Interruption { clock: Arc::clone(&clock), most: loaded.limits.compute });
    let asking = Arc::clone(&interruption);
    store.epoch_deadline_callback(move |mut context| {
        let call = &mut context.data_mut().call;
        asking.ask(call)?;
        // Others run before this guest goes on: a loop holds no thread. It is asked again at once when it is back, since that
        // may be after its deadline.
        call.rested = !call.rested;
        Ok(if call.rested { UpdateDeadline::Yield(0) } else { UpdateDeadline::Continue(1) })
    });
    store.call_hook_async(Hosted(interruption));
    begin(store, &clock);
}

/// Begins a call, which has a tick before it is asked.
pub(super) fn begin(store: &mut Store<State>, clock: &Clock) {
    store.data_mut().call.asked = clock.ticks();
    store.set_epoch_deadline(1);
}

/// What decides whether a call goes on.
struct Interruption {
    clock: Arc<Clock>,
    most: Duration,
}

impl Interruption {
    /// Asks whether a call should end.
    ///
    /// # Errors
    /// It should.
    fn ask(&self, call: &mut Serving) -> Result<(), Ending> {
        call.asked = self.clock.ticks();
        if call.hard.is_cancelled() {
            return Err(Ending::of(call));
        }
        if call.computing.spent() > self.most { Err(Ending::Compute) } else { Ok(()) }
    }
}

/// Interrupts a guest whose host has done something for it.
struct Hosted(Arc<Interruption>);

#[async_trait]
impl CallHookHandler<State> for Hosted {
    async fn handle_call_event(
        &self,
        mut context: StoreContextMut<'_, State>,
        event: CallHook,
    ) -> wasmtime::Result<()> {
        let call = &mut context.data_mut().call;
        // Most are over within a tick.
        if !matches!(event, CallHook::ReturningFromHost) || call.asked == self.0.clock.ticks() {
            return Ok(());
        }
        self.0.ask(call)?;
        // Who has just stood back needn't do so once more.
        if !std::mem::take(&mut call.rested) {
            stand_back().await;
            self.0.ask(call)?;
        }
        context.set_epoch_deadline(1);
        Ok(())
    }
}

/// Lets others run. It is ready to go on at once, as whoever waits for something isn't.
async fn stand_back() {
    let mut stood = false;
    poll_fn(|context| {
        if std::mem::replace(&mut stood, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
