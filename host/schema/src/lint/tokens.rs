//! Tokens that no URN can be made of.
//!
//! Between the parts of a URN stand two colons, as they do in a token whose module is empty: what is read of `t::R` is the type `t`,
//! and each call about such a resource is about another one.

use super::{
    lints::{Lints, Severity},
    place::pointer,
};
use crate::model::Package;

/// Looks at the tokens of a package's resources. Those of functions and types stand in no URN.
pub(super) fn look(package: &Package, lints: &mut Lints) {
    for token in package.resources.keys() {
        if let Some((package, name)) = token.split_once("::") {
            let hint = format!("write `{package}:index:{name}`");
            lints.add(
                Severity::Error,
                pointer(&["resources", token]),
                "the token has no module, so that no URN can name it",
                &hint,
            );
        }
    }
}
