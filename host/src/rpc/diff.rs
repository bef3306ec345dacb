//! Diff.

use bulkhead_proto::provider::{DiffRequest, DiffResponse};
use tonic::Status;

use super::conversation::Conversation;
use super::difference::diff_response;
use super::identity::{Identity, id};
use super::internal_keys::hidden;
use super::properties::{paths, recorded, required};
use super::record::record;
use super::status::failed;

pub(super) async fn diff(conversation: &Conversation, request: DiffRequest) -> Result<DiffResponse, Status> {
    let identity = Identity { urn: &request.urn, name: &request.name, token: &request.r#type };
    let context = identity.context(0.0)?;
    let old_inputs = recorded(request.old_inputs, "old inputs")?;
    let olds = recorded(request.olds, "olds")?.unwrap_or_default();
    let record = record(id(request.id)?, olds, old_inputs);
    let news = hidden(required(request.news, "news")?);
    let ignore = paths(&request.ignore_changes);
    let difference = conversation.sessions.of(&context.token).diff(&context, &record, &news, &ignore).await;
    difference.map(diff_response).map_err(|error| failed("compare the resource", error))
}
