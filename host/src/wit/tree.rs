//! Values to trees and back, linear in nodes and without recursion.
//!
//! A tree from a guest is hostile: it may point forward, use a node twice, leave nodes over, or be deep enough to overflow
//! a stack elsewhere. Taking each node out of its slot when it is used makes cycles and sharing impossible rather than
//! merely detected, and a depth is known as soon as a node is built. Assets and archives get their hash here, as far as it can be
//! told: engines keep nothing else of them.

use std::sync::Arc;

use bulkhead_value::{
    Archive, ArchiveSource, Asset, AssetSource, Object, Output, PropertyPath, Reference, ReferenceId, Segment, Value,
};

use super::bindings::values::{self, Field, Node, Tree};
use super::places::Places;
use crate::assets::Room;

/// What a received tree may measure.
#[derive(Clone, Debug)]
pub(crate) struct TreeLimits {
    /// Levels.
    pub(crate) depth: usize,
    /// Nodes.
    pub(crate) nodes: usize,
    /// What an operator can do about more nodes, if anything.
    pub(crate) more: Option<Arc<str>>,
    /// What an operator can do about more levels, if anything.
    pub(crate) deeper: Option<Arc<str>>,
    /// Files and addresses that it may name.
    pub(crate) places: Places,
    /// How much may be hashed of archives, in all trees with these limits together.
    pub(crate) room: Room,
}

impl Default for TreeLimits {
    fn default() -> Self {
        let bounds = bulkhead_value::Bounds::default();
        let (places, room) = (Places::default(), Room::default());
        Self { depth: bounds.depth, nodes: bounds.nodes, more: None, deeper: None, places, room }
    }
}

impl TreeLimits {
    /// The same, for what an operation left that came to no end.
    pub(crate) fn undone(&self) -> Self {
        Self { places: self.places.undone(), ..self.clone() }
    }
}

/// How a tree breaks the contract.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TreeError {
    #[error("a value tree without nodes")]
    Empty,
    #[error("a value tree of more than {limit} nodes")]
    TooManyNodes { limit: usize, hint: Option<Arc<str>> },
    #[error("a value tree deeper than {limit} levels")]
    TooDeep { limit: usize, hint: Option<Arc<str>> },
    #[error("a value tree whose node {node} names node {child}, which doesn't come before it")]
    Forward { node: usize, child: u32 },
    #[error("a value tree that uses node {child} twice")]
    Shared { child: u32 },
    #[error("a value tree that leaves {count} of its nodes unused")]
    Unused { count: usize },
    #[error("a value tree whose node {node} names a field twice")]
    DuplicateField { node: usize },
    #[error("a value tree whose archive at node {node} has a member that is neither asset nor archive")]
    ArchiveMember { node: usize },
    #[error("a value tree with a node of a later contract, at {node}")]
    Opaque { node: usize },
    #[error("a value tree in which {} names a file or an address that nobody gave it", path.described())]
    Place { path: PropertyPath },
    #[error("a value tree whose root isn't an object")]
    NotAnObject,
}

impl TreeError {
    /// What an operator can do about it. Then it is a limit that was met, and no bug.
    pub(crate) fn hint(&self) -> Option<&str> {
        match self {
            Self::TooManyNodes { hint, .. } | Self::TooDeep { hint, .. } => hint.as_deref(),
            _ => None,
        }
    }
}

/// Flattens an object.
pub(crate) fn tree_from_object(object: &Object) -> Tree {
    let mut steps = vec![Step::Fields(object.keys().cloned().collect())];
    steps.extend(object.values().rev().map(Step::Visit));
    flattened(steps)
}

/// Flattens a value.
pub(crate) fn tree_from_value(value: &Value) -> Tree {
    flattened(vec![Step::Visit(value)])
}

