//! Calls of `construct` and `call`, which alone may use their deployment.
//!
//! The deployment is lent for the time between entering the guest and its return: not while an instance starts or takes its
//! configuration. What the guest began and didn't wait for is waited for when it succeeds, since the engine takes its answer for
//! the end of the component; if it fails, nothing more is wanted of it, and the rest is given up. What it returned counts as kept for it
//! meanwhile.

use std::sync::Arc;

use super::call::Running;
use super::instance::Instance;
use crate::provider::{Deployment, Error};
use crate::store::{Composing, Ending, Serving};
use crate::threads::beside_others;
use crate::wit::bindings::types;
use crate::wit::{Places, answer};

/// Lends a deployment to a call. What may be named in what it returns comes with that.
pub(super) fn within<T, F>(
    deployment: Arc<dyn Deployment>,
    enter: F,
) -> impl for<'a> FnOnce(&'a mut Instance) -> Running<'a, Result<(T, Places), types::Error>> + Send + 'static
where
    T: Send + 'static,
    F: for<'a> FnOnce(&'a mut Instance) -> Running<'a, Result<T, types::Error>> + Send + 'static,
{
    move |instance: &mut Instance| -> Running<'_, Result<(T, Places), types::Error>> {
        Box::pin(async move {
            // What it asks its engine for is written down where it is asked.
            beside_others().await;
            let state = instance.store.data_mut();
            state.composing = Some(Composing::new(deployment, state.limits.value_bytes, state.meter.holding()));
            let returned = enter(instance).await?;
            let state = instance.store.data_mut();
            let places = state.allowed();
            let composing = state.composing.take();
            match (returned, composing) {
                (Ok(value), Some(composing)) => {
                    // It may be a long time until the engine has answered the rest, and what was returned counts meanwhile.
                    let call = instance.store.data().call.clone();
                    let settled = settled(&call, composing).await?;
                    Ok(settled.map(|()| (value, places)).map_err(answer))
                }
                (returned, _) => Ok(returned.map(|value| (value, places))),
            }
        })
    }
}

/// Waits for what the guest didn't wait for.
async fn settled(call: &Serving, composing: Composing) -> wasmtime::Result<Result<(), Error>> {
    tokio::select! {
        biased;
        () = call.hard.cancelled() => Err(Ending::of(call).into()),
        settled = composing.rest() => Ok(settled),
        () = call.soft.cancelled() => Err(Ending::Cancelled.into()),
    }
}
