//! Methods that programs can't call. What comes of a generated SDK is nothing that a host sees.

use super::{
    lints::{Lints, Severity},
    place::pointer,
};
use crate::model::Package;
use crate::parse::Json;

/// Looks at the methods of a package's resources. That a result is plain stands in the document alone.
pub(super) fn look(package: &Package, document: &Json<'_>, lints: &mut Lints) {
    let plain = |function: &str| {
        let outputs = document.get("functions").and_then(|all| all.get(function)?.get("outputs"));
        outputs.and_then(|outputs| outputs.get("plain")?.as_bool()) == Some(true)
    };
    for (token, resource) in &package.resources {
        for (name, function) in &resource.methods {
            let place = || pointer(&["resources", token, "methods", name]);
            if resource.inputs.properties.contains_key(name) {
                // A resource keeps what it was given under the input's name.
                let message = "an input has the same name, so that programs for Node.js can't call it";
                lints.add(Severity::Warning, place(), message, "give one of them another name");
            }
            let is_bare = package.function(function).is_some_and(|of| of.outputs.is_bare());
            if is_bare && !plain(function) {
                let message = "what it returns is neither an object nor plain, so that SDKs for Node.js leave it out";
                lints.add(Severity::Warning, place(), message, "return an object with one member");
            }
        }
    }
}
