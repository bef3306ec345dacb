//! JSON that an author writes down in `provider!`.

use serde_json::Value as Json;

/// JSON that is known when the provider is compiled.
#[derive(Clone, Copy, Debug)]
pub enum Literal {
    /// `null`.
    Null,
    /// A truth value.
    Boolean(bool),
    /// A number.
    Number(f64),
    /// A string.
    Text(&'static str),
    /// An array.
    List(&'static [Literal]),
    /// An object.
    Object(&'static [(&'static str, Literal)]),
}

impl Literal {
    pub(crate) fn to_json(self) -> Json {
        match self {
            Self::Null => Json::Null,
            Self::Boolean(boolean) => boolean.into(),
            Self::Number(number) => super::facts::number(number),
            Self::Text(text) => text.into(),
            Self::List(items) => items.iter().map(|item| item.to_json()).collect(),
            Self::Object(members) => {
                Json::Object(members.iter().map(|(name, value)| ((*name).to_owned(), value.to_json())).collect())
            }
        }
    }
}
