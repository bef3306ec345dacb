//! `ignoreChanges`: what a user asks to ignore is as it is recorded, whatever the program gives.

use bulkhead_sdk::{Fields, Path, Segment, Value};

/// The inputs, set back to the state at some places. Those that the state doesn't have are left out.
pub fn set_back(mut inputs: Fields, state: &Fields, places: &[Path]) -> Fields {
    for place in places {
        members(&mut inputs, state, place.segments());
    }
    inputs
}

/// Sets members back. `*` stands for all of them.
fn members(given: &mut Fields, recorded: &Fields, steps: &[Segment]) {
    match steps {
        [Segment::Field(all)] if all == "*" => given.clone_from(recorded),
        [Segment::Field(name)] => put(given, name, recorded),
        [Segment::Field(name), deeper @ ..] => {
            for (member, given) in given.iter_mut().filter(|(member, _)| name == "*" || *member == name) {
                // Where the whole isn't recorded, natively nothing in it can be ignored.
                if let Some(recorded) = recorded.get(member) {
                    inside(given, recorded.plain(), deeper);
                }
            }
        }
        _ => {}
    }
}

/// Sets a value back that both have, or something in it.
fn inside(given: &mut Value, recorded: &Value, steps: &[Segment]) {
    match (given, recorded, steps) {
        (given, recorded, []) => given.clone_from(recorded),
        (Value::Secret(given), recorded, steps) => inside(given, recorded.plain(), steps),
        (Value::Fields(given), Value::Fields(recorded), steps) => members(given, recorded, steps),
        (Value::Items(given), Value::Items(recorded), [Segment::Index(index), deeper @ ..]) => {
            if let (Some(given), Some(recorded)) = (given.get_mut(*index as usize), recorded.get(*index as usize)) {
                inside(given, recorded, deeper);
            }
        }
        // What one of them doesn't have stays as it is, as natively.
        (Value::Items(given), Value::Items(recorded), [Segment::Field(all), deeper @ ..]) if all == "*" => {
            given.iter_mut().zip(recorded).for_each(|(given, recorded)| inside(given, recorded, deeper));
        }
        _ => {}
    }
}

fn put(fields: &mut Fields, name: &str, recorded: &Fields) {
    match recorded.get(name) {
        Some(value) => fields.insert(name.to_owned(), value.clone()),
        None => fields.remove(name),
    };
}

#[cfg(test)]
mod tests {
    use bulkhead_sdk::fields;

    use super::*;

    #[test]
    fn ignored_places_are_as_recorded() {
        let state = fields! { "length": 2, "keepers": fields! { "a": "1" }, "inputs": vec!["a", "b"] };
        let given = fields! {
            "length": 3,
            "prefix": "p",
            "keepers": fields! { "a": "2", "b": "3" },
            "inputs": vec!["c", "d", "e"],
        };
        let places = [
            "length".into(),
            "prefix".into(),
            Path::from("keepers").field("a"),
            Path::from("keepers").field("b"),
            Path::from("inputs").index(0),
            Path::from("inputs").index(9),
        ];
        let expected = fields! { "length": 2, "keepers": fields! { "a": "1" }, "inputs": vec!["a", "d", "e"] };
        assert_eq!(set_back(given.clone(), &state, &places), expected);
        assert_eq!(set_back(given.clone(), &state, &["*".into()]), state);
        assert_eq!(set_back(given.clone(), &state, &[]), given);
        let inside = Path::from("keepers").field("a");
        assert_eq!(set_back(given.clone(), &Fields::new(), &[inside]), given);
    }

    #[test]
    fn stars_stand_for_all_at_any_depth() {
        let state = fields! { "length": 2, "keepers": fields! { "a": "1" }, "inputs": vec!["a", "b"] };
        let keepers = |members: Fields| fields! { "length": 2, "keepers": members, "inputs": vec!["a", "b"] };
        let back = |given: Fields, place: Path| set_back(given, &state, &[place]) == state;
        let (more, other) = (fields! { "a": "1", "b": "2" }, fields! { "a": "2" });
        for place in [Path::from("keepers").field("*"), Path::from("*").field("*")] {
            for given in [more.clone(), other.clone(), fields! {}] {
                assert!(back(keepers(given), place.clone()), "{place}");
            }
        }
        assert!(back(keepers(more), Path::from("*").field("b")));
        assert!(back(keepers(other.clone()), Path::from("*").field("a")));
        assert!(!back(keepers(other), Path::from("*").field("b")));
        let inputs = |items: Vec<&str>| fields! { "length": 2, "keepers": fields! { "a": "1" }, "inputs": items };
        for (given, expected) in [
            (vec!["x", "b"], vec!["a", "b"]),
            (vec!["x"], vec!["a"]),
            (vec!["x", "y", "z"], vec!["a", "b", "z"]),
            (vec![], vec![]),
        ] {
            let all = Path::from("inputs").field("*");
            assert_eq!(set_back(inputs(given), &state, &[all]), inputs(expected), "those that both have");
        }
    }
}
