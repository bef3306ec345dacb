//! Changing a value at places that were found before.

use std::{collections::BTreeMap, mem};

use bulkhead_value::{Collection, List, Object, Segment, Value};

use super::{
    place::{Step, Walk},
    trail::{Noted, ROOT, Trail},
};

/// A change of a member or an element.
#[derive(Debug)]
pub(crate) enum Edit {
    /// Puts a value there. A new member of an object is made.
    Put(Value),
    /// Removes a member of an object.
    Take,
}

/// What stands at a place of a list in which elements come and go.
#[derive(Debug)]
pub(crate) enum Placed {
    /// The element that stood at this place before.
    Old(usize),
    /// Another one.
    New(Value),
}

/// What changes at one place.
#[derive(Debug)]
struct Noting<S> {
    edits: Vec<(S, Edit)>,
    /// The elements that it has from now on, if it is a list.
    placed: Option<Vec<Placed>>,
}

impl<S> Default for Noting<S> {
    fn default() -> Self {
        Self { edits: Vec::new(), placed: None }
    }
}

/// Changes found on a walk, to be made in what was walked through, or in a copy.
///
/// Nothing is changed below a place that is changed itself. Elements of a list that is arranged anew are changed where they stand then.
#[derive(Default)]
pub(crate) struct Edits<'a>(Trail<'a, Noting<Step<'a>>>);

impl<'a> Edits<'a> {
    /// Adds a change one step below where the walk stands.
    pub(crate) fn add<T>(&mut self, walk: &Walk<'a, T>, step: Step<'a>, edit: Edit) {
        if let Some(note) = self.0.here(walk) {
            note.edits.push((step, edit));
        }
    }

    /// Adds a change of the very place where the walk stands.
    pub(crate) fn replace<T>(&mut self, walk: &Walk<'a, T>, value: Value) {
        if let Some((step, note)) = self.0.above(walk) {
            note.edits.push((step, Edit::Put(value)));
        }
    }

    /// Gives the list where the walk stands these elements. No old one may be named twice.
    pub(crate) fn arrange<T>(&mut self, walk: &Walk<'a, T>, placed: Vec<Placed>) {
        if let Some(note) = self.0.here(walk) {
            note.placed = Some(placed);
        }
    }

    /// Whether there is nothing to change.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.places.iter().all(|place| place.note.edits.is_empty() && place.note.placed.is_none())
    }

    /// The same changes with names of their own, so that what was walked through may be given up to be changed.
    pub(crate) fn detached(self) -> Changes {
        let mut places: Vec<Place> = Vec::new();
        if self.is_empty() {
            return Changes(places);
        }
        for (number, Noted { parent, step, note }) in self.0.places.into_iter().enumerate() {
            if let Some(step) = step
                && let Some(parent) = places.get_mut(parent)
            {
                parent.below.push((step.segment(), number));
            }
            let edits = note.edits.into_iter().map(|(step, edit)| (step.segment(), edit)).collect();
            places.push(Place { note: Noting { edits, placed: note.placed }, below: Vec::new() });
        }
        Changes(places)
    }

    /// Makes the changes: see [`Changes::apply`].
    pub(crate) fn apply(self, object: &mut Object) {
        self.detached().apply(object);
    }
}

/// Changes that know where to be made without what was walked through.
#[derive(Debug)]
pub(crate) struct Changes(Vec<Place>);

/// A place at or below which something changes.
#[derive(Debug, Default)]
struct Place {
    note: Noting<Segment>,
    /// The steps to the places below, and their numbers.
    below: Vec<(Segment, usize)>,
}

