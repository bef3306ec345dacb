//! Create, and its preview.

use bulkhead_proto::provider::{CreateRequest, CreateResponse};
use tonic::Status;

use super::conversation::Conversation;
use super::identity::Identity;
use super::internal_keys::hidden;
use super::properties::{encoded, required};
use super::reached::{as_part, with_names};
use super::schema_version::{stamped, stamped_part};
use super::status::{failed, partial};
use super::view_names::ViewNames;
use super::views::{Doing, Views};
use crate::provider::{Created, Outcome, Partial};

const DOING: &str = "create the resource";

pub(super) async fn create(conversation: &Conversation, request: CreateRequest) -> Result<CreateResponse, Status> {
    let identity = Identity { urn: &request.urn, name: &request.name, token: &request.r#type };
    let mut context = identity.context(request.timeout)?;
    let inputs = hidden(required(request.properties, "properties")?);
    let engine = conversation.engine();
    let session = conversation.sessions.of(&context.token);
    let version = session.schema_version(&context.token);
    if request.preview {
        let preview = session.preview_create(&context, &inputs).await;
        let properties = preview.and_then(|preview| encoded(&preview.state, &engine.accepts));
        let properties = properties.map_err(|error| failed("preview the creation", error))?;
        return Ok(CreateResponse { properties: Some(properties), ..CreateResponse::default() });
    }
    let names = ViewNames::of(&request.urn, &request.resource_status_token, &[]);
    let status = (request.resource_status_address.as_str(), request.resource_status_token);
    let views = Views::of(status, names, Doing::Creating, &[], engine.accepts);
    context.views = views.place();
    let outcome = session.create(&context, &inputs).await.map_err(|error| failed(DOING, error))?;
    if matches!(outcome, Outcome::Done(_) | Outcome::Partial(_)) {
        views.exists(conversation, &request.urn).await;
    }
    match outcome {
        Outcome::Done(created) => {
            let state = stamped(created.state, version);
            match encoded(&state, &engine.accepts) {
                Ok(properties) => Ok(CreateResponse {
                    id: created.id,
                    properties: Some(properties),
                    refresh_before_update: created.refresh_before_update && engine.refreshes_before_update,
                }),
                // What can't be sent in full exists all the same.
                Err(_) => {
                    let Created { id, refresh_before_update, .. } = created;
                    let state = stamped_part(state, version);
                    Err(partial(DOING, Partial { id, state, refresh_before_update, ..Partial::default() }, &engine))
                }
            }
        }
        Outcome::Partial(part) => {
            let state = stamped_part(part.state, version);
            let state = match part.finished {
                true => state,
                false => {
                    let names = session.left_undone(&context.token, &inputs, &state);
                    let state = with_names(state, names);
                    if session.reads(&context.token) { state } else { as_part(state) }
                }
            };
            Err(partial(DOING, Partial { state, ..part }, &engine))
        }
        Outcome::NothingChanged(error) | Outcome::Unknown(error) => Err(failed(DOING, error)),
    }
}
