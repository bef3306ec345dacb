//! Types as the schema spells them.

use serde_json::{Map, Value};

/// A type as the schema spells it (`typeSpec` of the metaschema).
#[derive(Clone, Debug)]
pub struct TypeSpec(Map<String, Value>);

impl TypeSpec {
    fn of(members: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        Self(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// `boolean`, `integer`, `number` or `string`.
    pub fn primitive(name: &str) -> Self {
        Self::of([("type", name.into())])
    }

    /// A list.
    pub fn list(items: Self) -> Self {
        Self::of([("type", "array".into()), ("items", items.into_json())])
    }

    /// A map with string keys.
    pub fn map(values: Self) -> Self {
        Self::of([("type", "object".into()), ("additionalProperties", values.into_json())])
    }

    /// A type that is described elsewhere: in this document (`#/types/…`) or as part of the language (`pulumi.json#/Any`).
    pub fn reference(address: &str) -> Self {
        Self::of([("$ref", address.into())])
    }

    pub(crate) fn into_map(self) -> Map<String, Value> {
        self.0
    }

    pub(crate) fn into_json(self) -> Value {
        Value::Object(self.0)
    }
}
