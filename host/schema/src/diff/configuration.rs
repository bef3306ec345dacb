//! The difference of two configurations.

use bulkhead_value::{Object, PropertyPath};

use super::{Difference, compare::Differ, recorded::Recorded};
use crate::{configuration, model::Package, secrets};

/// Compares two configurations by the rules of [`diff`](super::diff), both decoded first: whether a value was given as
/// itself or as its JSON makes no difference, nor does the `version`, which is the engine's even where it is declared. A change replaces
/// only what its property says, and not where a property was absent: it may be new itself, with a default, and all resources would be
/// replaced for the sake of an upgrade.
pub fn diff_configuration(
    package: &Package,
    old: &Object,
    new: &Object,
    ignore_changes: &[PropertyPath],
) -> Difference {
    let decoded = |given: &Object| {
        let mut object = configuration::typed(package, given);
        for name in configuration::EXEMPT {
            if name == "version" || !package.configuration.properties.contains_key(name) {
                object.remove(name);
            }
        }
        // Engines don't say what is secret, and names within are part of it.
        secrets::mark(package, &package.configuration, None, object)
    };
    let (old, new) = (decoded(old), decoded(new));
    let mut differ = Differ::new(package, ignore_changes, &[]);
    differ.replaces_for_additions = false;
    differ.fields(&package.configuration, &old, &new, Recorded::Nowhere, false);
    differ.run();
    Difference { changes: differ.changes, ..Difference::default() }
}
