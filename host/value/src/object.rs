//! Values by name.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map},
    fmt, mem,
    ops::{Deref, DerefMut},
};

use crate::{
    PropertyPath, Value,
    tree::{self, Children},
};

/// An object or a map: values by name, in no order that means anything; a `BTreeMap<String, Value>` that is dropped,
/// cloned, compared and printed without recursion.
#[derive(Default)]
pub struct Object(pub(crate) BTreeMap<String, Value>);

impl Object {
    /// An object without members.
    pub fn new() -> Self {
        Self::default()
    }

    /// The member of this name, if it is there and not null, secret or not: to leave something out and to give null is the same to most.
    pub fn there(&self, name: &str) -> Option<&Value> {
        self.get(name).filter(|value| !value.plain().is_null())
    }

    /// The members.
    pub fn into_map(mut self) -> BTreeMap<String, Value> {
        mem::take(&mut self.0)
    }

    /// Whether anything in the object is unknown. See [`Value::contains_unknown`].
    pub fn contains_unknown(&self) -> bool {
        tree::holds(Children::members(self), tree::lacks_content)
    }

    /// Whether anything in the object is secret.
    pub fn contains_secret(&self) -> bool {
        tree::holds(Children::members(self), tree::is_secret)
    }

    /// The place of the first unknown, in the order of the keys. See [`Value::first_unknown`].
    pub fn first_unknown(&self) -> Option<PropertyPath> {
        tree::Walk::inside(self).find_place(tree::lacks_content)
    }

    /// Takes ids that aren't known out of references, at every depth. Outside of previews whatever has an id has a known one, so
    /// what has none is a component, for which some programs (YAML) send an id that never will be known.
    pub fn drop_unknown_ids(&mut self) {
        tree::drop_unknown_ids(self.0.values_mut());
    }

    /// Takes out members, and elements of lists, that are secrets which aren't known, at every depth: what is left of a value that isn't known
    /// where an engine leaves out all that isn't.
    pub fn drop_unknown_secrets(&mut self) {
        tree::drop_unknown_secrets(self);
    }

    /// Whether anything in the object is an output.
    pub fn contains_output(&self) -> bool {
        tree::holds(Children::members(self), |value| matches!(value, Value::Output(_)))
    }

    /// Replaces every output, at every depth, by its value: a secret one by a secret, one without a value by an unknown. Returns
    /// the URNs that outputs depended on.
    pub fn settle(&mut self) -> BTreeSet<String> {
        let mut dependencies = BTreeSet::new();
        self.0.values_mut().for_each(|value| tree::settle(value, &mut dependencies));
        dependencies
    }

    /// The object with every secret, at every depth, replaced by what it holds. See [`Value::without_secrets`].
    pub fn without_secrets(mut self) -> Self {
        self.0.values_mut().for_each(tree::reveal);
        self
    }
}

impl Deref for Object {
    type Target = BTreeMap<String, Value>;

    fn deref(&self) -> &BTreeMap<String, Value> {
        &self.0
    }
}

impl DerefMut for Object {
    fn deref_mut(&mut self) -> &mut BTreeMap<String, Value> {
        &mut self.0
    }
}

impl From<BTreeMap<String, Value>> for Object {
    fn from(members: BTreeMap<String, Value>) -> Self {
        Self(members)
    }
}

impl<K: Into<String>, V: Into<Value>> FromIterator<(K, V)> for Object {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(members: I) -> Self {
        Self(members.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

impl<K: Into<String>, V: Into<Value>, const N: usize> From<[(K, V); N]> for Object {
    fn from(members: [(K, V); N]) -> Self {
        members.into_iter().collect()
    }
}

impl IntoIterator for Object {
    type Item = (String, Value);
    type IntoIter = btree_map::IntoIter<String, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_map().into_iter()
    }
}

impl<'a> IntoIterator for &'a Object {
    type Item = (&'a String, &'a Value);
    type IntoIter = btree_map::Iter<'a, String, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a mut Object {
    type Item = (&'a String, &'a mut Value);
    type IntoIter = btree_map::IterMut<'a, String, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

impl Clone for Object {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|(name, value)| (name.clone(), tree::duplicate(value))).collect())
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.keys().eq(other.keys())
            && tree::all_same(self.values().zip(other.values()).collect())
    }
}

impl Eq for Object {}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        tree::print_object(self, f)
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        tree::dismantle(mem::take(&mut self.0).into_values());
    }
}
