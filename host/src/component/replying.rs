//! What a guest returns, which counts for the guest from when it is read until it is sent.
//!
//! A reply takes the host's memory, and may take next to none of the guest's, which can name the same text a thousand times. Each is
//! bounded by itself; those of many calls at once could be more than any machine has. Once it is read the guest runs again, to free
//! it, for as long as a call may: so it is counted where it is read.

use std::sync::{Arc, Mutex, PoisonError};

use wasmtime::component::{ComponentNamedList, Lift, Lower, TypedFunc};

use super::instance::Instance;
use crate::store::{Holding, Refused};
use crate::wit::{Reply, Weigh, weighing};

/// How often a reply is there: as it was returned, and as it is sent.
const COPIES: usize = 2;
/// From how much on it counts, bytes. What is less is little together, of as many calls as there may be at once.
const LEAST: usize = 64 << 10;

/// What a reply takes of the host's memory. Given back when dropped.
pub(super) type Held = Arc<Mutex<Holding>>;

/// A function of an instance, by the names of its interface and its own here.
///
/// # Errors
/// The component hasn't got it, or has another one of that name.
pub(super) fn function<P, T>(
    instance: &mut Instance,
    interface: &'static str,
    name: &'static str,
) -> wasmtime::Result<TypedFunc<P, (Reply<T>,)>>
where
    P: ComponentNamedList + Lower + Send + Sync + 'static,
    T: Lift + Weigh + Send + Sync + 'static,
{
    let named = (interface, name);
    if let Some(found) = instance.found.get(&named).and_then(|found| found.downcast_ref()) {
        return Ok(*found);
    }
    let absent = || wasmtime::Error::msg(format!("no export `{interface}`"));
    let index = instance.bound.all.get(&named).ok_or_else(absent)?;
    let function = instance.wasm.get_typed_func(&mut instance.store, index)?;
    instance.found.insert(named, Box::new(function));
    Ok(function)
}

/// Calls a function of an instance.
///
/// # Errors
/// A trap, or a reply that there is no room for.
pub(super) async fn called<P, T>(
    instance: &mut Instance,
    function: TypedFunc<P, (Reply<T>,)>,
    parameters: P,
) -> wasmtime::Result<T>
where
    P: ComponentNamedList + Lower + Send + Sync + 'static,
    T: Lift + Weigh + Send + Sync + 'static,
{
    let held: Held = Arc::new(Mutex::new(instance.store.data().meter.holding()));
    let taking = Arc::clone(&held);
    let take = move |weight: usize| -> wasmtime::Result<()> {
        if weight < LEAST {
            return Ok(());
        }
        let mut held = taking.lock().unwrap_or_else(PoisonError::into_inner);
        held.take(weight.saturating_mul(COPIES)).map_err(|lack| Refused(lack.into()).into())
    };
    let (reply,) = weighing(take, function.call_async(&mut instance.store, parameters)).await?;
    let counts = held.lock().unwrap_or_else(PoisonError::into_inner).bytes() > 0;
    instance.reply = counts.then_some(held);
    Ok(reply.0)
}
