//! What the manifest says of resources, against their schemas.

use super::{
    lints::{Lints, Severity},
    place::pointer,
};
use crate::model::{Package, Resource};

/// Looks at every resource that isn't a component.
pub(super) fn look(package: &Package, lints: &mut Lints) {
    for (token, resource) in package.resources.iter().filter(|(_, resource)| !resource.is_component) {
        for (severity, message, hint) in said(resource) {
            lints.add(severity, pointer(&["resources", token]), message, hint);
        }
    }
}

fn said(resource: &Resource) -> Vec<(Severity, &'static str, &'static str)> {
    let facts = &resource.facts;
    let (methods, overrides) = (facts.methods, facts.overrides);
    let mut said = Vec::new();
    if facts.delete_before_replace && !methods.delete {
        said.push((
            Severity::Warning,
            "a replacement should delete the old resource first, and there is no `delete`",
            "add `delete`, or leave out `deleteBeforeReplace`",
        ));
    }
    let replaces = resource.inputs.properties.values().any(|property| property.replaces);
    let decided_natively = !overrides.diff;
    if facts.delete_before_replace && methods.update && decided_natively && !replaces {
        said.push((
            Severity::Warning,
            "a replacement should delete the old resource first, and no change ever replaces it",
            "mark the inputs that replace it `replaceOnChanges`, or leave out `deleteBeforeReplace`",
        ));
    }
    if methods.delete && !methods.read {
        said.push((
            Severity::Hint,
            "it can't be read, so it can't be imported, and changes made by others aren't seen",
            "add `read`",
        ));
    }
    if facts.schema_version > 0 && !overrides.upgrade {
        said.push((
            Severity::Warning,
            "its states have had an older form, and nothing upgrades those",
            "add `upgrade`, or leave `schemaVersion` at 0",
        ));
    }
    if facts.schema_version == 0 && overrides.upgrade {
        said.push((
            Severity::Warning,
            "`upgrade` is never called, since no state is older than version 0",
            "raise `schemaVersion` with each change of the state's form",
        ));
    }
    said
}
