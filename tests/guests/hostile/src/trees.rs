//! Trees, node by node, since that is where the lies are.

use crate::bindings::bulkhead::provider::values::{Field, Node, Tree};

/// A text.
pub fn text(text: &str) -> Node {
    Node::Text(text.to_owned())
}

/// Fields, each of which names the node at its own position.
pub fn fields(names: &[&str]) -> Node {
    let fields = names.iter().zip(0..).map(|(name, value)| Field { name: (*name).to_owned(), value });
    Node::Fields(fields.collect())
}

/// An object whose members are the nodes, in order.
pub fn object(names: &[&str], mut nodes: Vec<Node>) -> Tree {
    nodes.push(fields(names));
    Tree { nodes }
}

/// The text of a member of an object, secret or not. A request's tree is well-formed.
pub fn field(tree: &Tree, name: &str) -> Option<String> {
    let Node::Fields(fields) = tree.nodes.last()? else { return None };
    let field = fields.iter().find(|field| field.name == name)?;
    let mut node = tree.nodes.get(usize::try_from(field.value).ok()?)?;
    while let Node::Secret(inner) = node {
        node = tree.nodes.get(usize::try_from(*inner).ok()?)?;
    }
    if let Node::Text(text) = node { Some(text.clone()) } else { None }
}

/// A text that isn't UTF-8, as a guest in another language may well return it; nor is it UTF-16.
pub fn latin() -> String {
    #[allow(unsafe_code, reason = "the contract is broken on purpose")]
    // SAFETY: nothing here looks into it.
    unsafe {
        String::from_utf8_unchecked(vec![0xd8; 4])
    }
}
