//! The types that a package defines.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::TypeSpec;
use super::properties::{ObjectSpec, Side};
use crate::record::Record;

/// The object types and enumerations that a package defines, collected while its properties are described.
#[derive(Debug)]
pub struct Types {
    package: &'static str,
    defined: BTreeMap<String, Value>,
}

impl Types {
    pub(crate) fn new(package: &'static str) -> Self {
        Self { package, defined: BTreeMap::new() }
    }

    /// Refers to the object type `name`, describing it the first time. A type may refer to itself.
    pub fn object<T: Record>(&mut self, name: &str) -> TypeSpec {
        let token = self.token(name);
        if !self.defined.contains_key(&token) {
            self.defined.insert(token.clone(), Value::Null);
            let mut spec = ObjectSpec::describe(self, Side::Nested, T::describe).into_map();
            describe(&mut spec, T::DESCRIPTION);
            spec.insert("type".to_owned(), "object".into());
            self.defined.insert(token.clone(), Value::Object(spec));
        }
        refer(&token)
    }

    /// Refers to the enumeration `name` of strings, each with its name in programs and a description.
    pub fn enumeration(&mut self, name: &str, description: &str, variants: &[Variant]) -> TypeSpec {
        let token = self.token(name);
        if !self.defined.contains_key(&token) {
            let variants = variants.iter().map(Variant::spec).collect();
            let mut spec = Map::new();
            describe(&mut spec, description);
            spec.insert("type".to_owned(), "string".into());
            spec.insert("enum".to_owned(), Value::Array(variants));
            self.defined.insert(token.clone(), Value::Object(spec));
        }
        refer(&token)
    }

    fn token(&self, name: &str) -> String {
        format!("{}:index:{name}", self.package)
    }

    pub(crate) fn into_json(self) -> Value {
        Value::Object(self.defined.into_iter().collect())
    }
}

/// One value of an enumeration.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Its name in programs.
    pub name: &'static str,
    /// The string that stands for it.
    pub value: &'static str,
    /// What it means.
    pub description: &'static str,
    /// Why it shouldn't be used any more.
    pub deprecated: Option<&'static str>,
}

impl Variant {
    fn spec(&self) -> Value {
        let mut spec = Map::new();
        describe(&mut spec, self.description);
        spec.insert("name".to_owned(), self.name.into());
        spec.insert("value".to_owned(), self.value.into());
        if let Some(message) = self.deprecated {
            spec.insert("deprecationMessage".to_owned(), message.into());
        }
        Value::Object(spec)
    }
}

fn refer(token: &str) -> TypeSpec {
    TypeSpec::reference(&format!("#/types/{}", token.replace('/', "%2F")))
}

/// Adds a description, unless there is none.
pub(super) fn describe(spec: &mut Map<String, Value>, description: &str) {
    if !description.is_empty() {
        spec.insert("description".to_owned(), description.into());
    }
}
