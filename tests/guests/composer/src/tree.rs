//! Trees, put together and taken apart. What a member is isn't looked at: it goes from inputs to children as it came.

use crate::bulkhead::provider::values::{Field, Node, Output, Reference, Tree};

/// A tree of one node.
pub fn leaf(node: Node) -> Tree {
    Tree { nodes: vec![node] }
}

/// A string.
pub fn text(text: impl Into<String>) -> Tree {
    leaf(Node::Text(text.into()))
}

/// A reference to a component.
pub fn reference(urn: &str) -> Tree {
    leaf(Node::Reference(Reference { urn: urn.to_owned(), id: None, package_version: String::new() }))
}

/// An object.
pub fn object<'n>(members: impl IntoIterator<Item = (&'n str, Tree)>) -> Tree {
    let mut nodes = Vec::new();
    let mut fields = Vec::new();
    for (name, member) in members {
        fields.push(Field { name: name.to_owned(), value: adopt(&mut nodes, member) });
    }
    nodes.push(Node::Fields(fields));
    Tree { nodes }
}

/// A list.
pub fn list(items: impl IntoIterator<Item = Tree>) -> Tree {
    let mut nodes = Vec::new();
    let items = items.into_iter().map(|item| adopt(&mut nodes, item)).collect();
    nodes.push(Node::Items(items));
    Tree { nodes }
}

/// An eventual value.
pub fn output(value: Option<Tree>, secret: bool, dependencies: &[&str]) -> Tree {
    let mut nodes = Vec::new();
    let value = value.map(|value| adopt(&mut nodes, value));
    let dependencies = dependencies.iter().map(|urn| (*urn).to_owned()).collect();
    nodes.push(Node::Output(Output { value, secret, dependencies }));
    Tree { nodes }
}

/// A member of an object, which may be an output itself, as a tree of its own.
pub fn member(tree: &Tree, name: &str) -> Option<Tree> {
    let mut root = tree.nodes.last()?;
    while let Node::Secret(inner) | Node::Output(Output { value: Some(inner), .. }) = root {
        root = tree.nodes.get(*inner as usize)?;
    }
    let Node::Fields(fields) = root else { return None };
    let field = fields.iter().find(|field| field.name == name)?;
    let mut nodes = Vec::new();
    copy(tree, field.value, &mut nodes)?;
    Some(Tree { nodes })
}

/// A string below secrets and outputs.
pub fn plain_text(tree: &Tree) -> Option<String> {
    tree.nodes.iter().find_map(|node| match node {
        Node::Text(text) => Some(text.clone()),
        _ => None,
    })
}

/// What a tree is, in words.
pub fn kinds(tree: &Tree) -> String {
    let kind = |node: &Node| match node {
        Node::Unknown => "unknown".to_owned(),
        Node::Secret(_) => "secret".to_owned(),
        Node::Output(output) => format!(
            "output({}{}{})",
            if output.value.is_some() { "known" } else { "unknown" },
            if output.secret { ", secret" } else { "" },
            output.dependencies.iter().map(|urn| format!(", {urn}")).collect::<String>()
        ),
        Node::Reference(reference) => format!("reference({})", reference.urn),
        Node::Fields(fields) => {
            format!("{{{}}}", fields.iter().map(|f| f.name.as_str()).collect::<Vec<_>>().join(", "))
        }
        Node::Text(text) => text.clone(),
        Node::Number(number) => number.to_string(),
        _ => "other".to_owned(),
    };
    tree.nodes.iter().map(kind).collect::<Vec<_>>().join(" ")
}

fn adopt(nodes: &mut Vec<Node>, tree: Tree) -> u32 {
    let offset = nodes.len() as u32;
    nodes.extend(tree.nodes.into_iter().map(|node| match node {
        Node::Items(items) => Node::Items(items.into_iter().map(|item| item + offset).collect()),
        Node::Fields(fields) => {
            Node::Fields(fields.into_iter().map(|field| Field { value: field.value + offset, ..field }).collect())
        }
        Node::Secret(inner) => Node::Secret(inner + offset),
        Node::Output(output) => Node::Output(Output { value: output.value.map(|value| value + offset), ..output }),
        other => other,
    }));
    nodes.len() as u32 - 1
}

fn copy(tree: &Tree, at: u32, into: &mut Vec<Node>) -> Option<u32> {
    let node = match tree.nodes.get(at as usize)? {
        Node::Items(items) => {
            let mut copied = Vec::new();
            for item in items {
                copied.push(copy(tree, *item, into)?);
            }
            Node::Items(copied)
        }
        Node::Fields(fields) => {
            let mut copied = Vec::new();
            for field in fields {
                copied.push(Field { name: field.name.clone(), value: copy(tree, field.value, into)? });
            }
            Node::Fields(copied)
        }
        Node::Secret(inner) => Node::Secret(copy(tree, *inner, into)?),
        Node::Output(output) => {
            let value = match output.value {
                Some(value) => Some(copy(tree, value, into)?),
                None => None,
            };
            Node::Output(Output { value, ..output.clone() })
        }
        other => other.clone(),
    };
    into.push(node);
    Some(into.len() as u32 - 1)
}
