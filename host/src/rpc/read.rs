//! Read: refresh if anything is on record, import or look-up from the id otherwise.

use bulkhead_proto::provider::{ReadRequest, ReadResponse};
use bulkhead_value::Object;
use tonic::Status;

use super::conversation::Conversation;
use super::defaults::with_moved_names;
use super::displaced::with_displaced;
use super::identity::{Identity, id};
use super::internal_keys::{is_blank, restored_inputs, restored_state};
use super::properties::{encoded, recorded_or_sought};
use super::reached::without_reached;
use super::record::record;
use super::schema_version::{beside_inputs, is_noted, is_versioned, meta, stamped, stamped_inputs, stamped_part};
use super::status::{failed, partial, partial_on_record};
use super::view_names::ViewNames;
use super::views::{Doing, Views, on_record};
use crate::provider::{Partial, ReadOutcome};

const DOING: &str = "read the resource";

pub(super) async fn read(conversation: &Conversation, request: ReadRequest) -> Result<ReadResponse, Status> {
    let identity = Identity { urn: &request.urn, name: &request.name, token: &request.r#type };
    let mut context = identity.context(request.timeout)?;
    let id = id(request.id)?;
    let olds = recorded_or_sought(request.properties, "properties")?.unwrap_or_default();
    let old_inputs = recorded_or_sought(request.inputs, "inputs")?;
    let session = conversation.sessions.settled(&context.token).await;
    let engine = conversation.engine();
    let names = ViewNames::of(&request.urn, &request.resource_status_token, &request.old_views);
    let recorded = on_record(request.old_views, &names)?;
    let status = (request.resource_status_address.as_str(), request.resource_status_token);
    let views = Views::of(status, names, Doing::Reading, &recorded, engine.accepts);
    context.views = views.place();
    let blank = is_blank(&olds) && !is_noted(&olds) && old_inputs.as_ref().is_none_or(|inputs| inputs.is_empty());
    let on_record = record(id.clone(), olds.clone(), old_inputs.clone());
    let version = session.schema_version(&context.token);
    let before = on_record.inputs_version;
    let is_outdated = before < version;
    let is_silent = |inputs: &Object| !inputs.is_empty() && !is_versioned(&meta(inputs));
    // A look-up's are none of a record's.
    let is_unsaid = !on_record.repeats_inputs
        && before < session.inputs_version(&context.token)
        && old_inputs.as_ref().is_some_and(is_silent);
    // What of inputs beside an older state is to be ignored was put there as it was in that version.
    let is_displaced = !on_record.displaced.is_empty() || on_record.schema_version < version && before == version;
    let outcome = if blank && !(old_inputs.is_some() && session.may_be_blank(&context.token)) {
        session.import(&context, &id).await
    } else {
        session.read(&context, &on_record.with(recorded)).await
    };
    let is_autonamed = |name: &str| session.is_autonamed(&context.token, name);
    let given = old_inputs.unwrap_or_default();
    let told = if given.is_empty() { partial } else { partial_on_record };
    let with_notes = |inputs: Object| {
        let moved = |given| with_moved_names(given, &inputs, session.autonamed(&context.token));
        let given = if is_outdated { moved(given) } else { given };
        stamped_inputs(restored_inputs(&given, inputs, &is_autonamed), session.inputs_version(&context.token))
    };
    let displaced = |state: Object, inputs: &Object| {
        let names = session.displaced_since(&context.token, inputs, &state);
        if is_displaced { with_displaced(state, names) } else { state }
    };
    // Engines compare with the inputs of before next, which don't say themselves of which version they are.
    let compared = |state| if is_unsaid { beside_inputs(state, before) } else { state };
    let outcome = outcome.map_err(|error| failed(DOING, error))?;
    match outcome {
        ReadOutcome::NotFound => views.gone(conversation, &request.urn).await,
        _ => views.exists(conversation, &request.urn).await,
    }
    let sent = |object: &Object| encoded(object, &engine.accepts).map_err(|error| failed(DOING, error)).map(Some);
    match outcome {
        ReadOutcome::Found { id, shown, inputs, refresh_before_update, .. } => {
            let state = displaced(stamped(restored_state(&olds, shown), version), &inputs);
            Ok(ReadResponse {
                id,
                // The inputs show it from now on.
                properties: sent(&compared(without_reached(state)))?,
                inputs: sent(&with_notes(inputs))?,
                refresh_before_update: refresh_before_update && engine.refreshes_before_update,
            })
        }
        ReadOutcome::Unwell(left) => {
            let state = stamped_part(restored_state(&olds, left.state), version);
            let state = match &left.inputs {
                Some(inputs) => displaced(state, inputs),
                None => state,
            };
            let (state, inputs) = (compared(state), left.inputs.map(with_notes));
            Err(told(DOING, Partial { state, inputs, ..left }, &engine))
        }
        // Gone: engines test for absent properties, not for empty ones.
        ReadOutcome::NotFound => Ok(ReadResponse::default()),
    }
}