fn flattened(mut steps: Vec<Step<'_>>) -> Tree {
    let mut nodes = Vec::new();
    let mut done: Vec<u32> = Vec::new();
    while let Some(step) = steps.pop() {
        let node = match step {
            Step::Visit(value) => match leaf(value) {
                Some(node) => node,
                None => {
                    open(value, &mut steps);
                    continue;
                }
            },
            Step::Items(count) => Node::Items(take(&mut done, count)),
            Step::Fields(names) => Node::Fields(fields(&mut done, names)),
            Step::Members(hash, names) => Node::Archive(values::Archive {
                hash,
                source: values::ArchiveSource::Members(fields(&mut done, names)),
            }),
            Step::Secret => Node::Secret(done.pop().unwrap_or_default()),
            Step::Output { value, secret, dependencies } => {
                let value = if value { done.pop() } else { None };
                Node::Output(values::Output { value, secret, dependencies })
            }
        };
        done.push(u32::try_from(nodes.len()).unwrap_or(u32::MAX));
        nodes.push(node);
    }
    Tree { nodes }
}

/// What remains to be done: look at a value, or close one whose children are done.
enum Step<'a> {
    Visit(&'a Value),
    Items(usize),
    Fields(Vec<String>),
    Members(Option<String>, Vec<String>),
    Secret,
    Output { value: bool, secret: bool, dependencies: Vec<String> },
}

fn take(done: &mut Vec<u32>, count: usize) -> Vec<u32> {
    done.split_off(done.len().saturating_sub(count))
}

fn fields(done: &mut Vec<u32>, names: Vec<String>) -> Vec<Field> {
    let children = take(done, names.len());
    names.into_iter().zip(children).map(|(name, value)| Field { name, value }).collect()
}

/// The node of a value without children.
fn leaf(value: &Value) -> Option<Node> {
    Some(match value {
        Value::Null => Node::Null,
        Value::Bool(value) => Node::Boolean(*value),
        Value::Number(value) => Node::Number(*value),
        Value::String(value) => Node::Text(value.clone()),
        Value::Bytes(value) => Node::Bytes(value.clone()),
        Value::Unknown => Node::Unknown,
        Value::Asset(asset) => Node::Asset(asset_node(asset)),
        Value::Archive(archive) => {
            let source = match &archive.source {
                ArchiveSource::Members(_) => return None,
                ArchiveSource::Path(path) => values::ArchiveSource::Path(path.clone()),
                ArchiveSource::Uri(uri) => values::ArchiveSource::Uri(uri.clone()),
                ArchiveSource::Elided => values::ArchiveSource::Elided,
            };
            Node::Archive(values::Archive { hash: archive.hash.clone(), source })
        }
        Value::Reference(reference) => Node::Reference(values::Reference {
            urn: reference.urn.clone(),
            id: reference.id.as_ref().map(|id| match id {
                ReferenceId::Known(id) => values::ReferenceId::Known(id.clone()),
                ReferenceId::Unknown => values::ReferenceId::Unknown,
            }),
            package_version: reference.package_version.clone(),
        }),
        Value::List(_) | Value::Object(_) | Value::Secret(_) | Value::Output(_) => return None,
    })
}

fn asset_node(asset: &Asset) -> values::Asset {
    let source = match &asset.source {
        AssetSource::Text(text) => values::AssetSource::Text(text.clone()),
        AssetSource::Path(path) => values::AssetSource::Path(path.clone()),
        AssetSource::Uri(uri) => values::AssetSource::Uri(uri.clone()),
        AssetSource::Elided => values::AssetSource::Elided,
    };
    values::Asset { hash: asset.hash.clone(), source }
}

