//! The calls of `create`, whose reply is the only one that can't be had again, and of `update`: engines take one that isn't answered with
//! what it did for one that did nothing.

use std::sync::Arc;

use super::call::Running;
use super::instance::Instance;
use super::replying::called;
use crate::provider::leads_nowhere;
use crate::store::{Announced, Refused};
use crate::wit::bindings::exports::resources::{Created, Updated};
use crate::wit::bindings::types::{self, CreateRequest};
use crate::wit::{Holds, Left, Made, Unmade, leaving};

/// Enters `create` of an instance.
pub(super) fn creating(
    request: CreateRequest,
) -> impl for<'a> FnOnce(&'a mut Instance) -> Running<'a, Result<Created, types::Error>> + Send + 'static {
    let request = Arc::new(request);
    announcing(move |instance: &mut Instance| -> Running<'_, Result<Made, Unmade>> {
        Box::pin(async move {
            instance.store.data_mut().call.request = Some(Arc::clone(&request) as Arc<dyn Holds>);
            called(instance, "resources", "create", (request,)).await
        })
    })
}

/// What a reply says that there is counts as announced: what one leaves behind that can't be read, and the id in one that was. A call goes
/// on after that, to be heard and to give its instance back, and may be answered meanwhile without what it has in hand.
pub(super) fn announcing<F>(
    enter: F,
) -> impl for<'a> FnOnce(&'a mut Instance) -> Running<'a, Result<Created, types::Error>> + Send + 'static
where
    F: for<'a> FnOnce(&'a mut Instance) -> Running<'a, Result<Made, Unmade>> + Send + 'static,
{
    move |instance: &mut Instance| -> Running<'_, _> {
        Box::pin(async move {
            let (outcome, left) = leaving(enter(instance)).await;
            let announced = instance.store.data().call.announced.as_ref();
            let announce = |left: Left| {
                // Nobody could go on with another id, and it would take the place of one that somebody can.
                if let Some(announced) = announced.filter(|_| !left.id.is_empty() && !leads_nowhere(&left.id)) {
                    announced.add(left);
                }
            };
            if let Some(left) = left {
                // What there is no room for isn't kept either.
                let full = outcome.as_ref().err().is_some_and(|error| error.is::<Refused>());
                announce(Left { state: left.state.filter(|_| !full), ..left });
            }
            let reply = outcome?.map(Created::from).map_err(types::Error::from);
            match &reply {
                Ok(Created { id, .. }) | Err(types::Error::NotInitialised(types::Partial { id, .. })) => {
                    announce(Left { id: id.clone(), state: None });
                }
                // It is believed that there is nothing any more.
                Err(types::Error::Failed(_)) => drop(announced.and_then(Announced::take)),
                Err(_) => {}
            }
            Ok(reply)
        })
    }
}

/// The same of a call of `update`, about a resource whose id is known. What it has in hand stays with it: there may be much of that.
pub(super) fn changing<F>(
    id: String,
    enter: F,
) -> impl for<'a> FnOnce(&'a mut Instance) -> Running<'a, Result<Updated, types::Error>> + Send + 'static
where
    F: for<'a> FnOnce(&'a mut Instance) -> Running<'a, Result<Updated, types::Error>> + Send + 'static,
{
    move |instance: &mut Instance| -> Running<'_, _> {
        Box::pin(async move {
            let reply = enter(instance).await?;
            if let Some(announced) = &instance.store.data().call.announced {
                match &reply {
                    Ok(_) | Err(types::Error::NotInitialised(_)) => announced.add(Left { id, state: None }),
                    Err(types::Error::Failed(_)) => drop(announced.take()),
                    Err(_) => {}
                }
            }
            Ok(reply)
        })
    }
}
