//! CheckConfig: Check for the configuration, whose values may arrive as JSON strings and go back as they came.

use bulkhead_proto::provider::{CheckRequest, CheckResponse};
use bulkhead_schema::Package;
use bulkhead_value::{Object, Segment, Urn};
use tonic::Status;

use super::check::unshown;
use super::configure::typed;
use super::conversation::Current;
use super::given::{as_given, as_secret};
use super::identity::Identity;
use super::properties::{encoded, required};
use super::status::{failed, failed_configuration};
use super::unsaid::with_unsaid;
use crate::provider::{Failure, FailureKind, READ_BY_ENGINES, WRITTEN_BY_ENGINES, setting};

const DOING: &str = "check the configuration";

pub(super) async fn check_config(current: &Current, request: CheckRequest) -> Result<CheckResponse, Status> {
    Identity { urn: &request.urn, name: &request.name, token: &request.r#type }.of_provider()?;
    let conversation = current.get();
    let session = conversation.sessions.own();
    let package = session.package();
    let olds = super::properties::recorded(request.olds, "olds")?.map(|olds| typed(package, &olds));
    let news = required(request.news, "news")?;
    let handed = typed(package, &news);
    let checked = session
        .check_config(olds.as_ref().filter(|olds| !olds.is_empty()), &handed)
        .await
        .map_err(|error| failed_configuration(DOING, error))?;
    if !checked.failures.is_empty() {
        let is_default = Urn::parse(&request.urn).is_ok_and(|urn| urn.name().starts_with("default"));
        let wrong = checked.failures.into_iter();
        let wrong = wrong.map(|failure| if is_default { with_advice(package, failure) } else { failure });
        // Engines send no marks of secrets with a configuration, and know them: what a program gave may be one, whatever it is.
        return Ok(CheckResponse { inputs: None, failures: unshown(wrong.collect(), |name| news.contains_key(name)) });
    }
    let unsaid = session.unsaid(&typed(package, &checked.inputs));
    let mut inputs = as_given(&news, &handed, checked.inputs);
    if !session.overrides_config_check() {
        // What was given as JSON stays it, without what Configure will fill in below.
        for (name, given) in news.iter().filter(|(name, given)| handed.get(name.as_str()) != Some(*given)) {
            let Some(checked) = inputs.get(name.as_str()) else { continue };
            let given = if checked.contains_secret() { as_secret(given.clone()) } else { given.clone() };
            inputs.insert(name.clone(), given);
        }
    }
    let inputs = with_unsaid(of_engines(&news, inputs), unsaid);
    let inputs = encoded(&inputs, &conversation.capabilities()).map_err(|error| failed(DOING, error))?;
    Ok(CheckResponse { inputs: Some(inputs), failures: Vec::new() })
}

/// The answer with what engines read of a provider's record, when they start it the next time, as they gave it. Neither a component's check
/// nor a default of its schema may have them run another plugin; what is missing of the configuration is filled in again when it is
/// configured.
fn of_engines(news: &Object, mut inputs: Object) -> Object {
    for key in WRITTEN_BY_ENGINES.into_iter().chain(READ_BY_ENGINES) {
        match (news.get(key), inputs.get(key)) {
            (Some(given), Some(checked)) if given.plain() == checked.plain() => {}
            (Some(given), _) => drop(inputs.insert(key.to_owned(), given.clone())),
            (None, _) => drop(inputs.remove(key)),
        }
    }
    inputs
}

/// What is missing, with how to set it, and what the package doesn't know, with how to be rid of it. Of default providers alone: others are
/// configured by the program.
fn with_advice(package: &Package, failure: Failure) -> Failure {
    let [Segment::Field(key)] = failure.path.segments() else { return failure };
    let reason = match failure.kind {
        FailureKind::Missing => {
            format!("{}{}; hint: {}", failure.reason, purpose(package, key), setting(package, key))
        }
        // Nothing else is a key that a shell takes as it is.
        FailureKind::UnknownProperty
            if !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || "_-".contains(letter)) =>
        {
            let joint = if failure.reason.ends_with('?') { "" } else { ";" };
            format!("{}{joint} hint: remove it with `pulumi config rm {}:{key}`", failure.reason, package.name)
        }
        _ => return failure,
    };
    Failure { reason, ..failure }
}

/// What a key is for, as the schema says.
fn purpose(package: &Package, key: &str) -> String {
    let property = package.configuration.properties.get(key);
    let what = property.and_then(|property| property.description.as_deref()?.lines().next());
    what.map(|description| format!(" ({})", description.trim_end().trim_end_matches('.'))).unwrap_or_default()
}
