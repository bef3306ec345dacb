//! JSON that is known when a provider is compiled.

use super::json::{List, Members, string};
use crate::value::Secret;

/// JSON that an author writes down in `provider!`.
#[derive(Clone, Copy, Debug)]
pub enum Literal {
    /// `null`.
    Null,
    /// A truth value.
    Boolean(bool),
    /// A number, as its text.
    Number(&'static str),
    /// A string.
    Text(&'static str),
    /// An array.
    List(&'static [Literal]),
    /// An object.
    Object(&'static [(&'static str, Literal)]),
}

impl Literal {
    pub(crate) fn to_json(self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Boolean(boolean) => boolean.to_string(),
            Self::Number(number) => number.to_owned(),
            Self::Text(text) => text.to_json(),
            Self::List(items) => {
                let mut list = List::default();
                for item in items {
                    list.json(&item.to_json());
                }
                list.into_array()
            }
            Self::Object(members) => {
                let mut object = Members::default();
                for (name, value) in members {
                    object.json(name, &value.to_json());
                }
                object.into_object()
            }
        }
    }
}

/// What a default or a bound may be. A number's type decides how it is printed, so that components without doubles carry no
/// code for printing them.
pub trait ToJson {
    /// The JSON text.
    fn to_json(&self) -> String;
}

macro_rules! printed {
    ($($type:ty),*) => {$(
        impl ToJson for $type {
            fn to_json(&self) -> String {
                self.to_string()
            }
        }
    )*};
}

printed!(bool, i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! float {
    ($($type:ty),*) => {$(
        impl ToJson for $type {
            fn to_json(&self) -> String {
                // JSON has no infinities; no default can mean one.
                if self.is_finite() { self.to_string() } else { "null".to_owned() }
            }
        }
    )*};
}

float!(f32, f64);

impl ToJson for str {
    fn to_json(&self) -> String {
        let mut json = String::new();
        string(&mut json, self);
        json
    }
}

impl ToJson for String {
    fn to_json(&self) -> String {
        self.as_str().to_json()
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn to_json(&self) -> String {
        self.as_ref().map_or_else(|| "null".to_owned(), T::to_json)
    }
}

impl<T: ToJson> ToJson for Secret<T> {
    fn to_json(&self) -> String {
        T::to_json(self)
    }
}
