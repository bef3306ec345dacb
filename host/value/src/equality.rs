//! The equality that decides whether something changed.
//!
//! A value that became secret has not changed, nor has an asset that is now read from a file with the same contents. And
//! nothing can be said about a value that isn't known.

use crate::{Archive, ArchiveSource, Reference, Value, tree::same_number};

/// Whether two values are the same to the resource that has them.
///
/// - Secrets and known outputs count as what they hold, at every depth.
/// - Assets and archives are compared by hash where both have one, else by source: see
///   [`Asset::same_contents`](crate::Asset::same_contents).
/// - A byte string equals the string of the same bytes: an engine doesn't keep them apart.
/// - References are the same if their URNs and ids are; the version of the package doesn't matter.
/// - What is unknown, an id in a reference included, is equivalent to nothing, not even to itself. But where one reference has no
///   id, both are to that component: see [`Object::drop_unknown_ids`](crate::Object::drop_unknown_ids).
/// - Numbers compare as in [`Value`]: NaN equals NaN, and zeros of both signs are equal.
pub fn equivalent(a: &Value, b: &Value) -> bool {
    // Most values have nothing below them, and take no list.
    let mut pairs = Vec::new();
    let mut next = Some((a, b));
    while let Some((a, b)) = next {
        let same = match (a.plain(), b.plain()) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => same_number(*a, *b),
            (Value::String(a), Value::String(b)) => a == b,
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::Bytes(bytes), Value::String(text)) | (Value::String(text), Value::Bytes(bytes)) => {
                bytes == text.as_bytes()
            }
            (Value::List(a), Value::List(b)) => {
                pairs.extend(a.iter().zip(b));
                a.len() == b.len()
            }
            (Value::Object(a), Value::Object(b)) => {
                pairs.extend(a.values().zip(b.values()));
                a.len() == b.len() && a.keys().eq(b.keys())
            }
            (Value::Asset(a), Value::Asset(b)) => a.same_contents(b),
            (Value::Archive(a), Value::Archive(b)) => same_archive(a, b, &mut pairs),
            (Value::Reference(a), Value::Reference(b)) => same_reference(a, b),
            // Unknown values, outputs without a value, and values of different kinds.
            (_, _) => false,
        };
        if !same {
            return false;
        }
        next = pairs.pop();
    }
    true
}

fn same_archive<'v>(a: &'v Archive, b: &'v Archive, pairs: &mut Vec<(&'v Value, &'v Value)>) -> bool {
    match (a, b) {
        (Archive { hash: Some(a), .. }, Archive { hash: Some(b), .. }) => a == b,
        (Archive { source: ArchiveSource::Members(a), .. }, Archive { source: ArchiveSource::Members(b), .. }) => {
            pairs.extend(a.values().zip(b.values()));
            a.len() == b.len() && a.keys().eq(b.keys())
        }
        (Archive { source: ArchiveSource::Path(a), .. }, Archive { source: ArchiveSource::Path(b), .. })
        | (Archive { source: ArchiveSource::Uri(a), .. }, Archive { source: ArchiveSource::Uri(b), .. }) => a == b,
        _ => false,
    }
}

fn same_reference(a: &Reference, b: &Reference) -> bool {
    let same_id = match (&a.id, &b.id) {
        (None, None) => true,
        (None, Some(id)) | (Some(id), None) => id.known().is_none(),
        (Some(a), Some(b)) => a.known().is_some() && a.known() == b.known(),
    };
    a.urn == b.urn && same_id
}

#[cfg(test)]
mod tests;