/// Schedules the children of a value and its closing.
fn open<'a>(value: &'a Value, steps: &mut Vec<Step<'a>>) {
    match value {
        Value::List(list) => {
            steps.push(Step::Items(list.len()));
            steps.extend(list.iter().rev().map(Step::Visit));
        }
        Value::Object(object) => {
            steps.push(Step::Fields(object.keys().cloned().collect()));
            steps.extend(object.values().rev().map(Step::Visit));
        }
        Value::Archive(archive) if let ArchiveSource::Members(members) = &archive.source => {
            steps.push(Step::Members(archive.hash.clone(), members.keys().cloned().collect()));
            steps.extend(members.values().rev().map(Step::Visit));
        }
        Value::Secret(secret) => {
            steps.push(Step::Secret);
            steps.push(Step::Visit(secret.inner()));
        }
        Value::Output(output) => {
            let inner = output.value.as_deref();
            let dependencies = output.dependencies.clone();
            steps.push(Step::Output { value: inner.is_some(), secret: output.secret, dependencies });
            steps.extend(inner.map(Step::Visit));
        }
        _ => {}
    }
}

/// Builds the object that a tree from a guest describes.
///
/// # Errors
/// Any way in which the tree breaks the contract, or its root isn't an object.
pub(crate) fn object_from_tree(tree: Tree, limits: &TreeLimits) -> Result<Object, TreeError> {
    match value_from_tree(tree, limits)? {
        Value::Object(object) => Ok(object),
        _ => Err(TreeError::NotAnObject),
    }
}

/// Builds the value that a tree from a guest describes.
///
/// # Errors
/// Any way in which the tree breaks the contract.
pub(crate) fn value_from_tree(tree: Tree, limits: &TreeLimits) -> Result<Value, TreeError> {
    if tree.nodes.len() > limits.nodes {
        return Err(TreeError::TooManyNodes { limit: limits.nodes, hint: limits.more.clone() });
    }
    let mut built = Built { slots: Vec::with_capacity(tree.nodes.len()), left: 0, limits };
    let mut nodes = tree.nodes.into_iter().enumerate();
    while let Some((position, mut node)) = nodes.next() {
        if !limits.places.allow(&node) {
            return Err(TreeError::Place { path: path_to(position, nodes) });
        }
        limits.places.remind(&mut node);
        built.add(position, node)?;
    }
    if built.left > 1 {
        return Err(TreeError::Unused { count: built.left - 1 });
    }
    match built.slots.pop() {
        Some(Some((value, _))) => Ok(built.whole(value)),
        _ => Err(TreeError::Empty),
    }
}

/// The path to a node that others come after, in a tree that wasn't looked at any further. Authors know their properties, and no
/// nodes.
fn path_to(mut node: usize, after: impl Iterator<Item = (usize, Node)>) -> PropertyPath {
    let mut upwards = Vec::new();
    for (position, parent) in after {
        let names = |child: &u32| usize::try_from(*child).is_ok_and(|child| child == node);
        let field =
            |fields: Vec<Field>| Some(Segment::Field(fields.into_iter().find(|field| names(&field.value))?.name));
        let step = match parent {
            Node::Items(items) => items.iter().position(names).map(Segment::Index),
            Node::Fields(fields)
            | Node::Archive(values::Archive { source: values::ArchiveSource::Members(fields), .. }) => field(fields),
            Node::Secret(inner) | Node::Output(values::Output { value: Some(inner), .. }) => {
                if names(&inner) {
                    node = position;
                }
                None
            }
            _ => None,
        };
        if let Some(step) = step {
            upwards.push(step);
            node = position;
        }
    }
    upwards.into_iter().rev().collect()
}

/// Values that wait to become somebody's child, with their depth.
struct Built<'l> {
    slots: Vec<Option<(Value, usize)>>,
    left: usize,
    limits: &'l TreeLimits,
}

