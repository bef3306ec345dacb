//! Check.

use std::mem;

use bulkhead_proto::provider::check_request::AutonamingOptions;
use bulkhead_proto::provider::check_request::autonaming_options::Mode;
use bulkhead_proto::provider::{CheckFailure, CheckRequest, CheckResponse};
use bulkhead_schema::{Autonaming, AutonamingMode};
use bulkhead_value::Value;
use bulkhead_value::wire::encode::Capabilities;
use tonic::Status;

use super::conversation::Conversation;
use super::defaults::{given_as_made, noted, notes_on_record, with_given};
use super::given::as_given;
use super::identity::Identity;
use super::internal_keys::{hidden, holds_notes, stripped};
use super::properties::{encoded, recorded, required};
use super::schema_version::{meta, schema_version, stamped};
use super::status::{LONGEST_REASON, failed};
use crate::provider::{CheckRequest as Request, Failure, shortened};

const DOING: &str = "check the inputs";

pub(super) async fn check(conversation: &Conversation, request: CheckRequest) -> Result<CheckResponse, Status> {
    let identity = Identity { urn: &request.urn, name: &request.name, token: &request.r#type };
    let mut context = identity.context(0.0)?;
    let olds = recorded(request.olds, "olds")?;
    let prior_state = recorded(request.old_outputs, "old outputs")?.map(hidden);
    let news = required(request.news, "news")?;
    // Notes and outputs are rare: what holds none comes back as the check returns it.
    let (handed, original) = if holds_notes(&news) || news.contains_output() {
        let mut handed = stripped(news.clone());
        handed.settle();
        (handed.clone(), Some((news, handed)))
    } else {
        (news, None)
    };
    let session = conversation.sessions.of(&context.token);
    let version = session.inputs_version(&context.token);
    let autonames = session.autonamed(&context.token).next().is_some();
    context.seed = match request.random_seed.as_ref() {
        [] => autonames.then(drawn).flatten(),
        seed => Some(seed.to_vec()),
    };
    let noted_version = olds.as_ref().map_or(0, |olds| schema_version(&meta(olds)));
    let notes = notes_on_record(olds.as_ref(), session.autonamed(&context.token));
    let made = given_as_made(olds.as_ref(), &handed, |name| session.is_autonamed(&context.token, name));
    let mut checked = session
        .check(Request {
            prior_is_newer: noted_version > session.schema_version(&context.token),
            context,
            notes,
            // No inputs and empty inputs both mean a resource that isn't there yet.
            prior: olds.map(hidden).filter(|olds| !olds.is_empty()),
            prior_state,
            inputs: handed,
            autonaming: request.autonaming.map(autonaming),
        })
        .await
        .map_err(|error| failed(DOING, error))?;
    let wrong = mem::take(&mut checked.failures);
    let failures = unshown(wrong, |name| checked.inputs.get(name).is_some_and(Value::contains_secret));
    let inputs = match original {
        Some((given, handed)) => as_given(&given, &handed, checked.inputs),
        None => checked.inputs,
    };
    let inputs = stamped(with_given(noted(inputs, &checked.generated, autonames), made), version);
    let engine = conversation.engine();
    // Given values go back as they came, outputs with what they depend on.
    let accepts = Capabilities { outputs: engine.outputs_in_check, ..engine.accepts };
    match encoded(&inputs, &accepts) {
        Ok(inputs) => Ok(CheckResponse { inputs: Some(inputs), failures }),
        Err(error) if failures.is_empty() => Err(failed(DOING, error)),
        // An engine records nothing of them beside failures, but has its policies look at them: without, at a resource that nothing was
        // given of.
        Err(_) => Ok(CheckResponse { inputs: None, failures }),
    }
}

/// Failures as the protocol has them.
pub(super) fn failures(failures: Vec<Failure>) -> Vec<CheckFailure> {
    let failure = |failure: Failure| {
        let [property, reason] = [failure.path.to_string(), failure.reason].map(|text| shortened(text, LONGEST_REASON));
        CheckFailure { property, reason }
    };
    failures.into_iter().map(failure).collect()
}

/// The same, to an engine that shows the value of each property that a failure names, of a secret one as well. So such a failure names
/// none, and its reason says which.
pub(super) fn unshown(wrong: Vec<Failure>, secret: impl Fn(&str) -> bool) -> Vec<CheckFailure> {
    let mut failures = failures(wrong);
    for failure in &mut failures {
        if secret(&failure.property) {
            failure.reason = format!("{}: {}", mem::take(&mut failure.property), failure.reason);
        }
    }
    failures
}

/// Chance, where an engine sends no seed, as for `pulumi do`: a name has to be made all the same, and none of its needs to come again.
fn drawn() -> Option<Vec<u8>> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).ok().map(|()| seed.to_vec())
}

fn autonaming(options: AutonamingOptions) -> Autonaming {
    let mode = match options.mode() {
        Mode::Propose => AutonamingMode::Propose,
        Mode::Enforce => AutonamingMode::Enforce,
        Mode::Disable => AutonamingMode::Disable,
    };
    Autonaming { mode, proposed_name: options.proposed_name }
}
