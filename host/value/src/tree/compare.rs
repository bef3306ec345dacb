//! Structural equality.

use super::Children;
use crate::{Archive, ArchiveSource, Value};

/// Whether all pairs are equal.
pub(crate) fn all_same(mut pairs: Vec<(&Value, &Value)>) -> bool {
    while let Some((a, b)) = pairs.pop() {
        if !same_shape(a, b) {
            return false;
        }
        pairs.extend(Children::of(a).zip(Children::of(b)).map(|((_, a), (_, b))| (a, b)));
    }
    true
}

/// Whether two values are equal but for what is below them, and have as much below them, under the same names.
fn same_shape(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Null, Value::Null) | (Value::Unknown, Value::Unknown) | (Value::Secret(_), Value::Secret(_)) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => same_number(*a, *b),
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Bytes(a), Value::Bytes(b)) => a == b,
        (Value::List(a), Value::List(b)) => a.len() == b.len(),
        (Value::Object(a), Value::Object(b)) => a.len() == b.len() && a.keys().eq(b.keys()),
        (Value::Asset(a), Value::Asset(b)) => a == b,
        (Value::Archive(a), Value::Archive(b)) => same_archive(a, b),
        (Value::Output(a), Value::Output(b)) => {
            a.value.is_some() == b.value.is_some() && a.secret == b.secret && a.dependencies == b.dependencies
        }
        (Value::Reference(a), Value::Reference(b)) => a == b,
        _ => false,
    }
}

fn same_archive(a: &Archive, b: &Archive) -> bool {
    a.hash == b.hash
        && match (&a.source, &b.source) {
            (ArchiveSource::Members(a), ArchiveSource::Members(b)) => a.len() == b.len() && a.keys().eq(b.keys()),
            (ArchiveSource::Members(_), _) | (_, ArchiveSource::Members(_)) => false,
            (a, b) => a == b,
        }
}

/// NaN equals NaN, so that equality is reflexive; zeros of both signs are equal, as everywhere in Rust.
pub(crate) fn same_number(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        // Most values have nothing below them, and take no list.
        let below = || Children::of(self).zip(Children::of(other)).map(|((_, a), (_, b))| (a, b)).collect();
        same_shape(self, other) && all_same(below())
    }
}

impl Eq for Value {}
