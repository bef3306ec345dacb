//! What holds for all inputs.

use super::*;

#[test]
fn deep_values_are_compared_on_any_stack() {
    on_a_small_stack(|| {
        let package = cloud();
        let deep = |weight: i32| -> Object {
            let deep = nested(1000, "child", value(json!({ "weight": weight, "zone": "z" })));
            [("spec", deep.clone()), ("anything", deep)].into()
        };
        let (old, new, none) = (deep(1), deep(2), Object::new());
        let compare = |old: &Object, new: &Object| {
            let comparison = Comparison {
                resource: server(&package),
                old_inputs: Some(old),
                old_state: &none,
                new_inputs: new,
                ignore_changes: &[],
                generated: &[],
            };
            diff(&package, &comparison)
        };
        assert_eq!(compare(&old, &old).changes, []);
        assert_eq!(compare(&old, &new).changes.len(), 2);
        assert_eq!(compare(&Object::new(), &new).changes.len(), 2);
    });
}

proptest! {
    #[test]
    fn nothing_differs_from_itself(inputs in like_known_inputs()) {
        let package = cloud();
        let request = CheckRequest { seed: Some(&[0; 32]), ..CheckRequest::of(&server(&package).inputs, &inputs) };
        let checked = check(&package, request).inputs;
        let comparison = Comparison {
            resource: server(&package),
            old_inputs: Some(&checked),
            old_state: &checked,
            new_inputs: &checked,
            ignore_changes: &[],
            generated: &[],
        };
        prop_assert_eq!(diff(&package, &comparison).changes, []);
    }

    #[test]
    fn changes_are_told_once_and_both_ways(
        old in like_inputs(),
        new in like_inputs(),
    ) {
        let package = cloud();
        let none = Object::new();
        let compare = |old: &Object, new: &Object| {
            let comparison = Comparison {
                resource: server(&package),
                old_inputs: Some(old),
                old_state: &none,
                new_inputs: new,
                ignore_changes: &[],
                generated: &[],
            };
            diff(&package, &comparison)
        };
        let forth = compare(&old, &new);
        let paths: BTreeSet<String> = forth.changes.iter().map(|change| change.path.to_string()).collect();
        prop_assert_eq!(paths.len(), forth.changes.len());
        prop_assert_eq!(&forth, &compare(&old, &new));
        for change in &forth.changes {
            let others = forth.changes.iter().filter(|other| other.path != change.path);
            prop_assert!(others.into_iter().all(|other| !change.path.contains(&other.path)), "{:?}", forth);
            prop_assert!(!change.replaces || forth.replaces());
        }
        prop_assert!(forth.replaces() || !forth.delete_before_replace);
    }
}
