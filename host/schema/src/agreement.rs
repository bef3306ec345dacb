//! The parts of this crate agree with each other, whatever the schema: what one of them makes, the others take.

use bulkhead_value::Object;
use proptest::{prelude::*, test_runner::TestCaseError};

use crate::{
    CheckRequest, Comparison, Extent, Package, Resource, Sampler, check, diff,
    fixture::{packages, parsed, resource},
    read::{inputs_from_state, shown_inputs},
};

/// Inputs as they are recorded, which are none if there is anything wrong about them.
fn checked(package: &Package, resource: &Resource, inputs: &Object) -> Result<Object, TestCaseError> {
    let checked = check(package, CheckRequest::of(&resource.inputs, inputs));
    prop_assert_eq!(&checked.failures, &[]);
    Ok(checked.inputs)
}

/// A program that gives what it was shown finds nothing wrong and nothing to do.
fn can_be_adopted(package: &Package, resource: &Resource, shown: &Object, state: &Object) -> Result<(), TestCaseError> {
    let news = checked(package, resource, shown)?;
    prop_assert_eq!(diff(package, &Comparison::of(resource, Some(shown), state, &news)).changes, []);
    Ok(())
}

proptest! {
    #[test]
    fn what_is_shown_can_be_given(schema in packages(), (one, another) in any::<(u64, u64)>()) {
        let package = parsed(&schema);
        let resource = resource(&package);
        let given = |seed| {
            let sample = Sampler::new(&package, seed).object(&resource.inputs, Extent::Some);
            sample.gaps.is_empty().then_some(sample.inputs)
        };
        let (Some(given), Some(drifted)) = (given(one), given(another)) else { return Err(TestCaseError::reject("gaps")) };
        let inputs = checked(&package, resource, &given)?;
        prop_assert_eq!(&checked(&package, resource, &inputs)?, &inputs);

        let state = &inputs;
        for old in [Some(&inputs), None] {
            prop_assert_eq!(diff(&package, &Comparison::of(resource, old, state, &inputs)).changes, []);
        }
        let imported = inputs_from_state(&package, resource, state);
        can_be_adopted(&package, resource, &imported, state)?;
        prop_assert_eq!(diff(&package, &Comparison::of(resource, Some(&imported), state, &inputs)).changes, []);

        prop_assert_eq!(&shown_inputs(&package, resource, &inputs, state, state), &inputs);
        let drifted = checked(&package, resource, &drifted)?;
        let shown = shown_inputs(&package, resource, &inputs, state, &drifted);
        can_be_adopted(&package, resource, &shown, &drifted)?;
        prop_assert_eq!(&shown_inputs(&package, resource, &shown, &drifted, &drifted), &shown);
    }
}
