//! Reading and changing what is at a path.
//!
//! A path goes through lists and objects and through nothing else: what is in a secret is reached only by whoever takes
//! it out, and so decides that it may be seen.

use super::{PropertyPath, Segment};
use crate::{Kind, List, Object, Value};

/// How many elements `add` appends to a list to reach an index: an index is a number that somebody else wrote.
const GROWTH: usize = 65_536;

/// Why a value couldn't be changed at a path. It is then as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
    /// The path is the root.
    #[error("change a value by a path: the path is empty")]
    Root,
    /// `add` can't tell which members a wildcard should make.
    #[error("add {}: the path has a wildcard", path.described())]
    Wildcard {
        /// The path.
        path: PropertyPath,
    },
    /// There is nothing there.
    #[error("reach {}: it doesn't exist", path.described())]
    Missing {
        /// The first step that leads nowhere.
        path: PropertyPath,
    },
    /// The value above has no such members: an index into an object, a name in a string, anything in a secret.
    #[error("reach {}: it would be in {parent}", path.described())]
    Mismatch {
        /// The first step that leads nowhere.
        path: PropertyPath,
        /// What the value above is.
        parent: Kind,
    },
    /// The index is too far beyond the end of the list.
    #[error("add {}: the index is more than {GROWTH} past the end of the list", path.described())]
    Growth {
        /// The path up to the index.
        path: PropertyPath,
    },
}

impl PropertyPath {
    /// The value at this place. `None` for a place that isn't there, below a secret, or named by a wildcard: see
    /// [`get_all`](Self::get_all).
    pub fn get<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.segments().iter().try_fold(value, |value, segment| match (segment, value) {
            (Segment::Field(name) | Segment::Key(name), Value::Object(object)) => object.get(name),
            (Segment::Index(index), Value::List(list)) => list.get(*index),
            _ => None,
        })
    }

    /// The values at all places that this path names, in order.
    pub fn get_all<'v>(&self, value: &'v Value) -> Vec<&'v Value> {
        let mut found = vec![value];
        for segment in self.segments() {
            found = found.into_iter().flat_map(|value| below(value, segment)).collect();
        }
        found
    }

    /// Puts a value in this place, or in every place that is there if the path has wildcards. The list or object above
    /// must be there; a new name in an object is made, a new element in a list isn't.
    pub fn set(&self, root: &mut Value, value: Value) -> Result<(), AccessError> {
        let (last, parents) = self.parents(root)?;
        for parent in parents {
            match (last, parent) {
                (Segment::Field(name) | Segment::Key(name), Value::Object(object)) => {
                    object.insert(name.clone(), value.clone());
                }
                (last, parent) => below_mut(parent, last).into_iter().for_each(|place| *place = value.clone()),
            }
        }
        Ok(())
    }

    /// Puts a value in this place and makes what is missing on the way: objects for names, lists filled up with nulls
    /// for indices, where there is a null or nothing.
    pub fn add(&self, root: &mut Value, value: Value) -> Result<(), AccessError> {
        self.check_addition(root)?;
        let mut place = root;
        for segment in self.segments() {
            if place.is_null() {
                *place = match segment {
                    Segment::Index(_) => Value::List(List::new()),
                    _ => Value::Object(Object::new()),
                };
            }
            place = match (segment, place) {
                (Segment::Field(name) | Segment::Key(name), Value::Object(object)) => {
                    object.entry(name.clone()).or_insert(Value::Null)
                }
                (Segment::Index(index), Value::List(list)) => {
                    if list.len() <= *index {
                        list.resize(index.saturating_add(1), Value::Null);
                    }
                    list.get_mut(*index).ok_or_else(|| AccessError::Missing { path: self.clone() })?
                }
                (_, parent) => return Err(AccessError::Mismatch { path: self.clone(), parent: parent.kind() }),
            };
        }
        *place = value;
        Ok(())
    }

    /// Removes this place, or every place that is there if the path has wildcards. A name is removed from its object,
    /// present or not; an element of a list becomes null, so that the others keep their indices.
    pub fn delete(&self, root: &mut Value) -> Result<(), AccessError> {
        let (last, parents) = self.parents(root)?;
        for parent in parents {
            match (last, parent) {
                (Segment::Field(name) | Segment::Key(name), Value::Object(object)) => {
                    object.remove(name);
                }
                (Segment::Wildcard, Value::Object(object)) => object.clear(),
                (last, parent) => below_mut(parent, last).into_iter().for_each(|place| *place = Value::Null),
            }
        }
        Ok(())
    }

    /// The last step, and the values above it that can have it: at least one.
    fn parents<'v>(&self, root: &'v mut Value) -> Result<(&Segment, Vec<&'v mut Value>), AccessError> {
        let (last, above) = self.segments().split_last().ok_or(AccessError::Root)?;
        let mut found = vec![root];
        for (position, segment) in above.iter().enumerate() {
            let refusal = self.refusal(position, &found);
            found = found.into_iter().flat_map(|value| below_mut(value, segment)).collect();
            if found.is_empty() {
                return Err(refusal);
            }
        }
        let refusal = self.refusal(above.len(), &found);
        found.retain(|parent| has_room(parent, last));
        if found.is_empty() { Err(refusal) } else { Ok((last, found)) }
    }

    /// Checks that `add` will succeed, before it changes anything.
    fn check_addition(&self, root: &Value) -> Result<(), AccessError> {
        if self.is_root() {
            return Err(AccessError::Root);
        }
        if self.segments().contains(&Segment::Wildcard) {
            return Err(AccessError::Wildcard { path: self.clone() });
        }
        let mut place = Some(root);
        for (position, segment) in self.segments().iter().enumerate() {
            place = place.filter(|value| !value.is_null());
            if let Some(parent) = place
                && !accepts(parent, segment)
            {
                return Err(AccessError::Mismatch { path: self.up_to(position), parent: parent.kind() });
            }
            if let Segment::Index(index) = segment
                && *index >= place.and_then(Value::as_list).map_or(0, |list| list.len()).saturating_add(GROWTH)
            {
                return Err(AccessError::Growth { path: self.up_to(position) });
            }
            place = place.and_then(|parent| below(parent, segment).into_iter().next());
        }
        Ok(())
    }

    /// The error if none of these values has what the step at this position names.
    fn refusal(&self, position: usize, parents: &[&mut Value]) -> AccessError {
        let path = self.up_to(position);
        let Some(segment) = self.segments().get(position) else { return AccessError::Missing { path } };
        match parents.iter().find(|parent| !accepts(parent, segment)) {
            Some(parent) => AccessError::Mismatch { path, parent: parent.kind() },
            None => AccessError::Missing { path },
        }
    }

    /// The path up to and with the step at this position.
    fn up_to(&self, position: usize) -> Self {
        self.segments().iter().take(position.saturating_add(1)).cloned().collect()
    }
}

