//! The outputs at the top.

use std::cell::LazyCell;

use bulkhead_value::{Object, Segment, Value};

use super::{
    Preview,
    before::Before,
    echo::{Echo, left_out},
};
use crate::{
    check::Exclusions,
    model::{Package, Resource},
    spelling::typed,
    walk::ROOT,
};

/// The state that creating a resource from these inputs would give.
pub fn preview_create(package: &Package, resource: &Resource, inputs: &Object) -> Preview {
    preview(package, resource, None, inputs)
}

/// The state that updating a resource to these inputs would give. Outputs that an update never changes keep their value.
pub fn preview_update(package: &Package, resource: &Resource, old_state: &Object, inputs: &Object) -> Preview {
    preview(package, resource, Some(old_state), inputs)
}

fn preview(package: &Package, resource: &Resource, old_state: Option<&Object>, inputs: &Object) -> Preview {
    let inputs = &*typed(package, &resource.inputs, inputs);
    let mut preview = Preview::default();
    let mut echo = Echo::new(package);
    let exclusions = LazyCell::new(|| Exclusions::of(&resource.inputs, inputs));
    for (name, output) in &resource.outputs.properties {
        let input = resource.inputs.property(name);
        let old = old_state.and_then(|state| state.there(name));
        let given = inputs.there(name);
        match (input, given) {
            (Some(input), Some(given)) => {
                echo.property(name, input, output, given, old.map(Before::new));
                preview.state.insert(name.clone(), given.clone());
            }
            (input, _) => {
                let is_excluded = || exclusions.has(&resource.inputs, inputs, name);
                let (value, origin) = left_out(input, output, old, is_excluded);
                preview.origins.note_at(ROOT, Segment::Field(name.clone()), origin);
                preview.state.insert(name.clone(), value.cloned().unwrap_or(Value::Unknown));
            }
        }
    }
    echo.finish(&mut preview);
    preview
}
