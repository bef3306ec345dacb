//! Properties that hold JSON of any shape.

use super::{Fields, Misfit, Property, Value};
use crate::schema::{ToJson, TypeSpec, Types};

/// A JSON document: programs give its text, or a value that could be one, and the provider gets a text either way.
///
/// Texts aren't parsed, so that a provider that only hands them on carries no parser. As an output it is what was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Json {
    text: String,
    /// What was given, if it wasn't a text.
    given: Option<Value>,
}

impl Json {
    /// A document, as its text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), given: None }
    }

    /// The document's text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The document's text, for a value that isn't needed any more.
    pub fn into_text(self) -> String {
        self.text
    }
}

impl Property for Json {
    type Plain = Self;

    fn type_spec(_: &mut Types) -> TypeSpec {
        TypeSpec::reference("pulumi.json#/Json")
    }

    fn from_value(value: Value) -> Result<Self, Misfit> {
        match value.into_plain() {
            Value::Text(text) => Ok(Self::new(text)),
            given => Ok(Self { text: document(&given)?, given: Some(given) }),
        }
    }

    fn to_value(&self) -> Result<Value, Misfit> {
        Ok(self.given.clone().unwrap_or_else(|| Value::Text(self.text.clone())))
    }
}

/// The text of a value.
fn document(value: &Value) -> Result<String, Misfit> {
    match value.plain() {
        Value::Null => Ok("null".to_owned()),
        Value::Boolean(boolean) => Ok(boolean.to_json()),
        Value::Number(number) if number.is_finite() => Ok(number.to_json()),
        Value::Text(text) => Ok(text.to_json()),
        Value::Items(items) => {
            let items = items.iter().enumerate();
            let items: Result<Vec<_>, _> =
                items.map(|(index, item)| document(item).map_err(|misfit| misfit.index(index))).collect();
            Ok(format!("[{}]", items?.join(",")))
        }
        Value::Fields(fields) => Ok(format!("{{{}}}", members(fields)?.join(","))),
        Value::Unknown => Err(Misfit::unknown()),
        other => Err(Misfit::expected("something that JSON has", other)),
    }
}

fn members(fields: &Fields) -> Result<Vec<String>, Misfit> {
    let member = |(name, value): (&String, &Value)| {
        let value = document(value).map_err(|misfit| misfit.field(name))?;
        Ok(format!("{}:{value}", name.to_json()))
    };
    fields.iter().map(member).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Asset, AssetSource};

    #[test]
    fn a_text_is_as_it_was_and_anything_else_that_json_has_becomes_one() {
        let text = Json::from_value(Value::Text("{ \"a\": 1 }".to_owned())).unwrap();
        assert_eq!((text.text(), text.to_value()), ("{ \"a\": 1 }", Ok(Value::Text("{ \"a\": 1 }".to_owned()))));
        let items = Value::Items(vec![Value::Null, Value::Number(1.5), Value::Text("\"".to_owned()).secret()]);
        let given = Value::Fields(Fields::from([("a".to_owned(), items), ("b".to_owned(), Value::Boolean(true))]));
        let json = Json::from_value(given.clone()).unwrap();
        assert_eq!(json.text(), r#"{"a":[null,1.5,"\""],"b":true}"#);
        assert_eq!(json.to_value(), Ok(given), "what was given comes back as it was");
    }

    #[test]
    fn what_json_has_not_is_told_with_its_place() {
        let asset = Asset { hash: None, source: AssetSource::Text("x".to_owned()) };
        let given = Value::Fields(Fields::from([("a".to_owned(), Value::Items(vec![Value::Asset(asset)]))]));
        let misfit = Json::from_value(given).unwrap_err();
        assert!(format!("{misfit:?}").contains("a[0]"), "{misfit:?}");
        assert!(Json::from_value(Value::Number(f64::NAN)).is_err());
    }
}
