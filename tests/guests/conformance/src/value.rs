//! Values as a program writes them: trees with their children inside. Assets and archives stay where they are: nothing here looks
//! into them.

use crate::bulkhead::provider::types::Error;
use crate::bulkhead::provider::values::{Field, Node, Tree};

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// What has no children.
    Leaf(Node),
    /// A list.
    Items(Vec<Value>),
    /// An object or a map.
    Fields(Vec<(String, Value)>),
    /// A secret.
    Secret(Box<Value>),
}

impl Value {
    /// An object.
    pub(crate) fn object<const N: usize>(fields: [(&str, Value); N]) -> Self {
        Self::Fields(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// A string.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Leaf(Node::Text(text.into()))
    }

    /// A truth value.
    pub(crate) fn boolean(value: bool) -> Self {
        Self::Leaf(Node::Boolean(value))
    }

    /// A number.
    pub(crate) fn number(value: f64) -> Self {
        Self::Leaf(Node::Number(value))
    }

    /// The same, secret.
    pub(crate) fn secret(self) -> Self {
        Self::Secret(Box::new(self))
    }

    /// Itself, not secret.
    pub(crate) fn plain(&self) -> &Self {
        if let Self::Secret(inner) = self { inner.plain() } else { self }
    }

    /// A member.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        let Self::Fields(fields) = self.plain() else { return None };
        fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    /// The text of a member; empty if it has none.
    pub(crate) fn text_of(&self, name: &str) -> &str {
        self.get(name).and_then(Self::as_text).unwrap_or_default()
    }

    /// The text.
    pub(crate) fn as_text(&self) -> Option<&str> {
        if let Self::Leaf(Node::Text(text)) = self.plain() { Some(text) } else { None }
    }

    /// The number.
    pub(crate) fn as_number(&self) -> Option<f64> {
        if let Self::Leaf(Node::Number(number)) = self.plain() { Some(*number) } else { None }
    }

    /// The truth value.
    pub(crate) fn as_boolean(&self) -> Option<bool> {
        if let Self::Leaf(Node::Boolean(value)) = self.plain() { Some(*value) } else { None }
    }

    /// The elements.
    pub(crate) fn as_items(&self) -> &[Self] {
        if let Self::Items(items) = self.plain() { items } else { &[] }
    }

    /// Itself with one more member, or another one.
    pub(crate) fn with(mut self, name: &str, value: Self) -> Self {
        if let Self::Fields(fields) = &mut self {
            fields.retain(|(field, _)| field != name);
            fields.push((name.to_owned(), value));
        }
        self
    }

    /// Reads a tree.
    pub(crate) fn read(tree: &Tree) -> Result<Self, Error> {
        let last = tree.nodes.len().checked_sub(1).and_then(|last| u32::try_from(last).ok());
        read(tree, last.ok_or_else(|| malformed("nothing"))?)
    }

    /// Writes a tree.
    pub(crate) fn write(self) -> Tree {
        let mut nodes = Vec::new();
        write(self, &mut nodes);
        Tree { nodes }
    }
}

fn malformed(what: &str) -> Error {
    Error::Bug(format!("a value with {what} is for echoing only"))
}

fn read(tree: &Tree, index: u32) -> Result<Value, Error> {
    let node = usize::try_from(index).ok().and_then(|index| tree.nodes.get(index));
    Ok(match node.ok_or_else(|| malformed("nothing"))? {
        Node::Items(items) => Value::Items(items.iter().map(|item| read(tree, *item)).collect::<Result<_, _>>()?),
        Node::Fields(fields) => {
            let field = |field: &Field| Ok((field.name.clone(), read(tree, field.value)?));
            Value::Fields(fields.iter().map(field).collect::<Result<_, Error>>()?)
        }
        Node::Secret(inner) => read(tree, *inner)?.secret(),
        // What it depends on is said beside it, where somebody wants to know.
        Node::Output(output) => {
            let value = match output.value {
                Some(value) => read(tree, value)?,
                None => Value::Leaf(Node::Unknown),
            };
            if output.secret { value.secret() } else { value }
        }
        Node::Archive(_) | Node::Opaque(_) => return Err(malformed("archives")),
        leaf => Value::Leaf(leaf.clone()),
    })
}

/// Adds a value's nodes, and returns the position of its root.
fn write(value: Value, nodes: &mut Vec<Node>) -> u32 {
    let node = match value {
        Value::Leaf(node) => node,
        Value::Items(items) => Node::Items(items.into_iter().map(|item| write(item, nodes)).collect()),
        Value::Fields(fields) => {
            Node::Fields(fields.into_iter().map(|(name, value)| Field { name, value: write(value, nodes) }).collect())
        }
        Value::Secret(inner) => Node::Secret(write(*inner, nodes)),
    };
    nodes.push(node);
    u32::try_from(nodes.len()).unwrap_or(u32::MAX) - 1
}
