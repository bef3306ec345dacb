//! Names of members in another case.
//!
//! Those who make SDKs of a schema read them in any case, and the host by their exact spelling: what is secret in programs would
//! be in clear here. Most of what such a name says does no harm, and published schemas are as they are, so it is told and
//! accepted.

use super::{node::Node, scope::Scope};

/// Names of members that are read in one place, in parts that places have in common.
type Known = &'static [&'static [&'static str]];

const OF_TYPES: &[&str] = &["type", "$ref", "additionalProperties", "items", "oneOf", "discriminator", "plain"];
const OF_OBJECTS: &[&str] =
    &["description", "properties", "type", "required", "plain", "language", "isOverlay", "overlaySupportedLanguages"];

/// Of a type within a type, or as a result.
pub(super) const TYPE: Known = &[OF_TYPES];

/// Of a property.
pub(super) const PROPERTY: Known = &[
    OF_TYPES,
    &[
        "description",
        "const",
        "default",
        "defaultInfo",
        "deprecationMessage",
        "language",
        "secret",
        "replaceOnChanges",
        "willReplaceOnChanges",
    ],
];

/// Of a property's `defaultInfo`.
pub(super) const DEFAULT_INFO: Known = &[&["environment", "language"]];

/// Of a union's discriminator.
pub(super) const DISCRIMINATOR: Known = &[&["propertyName", "mapping"]];

/// Of an object type, or of one that may be an enum.
pub(super) const OBJECT: Known = &[OF_OBJECTS, &["enum"]];

/// Of a value of an enum.
pub(super) const ENUM_VALUE: Known = &[&["name", "description", "value", "deprecationMessage"]];

/// Of a resource.
pub(super) const RESOURCE: Known = &[
    OF_OBJECTS,
    &[
        "inputProperties",
        "requiredInputs",
        "plainInputs",
        "stateInputs",
        "listInputs",
        "aliases",
        "deprecationMessage",
        "isComponent",
        "methods",
    ],
];

/// Of a result that is no object.
pub(super) const RESULT: Known = &[&["properties"]];

/// Tells members that programs take for one of these.
pub(super) fn notice(node: &Node<'_>, known: Known, scope: &mut Scope<'_>) {
    for (name, member) in node.members() {
        // Nearly all are, or are of another length, and a schema has millions.
        if known.iter().any(|part| part.contains(&name)) {
            continue;
        }
        if let Some(meant) = known.iter().copied().flatten().find(|meant| is_read_as(name, meant)) {
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
