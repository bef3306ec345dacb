//! What an update leaves as it is.

use std::collections::BTreeSet;

use super::{Change, Comparison};
use crate::{
    model::Package,
    walk::{Shapes, comes_back_as},
};

/// The names of inputs that are given and didn't change, and of outputs that no update changes.
pub(super) fn names(package: &Package, comparison: &Comparison<'_>, changes: &[Change]) -> Vec<String> {
    let mut shapes = Shapes::new(package);
    let changed: BTreeSet<&str> = changes.iter().filter_map(|change| change.path.first_name()).collect();
    let (inputs, outputs) = (&comparison.resource.inputs.properties, &comparison.resource.outputs.properties);
    let unchanged = inputs.iter().filter(|(name, input)| {
        let Some(given) = comparison.new_inputs.there(name).filter(|_| !changed.contains(name.as_str())) else {
            return false;
        };
        // An output of the same name may change although the input didn't.
        outputs.get(*name).is_none_or(|output| {
            !output.facts.not_echoed
                && !input.facts.not_echoed
                && comes_back_as(&mut shapes, &input.ty, &output.ty, given)
        })
    });
    let kept =
        outputs.iter().filter(|(name, output)| output.facts.stable && comparison.old_state.there(name).is_some());
    let mut names: Vec<&String> = unchanged.chain(kept).map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().cloned().collect()
}
