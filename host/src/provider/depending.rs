//! Dependencies of a whole, said of each of its members: as many texts as there are of the one times the other. A provider has either
//! number in its hand, so the product is bounded before anything is made of it. What follows is for whoever asks.

use std::collections::BTreeSet;

use bulkhead_value::Value;

use super::{Error, ErrorKind};

/// Bytes of dependencies that are said of all members together.
const MOST: usize = 128 << 20;
/// What each text takes beside what it says.
const EACH: usize = 48;

/// Whether so many members can each have these dependencies.
///
/// # Errors
/// Too much of them together.
pub(crate) fn each_may_depend<'a>(members: usize, on: impl IntoIterator<Item = &'a String>) -> Result<(), Error> {
    let bytes = on.into_iter().map(|urn| urn.len().saturating_add(EACH)).fold(0, usize::saturating_add);
    if bytes.saturating_mul(members) <= MOST {
        return Ok(());
    }
    let message = format!("a result of {members} members depends on too much to say so of each of them");
    Err(Error::new(ErrorKind::Exhausted, message).hint("return fewer members, or put them into one list or map"))
}

/// The URNs that a value depends on. A reference is a dependency unless its receiver follows references itself.
pub(crate) fn depends_on(value: &Value, references: bool) -> BTreeSet<String> {
    let mut urns = BTreeSet::new();
    each(value, |value| match value {
        Value::Output(output) => urns.extend(output.dependencies.iter().cloned()),
        Value::Reference(reference) if references => drop(urns.insert(reference.urn.clone())),
        _ => {}
    });
    urns
}

/// Visits a value and all below it.
pub(super) fn each<'a>(value: &'a Value, mut visit: impl FnMut(&'a Value)) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        visit(value);
        match value {
            Value::List(list) => open.extend(list.iter()),
            Value::Secret(secret) => open.push(secret.inner()),
            Value::Output(output) => open.extend(output.value.as_deref()),
            value => open.extend(value.members().into_iter().flat_map(|members| members.values())),
        }
    }
}

/// A value without what is said of all of it: whether that is secret, and on whom it depends.
pub(crate) fn bare(mut value: Value) -> (Value, bool, Vec<String>) {
    let (mut secret, mut dependencies) = (false, Vec::new());
    loop {
        value = match value {
            Value::Secret(inner) => {
                secret = true;
                inner.into_inner()
            }
            Value::Output(output) => {
                let (inner, hidden, urns) = output.into_parts();
                secret |= hidden;
                dependencies.extend(urns);
                inner.unwrap_or(Value::Unknown)
            }
            value => return (value, secret, dependencies),
        };
    }
}

#[cfg(test)]
mod tests {
    use bulkhead_value::Output;

    use super::*;

    fn output(value: Option<Value>, secret: bool, urns: &[&str]) -> Value {
        let dependencies = urns.iter().map(|urn| (*urn).to_owned()).collect();
        Value::from(Output { value: value.map(Box::new), secret, dependencies })
    }

    #[test]
    fn dependencies_are_found_at_any_depth() {
        let reference = bulkhead_value::Reference { urn: "r".to_owned(), id: None, package_version: String::new() };
        let inner = output(Some(output(None, false, &["b"])), false, &["a"]);
        let list = Value::List(vec![inner, Value::from(reference)].into());
        let value = Value::Object([("l", list.secret())].into_iter().collect());
        let found = |references| Vec::from_iter(depends_on(&value, references));
        assert_eq!(found(false), ["a", "b"]);
        assert_eq!(found(true), ["a", "b", "r"]);
    }

    #[test]
    fn neither_number_alone_is_too_much() {
        let urns = vec!["urn:pulumi:dev::project::a:b:C::name".to_owned(); 100_000];
        assert!(each_may_depend(10, &urns).is_ok());
        assert!(each_may_depend(100_000, &urns[..10]).is_ok());
        let error = each_may_depend(100_000, &urns).unwrap_err().to_string();
        assert!(error.starts_with("a result of 100000 members depends on too much"), "{error}");
        assert!(each_may_depend(usize::MAX, &urns).is_err());
    }
}
