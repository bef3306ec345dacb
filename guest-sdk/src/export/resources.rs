//! `resources`: create, read, update, delete.

use super::component::{Component, answer, config};
use super::convert::{context, prior};
use crate::bindings::resourceful::exports::bulkhead::provider::resources::{
    Created, DeleteRequest, Guest, ReadRequest, Snapshot, Updated,
};
use crate::bindings::wit::types::{CreateRequest, Error as WitError, UpdateRequest};
use crate::error::Error;
use crate::value::{decode_fields, encode_fields};

impl<T: Component> Guest for T {
    fn create(request: CreateRequest) -> Result<Created, WitError> {
        answer(|| {
            let entry = T::provider().resource(&request.context.token)?;
            let inputs = decode_fields(request.inputs)?;
            let created = (entry.create)(context(request.context), inputs, &config::<T>)?;
            Ok(Created {
                id: created.id,
                state: encode_fields(created.state),
                refresh_before_update: created.refresh_before_update,
            })
        })
    }

    fn read(request: ReadRequest) -> Result<Option<Snapshot>, WitError> {
        answer(|| {
            let entry = T::provider().resource(&request.context.token)?;
            let read = entry.read.ok_or_else(|| unwritten("read"))?;
            let prior = request.prior.map(prior).transpose()?;
            let found = read(context(request.context), request.id, prior, &config::<T>)?;
            Ok(found.map(|snapshot| Snapshot {
                id: snapshot.id,
                state: encode_fields(snapshot.state),
                inputs: snapshot.inputs.map(encode_fields),
                refresh_before_update: snapshot.refresh_before_update,
            }))
        })
    }

    fn update(request: UpdateRequest) -> Result<Updated, WitError> {
        answer(|| {
            let entry = T::provider().resource(&request.context.token)?;
            let update = entry.update.ok_or_else(|| unwritten("update"))?;
            let inputs = decode_fields(request.inputs)?;
            let updated = update(context(request.context), prior(request.prior)?, inputs, &config::<T>)?;
            let state = encode_fields(updated.state);
            Ok(Updated { state, refresh_before_update: updated.refresh_before_update })
        })
    }

    fn delete(request: DeleteRequest) -> Result<(), WitError> {
        answer(|| {
            let entry = T::provider().resource(&request.context.token)?;
            let delete = entry.delete.ok_or_else(|| unwritten("delete"))?;
            delete(context(request.context), prior(request.prior)?, &config::<T>)
        })
    }
}

/// The manifest says that the method isn't there, so that the host doesn't call it.
fn unwritten(method: &str) -> Error {
    Error::unsupported(format!("the resource has no `{method}`"))
}
