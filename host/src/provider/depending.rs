//! Dependencies of a whole, said of each of its members: as many texts as there are of the one times the other. A provider has either
//! number in its hand, so the product is bounded before anything is made of it. What follows is for whoever asks.
//!
//! What outputs of components and methods depend on, the program's next resources depend on, and an engine can't save a state in which
//! a resource depends on one that isn't there. So it has to be something that the call was told of.

use std::collections::BTreeSet;

use bulkhead_value::{Object, PropertyPath, Urn, Value};

use super::watched::Watched;
use super::{Dependencies, Error, ErrorKind, ResourceOptions};

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

/// The URNs that a value is, or holds, as texts: what a program passes on of a resource, or an engine in place of a reference to it.
fn spelt(value: &Value) -> BTreeSet<String> {
    let mut urns = BTreeSet::new();
    each(value, |value| match value {
        Value::String(text) if Urn::parse(text).is_ok() => drop(urns.insert(text.clone())),
        _ => {}
    });
    urns
}

/// Visits a value and all below it.
fn each<'a>(value: &'a Value, mut visit: impl FnMut(&'a Value)) {
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

/// What a call was told of: URNs in its request.
pub(super) struct Told<'a> {
    /// Inputs or arguments.
    pub(super) given: &'a Object,
    /// What they depend on, beside what they say themselves.
    pub(super) dependencies: &'a Dependencies,
    /// The options, of a component.
    pub(super) options: Option<&'a ResourceOptions>,
}

impl Told<'_> {
    /// Holds what a result depends on to what the request named and what the deployment answered.
    ///
    /// # Errors
    /// The first property that depends on anything else.
    pub(super) fn hold(
        &self,
        what: &str,
        result: &Object,
        said: &Dependencies,
        deployment: &Watched,
    ) -> Result<(), Error> {
        // Most results depend on little, and what was told may be large.
        let mut told: Option<BTreeSet<String>> = None;
        let mut strange =
            |urn: &String| !deployment.knows(urn) && !told.get_or_insert_with(|| self.urns()).contains(urn.as_str());
        // What is said of members that aren't there is told to nobody.
        let found = result.iter().find(|(name, value)| {
            let beside = said.get(*name).into_iter().flatten();
            depends_on(value, false).iter().chain(beside).any(&mut strange)
        });
        let Some((name, _)) = found else { return Ok(()) };
        let path = PropertyPath::field(name);
        let message =
            format!("{what} returned what depends on a resource that it wasn't told of in this call, at {path}");
        Err(Error::provider_bug(message))
    }

    fn urns(&self) -> BTreeSet<String> {
        let mut urns: BTreeSet<String> = self.dependencies.values().flatten().cloned().collect();
        urns.extend(self.given.values().flat_map(|value| depends_on(value, true)));
        urns.extend(self.given.values().flat_map(spelt));
        let Some(options) = self.options else { return urns };
        urns.extend(options.parent.iter().chain(&options.depends_on).chain(&options.deleted_with).cloned());
        urns.extend(options.replace_with.iter().cloned());
        // A provider's reference is its URN and its id.
        let providers = options.providers.iter().map(|(_, provider)| provider).chain(&options.provider);
        urns.extend(providers.filter_map(|provider| Some(provider.rsplit_once("::")?.0.to_owned())));
        urns
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
