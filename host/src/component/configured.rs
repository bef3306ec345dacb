//! What a configuration makes of the permissions that refer to it.
//!
//! A grant may rest on what a user configured, and on nothing that the component says: neither on a default of its schema, nor
//! on what its own check of the configuration puts in.

use std::cell::Cell;
use std::collections::BTreeSet;

use bulkhead_policy::{Configured, Permissions};
use bulkhead_schema::{Package, Property, Type};
use bulkhead_value::{Object, Value, equivalent};

use crate::provider::Error;

/// Names that aren't there for which is looked for what was meant.
const MOST_LOOKS: usize = 20;

/// The permissions, once it is known what was configured.
pub(super) fn bound(
    permissions: &Permissions,
    package: &Package,
    configuration: &Object,
    unsaid: &[String],
) -> Permissions {
    // To look for what was meant takes a look at all that there is, and a manifest may mean any number of things that there aren't.
    let looks = Cell::new(MOST_LOOKS);
    permissions.bind(&|name| match configured(package, configuration, name) {
        // It was filled in when the configuration was checked, by a build that had another default.
        Configured::Given(texts) if unsaid.iter().any(|unsaid| unsaid == name) => Configured::Default(texts),
        Configured::Absent => absent(package, name, &looks),
        configured => configured,
    })
}

/// Nothing that is configured, or that can be.
fn absent(package: &Package, name: &str, looks: &Cell<usize>) -> Configured {
    let (first, members) = name.split_once('.').map_or((name, None), |(first, members)| (first, Some(members)));
    if package.configuration.properties.contains_key(first) {
        return Configured::Absent;
    }
    let Some(left) = looks.get().checked_sub(1) else { return Configured::NoSuch(None) };
    looks.set(left);
    let meant = package.nearest_setting(first).map(|nearest| match members {
        Some(members) => format!("{nearest}.{members}"),
        None => nearest.to_owned(),
    });
    Configured::NoSuch(meant)
}

/// The names that permissions refer to and a user said nothing of.
pub(super) fn unsaid(permissions: &Permissions, package: &Package, configuration: &Object) -> Vec<String> {
    let is_unsaid = |name: &&str| matches!(configured(package, configuration, name), Configured::Default(_));
    permissions.references().into_iter().filter(is_unsaid).map(str::to_owned).collect()
}

/// What a name stands for where nobody configures anything, which is the component's own word. Nothing without a default.
pub(crate) fn default_of(package: &Package, name: &str) -> Vec<String> {
    let first = name.split('.').next().unwrap_or_default();
    let default = package.configuration.properties.get(first).and_then(|property| property.value_if_omitted());
    let configuration = default.map(|default| (first.to_owned(), default.clone())).into_iter().collect();
    match configured(package, &configuration, name) {
        Configured::Default(texts) | Configured::Given(texts) => texts,
        Configured::Unknown | Configured::Absent | Configured::NoSuch(_) => Vec::new(),
    }
}

/// Refuses the answer of a check that has changed what permissions refer to.
///
/// # Errors
/// The provider's mistake.
pub(super) fn refuse_redirection(
    permissions: &Permissions,
    package: &Package,
    given: &Object,
    checked: &Object,
) -> Result<(), Error> {
    let redirected = |name: &&str| {
        let (before, after) = (configured(package, given, name), configured(package, checked, name));
        match after {
            Configured::Given(_) => after != before,
            // It would be filled in again when it is configured, from a variable that the component names.
            Configured::Absent => matches!(before, Configured::Given(_)),
            Configured::Unknown | Configured::Default(_) | Configured::NoSuch(_) => false,
        }
    };
    match permissions.references().into_iter().find(redirected) {
        None => Ok(()),
        Some(name) => Err(Error::provider_bug(format!(
            "the provider's check changed `{name}`, on which permissions rest that are the operator's to give"
        ))),
    }
}

/// What is known of one value. A name with dots goes into objects, of which a schema may fill in any member.
fn configured(package: &Package, configuration: &Object, name: &str) -> Configured {
    let mut names = name.split('.');
    let first = names.next().unwrap_or_default();
    let Some(value) = configuration.get(first) else { return Configured::Absent };
    let mut value = value.plain();
    let mut declared: Vec<&Property> = package.configuration.property(first).into_iter().collect();
    let mut types: Vec<&Type> = declared.iter().map(|property| &property.ty).collect();
    let mut is_default = may_be_filled_in(&declared, value);
    for name in names {
        let Some(member) = value.as_object().and_then(|object| object.get(name)) else { return Configured::Absent };
        value = member.plain();
        (declared, types) = below(package, types, name);
        is_default |= may_be_filled_in(&declared, value);
    }
    let texts = match value {
        Value::Null => return Configured::Absent,
        value if value.contains_unknown() => return Configured::Unknown,
        value => match value.as_list() {
            Some(list) => list.iter().filter_map(|member| text(member.plain())).collect(),
            None => text(value).into_iter().collect::<Vec<String>>(),
        },
    };
    if is_default { Configured::Default(texts) } else { Configured::Given(texts) }
}

