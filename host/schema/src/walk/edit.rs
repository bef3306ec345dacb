//! Changing a value at places that were found before.

use std::mem;

use bulkhead_value::{Object, PropertyPath, Segment, Value};

/// A change at one place.
pub(crate) enum Edit {
    /// Puts a value there. The object above must exist; a new member of it is made.
    Put(Value),
    /// Removes a member of an object.
    Take,
}

/// Makes changes in an object, in their order. Unlike [`PropertyPath::set`], goes through secrets and outputs: what was
/// secret stays secret. A place that isn't there is left alone.
pub(crate) fn apply(object: &mut Object, edits: Vec<(PropertyPath, Edit)>) {
    for (path, edit) in edits {
        if let [first, rest @ ..] = path.segments() {
            match (first.name(), rest) {
                (Some(name), []) => change(object, name, edit),
                (Some(name), rest) => {
                    if let Some(member) = object.get_mut(name) {
                        below(member, rest, edit);
                    }
                }
                (None, _) => {}
            }
        }
    }
}

fn change(object: &mut Object, name: &str, edit: Edit) {
    match edit {
        Edit::Put(value) => {
            object.insert(name.to_owned(), value);
        }
        Edit::Take => {
            object.remove(name);
        }
    }
}

fn below(root: &mut Value, steps: &[Segment], edit: Edit) {
    // A secret doesn't let anybody change what is in it, so those on the way are opened, and closed again at the end,
    // the innermost first: what is below a place has to be reached once more.
    let mut opened = Vec::new();
    let mut edit = Some(edit);
    for depth in 0..steps.len() {
        let Some(place) = reach(root, steps.get(..depth).unwrap_or_default()) else { break };
        if let Value::Secret(_) = place {
            if let Value::Secret(secret) = mem::replace(place, Value::Null) {
                *place = secret.into_inner();
            }
            opened.push(depth);
        }
        if depth.saturating_add(1) == steps.len()
            && let (Some(step), Some(edit)) = (steps.last(), edit.take())
        {
            finish(place, step, edit);
        }
    }
    for depth in opened.into_iter().rev() {
        if let Some(place) = reach(root, steps.get(..depth).unwrap_or_default()) {
            *place = mem::replace(place, Value::Null).secret();
        }
    }
}

fn finish(place: &mut Value, step: &Segment, edit: Edit) {
    match (through_outputs(place), step, edit) {
        (Some(Value::Object(object)), Segment::Field(name) | Segment::Key(name), edit) => change(object, name, edit),
        (Some(Value::List(list)), Segment::Index(index), Edit::Put(value)) => {
            if let Some(element) = list.get_mut(*index) {
                *element = value;
            }
        }
        _ => {}
    }
}

/// The place some steps below, through no secret.
fn reach<'v>(root: &'v mut Value, steps: &[Segment]) -> Option<&'v mut Value> {
    steps.iter().try_fold(root, |place, step| match (through_outputs(place)?, step) {
        (Value::Object(object), Segment::Field(name) | Segment::Key(name)) => object.get_mut(name),
        (Value::List(list), Segment::Index(index)) => list.get_mut(*index),
        _ => None,
    })
}

fn through_outputs(mut value: &mut Value) -> Option<&mut Value> {
    loop {
        match value {
            Value::Output(output) => value = output.value.as_deref_mut()?,
            value => return Some(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Edit, apply};
    use bulkhead_value::{Object, Output, PropertyPath, Value};

    fn path(text: &str) -> PropertyPath {
        PropertyPath::parse(text).unwrap()
    }

    #[test]
    fn what_was_secret_stays_secret() {
        let inner: Object = [("a", Value::from(1))].into();
        let list = Value::from(vec![Value::from(inner).secret(), Value::Null]);
        let mut object: Object = [("top", list.secret())].into();
        apply(&mut object, vec![(path("top[0].b"), Edit::Put(Value::from(2))), (path("top[0].a"), Edit::Take)]);

        let expected: Object = [("b", Value::from(2))].into();
        let list = Value::from(vec![Value::from(expected).secret(), Value::Null]);
        assert_eq!(object, [("top", list.secret())].into());
    }

    #[test]
    fn an_output_is_changed_where_it_stands() {
        let inner: Object = [("a", Value::from(1))].into();
        let mut object: Object = [("top", Value::from(Output::known(inner)))].into();
        apply(&mut object, vec![(path("top.a"), Edit::Put(Value::from(2)))]);

        let expected: Object = [("a", Value::from(2))].into();
        assert_eq!(object, [("top", Value::from(Output::known(expected)))].into());
    }

    #[test]
    fn a_place_that_is_not_there_is_left_alone() {
        let mut object: Object = [("top", Value::from("text"))].into();
        let before = object.clone();
        for place in ["top.a", "top[0]", "other.a", "[0]"] {
            apply(&mut object, vec![(path(place), Edit::Put(Value::Null))]);
        }
        assert_eq!(object, before);
    }
}
