//! Text that holds JSON.

use super::{Misfit, Property, Value};
use crate::schema::{TypeSpec, Types};

/// Text that holds a JSON document: programs give an object, the provider gets its text.
///
/// It isn't parsed, so that a provider that only hands it on carries no parser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json(String);

impl Json {
    /// A document, as its text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The document's text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The document's text, for a value that isn't needed any more.
    pub fn into_text(self) -> String {
        self.0
    }
}

impl Property for Json {
    type Plain = Self;

    fn type_spec(_: &mut Types) -> TypeSpec {
        TypeSpec::reference("pulumi.json#/Json")
    }

    fn from_value(value: Value) -> Result<Self, Misfit> {
        String::from_value(value).map(Self)
    }

    fn to_value(&self) -> Result<Value, Misfit> {
        Ok(Value::Text(self.0.clone()))
    }
}
