//! The values directly below a value, from either end.

use std::{collections::btree_map, iter::Enumerate, slice};

use crate::{List, Object, Value};

/// How a value stands below another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step<'v> {
    /// A member of an object, or of an archive.
    Name(&'v str),
    /// An element of a list.
    Index(usize),
    /// What a secret or an output holds.
    Within,
    /// The root, below nothing.
    Root,
}

/// The values directly below a value.
#[derive(Clone)]
pub(crate) enum Children<'v> {
    Items(Enumerate<slice::Iter<'v, Value>>),
    Members(btree_map::Iter<'v, String, Value>),
    One(Option<(Step<'v>, &'v Value)>),
}

impl<'v> Children<'v> {
    pub(crate) fn of(value: &'v Value) -> Self {
        match value {
            Value::List(list) => Self::items(list),
            Value::Object(_) | Value::Archive(_) => value.members().map_or(Self::none(), Self::members),
            Value::Secret(secret) => Self::within(secret.inner()),
            Value::Output(output) => Self::One(output.value.as_deref().map(|value| (Step::Within, value))),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Bytes(_)
            | Value::Asset(_)
            | Value::Unknown
            | Value::Reference(_) => Self::none(),
        }
    }

    pub(crate) fn items(list: &'v List) -> Self {
        Self::Items(list.iter().enumerate())
    }

    pub(crate) fn members(object: &'v Object) -> Self {
        Self::Members(object.iter())
    }

    pub(crate) fn within(value: &'v Value) -> Self {
        Self::One(Some((Step::Within, value)))
    }

    pub(crate) fn none() -> Self {
        Self::One(None)
    }

    pub(crate) fn root(value: &'v Value) -> Self {
        Self::One(Some((Step::Root, value)))
    }
}

impl<'v> Iterator for Children<'v> {
    type Item = (Step<'v>, &'v Value);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Items(items) => items.next().map(|(index, value)| (Step::Index(index), value)),
            Self::Members(members) => members.next().map(|(name, value)| (Step::Name(name), value)),
            Self::One(one) => one.take(),
        }
    }
}

impl DoubleEndedIterator for Children<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match self {
            Self::Items(items) => items.next_back().map(|(index, value)| (Step::Index(index), value)),
            Self::Members(members) => members.next_back().map(|(name, value)| (Step::Name(name), value)),
            Self::One(one) => one.take(),
        }
    }
}
