//! What a value is, in words: for errors, which may not show the value itself.

use std::fmt;

/// The kind of a value. Displayed with its article: `a string`, `an object`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The null value.
    Null,
    /// A truth value.
    Bool,
    /// A double.
    Number,
    /// A UTF-8 string.
    String,
    /// A string of any bytes.
    Bytes,
    /// A list.
    List,
    /// An object or a map.
    Object,
    /// An asset.
    Asset,
    /// An archive.
    Archive,
    /// An unknown value.
    Unknown,
    /// A secret.
    Secret,
    /// An output.
    Output,
    /// A resource reference.
    Reference,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Bytes => "a byte string",
            Self::List => "a list",
            Self::Object => "an object",
            Self::Asset => "an asset",
            Self::Archive => "an archive",
            Self::Unknown => "an unknown value",
            Self::Secret => "a secret",
            Self::Output => "an output",
            Self::Reference => "a resource reference",
        })
    }
}
