//! Names of properties that nobody ever sees.
//!
//! Engines and bridges keep notes at the top of a bag under names that start with `__`. The host hides them, whatever the schema
//! declares: such an input is missing though it is given, and isn't marked though it is secret.

use super::{
    lints::{Lints, Severity},
    place::{Place, Side},
};

/// The argument of methods that is the resource they are called on.
const ITSELF: &str = "__self__";

/// Looks at the names of an object type that is a whole bag.
pub(super) fn look(place: &Place<'_>, lints: &mut Lints) {
    let is_given = match place.side {
        Side::Inputs(_) | Side::Configuration(_) | Side::Arguments => true,
        Side::Outputs(_) => false,
        Side::Results | Side::Named => return,
    };
    for name in place.ty.properties.keys().filter(|name| name.starts_with("__") && *name != ITSELF) {
        let severity = if is_given && place.ty.requires(name) { Severity::Error } else { Severity::Warning };
        let message =
            format!("'{}' is hidden from the provider, as all names that start with `__`", name.escape_debug());
        lints.add(severity, place.of(name), message, "rename it: those are the engine's");
    }
}
