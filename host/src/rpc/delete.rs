//! Delete.

use bulkhead_proto::provider::DeleteRequest;
use tonic::Status;

use super::conversation::Conversation;
use super::identity::{Identity, id};
use super::internal_keys::{hidden, hidden_state, notes};
use super::properties::recorded;
use super::schema_version::schema_version;
use super::status::{failed, partial};
use crate::provider::{Outcome, Prior, Record};

const DOING: &str = "delete the resource";

pub(super) async fn delete(conversation: &Conversation, request: DeleteRequest) -> Result<(), Status> {
    let identity = Identity { urn: &request.urn, name: &request.name, token: &request.r#type };
    let context = identity.context(request.timeout)?;
    let old_inputs = recorded(request.old_inputs, "old inputs")?;
    let olds = recorded(request.properties, "properties")?.unwrap_or_default();
    let record = Record {
        schema_version: schema_version(&olds),
        notes: notes(old_inputs.as_ref()),
        prior: Prior { id: id(request.id)?, state: hidden_state(olds), inputs: old_inputs.map(hidden) },
        ..Record::default()
    };
    match conversation.session.delete(&context, &record).await.map_err(|error| failed(DOING, error))? {
        Outcome::Done(()) => Ok(()),
        Outcome::Partial(left) => Err(partial(DOING, left, &conversation.capabilities())),
        Outcome::NothingChanged(error) | Outcome::Unknown(error) => Err(failed(DOING, error)),
    }
}
