//! URLs as properties.
//!
//! An endpoint is mostly configured. As a string it is found wrong by the first request, in the middle of a deployment and as an error of some
//! resource; as a URL it is found wrong where it is given, by the schema's pattern in previews too.

use super::Url;
use crate::schema::{ToJson, TypeSpec, Types};
use crate::value::{FromLiteral, Misfit, Property, Text, Value};

impl Property for Url {
    type Plain = Self;
    /// No more than how it begins: what is wrong further on, reading says in better words.
    const PATTERN: Option<&'static str> = Some(r"^(?i)https?://[0-9a-z_\[]");

    fn type_spec(types: &mut Types) -> TypeSpec {
        String::type_spec(types)
    }

    fn from_value(value: Value) -> Result<Self, Misfit> {
        let text = String::from_value(value)?;
        Self::parse(&text).map_err(|invalid| Misfit::new(invalid.reason()))
    }

    /// As it was given: another spelling would be a difference.
    fn to_value(&self) -> Result<Value, Misfit> {
        Ok(Value::Text(self.spelling()))
    }
}

/// For a `default`.
///
/// # Panics
/// It is no URL: a mistake of the author's, which a build finds, since the schema has the default.
impl FromLiteral<&str> for Url {
    fn from_literal(literal: &str) -> Self {
        #[expect(clippy::panic, reason = "only the author gives literals")]
        Self::parse(literal).unwrap_or_else(|invalid| panic!("the default {literal:?} {invalid}"))
    }
}

impl ToJson for Url {
    fn to_json(&self) -> String {
        self.spelling().to_json()
    }
}

impl Text for Url {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Url, Misfit> {
        Url::from_value(text.into())
    }

    #[test]
    fn a_url_that_is_given_comes_back_as_it_was_written() {
        for text in ["https://Notes.example", "HTTP://a/?", "http://a:80/b/?c=d"] {
            let url = read(text).unwrap();
            assert_eq!(url, Url::parse(text).unwrap());
            assert_eq!(url.to_value(), Ok(text.into()));
        }
        let below = read("https://Notes.example").unwrap().segment("a").query("b", "c");
        assert_eq!(below.to_value(), Ok("https://notes.example/a?b=c".into()));
        assert_eq!(read("http://A").unwrap(), read("http://a/").unwrap(), "how it is written makes no other URL");
    }

    #[test]
    fn a_text_that_is_no_url_says_why_and_not_what_it_is() {
        assert_eq!(read("notes.example").unwrap_err().to_string(), "the value has no scheme, such as http://");
        assert_eq!(Url::from_value(1.into()).unwrap_err().to_string(), "the value must be a string, not a number");
        assert!(Url::from_value(Value::Unknown).unwrap_err().is_unknown());
    }
}
