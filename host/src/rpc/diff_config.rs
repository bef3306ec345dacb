//! DiffConfig: values are compared decoded, so that `"3"` and `3` are the same.

use bulkhead_proto::provider::{DiffRequest, DiffResponse};
use tonic::Status;

use super::configure::typed;
use super::conversation::Current;
use super::difference::diff_response;
use super::identity::Identity;
use super::properties::{paths, recorded, required};
use super::status::failed_configuration;

pub(super) async fn diff_config(current: &Current, request: DiffRequest) -> Result<DiffResponse, Status> {
    Identity { urn: &request.urn, name: &request.name, token: &request.r#type }.of_provider()?;
    let session = current.get().sessions.own();
    let package = session.package();
    let olds = match recorded(request.old_inputs, "old inputs")? {
        Some(old_inputs) => old_inputs,
        None => recorded(request.olds, "olds")?.unwrap_or_default(),
    };
    let news = required(request.news, "news")?;
    let ignore = paths(&request.ignore_changes);
    let difference = session.diff_config(&typed(package, &olds), &typed(package, &news), &ignore).await;
    difference.map(diff_response).map_err(|error| failed_configuration("compare the configuration", error))
}
