//! Delete.

use bulkhead_proto::provider::DeleteRequest;
use tonic::Status;

use super::conversation::Conversation;
use super::identity::{Identity, id};
use super::properties::recorded;
use super::record::record;
use super::status::{failed, partial};
use super::view_names::ViewNames;
use super::views::{Doing, Views, on_record};
use crate::provider::Outcome;

const DOING: &str = "delete the resource";

pub(super) async fn delete(conversation: &Conversation, request: DeleteRequest) -> Result<(), Status> {
    let identity = Identity { urn: &request.urn, name: &request.name, token: &request.r#type };
    let mut context = identity.context(request.timeout)?;
    let old_inputs = recorded(request.old_inputs, "old inputs")?;
    let olds = recorded(request.properties, "properties")?.unwrap_or_default();
    let names = ViewNames::of(&request.urn, &request.resource_status_token, &request.old_views);
    let record = record(id(request.id)?, olds, old_inputs).with(on_record(request.old_views, &names)?);
    let status = (request.resource_status_address.as_str(), request.resource_status_token);
    let views = Views::of(status, names, Doing::Deleting, &record.prior.views, conversation.capabilities());
    context.views = views.place();
    let session = conversation.sessions.of(&context.token);
    match session.delete(&context, &record).await.map_err(|error| failed(DOING, error))? {
        Outcome::Done(()) => {
            views.gone(conversation, &request.urn).await;
            Ok(())
        }
        Outcome::Partial(left) => Err(partial(DOING, left, &conversation.engine())),
        Outcome::NothingChanged(error) | Outcome::Unknown(error) => Err(failed(DOING, error)),
    }
}
