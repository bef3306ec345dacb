//! `session`: what the instances of one configuration share. It gives no authority over anything outside.

use wasmtime::component::Resource;

use super::handles;
use crate::store::{Ending, Guard as Held, Refusal, Shortage, State};
use crate::wit::bindings::session::{Guard, Host, HostGuard, SessionError};

impl Host for State {
    fn get(&mut self, key: String) -> wasmtime::Result<Option<Vec<u8>>> {
        Ok(self.call.session.get(&key))
    }

    fn compare_and_swap(
        &mut self,
        key: String,
        expected: Option<Vec<u8>>,
        value: Option<Vec<u8>>,
    ) -> wasmtime::Result<Result<(), SessionError>> {
        Ok(self
            .call
            .session
            .compare_and_swap(key, expected.as_deref(), value)
            .map_err(|refusal| refused(refusal, self)))
    }

    fn add(&mut self, counter: String, amount: i32) -> wasmtime::Result<Result<i32, SessionError>> {
        Ok(self.call.session.add(counter, amount).map_err(|refusal| refused(refusal, self)))
    }

    async fn lock(&mut self, name: String) -> wasmtime::Result<Result<Resource<Guard>, SessionError>> {
        let session = self.call.session.clone();
        let own = self.table.iter_mut().filter_map(|handle| handle.downcast_ref::<Held>());
        if own.into_iter().any(|held| held.is_of(&session, &name)) {
            // The only one who could give it back is waiting for it.
            return Err(wasmtime::Error::msg("it waits for a lock that the same call holds"));
        }
        let (soft, hard) = (self.call.soft.clone(), self.call.hard.clone());
        let guard = tokio::select! {
            biased;
            () = hard.cancelled() => return Err(Ending::of(&self.call).into()),
            guard = session.lock(name) => guard,
            () = soft.cancelled() => return Ok(Err(SessionError::Cancelled)),
        };
        match guard {
            Ok(guard) => handles::added(&mut self.table, guard).map(Ok),
            Err(refusal) => Ok(Err(refused(refusal, self))),
        }
    }
}

impl HostGuard for State {
    fn drop(&mut self, guard: Resource<Guard>) -> wasmtime::Result<()> {
        handles::removed::<Held, _>(&mut self.table, &guard).map(drop)
    }
}

fn refused(refusal: Refusal, state: &State) -> SessionError {
    match refusal {
        Refusal::TooLarge(reason) => SessionError::TooLarge(reason),
        Refusal::Full(reason) => {
            state.call.shortages.met(Shortage::Told("session"));
            SessionError::TooLarge(reason)
        }
        Refusal::Conflict(present) => SessionError::Conflict(present),
    }
}
