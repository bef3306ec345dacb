//! Diff.

use bulkhead_proto::provider::{DiffRequest, DiffResponse};
use bulkhead_value::{Object, PropertyPath};
use tonic::Status;

use super::conversation::Conversation;
use super::defaults::{notes, notes_with_given};
use super::difference::diff_response;
use super::identity::{Identity, id};
use super::internal_keys::hidden;
use super::properties::{paths, recorded, required};
use super::record::record;
use super::schema_version::{inputs_version, meta};
use super::status::failed;
use crate::provider::Notes;

pub(super) async fn diff(conversation: &Conversation, request: DiffRequest) -> Result<DiffResponse, Status> {
    let identity = Identity { urn: &request.urn, name: &request.name, token: &request.r#type };
    let context = identity.context(0.0)?;
    let old_inputs = recorded(request.old_inputs, "old inputs")?;
    let olds = recorded(request.olds, "olds")?.unwrap_or_default();
    let news = required(request.news, "news")?;
    let ignore = paths(&request.ignore_changes);
    let session = conversation.sessions.of(&context.token);
    // A check notes the present version. Engines send what is on record as well.
    let version = inputs_version(&meta(&olds), Some(&news));
    let recorded = Some(version).filter(|version| *version < session.inputs_version(&context.token));
    let notes = Notes { recorded, ..made(old_inputs.as_ref(), &news, &ignore) };
    let record = record(id(request.id)?, olds, old_inputs);
    let news = hidden(news);
    let difference = session.diff(&context, &record, &news, &notes, &ignore).await;
    difference.map(diff_response).map_err(|error| failed("compare the resource", error))
}

/// What is noted about new inputs. An engine puts what is to be ignored in its old place before they are checked, so that a name
/// that was made looks as if it were given; a replacement is given another one all the same.
fn made(old: Option<&Object>, news: &Object, ignored: &[PropertyPath]) -> Notes {
    let mut made = notes(Some(news));
    let is_ignored = |name: &PropertyPath| ignored.iter().any(|path| path.contains(name));
    made.generated.extend(notes_with_given(old).generated.into_iter().filter(is_ignored));
    made
}
