//! What a type could hold, whatever the value.

use std::collections::BTreeSet;

use super::Shapes;
use crate::model::{Property, Type};

/// Whether the type itself says that nothing in its values has properties, at any depth.
pub(crate) fn is_leaf(ty: &Type) -> bool {
    match ty {
        Type::Array(element) | Type::Map(element) => is_leaf(element),
        Type::Object(_) | Type::Union(_) => false,
        _ => true,
    }
}

/// Whether a value of a type can have, at any depth, a property of this sort. Once all steps are taken, any could.
pub(crate) fn can_hold(shapes: &mut Shapes<'_>, ty: &Type, is_wanted: impl Fn(&Property) -> bool) -> bool {
    // Most types are these, and asked about for every property of every call.
    if is_leaf(ty) {
        return false;
    }
    let package = shapes.package;
    let mut open = vec![ty];
    let mut seen = BTreeSet::new();
    while let Some(ty) = open.pop() {
        if !shapes.take(1) {
            return true;
        }
        match ty {
            Type::Array(element) | Type::Map(element) => open.push(element),
            Type::Union(union) => open.extend(&union.variants),
            Type::Object(token) if seen.insert(token) => {
                let properties = package.object_type(token).into_iter().flat_map(|ty| ty.properties.values());
                for property in properties {
                    if is_wanted(property) {
                        return true;
                    }
                    open.push(&property.ty);
                }
            }
            _ => {}
        }
    }
    false
}
