//! Configure: the checked configuration, typed, once; and the flags of engines that never shook hands.

use std::collections::{BTreeMap, BTreeSet};

use bulkhead_proto::provider::{ConfigureRequest, ConfigureResponse};
use bulkhead_schema::{Package, configuration};
use bulkhead_value::{Object, Segment, Urn, Value};
use tonic::Status;

use super::conversation::Current;
use super::identity::Identity;
use super::internal_keys::hidden;
use super::properties::optional;
use super::status::{LONGEST_MESSAGE, LONGEST_REASON, MOST_REASONS, failed};
use super::unsaid::unsaid;
use crate::provider::{Error, ErrorKind, Failure, Message, setting, shortened};

/// Characters of what else there is to do about missing keys: with the last of them there is so much room.
const LONGEST_HINT: usize = LONGEST_MESSAGE - LONGEST_REASON - 256;

pub(super) async fn configure(current: &Current, request: ConfigureRequest) -> Result<ConfigureResponse, Status> {
    let (urn, name, token) = (&request.urn, &request.name, &request.r#type);
    let [urn, name, token] = [urn, name, token].map(|said| said.as_deref().unwrap_or_default());
    Identity { urn, name, token }.of_provider()?;
    let is_default = Urn::parse(urn).is_ok_and(|urn| urn.name().starts_with("default"));
    let conversation = current.get();
    let own = conversation.sessions.own();
    let package = own.package();
    let given = match optional(request.args, "args")? {
        Some(args) => args,
        None => variables(&package.name, request.variables),
    };
    let configuration = typed(package, &given);
    if let Some(warning) = misfit(&own.unchecked(&configuration)) {
        conversation.log.log(Message::warning(warning));
    }
    conversation.sessions.configure(&configuration, &unsaid(&given)).await.map_err(|error| {
        failed("configure the provider", of_package(&package.name, of_stack(package, is_default, error)))
    })?;
    conversation.configured(configuration);
    conversation.negotiate(request.accept_secrets, request.accept_resources);
    Ok(ConfigureResponse {
        accept_secrets: true,
        supports_preview: true,
        accept_resources: true,
        accept_outputs: true,
        supports_autonaming_configuration: true,
    })
}

/// What is said of a configuration that isn't as the schema says, and is taken all the same.
fn misfit(failures: &[Failure]) -> Option<String> {
    let (Failure { path, reason, .. }, others) = failures.split_first()?;
    let place = if path.is_root() { String::new() } else { format!(", at {path:#}") };
    let reason = shortened(reason.clone(), LONGEST_REASON);
    let further = if others.is_empty() { String::new() } else { format!("; and {} more", others.len()) };
    Some(format!("the provider's configuration isn't what its schema says{place}: {reason}{further}"))
}

/// The failure with missing keys as `pulumi config set` takes them, which is what engines tell to do with them. They tell nothing else of
/// it, so that what else would help, such as a variable that isn't granted, stands with the last of them.
fn of_package(package: &str, mut error: Error) -> Error {
    if let ErrorKind::MissingConfiguration(keys) = &mut error.kind {
        let further = keys.len().saturating_sub(MOST_REASONS);
        keys.truncate(MOST_REASONS);
        for key in keys.iter_mut().filter(|key| !key.name.contains(':')) {
            key.name = format!("{package}:{}", key.name);
        }
        let further = (further > 0).then(|| format!("{further} further keys are missing"));
        let hint = further.into_iter().chain(error.hint.clone()).reduce(|further, hint| format!("{further}; {hint}"));
        if let (Some(hint), Some(last)) = (hint, keys.last_mut()) {
            let description = shortened(std::mem::take(&mut last.description), LONGEST_REASON);
            let line = if description.is_empty() { "" } else { "\n" };
            last.description = format!("{description}{line}hint: {}", shortened(hint, LONGEST_HINT));
        }
    }
    error
}

/// What is wrong with keys, such as a password that a service refuses, with how to set others. Of default providers alone: others are configured
/// by the program.
fn of_stack(package: &Package, is_default: bool, error: Error) -> Error {
    let ErrorKind::Rejected(failures) = &error.kind else { return error };
    let wrong = |failure: &Failure| match failure.path.segments() {
        [Segment::Field(key)] => package.configuration.properties.contains_key(key).then(|| setting(package, key)),
        _ => None,
    };
    let settings: BTreeSet<String> = failures.iter().filter(|_| is_default).filter_map(wrong).collect();
    match settings.into_iter().reduce(|one, other| format!("{one}; {other}")) {
        Some(settings) => error.also(&settings),
        None => error,
    }
}

/// The configuration that a guest sees: typed as the schema says, without what belongs to the engine.
pub(super) fn typed(package: &Package, given: &Object) -> Object {
    let mut visible = hidden(given.clone());
    for engine_s in configuration::EXEMPT {
        if !package.configuration.properties.contains_key(engine_s) {
            visible.remove(engine_s);
        }
    }
    configuration::typed(package, &visible)
}

/// The deprecated form: `package:config:key` and a string.
fn variables(package: &str, variables: BTreeMap<String, String>) -> Object {
    let prefix = format!("{package}:config:");
    let own =
        variables.into_iter().filter_map(|(key, value)| key.strip_prefix(&prefix).map(|key| (key.to_owned(), value)));
    own.map(|(key, value)| (key, Value::String(value))).collect()
}

#[cfg(test)]
mod tests {
    use bulkhead_proto::provider::ConfigureErrorMissingKeys;
    use bulkhead_proto::status::Status as Details;
    use bulkhead_value::PropertyPath;
    use prost::Message;

    use super::*;
    use crate::provider::{FailureKind, MissingKey};

    #[test]
    fn what_a_provider_refuses_of_a_stacks_configuration_is_told_with_how_to_set_it() {
        let schema = br#"{"name":"dns","config":{"variables":{"password":{"type":"string","secret":true},"user":{"type":"string"}}}}"#;
        let package = Package::parse(schema).unwrap();
        let told = |paths: &[&str], is_default| {
            let refused = |path: &&str| Failure {
                path: PropertyPath::parse(path).unwrap(),
                kind: FailureKind::Constraint,
                reason: "is refused by the server".to_owned(),
            };
            let error = Error::rejected(paths.iter().map(refused).collect());
            failed("configure the provider", of_stack(&package, is_default, error)).message().to_owned()
        };
        let refused = "configure the provider: password: is refused by the server";
        let password = "set it with `pulumi config set --secret dns:password`";
        assert_eq!(told(&["password"], true), format!("{refused}\nhint: {password}"));
        assert_eq!(told(&["password"], false), refused, "the program says it");
        assert_eq!(
            told(&["user", "password"], true).split_once("hint: ").map(|(_, hint)| hint.to_owned()),
            Some(format!("{password}; set it with `pulumi config set dns:user`"))
        );
        assert!(!told(&["user.name", "other"], true).contains("hint"), "no command sets these");
        let own = Error::rejected(vec![Failure {
            path: PropertyPath::field("password"),
            kind: FailureKind::Constraint,
            reason: "is refused\nhint: ask for another one".to_owned(),
        }]);
        assert_eq!(of_stack(&package, true, own).hint, None, "the provider's own advice stands alone");
    }

    #[test]
    fn what_to_do_about_missing_keys_is_told_however_much_there_is_of_them() {
        let key = |number: usize| MissingKey { name: format!("k{number}"), description: "x".repeat(10_000) };
        for (count, told) in [(1, "hint: grant it"), (250, "hint: 150 further keys are missing; grant it")] {
            let denials = "; granted".repeat(1_000);
            let error = Error::missing_configuration((0..count).map(key).collect()).hint(format!("grant it{denials}"));
            let status = failed("configure the provider", of_package("p", error));
            let details = Details::decode(status.details()).unwrap();
            let detail = details.details[0].to_msg::<ConfigureErrorMissingKeys>().unwrap();
            let last = detail.missing_keys.last().unwrap();
            assert_eq!(last.name, format!("p:k{}", count.min(100) - 1));
            let (description, hint) = last.description.split_once('\n').unwrap();
            assert!(description.len() < 5_000 && hint.starts_with(told), "{description} {hint}");
            assert!(hint.ends_with(&denials), "{hint}");
            assert!(status.details().len() < 1 << 20);
        }
    }
}