/// Whether a value of this kind has such members at all.
fn accepts(parent: &Value, segment: &Segment) -> bool {
    match segment {
        Segment::Field(_) | Segment::Key(_) => matches!(parent, Value::Object(_)),
        Segment::Index(_) => matches!(parent, Value::List(_)),
        Segment::Wildcard => matches!(parent, Value::Object(_) | Value::List(_)),
    }
}

/// Whether this very member can be set.
fn has_room(parent: &Value, segment: &Segment) -> bool {
    match (segment, parent) {
        (Segment::Index(index), Value::List(list)) => *index < list.len(),
        (segment, parent) => accepts(parent, segment),
    }
}

fn below<'v>(parent: &'v Value, segment: &Segment) -> Vec<&'v Value> {
    match (segment, parent) {
        (Segment::Field(name) | Segment::Key(name), Value::Object(object)) => object.get(name).into_iter().collect(),
        (Segment::Index(index), Value::List(list)) => list.get(*index).into_iter().collect(),
        (Segment::Wildcard, Value::Object(object)) => object.values().collect(),
        (Segment::Wildcard, Value::List(list)) => list.iter().collect(),
        _ => Vec::new(),
    }
}

fn below_mut<'v>(parent: &'v mut Value, segment: &Segment) -> Vec<&'v mut Value> {
    match (segment, parent) {
        (Segment::Field(name) | Segment::Key(name), Value::Object(object)) => {
            object.get_mut(name).into_iter().collect()
        }
        (Segment::Index(index), Value::List(list)) => list.get_mut(*index).into_iter().collect(),
        (Segment::Wildcard, Value::Object(object)) => object.values_mut().collect(),
        (Segment::Wildcard, Value::List(list)) => list.iter_mut().collect(),
        _ => Vec::new(),
    }
}
