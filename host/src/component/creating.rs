//! The call of `create`, which is the only one whose reply can't be had again.

use std::sync::Arc;

use wasmtime::component::TypedFunc;

use super::call::Running;
use super::instance::Instance;
use crate::provider::is_too_long;
use crate::wit::bindings::exports::resources::Created;
use crate::wit::bindings::types::{self, CreateRequest};
use crate::wit::{Holds, Made, Unmade, leaving};

/// `create`, with a reply that leaves behind what was read of it.
pub(super) type Create = TypedFunc<(Arc<CreateRequest>,), (Result<Made, Unmade>,)>;

/// Enters `create` of an instance. What its reply leaves behind counts as announced.
pub(super) fn creating(
    request: CreateRequest,
) -> impl for<'a> FnOnce(&'a mut Instance) -> Running<'a, Result<Created, types::Error>> + Send + 'static {
    let request = Arc::new(request);
    move |instance: &mut Instance| -> Running<'_, _> {
        Box::pin(async move {
            instance.store.data_mut().call.request = Some(Arc::clone(&request) as Arc<dyn Holds>);
            let create = function(instance)?;
            let (outcome, left) = leaving(create.call_async(&mut instance.store, (request,))).await;
            if let (Some(left), Some(announced)) = (left, &instance.store.data().call.announced)
                // A failure travels in headers, which have no room for it.
                && !is_too_long(&left.id)
            {
                announced.add(left);
            }
            let (reply,) = outcome?;
            Ok(reply.map(Created::from).map_err(types::Error::from))
        })
    }
}

fn function(instance: &mut Instance) -> wasmtime::Result<Create> {
    if let Some(create) = instance.found.create {
        return Ok(create);
    }
    let index = instance.bound.create.as_ref().ok_or_else(|| wasmtime::Error::msg("no export `create`"))?;
    let create = instance.wasm.get_typed_func(&mut instance.store, index)?;
    Ok(*instance.found.create.insert(create))
}
