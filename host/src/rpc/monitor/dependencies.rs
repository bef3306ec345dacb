//! What values depend on: the URNs in outputs, and those of the resources that they refer to.

use bulkhead_value::{Object, Output, Value};

use crate::provider::{Dependencies, depends_on};

/// What each member of an object depends on; those that depend on nothing included, since a missing one would depend on all.
pub(super) fn each_depends_on(object: &Object, references: bool) -> Dependencies {
    object.iter().map(|(name, value)| (name.clone(), Vec::from_iter(depends_on(value, references)))).collect()
}

/// An object whose members say themselves what they depend on.
pub(super) fn with_dependencies(object: Object, mut dependencies: Dependencies) -> Object {
    let eventual = |(name, value): (String, Value)| match dependencies.remove(&name) {
        Some(urns) if !urns.is_empty() => (name, depending(value, urns)),
        _ => (name, value),
    };
    object.into_map().into_iter().map(eventual).collect()
}

/// A value that depends on resources.
pub(super) fn depending(value: Value, urns: Vec<String>) -> Value {
    let (value, secret, mut dependencies) = match value {
        Value::Output(output) => output.into_parts(),
        Value::Secret(secret) => (Some(secret.into_inner()), true, Vec::new()),
        value => (Some(value), false, Vec::new()),
    };
    dependencies.extend(urns);
    dependencies.sort_unstable();
    dependencies.dedup();
    Value::from(Output { value: value.filter(|value| !value.is_unknown()).map(Box::new), secret, dependencies })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(value: Option<Value>, secret: bool, urns: &[&str]) -> Value {
        let dependencies = urns.iter().map(|urn| (*urn).to_owned()).collect();
        Value::from(Output { value: value.map(Box::new), secret, dependencies })
    }

    #[test]
    fn a_value_that_depends_on_something_says_so_once() {
        let depending = |value| depending(value, vec!["b".to_owned(), "a".to_owned()]);
        assert_eq!(depending("x".into()), output(Some("x".into()), false, &["a", "b"]));
        assert_eq!(depending(Value::Unknown), output(None, false, &["a", "b"]));
        assert_eq!(depending(Value::Unknown.secret()), output(None, true, &["a", "b"]));
        assert_eq!(
            depending(output(Some("x".into()), true, &["a", "c"])),
            output(Some("x".into()), true, &["a", "b", "c"])
        );
    }

    #[test]
    fn members_without_dependencies_stay_as_they_are() {
        let object: Object = [("a", Value::from("x")), ("b", Value::from("y"))].into_iter().collect();
        let dependencies = Dependencies::from([("a".to_owned(), vec![]), ("c".to_owned(), vec!["u".to_owned()])]);
        assert_eq!(with_dependencies(object.clone(), dependencies), object);
    }
}
