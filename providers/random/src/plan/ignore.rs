//! `ignoreChanges`: what a user asks to ignore is as it is recorded, whatever the program gives.

use bulkhead_sdk::{Fields, Path, Segment, Value};

/// The inputs, set back to the state at some places. Those that the state doesn't have are left out.
pub fn set_back(mut inputs: Fields, state: &Fields, places: &[Path]) -> Fields {
    for place in places {
        match place.segments() {
            [Segment::Field(all)] if all == "*" => inputs.clone_from(state),
            [Segment::Field(name)] => put(&mut inputs, name, state.get(name)),
            [Segment::Field(name), step] => {
                // Where the whole isn't recorded, natively nothing in it can be ignored.
                if let (Some(given), Some(recorded)) = (inputs.get_mut(name), state.get(name)) {
                    inside(given, recorded.plain(), step);
                }
            }
            _ => {}
        }
    }
    inputs
}

fn inside(given: &mut Value, recorded: &Value, step: &Segment) {
    match (given, step, recorded) {
        (Value::Secret(given), step, recorded) => inside(given, recorded, step),
        (Value::Fields(given), Segment::Field(key), Value::Fields(recorded)) => put(given, key, recorded.get(key)),
        (Value::Items(given), Segment::Index(index), Value::Items(recorded)) => {
            if let (Some(given), Some(recorded)) = (given.get_mut(*index as usize), recorded.get(*index as usize)) {
                given.clone_from(recorded);
            }
        }
        _ => {}
    }
}

fn put(fields: &mut Fields, name: &str, value: Option<&Value>) {
    match value {
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
}
