//! Resources that can't be read.

use bulkhead_value::Object;

use crate::{
    conform::conform,
    model::{ObjectType, Package},
    walk::is_foreign,
};

/// What a refresh shows of a resource that has no `read`: what was recorded, as far as it conforms. An error would end the
/// refresh of the whole stack.
///
/// Works for the state with the type of the outputs, and for the inputs with theirs.
pub fn echo(package: &Package, ty: &ObjectType, recorded: &Object) -> Object {
    let own = recorded.iter().filter(|(name, value)| {
        if !ty.properties.contains_key(*name) || is_foreign(name, Some(ty)) {
            return true;
        }
        let alone = ObjectType {
            properties: ty
                .properties
                .get_key_value(*name)
                .map(|(name, property)| (name.clone(), property.clone()))
                .into_iter()
                .collect(),
            ..ObjectType::default()
        };
        let only: Object = [((*name).clone(), (*value).clone())].into();
        conform(package, &alone, &only).is_empty()
    });
    own.map(|(name, value)| (name.clone(), value.clone())).collect()
}
