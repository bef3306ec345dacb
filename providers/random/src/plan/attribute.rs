//! Facts about an input, of which the schema has no word for most.

use bulkhead_sdk::{Fields, Value};

/// An input, which is an output as well.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What it is where it is left out.
    pub unset: Unset,
    /// Which changes of it have the resource drawn anew.
    pub replaces: Replaces,
}

/// What an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// A whole number.
    Whole,
    /// A truth value.
    Truth,
    /// A list of texts.
    Texts,
    /// Texts by name.
    TextsByName,
}

/// What an attribute is where it is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unset {
    /// Absent.
    Absent,
    /// This number.
    Whole(u32),
    /// This text.
    Text(&'static str),
    /// True.
    True,
    /// What this other attribute is, and true if that is left out as well.
    As(&'static str),
}

/// Which changes of an attribute have the resource drawn anew. Others are recorded, and change nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaces {
    /// All.
    Always,
    /// All but that of an empty text to none. What isn't known yet may turn out to be none.
    UnlessEmptied,
    /// Those of values: to add nulls, or an empty map, says nothing.
    IfValuesChange,
}

impl Kind {
    /// A value of this kind that says nothing.
    pub fn blank(self) -> Value {
        match self {
            Self::Text => "".into(),
            Self::Whole => 0.into(),
            Self::Truth => false.into(),
            Self::Texts => Value::Items(Vec::new()),
            Self::TextsByName => Fields::new().into(),
        }
    }
}

impl Attribute {
    /// An attribute whose changes all replace.
    pub const fn new(name: &'static str, kind: Kind, unset: Unset) -> Self {
        Self { name, kind, unset, replaces: Replaces::Always }
    }

    /// The keepers of almost all resources.
    pub const KEEPERS: Self =
        Self { name: "keepers", kind: Kind::TextsByName, unset: Unset::Absent, replaces: Replaces::IfValuesChange };

    /// The same, but for when it replaces.
    pub const fn replaces(self, replaces: Replaces) -> Self {
        Self { replaces, ..self }
    }
}