/// Whether a value is what one of these properties is filled in with. Nobody can tell then who gave it.
fn may_be_filled_in(properties: &[&Property], value: &Value) -> bool {
    properties.iter().any(|property| property.value_if_omitted().is_some_and(|default| equivalent(default, value)))
}

/// What is declared of a member of whatever has one of these types: the properties that it may be, and the types that it may have.
fn below<'p>(package: &'p Package, types: Vec<&'p Type>, name: &str) -> (Vec<&'p Property>, Vec<&'p Type>) {
    let (mut properties, mut members, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut open = types;
    while let Some(ty) = open.pop() {
        match ty {
            Type::Union(union) => open.extend(&union.variants),
            Type::Map(member) => members.push(&**member),
            Type::Object(token) if seen.insert(token) => {
                let object = package.object_type(token);
                properties.extend(object.and_then(|object| object.property(name)));
            }
            _ => {}
        }
    }
    members.extend(properties.iter().map(|property| &property.ty));
    (properties, members)
}

/// A scalar as it stands in a text.
fn text(value: &Value) -> Option<String> {
    let number = value.as_number().map(|number| number.to_string());
    value.as_str().map(str::to_owned).or(number)
}

#[cfg(test)]
mod tests {
    use bulkhead_schema::CheckRequest;

    use super::*;

