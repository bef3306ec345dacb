//! CheckConfig: Check for the configuration, whose values may arrive as JSON strings and go back as they came.

use bulkhead_proto::provider::{CheckRequest, CheckResponse};
use bulkhead_schema::Package;
use bulkhead_value::{Object, Segment, Urn, Value};
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
        let withheld = |key: &str| session.withheld_defaults(&[key]);
        let wrong = checked.failures.into_iter();
        let wrong = wrong.map(|failure| with_advice(package, failure, is_default, &withheld));
        // Engines send no marks of secrets with a configuration, and know them: what a program gave may be one, whatever it is.
        return Ok(CheckResponse { inputs: None, failures: unshown(wrong.collect(), |name| news.contains_key(name)) });
    }
    let unsaid = session.unsaid(&typed(package, &checked.inputs));
    let secrets = secret_texts(&news, [&handed, &checked.inputs]);
    let mut inputs = as_given(&news, &handed, checked.inputs);
    if !session.overrides_config_check() {
        // What was given as JSON stays it, without what Configure will fill in below.
        for (name, given) in news.iter().filter(|(name, given)| handed.get(name.as_str()) != Some(*given)) {
            let Some(checked) = inputs.get(name.as_str()) else { continue };
            let given = if checked.contains_secret() { as_secret(given.clone()) } else { given.clone() };
            inputs.insert(name.clone(), given);
        }
    }
    for name in secrets {
        if let Some(text) = inputs.get(&name).cloned() {
            inputs.insert(name, as_secret(text));
        }
    }
    let inputs = with_unsaid(of_engines(&news, inputs), unsaid);
    let inputs = encoded(&inputs, &conversation.capabilities()).map_err(|error| failed(DOING, error))?;
    Ok(CheckResponse { inputs: Some(inputs), failures: Vec::new() })
}

/// The names of texts within which something is secret. Whoever sees the text sees that too, so all of it is.
fn secret_texts(news: &Object, read: [&Object; 2]) -> Vec<String> {
    let texts = news.iter().filter(|(_, given)| matches!(given.plain(), Value::String(_))).map(|(name, _)| name);
    let has_secret =
        |name: &&String| read.iter().filter_map(|side| side.get(name.as_str())).any(Value::contains_secret);
    texts.filter(has_secret).cloned().collect()
}

/// The answer with what engines read of a provider's record, when they start it the next time, as they gave it. Neither a component's check
/// nor a default of its schema may have them run another plugin; what is missing of the configuration is filled in again when it is
/// configured.
fn of_engines(news: &Object, mut inputs: Object) -> Object {
    for key in WRITTEN_BY_ENGINES.into_iter().chain(READ_BY_ENGINES) {
        match (news.get(key), inputs.get(key)) {
            // A name may be a variable of the component's own. All else is what engines end at where it comes back as a secret.
            (Some(given), Some(checked)) if key == "name" && given.plain() == checked.plain() => {}
            (Some(given), _) => drop(inputs.insert(key.to_owned(), given.clone())),
            (None, _) => drop(inputs.remove(key)),
        }
    }
    inputs
}

/// What is missing, with how to set it, and what the package doesn't know, with how to be rid of it. Of default providers alone: others are
/// configured by the program. Of any provider, with why no variable fills it in: engines end here, so nobody would hear it later.
fn with_advice(
    package: &Package,
    failure: Failure,
    is_default: bool,
    withheld: &dyn Fn(&str) -> Option<String>,
) -> Failure {
    let [Segment::Field(key)] = failure.path.segments() else { return failure };
    let reason = match failure.kind {
        FailureKind::Missing => {
            let purpose = if is_default { purpose(package, key) } else { String::new() };
            let set = is_default.then(|| setting(package, key));
            let advice: Vec<String> = set.into_iter().chain(withheld(key)).collect();
            match advice.is_empty() {
                true => return failure,
                false => format!("{}{purpose}; hint: {}", failure.reason, advice.join("; ")),
            }
        }
        _ if !is_default => return failure,
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

#[cfg(test)]
mod tests {
    use bulkhead_value::PropertyPath;

    use super::*;

    #[test]
    fn a_text_is_a_secret_where_something_within_it_is() {
        let secret = |value: &str| Object::from([("value", Value::from(value).secret())]);
        let news = Object::from(
            [("place", "{}"), ("token", "t"), ("name", "n"), ("new", "{}")].map(|(key, text)| (key, Value::from(text))),
        );
        let handed = Object::from([("place", Value::from(secret("s"))), ("name", "n".into()), ("token", "t".into())]);
        let checked =
            Object::from([("token", Value::from("t").secret()), ("name", "n".into()), ("new", secret("s").into())]);
        assert_eq!(secret_texts(&news, [&handed, &checked]), ["new", "place", "token"]);
        assert!(secret_texts(&handed, [&handed, &checked]).contains(&"token".to_owned()));
        assert!(
            !secret_texts(&handed, [&handed, &checked]).contains(&"place".to_owned()),
            "an engine sees what is secret in it"
        );
    }

    #[test]
    fn which_plugin_it_is_comes_back_as_an_engine_wrote_it() {
        for key in ["version", "pluginDownloadURL", "parameterization"] {
            let news = Object::from([(key, Value::from("1.0.0"))]);
            assert_eq!(of_engines(&news, Object::from([(key, Value::from("1.0.0").secret())])), news);
            assert_eq!(of_engines(&news, Object::new()), news);
            assert_eq!(of_engines(&Object::new(), news), Object::new());
        }
        let secret = Object::from([("name", Value::from("n").secret())]);
        assert_eq!(of_engines(&Object::from([("name", Value::from("n"))]), secret.clone()), secret);
    }

    #[test]
    fn what_is_missing_is_told_with_why_no_variable_fills_it_in() {
        let schema = br#"{"name":"dns","config":{"variables":{"token":{"type":"string","secret":true,"description":"Logs in."}}}}"#;
        let package = Package::parse(schema).unwrap();
        let told = |kind: FailureKind, is_default: bool, withheld: Option<&str>| {
            let failure = Failure { path: PropertyPath::field("token"), kind, reason: "wrong".to_owned() };
            with_advice(&package, failure, is_default, &|_| withheld.map(str::to_owned)).reason
        };
        let set = "set it with `pulumi config set --secret dns:token`";
        for (is_default, withheld, expected) in [
            (true, None, format!("wrong (Logs in); hint: {set}")),
            (
                true,
                Some("TOKEN is denied; grant it"),
                format!("wrong (Logs in); hint: {set}; TOKEN is denied; grant it"),
            ),
            (false, Some("TOKEN is denied; grant it"), "wrong; hint: TOKEN is denied; grant it".to_owned()),
            (false, None, "wrong".to_owned()),
        ] {
            assert_eq!(told(FailureKind::Missing, is_default, withheld), expected);
        }
        assert_eq!(told(FailureKind::Constraint, true, Some("TOKEN is denied")), "wrong", "it is there");
        assert_eq!(told(FailureKind::UnknownProperty, false, None), "wrong");
    }
}