impl Changes {
    /// Makes the changes. Goes through secrets and outputs: what was secret stays secret. A place that isn't there is
    /// left alone.
    pub(crate) fn apply(mut self, object: &mut Object) {
        let mut open = vec![(ROOT, Collection::Object(object))];
        while let Some((place, collection)) = open.pop() {
            let Place { note: Noting { edits, placed }, below } =
                self.0.get_mut(place).map(mem::take).unwrap_or_default();
            match collection {
                Collection::Object(object) => {
                    edits.into_iter().for_each(|(segment, edit)| change(object, segment, edit));
                    open.extend(members(object, &below));
                }
                Collection::List(list) => {
                    placed.into_iter().for_each(|placed| arrange(list, placed));
                    for (segment, edit) in edits {
                        if let (Segment::Index(index), Edit::Put(value)) = (segment, edit)
                            && let Some(element) = list.get_mut(index)
                        {
                            *element = value;
                        }
                    }
                    open.extend(elements(list, &below));
                }
            }
        }
    }
}

fn members<'v>(object: &'v mut Object, below: &[(Segment, usize)]) -> Vec<(usize, Collection<'v>)> {
    if let [only] = below {
        let found = named(only).and_then(|(name, place)| Some((place, object.get_mut(name)?.collection_mut()?)));
        return found.into_iter().collect();
    }
    let places: BTreeMap<&str, usize> = below.iter().filter_map(named).collect();
    if places.is_empty() {
        return Vec::new();
    }
    let found =
        object.iter_mut().filter_map(|(name, value)| Some((*places.get(name.as_str())?, value.collection_mut()?)));
    found.collect()
}

fn named((segment, place): &(Segment, usize)) -> Option<(&str, usize)> {
    match segment {
        Segment::Field(name) | Segment::Key(name) => Some((name, *place)),
        Segment::Index(_) | Segment::Wildcard => None,
    }
}

fn elements<'v>(list: &'v mut [Value], below: &[(Segment, usize)]) -> Vec<(usize, Collection<'v>)> {
    let mut wanted = below.iter().filter_map(|(segment, place)| match segment {
        Segment::Index(index) => Some((*index, *place)),
        Segment::Field(_) | Segment::Key(_) | Segment::Wildcard => None,
    });
    // They are in order, as they were visited.
    let mut next = wanted.next();
    let mut found = Vec::new();
    for (index, value) in list.iter_mut().enumerate() {
        let Some((_, place)) = next.filter(|(wanted, _)| *wanted == index) else { continue };
        next = wanted.next();
        found.extend(value.collection_mut().map(|collection| (place, collection)));
    }
    found
}

fn arrange(list: &mut List, placed: Vec<Placed>) {
    let arranged = placed.into_iter().map(|placed| match placed {
        Placed::Old(place) => list.get_mut(place).map_or(Value::Null, |old| mem::replace(old, Value::Null)),
        Placed::New(value) => value,
    });
    *list = arranged.collect();
}

fn change(object: &mut Object, segment: Segment, edit: Edit) {
    let (Segment::Field(name) | Segment::Key(name)) = segment else { return };
    match edit {
        Edit::Put(value) => {
            object.insert(name, value);
        }
        Edit::Take => {
            object.remove(&name);
        }
    }
}

#[cfg(test)]
mod tests {
    use bulkhead_value::{Object, Output, Value};

    use super::{Edit, Edits, Placed, Step, Walk};

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
    fn elements_are_changed_where_they_stand_once_a_list_is_arranged() {
        let element = |number: i32| Value::from([("a", Value::from(number))].into_iter().collect::<Object>());
        let list = Value::from(vec![element(1), element(2).secret()]);
        let mut object: Object = [("top", list.secret())].into();
        let (mut walk, mut edits) = (Walk::new(), Edits::default());
        walk.push(Step::Field("top"), ());
        walk.next();
        edits.arrange(&walk, vec![Placed::New(element(0)), Placed::Old(1), Placed::Old(7)]);
        walk.push(Step::Index(1), ());
        walk.next();
        edits.add(&walk, Step::Field("a"), Edit::Put(Value::from(3)));
        assert!(!edits.is_empty());
        edits.apply(&mut object);
        let expected = Value::from(vec![element(0), element(3).secret(), Value::Null]);
        assert_eq!(object, [("top", expected.secret())].into());
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
