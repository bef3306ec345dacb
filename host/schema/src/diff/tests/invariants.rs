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
            let comparison = Comparison::of(server(&package), Some(old), &none, new);
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
        let comparison = Comparison::of(server(&package), Some(&checked), &checked, &checked);
        prop_assert_eq!(diff(&package, &comparison).changes, []);
    }

    #[test]
    fn changes_are_told_once(
        old in like_inputs(),
        new in like_inputs(),
    ) {
        let package = cloud();
        let none = Object::new();
        let compare = |old: &Object, new: &Object| {
            let comparison = Comparison::of(server(&package), Some(old), &none, new);
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
    }

    /// What an engine relies on: see DIFF-04 to DIFF-06.
    #[test]
    fn a_difference_agrees_with_itself(
        old in prop::option::of(like_known_inputs()),
        state in like_known_inputs(),
        new in like_inputs(),
        update in any::<bool>(),
        delete_before_replace in any::<bool>(),
    ) {
        let mut package = cloud();
        let methods = Methods { update, ..Methods::default() };
        let facts = ResourceFacts { methods, delete_before_replace, ..ResourceFacts::default() };
        package.resource_mut("cloud:index:Server").unwrap().facts = facts;
        let comparison = Comparison::of(server(&package), old.as_ref(), &state, &new);
        let difference = diff(&package, &comparison);
        let given = old.as_ref().unwrap_or(&state);
        for change in &difference.changes {
            let name = change.path.first_name().unwrap();
            prop_assert!(given.contains_key(name) || new.contains_key(name), "{}", change.path);
            prop_assert!(name != "id" && !name.starts_with("__"), "{}", change.path);
            prop_assert!(!difference.stable.iter().any(|stable| stable == name), "{} is stable", name);
            prop_assert_eq!(change.input_diff, old.is_some());
            prop_assert!(change.replaces || update);
        }
        prop_assert!(difference.stable.is_empty() || !difference.replaces());
        // Two resources can't have the name that the user gave at once.
        let keeps_its_name = given.get("name").zip(new.get("name")).is_some_and(|(old, new)| {
            !old.plain().is_null() && equivalent(old, new)
        });
        let first = delete_before_replace || keeps_its_name;
        prop_assert_eq!(difference.delete_before_replace, first);

        // To ignore what changed leaves nothing, and to ignore one change leaves the others. Inside a secret a path stands
        // for more than itself.
        let every: Vec<PropertyPath> = difference.changes.iter().map(|change| change.path.clone()).collect();
        let ignoring = |ignore_changes: &[PropertyPath]| diff(&package, &Comparison { ignore_changes, ..comparison });
        // An element that comes or goes can't be ignored by itself.
        let resized = |change: &&Change| {
            change.kind != ChangeKind::Updated && matches!(change.path.segments().last(), Some(bulkhead_value::Segment::Index(_)))
        };
        let resized: Vec<Change> = difference.changes.iter().filter(resized).cloned().collect();
        let left = ignoring(&every).changes;
        prop_assert!(left.iter().all(|change| resized.contains(change)), "{:?}", left);
        let tops: Vec<PropertyPath> = every.iter().map(|path| PropertyPath::field(path.first_name().unwrap())).collect();
        prop_assert_eq!(ignoring(&tops).changes, []);
        if let Some((first, others)) = every.split_first().filter(|_| resized.is_empty()) {
            let left = ignoring(std::slice::from_ref(first)).changes;
            prop_assert_eq!(left.iter().map(|change| &change.path).collect::<Vec<_>>(), others.iter().collect::<Vec<_>>());
        }
        // Twice the same question, the same answer.
        prop_assert_eq!(diff(&package, &comparison), difference);
    }
}
