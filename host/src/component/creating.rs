//! The calls of `create`, whose reply is the only one that can't be had again, and of `update`: engines take one that isn't answered with
//! what it did for one that did nothing.

use std::sync::Arc;

use super::call::Running;
use super::instance::Instance;
use super::replying::called;
use crate::store::Refused;
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
            let reply = outcome.map(|reply| reply.map(Created::from).map_err(types::Error::from));
            if let Some(announced) = announced {
                if let Some(left) = left {
                    // What there is no room for isn't kept either.
                    let full = reply.as_ref().err().is_some_and(|error| error.is::<Refused>());
                    announced.add(Left { state: left.state.filter(|_| !full), ..left });
                }
                if let Ok(reply) = &reply {
                    let id = match reply {
                        Ok(Created { id, .. }) | Err(types::Error::NotInitialised(types::Partial { id, .. })) => id,
                        Err(_) => "",
                    };
                    announced.replied(id, reply);
                }
            }
            reply
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
                announced.replied(&id, &reply);
            }
            Ok(reply)
        })
    }
}