    fn package() -> Package {
        let schema = br#"{"name":"p","config":{"variables":{"endpoint":{"type":"string","default":"https://vendor.example"},
            "port":{"type":"integer"},"servers":{"type":"array","items":{"type":"string"}},"nested":{"type":"object"}}}}"#;
        Package::parse(schema).unwrap()
    }

    fn object(members: &[(&str, Value)]) -> Object {
        members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    /// Requests for two endpoints, which are granted.
    fn resting_on(endpoints: [&str; 2]) -> Permissions {
        let [one, other] = endpoints;
        let requests =
            format!(r#"{{"network":[{{"endpoint":"{one}","reason":"r"}},{{"endpoint":"{other}","reason":"r"}}]}}"#);
        let requests: bulkhead_policy::Requests = serde_json::from_str(&requests).unwrap();
        let grants = format!("[[providers.p.grants]]\ndigest = \"dev\"\nnetwork = [\"{one}\", \"{other}\"]");
        let file = bulkhead_policy::OperatorFile::parse(&grants).unwrap();
        let applicant = bulkhead_policy::Applicant { development: true, ..<_>::default() };
        Permissions::new(applicant, requests, file.grants("p"), Vec::new(), std::path::Path::new("/"))
    }

    #[test]
    fn a_check_changes_nothing_that_permissions_rest_on() {
        let permissions = resting_on(["https://${config.nested.host}", "${config.endpoint}"]);
        let package = package();
        let host = |name: &str| Value::Object(object(&[("host", Value::from(name))]));
        let given = object(&[("nested", host("good.example")), ("endpoint", "https://mine.example".into())]);
        let is_refused = |changed: (&str, Option<Value>)| {
            let mut checked = given.clone();
            match changed {
                (name, Some(value)) => drop(checked.insert(name.to_owned(), value)),
                (name, None) => drop(checked.remove(name)),
            }
            let accepted = bulkhead_schema::configuration::typed(&package, &checked);
            refuse_redirection(&permissions, &package, &given, &accepted).is_err()
        };
        assert!(!is_refused(("port", Some(1.0.into()))), "nothing rests on it");
        for changed in [
            ("nested", Some(host("evil.example"))),
            ("nested", Some(r#"{"host":"evil.example"}"#.into())),
            ("endpoint", Some("https://evil.example".into())),
            ("endpoint", None),
        ] {
            assert!(is_refused(changed.clone()), "{changed:?}");
        }
        assert!(!is_refused(("endpoint", Some("https://vendor.example".into()))), "a default counts for nothing");
    }

    #[test]
    fn a_grant_that_rests_on_what_nobody_can_configure_says_so() {
        let to = bulkhead_policy::Destination {
            scheme: bulkhead_policy::Scheme::parse("https").unwrap(),
            host: bulkhead_policy::Host::parse("mine.example").unwrap(),
            port: Some(443),
            method: None,
        };
        let denied = |granted: &str| {
            let asked = r#"{"network":[{"endpoint":"https://*","reason":"r"}]}"#;
            let file =
                format!("[[providers.p.grants]]\ndigest = \"dev\"\nnetwork = [\"https://${{config.{granted}}}\"]");
            let file = bulkhead_policy::OperatorFile::parse(&file).unwrap();
            let applicant = bulkhead_policy::Applicant { development: true, ..<_>::default() };
            let (requests, project) = (serde_json::from_str(asked).unwrap(), std::path::Path::new("/"));
            let permissions = Permissions::new(applicant, requests, file.grants("p"), Vec::new(), project);
            let bound = bound(&permissions, &package(), &Object::new(), &[]);
            let denial = bound.destination(bulkhead_policy::Phase::Create, &to).unwrap_err();
            (denial.why.to_string(), denial.hint().unwrap())
        };
        let (why, hint) = denied("endpont");
        assert_eq!(
            why,
            "the grant `https://${config.endpont}` means nothing, because the provider's configuration has no `endpont` (did \
             you mean `endpoint`?)"
        );
        assert!(hint.starts_with("add a block [["), "nothing can be configured: {hint}");
        assert!(denied("nestd.host").0.ends_with("has no `nestd.host` (did you mean `nested.host`?)"));
        assert!(denied("quite.another").0.ends_with("has no `quite.another`"));
        assert!(denied("endpoint").0.ends_with("means nothing while `endpoint` isn't configured"));
        assert!(denied("endpoint").1.starts_with("configure `endpoint`, or "));
    }

    #[test]
    fn only_what_a_user_gave_counts_as_given() {
        let inner = object(&[("host", Value::from("deep.example"))]);
        let configuration = object(&[
            ("endpoint", Value::from("https://mine.example").secret()),
            ("port", Value::Number(8443.0)),
            ("servers", Value::List(vec![Value::from("a"), Value::from("b").secret()].into())),
            ("nested", Value::Object(inner)),
            ("later", Value::Unknown),
        ]);
        let ask = |name| configured(&package(), &configuration, name);
        let given = |texts: &[&str]| Configured::Given(texts.iter().map(|text| (*text).to_owned()).collect());
        assert_eq!(ask("endpoint"), given(&["https://mine.example"]));
        assert_eq!(ask("port"), given(&["8443"]));
        assert_eq!(ask("servers"), given(&["a", "b"]));
        assert_eq!(ask("nested.host"), given(&["deep.example"]));
        assert_eq!(ask("nested.port"), Configured::Absent);
        assert_eq!(ask("later"), Configured::Unknown);
        assert_eq!(ask("other"), Configured::Absent);
        let filled = object(&[("endpoint", Value::from("https://vendor.example"))]);
        let default = Configured::Default(vec!["https://vendor.example".to_owned()]);
        assert_eq!(configured(&package(), &filled, "endpoint"), default);
    }

    /// Engines that destroy or refresh hand over what was checked when the stack was deployed, and check nothing again.
    #[test]
    fn what_an_earlier_build_filled_in_counts_as_given_by_no_later_one() {
        let permissions = resting_on(["${config.endpoint}", "https://${config.port}"]);
        let checked = object(&[("endpoint", Value::from("https://vendor.example")), ("port", Value::Number(1.0))]);
        let noted = unsaid(&permissions, &package(), &checked);
        assert_eq!(noted, ["endpoint"]);
        let later =
            br#"{"name":"p","config":{"variables":{"endpoint":{"type":"string","default":"https://new.example"}}}}"#;
        let later = Package::parse(later).unwrap();
        let to = bulkhead_policy::Destination {
            scheme: bulkhead_policy::Scheme::parse("https").unwrap(),
            host: bulkhead_policy::Host::parse("vendor.example").unwrap(),
            port: Some(443),
            method: None,
        };
        let reached = |noted: &[String]| {
            let bound = bound(&permissions, &later, &checked, noted);
            bound.destination(bulkhead_policy::Phase::Delete, &to).is_ok()
        };
        assert!(reached(&[]), "as if somebody had configured it");
        assert!(!reached(&noted));
    }

    #[test]
    fn what_the_schema_fills_in_counts_as_given_at_no_depth() {
        let schema = br##"{"name":"p","config":{"variables":{
            "server":{"$ref":"#/types/p:index:Server"},
            "any":{"oneOf":[{"type":"string"},{"$ref":"#/types/p:index:Server"}]},
            "all":{"type":"object","additionalProperties":{"$ref":"#/types/p:index:Server"}}}},
            "types":{"p:index:Server":{"type":"object","properties":{
                "host":{"type":"string","default":"vendor.example"},"port":{"type":"integer"},
                "next":{"$ref":"#/types/p:index:Server"}}}}}"##;
        let package = Package::parse(schema).unwrap();
        let server = |members: &[(&str, Value)]| Value::Object(object(members));
        let given = object(&[
            ("server", server(&[("next", server(&[]))])),
            ("any", server(&[]).secret()),
            ("all", server(&[("one", server(&[])), ("two", server(&[("host", "mine.example".into())]))])),
        ]);
        let filled = bulkhead_schema::check(&package, CheckRequest::of(&package.configuration, &given));
        assert_eq!(filled.failures, []);
        let ask = |name| configured(&package, &filled.inputs, name);
        let vendors = Configured::Default(vec!["vendor.example".to_owned()]);
        for name in ["server.host", "server.next.host", "any.host", "all.one.host"] {
            assert_eq!(ask(name), vendors, "{name}");
        }
        assert_eq!(ask("all.two.host"), Configured::Given(vec!["mine.example".to_owned()]));
        for name in ["server.port", "server.host.deeper", "all.three.host"] {
            assert_eq!(ask(name), Configured::Absent, "{name}");
        }
    }
}
