//! Names of members in another case.
//!
//! Those who make SDKs of a schema read them in any case, and the host by their exact spelling: what is secret in programs would
//! be in clear here. Most of what such a name says does no harm, and published schemas are as they are, so it is told and
//! accepted.

use super::{node::Node, scope::Scope};

/// Of a type within a type, or as a result.
pub(super) const TYPE: &[&str] = &["type", "$ref", "additionalProperties", "items", "oneOf", "discriminator", "plain"];

/// Of a property.
pub(super) const PROPERTY: &[&str] = &[
    "type",
    "description",
    "$ref",
    "additionalProperties",
    "items",
    "oneOf",
    "discriminator",
    "plain",
    "const",
    "default",
    "defaultInfo",
    "deprecationMessage",
    "language",
    "secret",
    "replaceOnChanges",
    "willReplaceOnChanges",
];

/// Of a property's `defaultInfo`.
pub(super) const DEFAULT_INFO: &[&str] = &["environment", "language"];

/// Of a union's discriminator.
pub(super) const DISCRIMINATOR: &[&str] = &["propertyName", "mapping"];

/// Of an object type, or of one that may be an enum.
pub(super) const OBJECT: &[&str] = &[
    "description",
    "properties",
    "type",
    "required",
    "plain",
    "language",
    "isOverlay",
    "overlaySupportedLanguages",
    "enum",
];

/// Of a value of an enum.
pub(super) const ENUM_VALUE: &[&str] = &["name", "description", "value", "deprecationMessage"];

/// Of a resource.
pub(super) const RESOURCE: &[&str] = &[
    "description",
    "properties",
    "type",
    "required",
    "plain",
    "language",
    "isOverlay",
    "overlaySupportedLanguages",
    "inputProperties",
    "requiredInputs",
    "plainInputs",
    "stateInputs",
    "listInputs",
    "aliases",
    "deprecationMessage",
    "isComponent",
    "methods",
];

/// Tells members that programs take for one of these.
pub(super) fn notice(node: &Node<'_>, known: &[&str], scope: &mut Scope<'_>) {
    for (name, member) in node.members() {
        // Nearly all are, or are of another length, and a schema has millions.
        let is_known = known.contains(&name);
        if let Some(meant) = known.iter().find(|meant| !is_known && is_read_as(name, meant)) {
            let message = format!("'{}' is `{meant}` in SDKs, and nothing is made of it here", name.escape_debug());
            scope.notice(&member, message, format!("write `{meant}`"));
        }
    }
}

/// Whether a name is this one in some case.
pub(super) fn is_read_as(name: &str, meant: &str) -> bool {
    if name.len() == meant.len() {
        return name.eq_ignore_ascii_case(meant);
    }
    // There and back, since some letters are another one's only in upper case, where they take more than a byte.
    name.len() > meant.len() && !name.is_ascii() && name.to_uppercase().to_lowercase() == meant.to_lowercase()
}
