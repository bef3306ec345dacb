//! Trees that are some: each node is the child of one that comes after it. What is made of nodes by chance is hardly ever one, and is refused
//! before anybody looks at what is in it.

use wasm_encoder::Instruction;
use wit_parser::{Type, TypeDefKind};

use super::core::{Core, put, put_span};
use super::values::Values;

/// Nodes at most, beside the root.
const NODES: usize = 8;
/// Bytes of a field: where its name is, how long that is, and which node it has.
const FIELD: usize = 12;

/// What nodes are, as chance has it: most are what a property is.
const KINDS: [&str; 16] = [
    "null",
    "boolean",
    "number",
    "text",
    "text",
    "text",
    "text",
    "bytes",
    "asset",
    "archive",
    "reference",
    "unknown",
    "items",
    "fields",
    "secret",
    "output",
];

impl Values<'_> {
    /// Writes a tree whose root is an object, at an address, of nodes of a type.
    pub(super) fn tree(&mut self, node: Type, at: u32, code: &mut Vec<Instruction<'static>>) {
        let count = u32::try_from(self.chance.below(NODES)).unwrap();
        let (size, align) = self.layout(node);
        let size = u32::try_from(size).unwrap();
        let list = self.room(usize::try_from((count + 1) * size).unwrap(), align);
        // Those that are nobody's children yet.
        let mut free = Vec::new();
        for index in 0..count {
            let kind = *self.chance.of(&KINDS);
            let children = match kind {
                "items" | "fields" => free.split_off(self.chance.below(free.len() + 1)),
                "secret" | "output" => free.pop().into_iter().collect(),
                _ => Vec::new(),
            };
            self.node(node, kind, &children, list + index * size, code);
            free.push(index);
        }
        self.node(node, "fields", &free, list + count * size, code);
        put_span(code, at, (list, count + 1));
    }

    /// Writes a node with these children, of which some kinds have none.
    fn node(&mut self, ty: Type, kind: &str, children: &[u32], at: u32, code: &mut Vec<Instruction<'static>>) {
        let Ok(variant @ TypeDefKind::Variant(nodes)) = self.world.kind(ty) else { return };
        let named = |name: &str| nodes.cases.iter().position(|case| case.name == name).unwrap();
        let payload = at + self.payload_at(variant);
        match (kind, children) {
            ("items", _) => {
                let list = self.room(children.len() * 4, 4);
                for (place, child) in (list..).step_by(4).zip(children) {
                    put(code, place, 4, (*child).into());
                }
                put_span(code, payload, (list, u32::try_from(children.len()).unwrap()));
            }
            ("fields", _) => {
                let list = self.room(children.len() * FIELD, 4);
                for (place, child) in (list..).step_by(FIELD).zip(children) {
                    let name = self.text("member");
                    put_span(code, place, name);
                    put(code, place + 8, 4, (*child).into());
                }
                put_span(code, payload, (list, u32::try_from(children.len()).unwrap()));
            }
            ("secret", [child]) => put(code, payload, 4, (*child).into()),
            ("output", [child]) => {
                // A value that is there, secret or not, which depends on nothing.
                put(code, payload, 1, Core::I32(1));
                put(code, payload + 4, 4, (*child).into());
                put(code, payload + 8, 1, Core::I32(i32::from(self.chance.percent(30))));
                put_span(code, payload + 12, (0, 0));
            }
            ("secret" | "output", _) => return self.store_case(ty, named("text"), "value", at, code),
            _ => return self.store_case(ty, named(kind), "value", at, code),
        }
        put(code, at, 1, Core::I32(i32::try_from(named(kind)).unwrap()));
    }
}
