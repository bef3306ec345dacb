//! What is said about a value: secret, unknown, dependencies.

use super::Dependencies;
use crate::value::{self, Value};

/// What is said about a value or a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) secret: bool,
    pub(crate) unknown: bool,
    pub(crate) dependencies: Dependencies,
}

impl Marks {
    /// What is said about the value or any part of it. Who refers to a resource depends on it.
    pub(crate) fn of(value: &Value) -> Self {
        let mut marks = Self::default();
        marks.collect(value);
        marks
    }

    fn collect(&mut self, value: &Value) {
        match value {
            Value::Unknown => self.unknown = true,
            Value::Secret(inner) => {
                self.secret = true;
                self.collect(inner);
            }
            Value::Output(output) => {
                self.secret |= output.secret;
                self.dependencies.extend(output.dependencies.iter().map(String::as_str));
                match &output.value {
                    Some(inner) => self.collect(inner),
                    None => self.unknown = true,
                }
            }
            Value::Items(items) => items.iter().for_each(|item| self.collect(item)),
            Value::Fields(fields) => fields.values().for_each(|field| self.collect(field)),
            Value::Reference(reference) => {
                self.unknown |= !reference.is_known();
                self.dependencies.insert(&*reference.urn);
            }
            _ => {}
        }
    }
}

/// The value without the wrappers around the whole of it, and what they said.
pub(crate) fn peel(value: Value) -> (Value, Marks) {
    let mut marks = Marks::default();
    let mut value = value;
    loop {
        value = match value {
            Value::Secret(inner) => {
                marks.secret = true;
                *inner
            }
            Value::Output(output) => {
                marks.secret |= output.secret;
                marks.dependencies.extend(output.dependencies);
                output.value.map_or(Value::Unknown, |inner| *inner)
            }
            value => return (value, marks),
        }
    }
}

/// The value with what is said about the whole of it, in the simplest way that says it all.
pub(crate) fn wrap(value: Value, secret: bool, dependencies: Dependencies) -> Value {
    if !secret && dependencies.is_empty() {
        return value;
    }
    let (value, marks) = peel(value);
    let secret = secret || marks.secret;
    let dependencies = marks.dependencies.union(&dependencies);
    match value {
        value if dependencies.is_empty() && !matches!(value, Value::Unknown) => {
            if secret {
                value.secret()
            } else {
                value
            }
        }
        Value::Unknown if dependencies.is_empty() && !secret => Value::Unknown,
        value => {
            let value = if matches!(value, Value::Unknown) { None } else { Some(Box::new(value)) };
            Value::Output(value::Output { value, secret, dependencies: dependencies.into_urns() })
        }
    }
}

/// The value without anything that is said about it or its parts.
pub(crate) fn bare(value: Value) -> Value {
    match value.into_plain() {
        Value::Items(items) => Value::Items(items.into_iter().map(bare).collect()),
        Value::Fields(fields) => Value::Fields(fields.into_iter().map(|(name, value)| (name, bare(value))).collect()),
        plain => plain,
    }
}
