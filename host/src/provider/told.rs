//! What results of components and methods depend on, the program's next resources depend on, and an engine can't save a state in which
//! a resource depends on one that isn't there. A component may name any, so what it names has to be something that the call was told of:
//! by its request, or by what the deployment answered.

use std::collections::BTreeSet;

use bulkhead_value::{Object, PropertyPath, Urn, Value};

use super::depending::{depends_on, each};
use super::watched::Watched;
use super::{Dependencies, Error, ResourceOptions};

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
            format!("{what} returned what depends on a resource that it wasn't told of in this call, at {path:#}");
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

/// The URNs that a value is, or holds, as texts: what a program passes on of a resource, or an engine in place of a reference to it.
fn spelt(value: &Value) -> BTreeSet<String> {
    let mut urns = BTreeSet::new();
    each(value, |value| match value {
        Value::String(text) if Urn::parse(text).is_ok() => drop(urns.insert(text.clone())),
        _ => {}
    });
    urns
}
