//! Types of properties.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use bulkhead_value::Value;

use super::ObjectType;

/// The type of a value. Objects, enums and resources are named by their token: look them up in the package.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    /// A truth value.
    Boolean,
    /// A number without a fraction; not all above 2^53 are exact on the wire.
    Integer,
    /// A double.
    Number,
    /// A string; byte strings included, which an engine doesn't keep apart.
    String,
    /// A list whose elements have one type.
    Array(Box<Type>),
    /// An object with any keys, whose members have one type.
    Map(Box<Type>),
    /// An object type of the package, by token.
    Object(String),
    /// An enum of the package, by token.
    Enum(String),
    /// Any of several types.
    Union(Union),
    /// An asset or an archive.
    Asset,
    /// An archive.
    Archive,
    /// Any value. Types of other packages are taken for this: their schemas aren't at hand.
    Any,
    /// What JSON can say: null, booleans, numbers, strings, lists and maps.
    Json,
    /// A resource, by token: a reference, an id or a URN.
    Resource(String),
}

/// A type of alternatives.
#[derive(Debug, Clone, PartialEq)]
pub struct Union {
    /// The alternatives, in the order of the schema: the first that fits is taken.
    pub variants: Vec<Type>,
    /// The primitive that languages without unions use. It is one of the alternatives.
    pub underlying: Option<Primitive>,
    /// Which property of an object tells its variant.
    pub discriminator: Option<Discriminator>,
}

/// What tells the variants of a union of objects apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discriminator {
    /// The property that every variant has.
    pub property: String,
    /// The token of the object type for a value of the property, or what else the schema has there. Values that lead to no
    /// variant from here name one by its `const` or by the last part of its token.
    pub mapping: BTreeMap<String, String>,
}

/// A primitive type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Primitive {
    /// A truth value.
    Boolean,
    /// A number without a fraction.
    Integer,
    /// A double.
    Number,
    /// A string.
    String,
}

impl Primitive {
    /// The primitive of this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "string" => Self::String,
            _ => return None,
        })
    }
}

impl From<Primitive> for Type {
    fn from(primitive: Primitive) -> Self {
        match primitive {
            Primitive::Boolean => Self::Boolean,
            Primitive::Integer => Self::Integer,
            Primitive::Number => Self::Number,
            Primitive::String => Self::String,
        }
    }
}

/// With its article: `an integer`.
impl fmt::Display for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Boolean => "a boolean",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::String => "a string",
        })
    }
}

/// A named type.
#[derive(Debug, Clone, PartialEq)]
pub enum Definition {
    /// An object type.
    Object(ObjectType),
    /// An enum.
    Enum(EnumType),
}

/// A closed set of primitive values.
#[derive(Debug, Clone, PartialEq)]
pub struct EnumType {
    /// The type of the values.
    pub underlying: Primitive,
    /// The values. An empty list allows every value of the type.
    pub values: Vec<EnumValue>,
    /// The values again, to be looked up: there may be as many as a document has room for.
    known: Known,
}

impl EnumType {
    /// An enum of these values.
    pub fn new(underlying: Primitive, values: Vec<EnumValue>) -> Self {
        let mut known = Known::default();
        for allowed in &values {
            match &allowed.value {
                Value::Bool(truth) => known.truths.extend([*truth]),
                Value::Number(number) => known.numbers.extend([bits(*number)]),
                Value::String(text) => known.texts.extend([text.clone()]),
                _ => {}
            }
        }
        Self { underlying, values, known }
    }

    /// Whether a value is one of those listed.
    pub fn has(&self, value: &Value) -> bool {
        match value {
            Value::Bool(truth) => self.known.truths.contains(truth),
            Value::Number(number) => self.known.numbers.contains(&bits(*number)),
            Value::String(text) => self.known.texts.contains(text),
            _ => false,
        }
    }
}

/// Primitive values by their kind.
#[derive(Debug, Clone, Default, PartialEq)]
struct Known {
    truths: BTreeSet<bool>,
    numbers: BTreeSet<u64>,
    texts: BTreeSet<String>,
}

/// What tells numbers apart: zeros of both signs are one.
fn bits(number: f64) -> u64 {
    (number + 0.0).to_bits()
}

/// One value of an enum.
#[derive(Debug, Clone, PartialEq)]
pub struct EnumValue {
    /// The value.
    pub value: Value,
    /// Its name in programs, where it isn't derived from the value.
    pub name: Option<String>,
    /// Why it shouldn't be used any more.
    pub deprecation: Option<String>,
}
