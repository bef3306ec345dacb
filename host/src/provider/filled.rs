//! Which inputs on record nobody gave. Some providers fill in what their schemas don't tell of, and leave word of it.
//!
//! Such an input isn't taken back by leaving it out, so that new inputs lack it is no difference. It was on record all the same:
//! an [`upgrade`](super::Guest::upgrade) rewrites inputs as they were recorded, and only then is anything left out of them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use bulkhead_value::{Object, Value};

/// What was filled in, in the shape of the inputs: a path for each would repeat what is above it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filled {
    /// Members that nobody gave.
    pub names: BTreeSet<String>,
    /// What nobody gave within members.
    pub members: BTreeMap<String, Filled>,
    /// What nobody gave within elements of a list, by their places.
    pub elements: BTreeMap<usize, Filled>,
}

impl Filled {
    /// Whether all was given.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.members.is_empty() && self.elements.is_empty()
    }

    /// Old inputs without what nobody gave and new ones leave out, but for names at the top that stay.
    pub fn without_lapsed<'o>(&self, old: &'o Object, new: &Object, stays: &dyn Fn(&str) -> bool) -> Cow<'o, Object> {
        let lapses = |name: &String| new.there(name).is_none() && !stays(name) && old.contains_key(name);
        if self.members.is_empty() && !self.names.iter().any(lapses) {
            return Cow::Borrowed(old);
        }
        Cow::Owned(self.left(old.clone(), new, stays))
    }

    fn left(&self, old: Object, new: &Object, stays: &dyn Fn(&str) -> bool) -> Object {
        let members = old.into_map().into_iter().filter_map(|(name, value)| match new.there(&name) {
            Some(new) => {
                let value = match self.members.get(&name) {
                    Some(below) => below.left_of_value(value, new),
                    None => value,
                };
                Some((name, value))
            }
            None => (stays(&name) || !self.names.contains(&name)).then_some((name, value)),
        });
        members.collect()
    }

    fn left_of_value(&self, old: Value, new: &Value) -> Value {
        match (old, new.plain()) {
            (Value::Object(old), Value::Object(new)) => Value::Object(self.left(old, new, &|_| false)),
            (Value::List(old), Value::List(new)) => {
                let elements = old.into_vec().into_iter().enumerate();
                let left = elements.map(|(place, old)| match (self.elements.get(&place), new.get(place)) {
                    (Some(below), Some(new)) => below.left_of_value(old, new),
                    _ => old,
                });
                Value::List(left.collect())
            }
            (Value::Secret(old), new) => self.left_of_value(old.into_inner(), new).secret(),
            (old, _) => old,
        }
    }
}
