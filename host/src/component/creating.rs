//! The call of `create`, which is the only one whose reply can't be had again.

use std::sync::Arc;

use super::call::Running;
use super::instance::Instance;
use super::replying::called;
use crate::provider::is_too_long;
use crate::store::Refused;
use crate::wit::bindings::exports::resources::Created;
use crate::wit::bindings::types::{self, CreateRequest};
use crate::wit::{Holds, Left, Made, Unmade, leaving};

/// Enters `create` of an instance. What its reply leaves behind counts as announced.
pub(super) fn creating(
    request: CreateRequest,
) -> impl for<'a> FnOnce(&'a mut Instance) -> Running<'a, Result<Created, types::Error>> + Send + 'static {
    let request = Arc::new(request);
    move |instance: &mut Instance| -> Running<'_, _> {
        Box::pin(async move {
            instance.store.data_mut().call.request = Some(Arc::clone(&request) as Arc<dyn Holds>);
            let (outcome, left) = leaving(called(instance, "resources", "create", (request,))).await;
            // What there is no room for isn't kept either.
            let full = outcome.as_ref().err().is_some_and(|error| error.is::<Refused>());
            if let (Some(left), Some(announced)) = (left, &instance.store.data().call.announced)
                // A failure travels in headers, which have no room for it.
                && !is_too_long(&left.id)
            {
                announced.add(Left { state: left.state.filter(|_| !full), ..left });
            }
            let reply: Result<Made, Unmade> = outcome?;
            Ok(reply.map(Created::from).map_err(types::Error::from))
        })
    }
}
