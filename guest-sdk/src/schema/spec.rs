//! Types as the schema spells them.

use super::json::{List, Members};

/// A type as the schema spells it (`typeSpec` of the metaschema).
#[derive(Clone, Debug)]
pub struct TypeSpec(Members);

impl TypeSpec {
    /// `boolean`, `integer`, `number` or `string`.
    pub fn primitive(name: &str) -> Self {
        let mut spec = Members::default();
        spec.text("type", name);
        Self(spec)
    }

    /// A list.
    pub fn list(items: Self) -> Self {
        let mut spec = Members::default();
        spec.text("type", "array");
        spec.object("items", items.0);
        Self(spec)
    }

    /// A map with string keys.
    pub fn map(values: Self) -> Self {
        let mut spec = Members::default();
        spec.text("type", "object");
        spec.object("additionalProperties", values.0);
        Self(spec)
    }

    /// A type that is described elsewhere: in this document (`#/types/…`) or as part of the language (`pulumi.json#/Any`).
    pub fn reference(address: &str) -> Self {
        let mut spec = Members::default();
        spec.text("$ref", address);
        Self(spec)
    }

    /// Any of these types.
    pub fn one_of(types: Vec<Self>) -> Self {
        let mut list = List::default();
        for ty in types {
            list.json(&ty.0.into_object());
        }
        let mut spec = Members::default();
        spec.list("oneOf", list);
        Self(spec)
    }

    pub(crate) fn into_members(self) -> Members {
        self.0
    }
}
