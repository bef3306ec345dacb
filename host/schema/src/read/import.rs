//! Inputs of a resource that nobody gave any.

use bulkhead_value::Object;

use super::{
    concealed::concealed,
    filled::Filled,
    restrict::{Defaults, Unasked, is_kept, restricted},
};
use crate::{
    model::{Package, Resource},
    walk::{Shapes, is_seen_as},
};

/// The inputs that a state could have come from: its properties that show inputs, less those that equal
/// what they would be if they were left out. Required ones are kept, as a program must give them. What the outputs' type says is
/// secret is, whatever the inputs' type says.
pub fn inputs_from_state(package: &Package, resource: &Resource, state: &Object) -> Object {
    from_state(package, resource, state, Defaults::LeaveOut)
}

/// The same with all that the state shows of inputs, to be held against others.
pub fn inputs_on_record(package: &Package, resource: &Resource, state: &Object) -> Object {
    from_state(package, resource, state, Defaults::Keep)
}

fn from_state(package: &Package, resource: &Resource, state: &Object, defaults: Defaults) -> Object {
    let state = &*concealed(package, resource, state);
    let mut shapes = Shapes::new(package);
    let inputs = resource.inputs.properties.iter().filter_map(|(name, input)| {
        let value = state.get(name)?;
        let comes_back = resource.outputs.properties.get(name).is_none_or(|output| {
            is_seen_as(&mut shapes, &input.ty, &output.ty, value) && !input.facts.not_echoed && !output.facts.not_echoed
        });
        let kept = comes_back && is_kept(input, resource.inputs.requires(name), value, defaults);
        kept.then(|| {
            let unasked = Unasked { filled: &Filled::default(), reached: false };
            let restricted = restricted(&mut shapes, &input.ty, value, defaults, unasked);
            (name.clone(), restricted)
        })
    });
    inputs.collect()
}
