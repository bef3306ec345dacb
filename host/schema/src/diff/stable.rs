//! What an update leaves as it is.

use std::collections::BTreeSet;

use super::{Change, Comparison};

/// The names of inputs that are given and didn't change, and of outputs that no update changes.
pub(super) fn names(comparison: &Comparison<'_>, changes: &[Change]) -> Vec<String> {
    let changed: BTreeSet<&str> = changes.iter().filter_map(|change| change.path.first_name()).collect();
    let (inputs, outputs) = (&comparison.resource.inputs.properties, &comparison.resource.outputs.properties);
    let unchanged = inputs.iter().filter(|(name, input)| {
        let given = comparison.new_inputs.there(name).is_some();
        let same_name = outputs.get(*name);
        // An output of the same name may change although the input didn't.
        let echoed = same_name.is_none_or(|output| {
            input.ty.comes_back_as(&output.ty) && !output.facts.not_echoed && !input.facts.not_echoed
        });
        given && echoed && !changed.contains(name.as_str())
    });
    let kept =
        outputs.iter().filter(|(name, output)| output.facts.stable && comparison.old_state.there(name).is_some());
    let mut names: Vec<&String> = unchanged.chain(kept).map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().cloned().collect()
}
