//! Values that are as deep and as wide as they may be.

use super::{
    super::{
        compare::{Differ, SEGMENTS},
        recorded::Recorded,
    },
    *,
};
use crate::walk::Shapes;

/// So many numbers, below so many lists of one element.
fn deep(depth: usize, numbers: impl Iterator<Item = f64>) -> Value {
    let leaves = Value::from(numbers.map(Value::from).collect::<Vec<_>>());
    (1..depth).fold(leaves, |value, _| Value::from(vec![value]))
}

fn difference(package: &Package, old: &Object, new: &Object, ignore: &[PropertyPath]) -> Difference {
    let nothing = Object::new();
    let comparison = Comparison {
        resource: resource(package),
        old_inputs: Some(old),
        old_state: &nothing,
        new_inputs: new,
        ignore_changes: ignore,
        generated: &[],
    };
    diff(package, &comparison)
}

#[test]
fn changes_that_are_deep_and_many_are_told_of_the_property_at_the_top() {
    let any = || json!({ "$ref": "pulumi.json#/Any" });
    let package = one(json!({ "deep": any(), "flat": any() }), json!({}), json!({}));
    let (depth, width) = (900, 8_000);
    let of = |step: f64| {
        let numbers = || (0..width).map(move |number| f64::from(number) + step);
        Object::from([("deep", deep(depth, numbers())), ("flat", deep(1, numbers()))])
    };
    let (old, new) = (of(0.0), of(0.5));
    let difference = difference(&package, &old, &new, &[]);
    let segments: usize = difference.changes.iter().map(|change| change.path.segments().len()).sum();
    assert!(segments <= SEGMENTS, "{segments}");
    assert_eq!(told(&difference), ["~deep", "~flat"]);

    let ignored = paths(&["deep", "flat[*]"]);
    assert_eq!(told(&super::limits::difference(&package, &old, &new, &ignored)), Vec::<String>::new());
}

#[test]
fn a_replacement_is_never_lost_among_many_changes() {
    let types = json!({
        "t:index:Item": { "type": "object", "properties": {
            "free": { "type": "integer" },
            "fixed": { "type": "integer", "replaceOnChanges": true },
        } },
    });
    let items = json!({ "type": "array", "items": { "$ref": "#/types/t:index:Item" } });
    let package = one(json!({ "items": items, "other": { "type": "integer" } }), json!({}), types);
    let of = |step: i32, last: i32| {
        let item = |number: i32, fixed: i32| json!({ "free": number + step, "fixed": fixed });
        let mut items: Vec<Json> = (0..9).map(|number| item(number, 0)).collect();
        items.push(item(9, last));
        object(json!({ "items": items, "other": step }))
    };
    let (old, new) = (of(0, 0), of(1, 1));
    let mut differ = Differ::new(&package, &[], &[]);
    differ.left = 10;
    let inputs = &resource(&package).inputs;
    differ.fields(inputs, &old, &new, Recorded::Nowhere, false);
    differ.run();
    let difference = Difference { changes: differ.changes, ..Difference::default() };
    assert_eq!(told(&difference), ["~~items", "~other"]);
}

#[test]
fn what_takes_too_long_to_compare_replaces_if_anything_in_it_could() {
    let types = json!({
        "t:index:Item": { "type": "object", "properties": { "fixed": { "type": "integer", "replaceOnChanges": true } } },
    });
    let item = json!({ "$ref": "#/types/t:index:Item" });
    let package = one(json!({ "items": { "type": "array", "items": item } }), json!({}), types);
    let (old, new) = (object(json!({ "items": [{ "fixed": 1 }] })), object(json!({ "items": [{ "fixed": 2 }] })));
    let mut differ = Differ::new(&package, &[], &[]);
    differ.shapes = Shapes::within(&package, 0);
    let inputs = &resource(&package).inputs;
    differ.fields(inputs, &old, &new, Recorded::Nowhere, false);
    differ.run();
    assert!(differ.changes.iter().any(|change| change.replaces), "{:?}", differ.changes);
}

#[test]
fn what_takes_too_long_to_look_for_among_the_ignored_is_told() {
    let numbers = json!({ "type": "array", "items": { "type": "integer" } });
    let package = one(json!({ "numbers": numbers, "other": { "type": "integer" } }), json!({}), json!({}));
    let of = |step: usize| object(json!({ "numbers": (step..step + 100).collect::<Vec<_>>(), "other": step }));
    let (old, new) = (of(0), of(1));
    let mut ignored: Vec<PropertyPath> = (0..99).map(|index| PropertyPath::field(&format!("p{index}"))).collect();
    ignored.push(PropertyPath::field("other"));
    let told_within = |steps: usize| {
        let mut differ = Differ::new(&package, &ignored, &[]);
        differ.shapes = Shapes::within(&package, steps);
        differ.fields(&resource(&package).inputs, &old, &new, Recorded::Nowhere, false);
        differ.run();
        let told = at_the_top(&differ.changes).0;
        (told.into_iter().collect::<Vec<_>>().join(" "), differ.changes.len(), differ.shapes.is_spent())
    };
    // Two steps for each of a hundred paths, for each of a hundred and one changes.
    assert_eq!(told_within(21_000), ("numbers".to_owned(), 100, false));
    assert_eq!(told_within(19_000), ("numbers other".to_owned(), 101, true));
}

/// The names at the top that change, and those that replace.
fn at_the_top(changes: &[Change]) -> (BTreeSet<String>, BTreeSet<String>) {
    let names = |wanted: fn(&Change) -> bool| {
        let changes = changes.iter().filter(|change| wanted(change));
        changes.filter_map(|change| change.path.first_name()).map(str::to_owned).collect()
    };
    (names(|_| true), names(|change| change.replaces))
}

proptest! {
    #[test]
    fn what_changes_and_replaces_is_the_same_however_little_is_kept(
        old in like_inputs(),
        new in like_inputs(),
        left in 0_usize..10,
        steps in 0_usize..60,
    ) {
        let package = cloud();
        let inputs = &server(&package).inputs;
        let changes = |left: usize, steps: usize| {
            let mut differ = Differ::new(&package, &[], &[]);
            differ.left = left;
            differ.shapes = Shapes::within(&package, steps);
            differ.fields(inputs, &old, &new, Recorded::Nowhere, false);
            differ.run();
            at_the_top(&differ.changes)
        };
        let unbounded = changes(SEGMENTS, usize::MAX);
        prop_assert_eq!(&changes(left, usize::MAX), &unbounded);
        let hasty = changes(SEGMENTS, steps);
        prop_assert!(hasty.0.is_superset(&unbounded.0) && hasty.1.is_superset(&unbounded.1), "{:?} {:?}", hasty, unbounded);
    }
}
