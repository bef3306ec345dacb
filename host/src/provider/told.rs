//! What results of components and methods depend on, the program's next resources depend on, and an engine can't save a state in which
//! a resource depends on one that isn't there. A component may name any, so what it names has to be something that the call was told of:
//! by its request, or by what the deployment answered (`watched.rs`).

use std::collections::BTreeSet;

use bulkhead_value::{Object, Urn, Value};

use super::depending::{depends_on, each};
use super::{Dependencies, ResourceOptions};

/// The resources that a request names: its inputs or arguments, what they depend on beside what they say themselves, and the options of a
/// component.
pub(super) fn told(given: &Object, dependencies: &Dependencies, options: Option<&ResourceOptions>) -> BTreeSet<String> {
    let mut urns: BTreeSet<String> = dependencies.values().flatten().cloned().collect();
    urns.extend(given.values().flat_map(|value| depends_on(value, true)));
    urns.extend(given.values().flat_map(spelt));
    let Some(options) = options else { return urns };
    urns.extend(options.parent.iter().chain(&options.depends_on).chain(&options.deleted_with).cloned());
    urns.extend(options.replace_with.iter().cloned());
    urns.extend(options.replacement_trigger.iter().flat_map(|trigger| depends_on(trigger, true)));
    // A provider's reference is its URN and its id.
    let providers = options.providers.iter().map(|(_, provider)| provider).chain(&options.provider);
    urns.extend(providers.filter_map(|provider| Some(provider.rsplit_once("::")?.0.to_owned())));
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
