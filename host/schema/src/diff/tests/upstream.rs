//! Where nothing but the values counts, the changes are those that upstream's comparison of two objects finds: kinds and
//! paths are held against a second implementation, which follows its definition and nothing of ours.

use bulkhead_value::{List, Segment};

use super::*;

type Changes = BTreeSet<(String, &'static str)>;

/// Keys that are added, deleted or both; a null is no value.
fn members(place: &PropertyPath, old: &Object, new: &Object, changes: &mut Changes) {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        let place = place.child(Segment::Key(name.clone()));
        let there = |object: &'_ Object| object.get(name).is_some_and(|value| !value.is_null());
        match (there(old), there(new)) {
            (false, false) => {}
            (false, true) => drop(changes.insert((place.to_string(), "add"))),
            (true, false) => drop(changes.insert((place.to_string(), "delete"))),
            (true, true) => values(&place, &old[name], &new[name], changes),
        }
    }
}

/// Elements are compared by index; a longer list has them added, a shorter one deleted.
fn elements(place: &PropertyPath, old: &List, new: &List, changes: &mut Changes) {
    for index in 0..old.len().max(new.len()) {
        let place = place.child(Segment::Index(index));
        match (old.get(index), new.get(index)) {
            (Some(old), Some(new)) => values(&place, old, new, changes),
            (None, _) => drop(changes.insert((place.to_string(), "add"))),
            (_, None) => drop(changes.insert((place.to_string(), "delete"))),
        }
    }
}

fn values(place: &PropertyPath, old: &Value, new: &Value, changes: &mut Changes) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => members(place, old, new, changes),
        (Value::List(old), Value::List(new)) => elements(place, old, new, changes),
        (old, new) if old == new => {}
        (Value::Null, _) => drop(changes.insert((place.to_string(), "add"))),
        (_, Value::Null) => drop(changes.insert((place.to_string(), "delete"))),
        _ => drop(changes.insert((place.to_string(), "update"))),
    }
}

fn arbitrary() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..3).prop_map(Value::from),
        "[ab]?".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        let name = prop::sample::select(vec!["a", "b", "a.b", "a[0]", "a\"b", ""]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((name, inner), 0..5)
                .prop_map(|members| Value::from(members.into_iter().collect::<Object>())),
        ]
    })
}

fn found(ty: &Json, old: &Object, new: &Object) -> Changes {
    let package = one(json!({ "p": ty }), json!({}), json!({}));
    let none = Object::new();
    let comparison = Comparison::of(resource(&package), Some(old), &none, new);
    let kind = |change: &Change| match change.kind {
        ChangeKind::Added => "add",
        ChangeKind::Deleted => "delete",
        ChangeKind::Updated => "update",
    };
    diff(&package, &comparison).changes.iter().map(|change| (change.path.to_string(), kind(change))).collect()
}

/// Lists that grow, shrink and change in the middle, and maps beside them.
#[test]
fn a_list_changes_by_index() {
    let list = json!({ "type": "array", "items": { "type": "string" } });
    for (old, new, expected) in [
        (json!(["a"]), json!(["a", "b", "c"]), vec!["+p[1]", "+p[2]"]),
        (json!(["a", "b", "c"]), json!(["a"]), vec!["-p[1]", "-p[2]"]),
        (json!(["a", "b", "c"]), json!(["a", "c"]), vec!["~p[1]", "-p[2]"]),
        (json!(["a", "c"]), json!(["a", "b", "c"]), vec!["~p[1]", "+p[2]"]),
        (json!([]), json!(["a"]), vec!["+p[0]"]),
        (json!(["a"]), json!([]), vec!["-p[0]"]),
        (json!([null, "a"]), json!(["a", null]), vec!["+p[0]", "-p[1]"]),
        (json!([null]), json!([null]), vec![]),
        (json!(["a"]), json!(["<unknown>"]), vec!["~p[0]"]),
        (json!([]), json!("<unknown>"), vec!["~p"]),
        (json!(["a"]), json!([{ "<secret>": "a" }]), vec![]),
        (json!(["a"]), json!({ "<secret>": ["a", "b"] }), vec!["+p[1]"]),
    ] {
        assert_eq!(changes_of(list.clone(), old.clone(), new.clone()), expected, "{old} {new}");
    }
}

proptest! {
    #[test]
    fn the_changes_are_those_of_upstream(old in arbitrary(), new in arbitrary()) {
        let (old, new): (Object, Object) = ([("p", old)].into(), [("p", new)].into());
        let mut expected = Changes::new();
        members(&PropertyPath::root(), &old, &new, &mut expected);
        // Whether the schema says nothing of the values, or says something else, is all the same.
        let map = json!({ "type": "object", "additionalProperties": { "$ref": "pulumi.json#/Any" } });
        let list = json!({ "type": "array", "items": { "type": "array", "items": { "type": "string" } } });
        for ty in [json!({ "$ref": "pulumi.json#/Any" }), map, list, json!({ "type": "string" })] {
            prop_assert_eq!(&found(&ty, &old, &new), &expected, "{}", ty);
        }
    }
}
