//! What is secret in a state that inputs are taken from.
//!
//! A schema may say so of an output and not of the input with the same name. Inputs stand in state files and in the programs
//! that an import writes, and what they have from such an output would be in clear there.

use std::borrow::Cow;

use bulkhead_value::Object;

use crate::{
    model::{Package, Resource},
    secrets,
    walk::{Shapes, can_hold},
};

/// The state with what the outputs' type says is secret marked; the very state if the type says it of nothing.
pub(super) fn concealed<'v>(package: &Package, resource: &Resource, state: &'v Object) -> Cow<'v, Object> {
    let mut shapes = Shapes::new(package);
    let mut properties = resource.outputs.properties.values();
    if properties.any(|property| property.secret || can_hold(&mut shapes, &property.ty, |property| property.secret)) {
        Cow::Owned(secrets::mark(package, &resource.outputs, None, state.clone()))
    } else {
        Cow::Borrowed(state)
    }
}
