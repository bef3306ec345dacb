//! Components and methods: what they are asked and what they answer, and what both have in common.
//!
//! Both are programs that register resources, and both return values that may be unknown, secret, or depend on resources. What
//! they return is held to the schema as the results of other operations are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bulkhead_schema::{Failure, Resource};
use bulkhead_value::{Object, Output, Value};

use super::depending::{bare, each_may_depend};
use super::watched::Watched;
use super::{Call, Context, Deployment, Error, ErrorKind, ResourceOptions, Session};

/// URNs that members of a bag depend on, by the member's name.
pub type Dependencies = BTreeMap<String, Vec<String>>;

/// What to construct.
#[derive(Clone, Debug, Default)]
pub struct ConstructRequest {
    /// The component's type token.
    pub token: String,
    /// The name that the program gave it.
    pub name: String,
    /// Inputs, which no check has seen, as [`Session::marked_inputs`] has them.
    pub inputs: Object,
    /// What inputs depend on, beside what they say themselves.
    pub dependencies: Dependencies,
    /// The options that the program gave.
    pub options: ResourceOptions,
    /// Whether a preview asks.
    pub preview: bool,
}

/// A component that was constructed.
#[derive(Clone, Debug)]
pub struct Constructed {
    /// Its URN.
    pub urn: String,
    /// Its outputs.
    pub state: Object,
    /// What outputs depend on, beside what they say themselves.
    pub dependencies: Dependencies,
}

/// What method to call.
#[derive(Clone, Debug, Default)]
pub struct MethodRequest {
    /// The method's token.
    pub token: String,
    /// The arguments, `__self__` among them, as [`Session::marked_arguments`] has them.
    pub arguments: Object,
    /// What arguments depend on, beside what they say themselves.
    pub dependencies: Dependencies,
    /// Whether a preview asks.
    pub preview: bool,
}

/// What a method returned: from a guest one value, to a front end an object.
#[derive(Clone, Debug)]
pub struct Called<T = Object> {
    /// The result.
    pub value: T,
    /// What its members depend on, beside what they say themselves.
    pub dependencies: Dependencies,
}

impl Session {
    /// Components and methods wait for an engine that takes its time, so nothing but the engine ends them.
    pub(super) fn composing(&self, context: &Context) -> Call {
        Call { deadline: None, ..self.reading(context) }
    }

    /// A deployment that remembers what goes through it, and marks what is put on record.
    pub(super) fn watched(
        &self,
        deployment: Arc<dyn Deployment>,
        given: &Object,
        told: BTreeSet<String>,
    ) -> Arc<Watched> {
        Arc::new(Watched::new(deployment, Arc::clone(&self.package), given.clone(), told))
    }

    /// Refuses what the component has no code for, whatever is asked.
    ///
    /// # Errors
    /// A component that exports no `components`.
    pub fn guest_has_components(&self) -> Result<(), Error> {
        if self.exports.components {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Unsupported, "the provider has no component resources and no methods"))
    }

    /// The schema of a component.
    pub(super) fn component(&self, token: &str) -> Result<&Resource, Error> {
        match self.package.resource(token) {
            Some(resource) if resource.is_component => Ok(resource),
            Some(_) => Err(Error::new(
                ErrorKind::InvalidRequest,
                format!("`{token}` is a custom resource: it is created, not constructed"),
            )),
            None => {
                let message = format!("the package `{}` has no component resource `{token}`", self.package.name);
                let error = Error::new(ErrorKind::InvalidRequest, message);
                match self.package.nearest_component(token) {
                    Some(nearest) => Err(error.hint(format!("did you mean `{nearest}`?"))),
                    None => Err(error),
                }
            }
        }
    }
}

/// Whether something in a result may be unknown: in previews, and where the engine leaves out what isn't to be made.
pub(super) fn may_lack(preview: bool, given: &Object, deployment: &Arc<Watched>) -> bool {
    preview || given.contains_unknown() || deployment.lacks()
}

/// What is wrong with a result, as the provider's bug.
pub(super) fn nonconforming(what: &str, failures: &[Failure]) -> Result<(), Error> {
    match failures.first() {
        None => Ok(()),
        Some(failure) => {
            let at = if failure.path.is_root() { String::new() } else { format!(", at {:#}", failure.path) };
            let message = format!("{what} returned what its schema doesn't allow{at}: {}", failure.reason);
            Err(Error::provider_bug(message))
        }
    }
}

/// A result without the members that nobody knows, which have a meaning in previews only.
pub(super) fn known_part(preview: bool, object: Object) -> Object {
    if preview { object } else { super::create::recordable(object) }
}

/// The members of a result that came as one value: what is said of the whole is said of each. None if it isn't an object and
/// can't become one.
///
/// # Errors
/// Too much to say of each.
pub(super) fn members(value: Value, declared: impl Iterator<Item = String>) -> Result<Option<Object>, Error> {
    let (value, secret, dependencies) = bare(value);
    let object: Object = match value {
        Value::Object(object) => object,
        Value::Unknown => declared.map(|name| (name, Value::Unknown)).collect(),
        _ => return Ok(None),
    };
    each_may_depend(object.len(), &dependencies)?;
    let eventual = |value: Value| match value {
        value if dependencies.is_empty() && !secret => value,
        value => Value::from(Output {
            value: if value.is_unknown() { None } else { Some(Box::new(value)) },
            secret,
            dependencies: dependencies.clone(),
        }),
    };
    Ok(Some(object.into_map().into_iter().map(|(name, value)| (name, eventual(value))).collect()))
}

#[cfg(test)]
mod tests {
    use bulkhead_value::PropertyPath;

    use super::*;

    fn output(value: Option<Value>, secret: bool, urns: &[&str]) -> Value {
        let dependencies = urns.iter().map(|urn| (*urn).to_owned()).collect();
        Value::from(Output { value: value.map(Box::new), secret, dependencies })
    }

    #[test]
    fn a_result_that_is_wrong_as_a_whole_is_at_no_place() {
        let kind = bulkhead_schema::FailureKind::Type;
        for (path, expected) in [
            (PropertyPath::root(), "f returned what its schema doesn't allow: expected a list"),
            (PropertyPath::field("a"), "f returned what its schema doesn't allow, at a: expected a list"),
        ] {
            let failure = Failure { path, kind, reason: "expected a list".to_owned() };
            let expected = format!("{expected}; this is a bug in the provider");
            assert_eq!(nonconforming("f", &[failure]).unwrap_err().message, expected);
        }
    }

    #[test]
    fn what_is_said_of_a_whole_result_is_said_of_each_member() {
        let declared = || ["a".to_owned(), "b".to_owned()].into_iter();
        let object = || Value::Object([("a", "x")].into_iter().collect());
        let members = |value| members(value, declared()).unwrap();
        assert_eq!(members(object()), Some([("a", "x")].into_iter().collect()));
        assert_eq!(members(object().secret()).unwrap()["a"], output(Some("x".into()), true, &[]));
        let depending = members(output(Some(object()), false, &["u"])).unwrap();
        assert_eq!(depending, [("a", output(Some("x".into()), false, &["u"]))].into_iter().collect());
        let unknown = members(output(None, true, &["u"])).unwrap();
        let each = output(None, true, &["u"]);
        assert_eq!(unknown, [("a", each.clone()), ("b", each)].into_iter().collect());
        assert_eq!(members(Value::Unknown), Some([("a", Value::Unknown), ("b", Value::Unknown)].into_iter().collect()));
        assert_eq!(members("x".into()), None);
    }
}
