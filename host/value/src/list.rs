//! An ordered list of values.

use std::{
    fmt, mem,
    ops::{Deref, DerefMut},
};

use crate::{Value, tree};

/// An ordered list of values of any kinds; a `Vec<Value>` that is dropped, cloned, compared and printed without recursion.
#[derive(Default)]
pub struct List(pub(crate) Vec<Value>);

impl List {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// The elements.
    pub fn into_vec(mut self) -> Vec<Value> {
        mem::take(&mut self.0)
    }
}

impl Deref for List {
    type Target = Vec<Value>;

    fn deref(&self) -> &Vec<Value> {
        &self.0
    }
}

impl DerefMut for List {
    fn deref_mut(&mut self) -> &mut Vec<Value> {
        &mut self.0
    }
}

impl From<Vec<Value>> for List {
    fn from(items: Vec<Value>) -> Self {
        Self(items)
    }
}

impl<V: Into<Value>> FromIterator<V> for List {
    fn from_iter<I: IntoIterator<Item = V>>(items: I) -> Self {
        Self(items.into_iter().map(Into::into).collect())
    }
}

impl IntoIterator for List {
    type Item = Value;
    type IntoIter = std::vec::IntoIter<Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a List {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a mut List {
    type Item = &'a mut Value;
    type IntoIter = std::slice::IterMut<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

impl Clone for List {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(tree::duplicate).collect())
    }
}

impl PartialEq for List {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && tree::all_same(self.iter().zip(other.iter()).collect())
    }
}

impl Eq for List {}

impl fmt::Debug for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        tree::print_list(self, f)
    }
}

impl Drop for List {
    fn drop(&mut self) {
        tree::dismantle(self.0.drain(..));
    }
}
