//! Update, and its preview.

use bulkhead_proto::provider::{UpdateRequest, UpdateResponse};
use tonic::Status;

use super::conversation::Conversation;
use super::displaced::with_displaced;
use super::identity::{Identity, id};
use super::internal_keys::{hidden, restored_state};
use super::properties::{encoded, paths, recorded, required};
use super::reached::{as_part, with_reached, without_reached};
use super::record::record;
use super::schema_version::{beside_inputs, stamped, stamped_part};
use super::status::{failed, partial};
use super::view_names::ViewNames;
use super::views::{Doing, Views, on_record};
use crate::provider::{Outcome, Partial};

const DOING: &str = "update the resource";

pub(super) async fn update(conversation: &Conversation, request: UpdateRequest) -> Result<UpdateResponse, Status> {
    let identity = Identity { urn: &request.urn, name: &request.name, token: &request.r#type };
    let mut context = identity.context(request.timeout)?;
    let olds = recorded(request.olds, "olds")?.unwrap_or_default();
    let old_inputs = recorded(request.old_inputs, "old inputs")?;
    let inputs = hidden(required(request.news, "news")?);
    let ignore = paths(&request.ignore_changes);
    let names = ViewNames::of(&request.urn, &request.resource_status_token, &request.old_views);
    let views = on_record(request.old_views, &names)?;
    let recorded = record(id(request.id)?, olds.clone(), old_inputs).with(views);
    let engine = conversation.engine();
    let session = conversation.sessions.of(&context.token);
    let version = session.schema_version(&context.token);
    let doing = if request.preview { "preview the update" } else { DOING };
    let record = session.up_to_date(&context, &recorded).await.map_err(|error| failed(doing, error))?;
    if request.preview {
        let preview = session.preview_update(&context, &record, &inputs, &ignore).await;
        let properties = preview.and_then(|preview| encoded(&preview.state, &engine.accepts));
        let properties = properties.map_err(|error| failed(doing, error))?;
        return Ok(UpdateResponse { properties: Some(properties), ..UpdateResponse::default() });
    }
    let status = (request.resource_status_address.as_str(), request.resource_status_token);
    let views = Views::of(status, names, Doing::Updating, &record.prior.views, engine.accepts);
    context.views = views.place();
    let outcome = session.update(&context, &record, &inputs, &ignore).await.map_err(|error| failed(DOING, error))?;
    if matches!(outcome, Outcome::Done(_) | Outcome::Partial(_)) {
        views.exists(conversation, &request.urn).await;
    }
    let displaced = session.displaced(&context.token, &record, &inputs, &ignore);
    let left = |state, finished| {
        let state = stamped_part(with_reached(&record, &inputs, state), version);
        let state = with_displaced(state, displaced.clone());
        let state = if finished || session.reads(&context.token) { state } else { as_part(state) };
        // Engines keep the inputs from before.
        let older = recorded.inputs_version < session.inputs_version(&context.token);
        if older { beside_inputs(state, recorded.inputs_version) } else { state }
    };
    match outcome {
        Outcome::Done(updated) => {
            let state = without_reached(stamped(restored_state(&olds, updated.state), version));
            let state = with_displaced(state, displaced.clone());
            match encoded(&state, &engine.accepts) {
                Ok(properties) => Ok(UpdateResponse {
                    properties: Some(properties),
                    refresh_before_update: updated.refresh_before_update && engine.refreshes_before_update,
                }),
                // What can't be sent in full was changed all the same.
                Err(_) => {
                    let (id, refresh_before_update) = (record.prior.id.clone(), updated.refresh_before_update);
                    let state = left(state, true);
                    Err(partial(DOING, Partial { id, state, refresh_before_update, ..Partial::default() }, &engine))
                }
            }
        }
        Outcome::Partial(part) => {
            let state = left(restored_state(&olds, part.state), part.finished);
            Err(partial(DOING, Partial { state, ..part }, &engine))
        }
        Outcome::NothingChanged(error) | Outcome::Unknown(error) => Err(failed(DOING, error)),
    }
}
