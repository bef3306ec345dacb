//! What holds for all inputs.

use super::*;

#[test]
fn deep_values_are_checked_on_any_stack() {
    on_a_small_stack(|| {
        let package = cloud();
        let deep = nested(1000, "child", object(json!({ "weight": "x" })).into());
        let inputs: Object = [("spec", deep.clone()), ("anything", deep)].into();
        let checked = check(&package, CheckRequest::of(&server(&package).inputs, &inputs));
        let [failure] = checked.failures.as_slice() else { panic!("{}", checked.failures.len()) };
        assert_eq!(failure.path.segments().len(), 1002);
        assert_eq!(failure.reason, "expected a number, got a string");
    });
}

/// Two variants that lead to each other at every level: looking at each of them anew would take for ever.
#[test]
fn unions_in_unions_take_no_longer_than_their_size() {
    on_a_small_stack(|| {
        let union = json!({ "oneOf": [{ "$ref": "#/types/t:index:A" }, { "$ref": "#/types/t:index:B" }] });
        let types = json!({
            "t:index:A": { "properties": { "next": union, "end": { "type": "string" } } },
            "t:index:B": { "properties": { "next": union, "end": { "type": "integer" } } },
        });
        let package = one(json!({ "p": union }), json!({}), types);
        let ty = &resource(&package).inputs;
        let good: Object = [("p", nested(1000, "next", value(json!({ "end": 1 }))))].into();
        assert_eq!(check(&package, CheckRequest::of(ty, &good)).failures, []);
        let bad: Object = [("p", nested(1000, "next", value(json!({ "end": [] }))))].into();
        assert_eq!(check(&package, CheckRequest::of(ty, &bad)).failures.len(), 1);
    });
}

proptest! {
    #[test]
    fn what_was_given_comes_back_as_it_was(inputs in like_inputs()) {
        let package = cloud();
        let request = CheckRequest { seed: Some(&[0; 32]), ..CheckRequest::of(&server(&package).inputs, &inputs) };
        let checked = check(&package, request);
        for (name, given) in &inputs {
            let returned = checked.inputs.get(name);
            prop_assert!(returned.is_some());
            // Only members of objects may have been added below.
            let mut pairs = vec![(given.plain(), returned.unwrap().plain())];
            while let Some((given, returned)) = pairs.pop() {
                match (given, returned) {
                    (Value::Object(given), Value::Object(returned)) => {
                        prop_assert!(given.keys().all(|name| returned.contains_key(name)));
                        pairs.extend(given.iter().map(|(name, value)| (value.plain(), returned[name].plain())));
                    }
                    (Value::List(given), Value::List(returned)) => {
                        prop_assert_eq!(given.len(), returned.len());
                        pairs.extend(given.iter().zip(returned).map(|(a, b)| (a.plain(), b.plain())));
                    }
                    // A default may take its place.
                    (Value::Null, _) => {}
                    (given, returned) => prop_assert_eq!(given, returned),
                }
            }
        }
        prop_assert_eq!(inputs.contains_secret() && !checked.inputs.contains_secret(), false);
    }

    #[test]
    fn a_second_check_changes_nothing(inputs in like_inputs()) {
        let package = cloud();
        let ty = &server(&package).inputs;
        let request = CheckRequest { seed: Some(&[0; 32]), ..CheckRequest::of(ty, &inputs) };
        let once = check(&package, request);
        let twice = check(&package, CheckRequest { inputs: &once.inputs, ..request });
        prop_assert_eq!(&twice.inputs, &once.inputs);
        prop_assert_eq!(&twice.failures, &once.failures);
        prop_assert_eq!(twice.filled.len() + twice.generated.len(), 0);
    }
}
