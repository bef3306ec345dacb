//! What a guest returns, which counts for the guest from when it is read until it is sent.
//!
//! A reply takes the host's memory, and may take next to none of the guest's, which can name the same text a thousand times. Each is
//! bounded by itself; those of many calls at once could be more than any machine has. Once it is read the guest runs again, to free
//! it, for as long as a call may: so it is counted where it is read.

use wasmtime::component::{ComponentNamedList, Lift, Lower, TypedFunc};

use super::exports::Mistyped;
use super::instance::Instance;
use crate::store::Refused;
use crate::wit::{Reply, Taken, Weigh, weighing};

/// How often a reply is there: as it was returned, and as it is sent.
const COPIES: usize = 2;
/// From how much on it counts, bytes. What is less is little together, of as many calls as there may be at once.
pub(super) const LEAST: usize = 64 << 10;

/// A function of an instance, by the names of its interface and its own here.
///
/// # Errors
/// The component hasn't got it, or has another one of that name.
fn function<P, T>(
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
    let index = instance.bound.place(interface, name).ok_or_else(absent)?;
    let function = instance.wasm.get_typed_func(&mut instance.store, index);
    let function =
        function.map_err(|error| Mistyped { interface, function: name, how: error.root_cause().to_string() })?;
    instance.found.insert(named, Box::new(function));
    Ok(function)
}

/// Calls a function of an instance, by the names of its interface and its own here.
///
/// # Errors
/// No such function, a trap, or a reply that there is no room for.
pub(super) async fn called<P, T>(
    instance: &mut Instance,
    interface: &'static str,
    name: &'static str,
    parameters: P,
) -> wasmtime::Result<T>
where
    P: ComponentNamedList + Lower + Send + Sync + 'static,
    T: Lift + Weigh + Send + Sync + 'static,
{
    let function = function(instance, interface, name)?;
    let holding = instance.store.data().meter.holding();
    let take = move |weight: usize| -> wasmtime::Result<Option<Taken>> {
        if weight < LEAST {
            return Ok(None);
        }
        let mut taken = holding.another();
        taken.take(weight.saturating_mul(COPIES)).map_err(|lack| Refused(lack.into()))?;
        Ok(Some(Box::new(taken)))
    };
    let (outcome, taken) = weighing(take, function.call_async(&mut instance.store, parameters)).await;
    instance.replies.extend(taken);
    outcome.map(|(reply,)| reply.0)
}
