//! Values to and from the contract's trees.
//!
//! A tree is flat: nodes name their children by position. Decoding is one pass that moves each node to its parent, so its cost is
//! what the host sent and no more. A tree that breaks the contract's rules is refused whole, with an error and no panic.

use crate::bindings::wit::values as wit;
use crate::error::Error;

use super::{Archive, ArchiveSource, Asset, AssetSource, Fields, Output, Reference, ReferenceId, Value};

/// Reads a tree.
pub(crate) fn decode(tree: wit::Tree) -> Result<Value, Error> {
    let mut values = Values(Vec::with_capacity(tree.nodes.len()));
    for node in tree.nodes {
        let value = values.read(node)?;
        values.0.push(Some(value));
    }
    let root = values.0.pop().flatten().ok_or_else(|| malformed("it has no root"))?;
    if values.0.iter().any(Option::is_some) { Err(malformed("a node belongs to nothing")) } else { Ok(root) }
}

/// Reads a tree whose root is an object.
pub(crate) fn decode_fields(tree: wit::Tree) -> Result<Fields, Error> {
    match decode(tree)?.into_plain() {
        Value::Fields(fields) => Ok(fields),
        other => Err(malformed(&format!("its root is {}", other.kind()))),
    }
}

fn malformed(reason: &str) -> Error {
    Error::bug(format!("the host sent a value that breaks the contract: {reason}"))
}

/// The values read so far; those that were moved to their parent are gone.
struct Values(Vec<Option<Value>>);

impl Values {
    fn take(&mut self, index: wit::NodeIndex) -> Result<Value, Error> {
        let slot = usize::try_from(index).ok().and_then(|index| self.0.get_mut(index));
        slot.and_then(Option::take).ok_or_else(|| malformed("a node names a child that isn't there"))
    }

    fn take_fields(&mut self, fields: Vec<wit::Field>) -> Result<Fields, Error> {
        let mut taken = Fields::new();
        for field in fields {
            let value = self.take(field.value)?;
            if taken.insert(field.name, value).is_some() {
                return Err(malformed("a name occurs twice"));
            }
        }
        Ok(taken)
    }

    fn read(&mut self, node: wit::Node) -> Result<Value, Error> {
        Ok(match node {
            wit::Node::Null => Value::Null,
            wit::Node::Boolean(boolean) => Value::Boolean(boolean),
            wit::Node::Number(number) => Value::Number(number),
            wit::Node::Text(text) => Value::Text(text),
            wit::Node::Bytes(bytes) => Value::Bytes(bytes),
            wit::Node::Items(items) => {
                Value::Items(items.into_iter().map(|item| self.take(item)).collect::<Result<_, _>>()?)
            }
            wit::Node::Fields(fields) => Value::Fields(self.take_fields(fields)?),
            wit::Node::Asset(asset) => Value::Asset(read_asset(asset)),
            wit::Node::Archive(archive) => {
                let source = match archive.source {
                    wit::ArchiveSource::Members(members) => ArchiveSource::Members(self.take_fields(members)?),
                    wit::ArchiveSource::Path(path) => ArchiveSource::Path(path),
                    wit::ArchiveSource::Uri(uri) => ArchiveSource::Uri(uri),
                    wit::ArchiveSource::Elided => ArchiveSource::Elided,
                };
                Value::Archive(Archive { hash: archive.hash, source })
            }
            wit::Node::Unknown => Value::Unknown,
            wit::Node::Secret(value) => self.take(value)?.secret(),
            wit::Node::Output(output) => Value::Output(Output {
                value: output.value.map(|value| self.take(value)).transpose()?.map(Box::new),
                secret: output.secret,
                dependencies: output.dependencies,
            }),
            wit::Node::Reference(reference) => Value::Reference(read_reference(reference)),
            wit::Node::Opaque(_) => return Err(malformed("it holds a kind of value from a later version")),
        })
    }
}

