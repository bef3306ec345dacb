//! Functions.

use super::{ObjectType, Type};

/// A function of a package, or a method of a resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its token.
    pub token: String,
    /// Its arguments; `None` if it takes none.
    pub inputs: Option<ObjectType>,
    /// What it returns.
    pub outputs: Returns,
    /// The names of its arguments in their order, if programs pass them by position.
    pub positional: Vec<String>,
    /// Whether it is written by hand in SDKs, so that a provider may have nothing to serve for it.
    pub is_overlay: bool,
    /// Why it shouldn't be called any more.
    pub deprecation: Option<String>,
}

/// What a function returns.
#[derive(Debug, Clone, PartialEq)]
pub enum Returns {
    /// Nothing.
    Nothing,
    /// An object with these properties.
    Object(ObjectType),
    /// A value of a type, which travels as the only member of an object.
    Type(Type),
}

impl Returns {
    /// Whether it is a value other than an object with properties, for which messages have no place but a member.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        matches!(self, Self::Type(ty) if !matches!(ty, Type::Object(_)))
    }
}
