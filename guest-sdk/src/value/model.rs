//! [`Value`] itself.

use std::collections::BTreeMap;
use std::fmt;

use super::{Archive, Asset, Reference};

/// The members of an object or a map, by name.
pub type Fields = BTreeMap<String, Value>;

/// Any value.
///
/// As a field's type it stands for "anything": the property accepts whatever a program gives. In overrides it shows what
/// typed fields hide: what is secret, and what a preview doesn't know yet.
///
/// `Debug` never shows what is secret.
#[derive(Clone, PartialEq)]
pub enum Value {
    /// Present, and empty. Not the same as an absent member.
    Null,
    /// A truth value.
    Boolean(bool),
    /// A double. There is no integer: a number meant as one has no fraction and a magnitude below 2^53.
    Number(f64),
    /// A string.
    Text(String),
    /// Bytes that need not be UTF-8. Not every engine can carry them.
    Bytes(Vec<u8>),
    /// An ordered list.
    Items(Vec<Value>),
    /// An object or a map.
    Fields(Fields),
    /// A blob.
    Asset(Asset),
    /// A named collection of blobs.
    Archive(Archive),
    /// Not known yet: only in previews.
    Unknown,
    /// Secret: must not appear in logs, errors, differences or ids.
    Secret(Box<Value>),
    /// An eventual value with what it depends on: only in component resources.
    Output(Output),
    /// Another resource.
    Reference(Reference),
}

/// An eventual value.
#[derive(Clone, PartialEq)]
pub struct Output {
    /// The value; absent while it is unknown.
    pub value: Option<Box<Value>>,
    /// Whether the value is secret.
    pub secret: bool,
    /// The URNs of the resources that the value depends on.
    pub dependencies: Vec<String>,
}

/// What kind of value something is, for messages: it displays as `a string`, `an object` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind(&'static str);

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
}

impl Value {
    /// What kind of value this is, without saying what it is.
    pub fn kind(&self) -> Kind {
        Kind(match self {
            Self::Null => "null",
            Self::Boolean(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::Bytes(_) => "bytes",
            Self::Items(_) => "a list",
            Self::Fields(_) => "an object",
            Self::Asset(_) => "an asset",
            Self::Archive(_) => "an archive",
            Self::Unknown => "an unknown value",
            Self::Secret(_) => "a secret",
            Self::Output(_) => "an output",
            Self::Reference(_) => "a resource",
        })
    }

    /// Makes the value secret. A secret of a secret is the secret.
    pub fn secret(self) -> Self {
        match self {
            Self::Secret(_) => self,
            value => Self::Secret(Box::new(value)),
        }
    }

    /// The value without the wrappers that say something about it: secrets, and outputs that are known.
    pub fn plain(&self) -> &Self {
        let mut value = self;
        loop {
            value = match value {
                Self::Secret(inner) => inner,
                Self::Output(Output { value: Some(inner), .. }) => inner,
                Self::Output(_) => &Self::Unknown,
                value => return value,
            }
        }
    }

    /// The same as [`plain`](Self::plain), for a value that isn't needed any more.
    pub fn into_plain(self) -> Self {
        let mut value = self;
        loop {
            value = match value {
                Self::Secret(inner) => *inner,
                Self::Output(Output { value: Some(inner), .. }) => *inner,
                Self::Output(_) => Self::Unknown,
                value => return value,
            }
        }
    }

    /// Whether the value is secret as a whole.
    pub fn is_secret(&self) -> bool {
        matches!(self, Self::Secret(_) | Self::Output(Output { secret: true, .. }))
    }

    /// Whether the value is unknown as a whole, secret or not.
    pub fn is_unknown(&self) -> bool {
        matches!(self.plain(), Self::Unknown)
    }

    /// Whether anything in the value is unknown, however deep.
    pub fn has_unknowns(&self) -> bool {
        match self.plain() {
            Self::Unknown => true,
            Self::Reference(reference) => !reference.is_known(),
            Self::Items(items) => items.iter().any(Self::has_unknowns),
            Self::Fields(fields) => fields.values().any(Self::has_unknowns),
            _ => false,
        }
    }

    /// The string, if this is one, secret or not.
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self.plain() { Some(text) } else { None }
    }

    /// The number, if this is one, secret or not.
    pub fn as_number(&self) -> Option<f64> {
        if let Self::Number(number) = self.plain() { Some(*number) } else { None }
    }

    /// The truth value, if this is one, secret or not.
    pub fn as_boolean(&self) -> Option<bool> {
        if let Self::Boolean(boolean) = self.plain() { Some(*boolean) } else { None }
    }

    /// The elements, if this is a list, secret or not.
    pub fn as_items(&self) -> Option<&[Self]> {
        if let Self::Items(items) = self.plain() { Some(items) } else { None }
    }

    /// The members, if this is an object or a map, secret or not.
    pub fn as_fields(&self) -> Option<&Fields> {
        if let Self::Fields(fields) = self.plain() { Some(fields) } else { None }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => formatter.write_str("null"),
            Self::Boolean(boolean) => boolean.fmt(formatter),
            Self::Number(number) => number.fmt(formatter),
            Self::Text(text) => text.fmt(formatter),
            Self::Bytes(bytes) => bytes.fmt(formatter),
            Self::Items(items) => items.fmt(formatter),
            Self::Fields(fields) => fields.fmt(formatter),
            Self::Asset(asset) => asset.fmt(formatter),
            Self::Archive(archive) => archive.fmt(formatter),
            Self::Unknown => formatter.write_str("[unknown]"),
            Self::Secret(_) | Self::Output(Output { secret: true, .. }) => formatter.write_str("[secret]"),
            Self::Output(Output { value: Some(value), .. }) => value.fmt(formatter),
            Self::Output(_) => formatter.write_str("[unknown]"),
            Self::Reference(reference) => reference.fmt(formatter),
        }
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = match &self.value {
            Some(_) if self.secret => "[secret]".to_owned(),
            Some(value) => format!("{value:?}"),
            None => "[unknown]".to_owned(),
        };
        formatter
            .debug_struct("Output")
            .field("value", &format_args!("{shown}"))
            .field("dependencies", &self.dependencies)
            .finish()
    }
}

impl From<bool> for Value {
    fn from(boolean: bool) -> Self {
        Self::Boolean(boolean)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Number(number.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Fields> for Value {
    fn from(fields: Fields) -> Self {
        Self::Fields(fields)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Self::Items(items.into_iter().map(Into::into).collect())
    }
}
