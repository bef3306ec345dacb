//! Trees from bytes, for the fuzz target in `fuzz/`: whatever the bytes are, decoding ends with a value or an error.

use bulkhead_value::Object;

use super::bindings::values::{
    Archive, ArchiveSource, Asset, AssetSource, Field, Node, Opaque, Output, Reference, ReferenceId, Tree,
};
use super::tree::{TreeLimits, object_from_tree, tree_from_object, value_from_tree};

/// Decodes the tree that some bytes describe. What decodes must come back from a tree as it went in.
///
/// # Panics
/// If it doesn't: that is what is looked for.
pub fn decode_tree(bytes: &[u8]) {
    let limits = TreeLimits { depth: 64, nodes: 4_096, ..TreeLimits::default() };
    let Ok(value) = value_from_tree(tree(bytes), &limits) else { return };
    let object: Object = [("value", value)].into();
    let again = object_from_tree(tree_from_object(&object), &TreeLimits::default());
    assert_eq!(again.as_ref(), Ok(&object), "a value should survive the way through a tree");
}

/// A node for each few bytes: mostly well-formed, since nothing is learnt from trees that fail at their first node.
fn tree(bytes: &[u8]) -> Tree {
    let mut input = Input { bytes };
    let mut nodes = Vec::new();
    while let Some(kind) = input.byte() {
        let position = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
        nodes.push(input.node(kind, position));
    }
    Tree { nodes }
}

struct Input<'b> {
    bytes: &'b [u8],
}

impl Input<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    /// Zero at the end of the bytes.
    fn next(&mut self) -> u8 {
        self.byte().unwrap_or_default()
    }

    fn text(&mut self) -> String {
        let length = usize::from(self.next() % 8);
        (0..length).map(|_| char::from(self.next())).collect()
    }

    /// A node shortly before this one; sometimes any.
    fn child(&mut self, position: u32) -> u32 {
        match self.next() {
            byte @ 0xf0.. => u32::from(byte & 15) << 28,
            byte => position.wrapping_sub(u32::from(byte % 8).wrapping_add(1)),
        }
    }

    fn children(&mut self, position: u32) -> Vec<u32> {
        (0..self.next() % 8).map(|_| self.child(position)).collect()
    }

    fn fields(&mut self, position: u32) -> Vec<Field> {
        (0..self.next() % 8).map(|_| Field { name: self.text(), value: self.child(position) }).collect()
    }

    fn optional<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.next() % 2 == 1).then(|| make(self))
    }

    fn node(&mut self, kind: u8, position: u32) -> Node {
        match kind % 14 {
            0 => Node::Null,
            1 => Node::Boolean(self.next() % 2 == 1),
            2 => Node::Number(f64::from_le_bytes([0; 8].map(|_: u8| self.next()))),
            3 => Node::Text(self.text()),
            4 => Node::Bytes(self.text().into_bytes()),
            5 => Node::Items(self.children(position)),
            6 => Node::Fields(self.fields(position)),
            7 => Node::Asset(Asset { hash: self.optional(Self::text), source: self.asset_source() }),
            8 => {
                let source = match self.next() % 4 {
                    0 => ArchiveSource::Members(self.fields(position)),
                    1 => ArchiveSource::Path(self.text()),
                    2 => ArchiveSource::Uri(self.text()),
                    _ => ArchiveSource::Elided,
                };
                Node::Archive(Archive { hash: self.optional(Self::text), source })
            }
            9 => Node::Unknown,
            10 => Node::Secret(self.child(position)),
            11 => Node::Output(Output {
                value: self.optional(|input| input.child(position)),
                secret: self.next() % 2 == 1,
                dependencies: (0..self.next() % 3).map(|_| self.text()).collect(),
            }),
            12 => Node::Reference(Reference {
                urn: self.text(),
                id: self.optional(|input| match input.optional(Self::text) {
                    Some(id) => ReferenceId::Known(id),
                    None => ReferenceId::Unknown,
                }),
                package_version: self.text(),
            }),
            _ => Node::Opaque(Opaque { signature: self.text(), fields: self.fields(position) }),
        }
    }

    fn asset_source(&mut self) -> AssetSource {
        match self.next() % 4 {
            0 => AssetSource::Text(self.text()),
            1 => AssetSource::Path(self.text()),
            2 => AssetSource::Uri(self.text()),
            _ => AssetSource::Elided,
        }
    }
}