fn read_asset(asset: wit::Asset) -> Asset {
    let source = match asset.source {
        wit::AssetSource::Text(text) => AssetSource::Text(text),
        wit::AssetSource::Path(path) => AssetSource::Path(path),
        wit::AssetSource::Uri(uri) => AssetSource::Uri(uri),
        wit::AssetSource::Elided => AssetSource::Elided,
    };
    Asset { hash: asset.hash, source }
}

fn read_reference(reference: wit::Reference) -> Reference {
    let id = reference.id.map(|id| match id {
        wit::ReferenceId::Known(id) => ReferenceId::Known(id),
        wit::ReferenceId::Unknown => ReferenceId::Unknown,
    });
    Reference { urn: reference.urn, id, package_version: reference.package_version }
}

/// Writes a value.
pub(crate) fn encode(value: Value) -> wit::Tree {
    let mut nodes = Vec::new();
    write(value, &mut nodes);
    wit::Tree { nodes }
}

/// Writes an object.
pub(crate) fn encode_fields(fields: Fields) -> wit::Tree {
    encode(Value::Fields(fields))
}

/// Writes children first. Recursion goes as deep as the author's own value, which the host bounds anyway.
fn write(value: Value, nodes: &mut Vec<wit::Node>) -> wit::NodeIndex {
    let node = match value {
        Value::Null => wit::Node::Null,
        Value::Boolean(boolean) => wit::Node::Boolean(boolean),
        Value::Number(number) => wit::Node::Number(number),
        Value::Text(text) => wit::Node::Text(text),
        Value::Bytes(bytes) => wit::Node::Bytes(bytes),
        Value::Items(items) => wit::Node::Items(items.into_iter().map(|item| write(item, nodes)).collect()),
        Value::Fields(fields) => wit::Node::Fields(write_fields(fields, nodes)),
        Value::Asset(asset) => wit::Node::Asset(write_asset(asset)),
        Value::Archive(archive) => {
            let source = match archive.source {
                ArchiveSource::Members(members) => wit::ArchiveSource::Members(write_fields(members, nodes)),
                ArchiveSource::Path(path) => wit::ArchiveSource::Path(path),
                ArchiveSource::Uri(uri) => wit::ArchiveSource::Uri(uri),
                ArchiveSource::Elided => wit::ArchiveSource::Elided,
            };
            wit::Node::Archive(wit::Archive { hash: archive.hash, source })
        }
        Value::Unknown => wit::Node::Unknown,
        Value::Secret(value) => wit::Node::Secret(write(*value, nodes)),
        Value::Output(output) => wit::Node::Output(wit::Output {
            value: output.value.map(|value| write(*value, nodes)),
            secret: output.secret,
            dependencies: output.dependencies,
        }),
        Value::Reference(reference) => wit::Node::Reference(write_reference(reference)),
    };
    nodes.push(node);
    // A tree of 2^32 nodes doesn't fit into a component's memory.
    nodes.len() as wit::NodeIndex - 1
}

fn write_fields(fields: Fields, nodes: &mut Vec<wit::Node>) -> Vec<wit::Field> {
    fields.into_iter().map(|(name, value)| wit::Field { name, value: write(value, nodes) }).collect()
}

pub(crate) fn write_asset(asset: Asset) -> wit::Asset {
    let source = match asset.source {
        AssetSource::Text(text) => wit::AssetSource::Text(text),
        AssetSource::Path(path) => wit::AssetSource::Path(path),
        AssetSource::Uri(uri) => wit::AssetSource::Uri(uri),
        AssetSource::Elided => wit::AssetSource::Elided,
    };
    wit::Asset { hash: asset.hash, source }
}

fn write_reference(reference: Reference) -> wit::Reference {
    let id = reference.id.map(|id| match id {
        ReferenceId::Known(id) => wit::ReferenceId::Known(id),
        ReferenceId::Unknown => wit::ReferenceId::Unknown,
    });
    wit::Reference { urn: reference.urn, id, package_version: reference.package_version }
}

#[cfg(test)]
mod tests;
