//! Cloning.

use super::Children;
use crate::{Archive, ArchiveSource, List, Object, Output, Secret, Value};

struct Level<'v> {
    original: &'v Value,
    children: Children<'v>,
    /// Where the clones of the children start.
    first: usize,
}

/// A clone of a value.
pub(crate) fn duplicate(value: &Value) -> Value {
    if is_leaf(value) {
        return assemble(value, Vec::new());
    }
    let mut clones: Vec<Value> = Vec::new();
    let mut open = vec![Level { original: value, children: Children::of(value), first: 0 }];
    while let Some(level) = open.last_mut() {
        match level.children.next() {
            Some((_, child)) if is_leaf(child) => clones.push(assemble(child, Vec::new())),
            Some((_, child)) => {
                let first = clones.len();
                open.push(Level { original: child, children: Children::of(child), first });
            }
            None => {
                let (original, first) = (level.original, level.first);
                open.pop();
                let children = clones.split_off(first);
                clones.push(assemble(original, children));
            }
        }
    }
    clones.pop().unwrap_or(Value::Null)
}

fn is_leaf(value: &Value) -> bool {
    Children::of(value).next().is_none()
}

/// A value like the original, of clones of its children.
fn assemble(original: &Value, mut children: Vec<Value>) -> Value {
    match original {
        Value::Null => Value::Null,
        Value::Bool(truth) => Value::Bool(*truth),
        Value::Number(number) => Value::Number(*number),
        Value::String(text) => Value::String(text.clone()),
        Value::Bytes(bytes) => Value::Bytes(bytes.clone()),
        Value::List(_) => Value::List(List(children)),
        Value::Object(object) => Value::Object(named(object, children)),
        Value::Asset(asset) => Value::Asset(asset.clone()),
        Value::Archive(archive) => Value::from(Archive {
            hash: archive.hash.clone(),
            source: match &archive.source {
                ArchiveSource::Members(members) => ArchiveSource::Members(named(members, children)),
                source => source.clone(),
            },
        }),
        Value::Unknown => Value::Unknown,
        Value::Secret(_) => Value::Secret(Secret::new(children.pop().unwrap_or(Value::Null))),
        Value::Output(output) => Value::from(Output {
            value: children.pop().map(Box::new),
            secret: output.secret,
            dependencies: output.dependencies.clone(),
        }),
        Value::Reference(reference) => Value::Reference(reference.clone()),
    }
}

fn named(original: &Object, children: Vec<Value>) -> Object {
    Object(original.keys().cloned().zip(children).collect())
}

impl Clone for Value {
    fn clone(&self) -> Self {
        duplicate(self)
    }
}
