//! Changing a value at places that were found before.

use std::mem;

use bulkhead_value::{Object, Value};

use super::place::{Step, Walk};

/// A change of a member or an element.
pub(crate) enum Edit {
    /// Puts a value there. A new member of an object is made.
    Put(Value),
    /// Removes a member of an object.
    Take,
}

/// Changes found on a walk, to be made in what was walked through, or in a copy.
///
/// Nothing is changed below a place that is changed itself.
#[derive(Default)]
pub(crate) struct Edits<'a> {
    groups: Vec<Group<'a>>,
}

/// Changes in one object or list.
struct Group<'a> {
    visit: usize,
    way: Vec<Step<'a>>,
    edits: Vec<(Step<'a>, Edit)>,
}

impl<'a> Edits<'a> {
    /// Adds a change one step below where the walk stands.
    pub(crate) fn add<T>(&mut self, walk: &Walk<'a, T>, step: Step<'a>, edit: Edit) {
        match self.groups.last_mut() {
            Some(group) if group.visit == walk.visit() => group.edits.push((step, edit)),
            _ => self.groups.push(Group { visit: walk.visit(), way: walk.way().collect(), edits: vec![(step, edit)] }),
        }
    }

    /// Adds a change of the very place where the walk stands.
    pub(crate) fn replace<T>(&mut self, walk: &Walk<'a, T>, value: Value) {
        let mut way: Vec<Step<'a>> = walk.way().collect();
        if let Some(step) = way.pop() {
            // No visit has this number: what is added at this place would be lost.
            self.groups.push(Group { visit: usize::MAX, way, edits: vec![(step, Edit::Put(value))] });
        }
    }

    /// Whether there is nothing to change.
    pub(crate) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Makes the changes. Goes through secrets and outputs: what was secret stays secret. A place that isn't there is
    /// left alone.
    pub(crate) fn apply(self, object: &mut Object) {
        // A secret doesn't let anybody change what is in it, so those on the way are opened, and closed at the end.
        let mut opened = Vec::new();
        for Group { way, edits, .. } in self.groups {
            if way.is_empty() {
                edits.into_iter().for_each(|(step, edit)| change(object, step, edit));
                continue;
            }
            let Some(place) = descend(object, &way, &mut opened) else { continue };
            for (step, edit) in edits {
                match (through_outputs(place), step, edit) {
                    (Some(Value::Object(object)), step, edit) => change(object, step, edit),
                    (Some(Value::List(list)), Step::Index(index), Edit::Put(value)) => {
                        if let Some(element) = list.get_mut(index) {
                            *element = value;
                        }
                    }
                    _ => {}
                }
            }
        }
        // The last one opened is the innermost.
        for way in opened.into_iter().rev() {
            if let Some((first, rest)) = way.split_first()
                && let Some(place) = member(object, *first)
                && let Some(place) = rest.iter().try_fold(place, |place, step| below(place, *step))
            {
                *place = mem::replace(place, Value::Null).secret();
            }
        }
    }
}

/// The place at the end of a way. Secrets on it, the last place included, are opened and noted.
fn descend<'v, 'a>(object: &'v mut Object, way: &[Step<'a>], opened: &mut Vec<Vec<Step<'a>>>) -> Option<&'v mut Value> {
    let (first, rest) = way.split_first()?;
    let mut place = member(object, *first)?;
    for depth in 1..=way.len() {
        if open(place) {
            opened.push(way.iter().copied().take(depth).collect());
        }
        match rest.get(depth.saturating_sub(1)) {
            Some(step) => place = below(place, *step)?,
            None => return Some(place),
        }
    }
    None
}

fn change(object: &mut Object, step: Step<'_>, edit: Edit) {
    let (Step::Field(name) | Step::Key(name)) = step else { return };
    match edit {
        Edit::Put(value) => {
            object.insert(name.to_owned(), value);
        }
        Edit::Take => {
            object.remove(name);
        }
    }
}

/// Replaces a secret by what it holds.
fn open(place: &mut Value) -> bool {
    if !matches!(place, Value::Secret(_)) {
        return false;
    }
    if let Value::Secret(secret) = mem::replace(place, Value::Null) {
        *place = secret.into_inner();
    }
    true
}

fn member<'v>(object: &'v mut Object, step: Step<'_>) -> Option<&'v mut Value> {
    match step {
        Step::Field(name) | Step::Key(name) => object.get_mut(name),
        Step::Index(_) => None,
    }
}

/// The place one step below, through no secret.
fn below<'v>(place: &'v mut Value, step: Step<'_>) -> Option<&'v mut Value> {
    match (through_outputs(place)?, step) {
        (Value::Object(object), step) => member(object, step),
        (Value::List(list), Step::Index(index)) => list.get_mut(index),
        _ => None,
    }
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
    use bulkhead_value::{Object, Output, Value};

    use super::{Edit, Edits, Step, Walk};

    /// Goes this way, and adds the changes there.
    fn edits<'a>(way: &[Step<'a>], changes: Vec<(Step<'a>, Edit)>) -> Edits<'a> {
        let (mut walk, mut edits) = (Walk::new(), Edits::default());
        for step in way {
            walk.push(*step, ());
            walk.next();
        }
        for (step, edit) in changes {
            edits.add(&walk, step, edit);
        }
        edits
    }

    #[test]
    fn what_was_secret_stays_secret() {
        let inner: Object = [("a", Value::from(1))].into();
        let list = Value::from(vec![Value::from(inner).secret(), Value::Null]);
        let mut object: Object = [("top", list.secret())].into();
        let changes = vec![(Step::Key("b"), Edit::Put(Value::from(2))), (Step::Key("a"), Edit::Take)];
        edits(&[Step::Field("top"), Step::Index(0)], changes).apply(&mut object);

        let expected: Object = [("b", Value::from(2))].into();
        let list = Value::from(vec![Value::from(expected).secret(), Value::Null]);
        assert_eq!(object, [("top", list.secret())].into());
    }

    #[test]
    fn an_output_is_changed_where_it_stands() {
        let inner: Object = [("a", Value::from(1))].into();
        let mut object: Object = [("top", Value::from(Output::known(inner)))].into();
        let changes = vec![(Step::Field("a"), Edit::Put(Value::from(2)))];
        edits(&[Step::Field("top")], changes).apply(&mut object);

        let expected: Object = [("a", Value::from(2))].into();
        assert_eq!(object, [("top", Value::from(Output::known(expected)))].into());
    }

    #[test]
    fn a_place_is_replaced_as_a_whole() {
        let mut object: Object = [("top", Value::from(vec![Value::from(1), Value::from(2)]))].into();
        let (mut walk, mut edits) = (Walk::new(), Edits::default());
        for step in [Step::Field("top"), Step::Index(1)] {
            walk.push(step, ());
            walk.next();
        }
        edits.replace(&walk, Value::Null);
        edits.apply(&mut object);
        assert_eq!(object, [("top", Value::from(vec![Value::from(1), Value::Null]))].into());
    }

    #[test]
    fn a_place_that_is_not_there_is_left_alone() {
        let mut object: Object = [("top", Value::from("text"))].into();
        let before = object.clone();
        for way in [
            vec![Step::Field("top")],
            vec![Step::Field("top"), Step::Field("a")],
            vec![Step::Field("other")],
            vec![Step::Index(0)],
        ] {
            edits(&way, vec![(Step::Field("a"), Edit::Put(Value::Null))]).apply(&mut object);
        }
        assert_eq!(object, before);
    }
}
