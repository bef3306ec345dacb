//! CheckConfig: Check for the configuration, whose values may arrive as JSON strings and go back as they came.

use bulkhead_proto::provider::{CheckRequest, CheckResponse};
use tonic::Status;

use super::check::failures;
use super::configure::typed;
use super::conversation::Current;
use super::given::as_given;
use super::identity::well_formed;
use super::properties::{encoded, required};
use super::status::failed;

pub(super) async fn check_config(current: &Current, request: CheckRequest) -> Result<CheckResponse, Status> {
    well_formed(&request.urn)?;
    let conversation = current.get();
    let session = conversation.sessions.own();
    let package = session.package();
    let olds = super::properties::recorded(request.olds, "olds")?.map(|olds| typed(package, &olds));
    let news = required(request.news, "news")?;
    let handed = typed(package, &news);
    let checked = session
        .check_config(olds.as_ref().filter(|olds| !olds.is_empty()), &handed)
        .await
        .map_err(|error| failed("check the configuration", error))?;
    if !checked.failures.is_empty() {
        return Ok(CheckResponse { inputs: None, failures: failures(checked.failures) });
    }
    let inputs = as_given(&news, &handed, checked.inputs);
    Ok(CheckResponse { inputs: Some(encoded(&inputs, &conversation.capabilities())?), failures: Vec::new() })
}
