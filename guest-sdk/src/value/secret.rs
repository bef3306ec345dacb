//! Secrets that an author wants to see.

use std::fmt;
use std::ops::Deref;

use super::{FromLiteral, Misfit, Property, Value};
use crate::schema::{TypeSpec, Types};

/// A secret: the property is marked secret in the schema, and so is each value that this type writes.
///
/// A plain `String` accepts a secret too, and the host marks the outputs that repeat one. This type is for what is always
/// secret, and keeps it out of `Debug`.
///
/// ```
/// use bulkhead_sdk::Secret;
///
/// let token = Secret::new("hunter2".to_owned());
/// assert_eq!(format!("{token:?}"), "[secret]");
/// assert_eq!(token.len(), 7);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Makes a value secret.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// The value, no longer protected from being shown.
    pub fn expose(self) -> T {
        self.0
    }
}

impl<T> Deref for Secret<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for Secret<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

impl<T: Property> Property for Secret<T> {
    type Plain = Secret<T::Plain>;
    const OPTIONAL: bool = T::OPTIONAL;
    const SECRET: bool = true;
    const HOLDS_UNKNOWNS: bool = T::HOLDS_UNKNOWNS;
    const BOUNDS: Option<(i64, i64)> = T::BOUNDS;
    const ITEMS: Option<u32> = T::ITEMS;
    const PATTERN: Option<&'static str> = T::PATTERN;

    fn type_spec(types: &mut Types) -> TypeSpec {
        T::type_spec(types)
    }

    fn from_value(value: Value) -> Result<Self, Misfit> {
        T::from_value(value).map(Self)
    }

    fn to_value(&self) -> Result<Value, Misfit> {
        self.0.to_value().map(Value::secret)
    }

    fn absent() -> Option<Self> {
        T::absent().map(Self)
    }

    fn is_absent(&self) -> bool {
        self.0.is_absent()
    }
}

impl<L, T: FromLiteral<L>> FromLiteral<L> for Secret<T> {
    fn from_literal(literal: L) -> Self {
        Self(T::from_literal(literal))
    }
}
