//! Members that belong to others.

use crate::model::ObjectType;

/// Whether a member of an object of this type belongs to the engine or to a bridge, not to the provider: `id`, and names
/// that start with `__`. They are kept, and nobody looks at them.
///
/// What the schema declares isn't foreign, whatever its name: an object type may well have an `id`, and methods get the
/// resource they are called on as `__self__`. Keys of maps are data, whatever they start with; only the names of generated members,
/// which a bridge notes in every object, are foreign there.
pub(crate) fn is_foreign(name: &str, ty: Option<&ObjectType>) -> bool {
    match ty {
        Some(ty) => (name == "id" || name.starts_with("__")) && !ty.properties.contains_key(name),
        None => name == "__defaults",
    }
}