impl Built<'_> {
    fn add(&mut self, position: usize, node: Node) -> Result<(), TreeError> {
        let mut depth = 0;
        let value = match node {
            Node::Null => Value::Null,
            Node::Boolean(value) => Value::Bool(value),
            Node::Number(value) => Value::Number(value),
            Node::Text(value) => Value::String(value),
            Node::Bytes(value) => Value::Bytes(value),
            Node::Unknown => Value::Unknown,
            Node::Items(children) => {
                // There are no more children than nodes before it, whatever it says.
                let mut items = Vec::with_capacity(children.len().min(position));
                for child in children {
                    items.push(self.child(position, child, &mut depth)?);
                }
                Value::List(items.into())
            }
            Node::Fields(fields) => Value::Object(self.object(position, fields, &mut depth, Self::child)?),
            Node::Asset(asset) => Value::from(Asset { hash: asset.hash, source: asset_source(asset.source) }.hashed()),
            Node::Archive(archive) => {
                let source = match archive.source {
                    values::ArchiveSource::Members(fields) => {
                        let members = self.object(position, fields, &mut depth, Self::take)?;
                        if members.values().any(|member| !matches!(member, Value::Asset(_) | Value::Archive(_))) {
                            return Err(TreeError::ArchiveMember { node: position });
                        }
                        ArchiveSource::Members(members)
                    }
                    values::ArchiveSource::Path(path) => ArchiveSource::Path(path),
                    values::ArchiveSource::Uri(uri) => ArchiveSource::Uri(uri),
                    values::ArchiveSource::Elided => ArchiveSource::Elided,
                };
                Value::from(Archive { hash: archive.hash, source })
            }
            Node::Secret(child) => self.child(position, child, &mut depth)?.secret(),
            Node::Output(output) => {
                let value = output.value.map(|child| self.child(position, child, &mut depth)).transpose()?;
                Value::from(Output {
                    value: value.map(Box::new),
                    secret: output.secret,
                    dependencies: output.dependencies,
                })
            }
            Node::Reference(reference) => Value::from(Reference {
                urn: reference.urn,
                id: reference.id.map(|id| match id {
                    values::ReferenceId::Known(id) => ReferenceId::Known(id),
                    values::ReferenceId::Unknown => ReferenceId::Unknown,
                }),
                package_version: reference.package_version,
            }),
            Node::Opaque(_) => return Err(TreeError::Opaque { node: position }),
        };
        let depth = depth + 1;
        if depth > self.limits.depth {
            return Err(TreeError::TooDeep { limit: self.limits.depth, hint: self.limits.deeper.clone() });
        }
        self.slots.push(Some((value, depth)));
        self.left += 1;
        Ok(())
    }

    /// Takes a child out of its slot, which no other node can do again.
    fn take(&mut self, node: usize, child: u32, depth: &mut usize) -> Result<Value, TreeError> {
        let slot = usize::try_from(child).ok().and_then(|child| self.slots.get_mut(child));
        let slot = slot.ok_or(TreeError::Forward { node, child })?;
        let (value, below) = slot.take().ok_or(TreeError::Shared { child })?;
        self.left -= 1;
        *depth = below.max(*depth);
        Ok(value)
    }

    /// Takes a child that is no member of an archive.
    fn child(&mut self, node: usize, child: u32, depth: &mut usize) -> Result<Value, TreeError> {
        let value = self.take(node, child, depth)?;
        Ok(self.whole(value))
    }

    /// A value with its hash, if it is an archive. What is inside of it is compared with it, and has none of its own.
    fn whole(&self, value: Value) -> Value {
        match value {
            Value::Archive(archive) => Value::from(self.limits.room.hashed(*archive)),
            value => value,
        }
    }

    fn object(
        &mut self,
        node: usize,
        fields: Vec<Field>,
        depth: &mut usize,
        take: fn(&mut Self, usize, u32, &mut usize) -> Result<Value, TreeError>,
    ) -> Result<Object, TreeError> {
        let mut object = Object::default();
        for field in fields {
            let value = take(self, node, field.value, depth)?;
            if object.insert(field.name, value).is_some() {
                return Err(TreeError::DuplicateField { node });
            }
        }
        Ok(object)
    }
}

pub(super) fn asset_source(source: values::AssetSource) -> AssetSource {
    match source {
        values::AssetSource::Text(text) => AssetSource::Text(text),
        values::AssetSource::Path(path) => AssetSource::Path(path),
        values::AssetSource::Uri(uri) => AssetSource::Uri(uri),
        values::AssetSource::Elided => AssetSource::Elided,
    }
}

#[cfg(test)]
mod tests;
