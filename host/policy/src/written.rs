//! What an operator may write as a string, or as a table with more to say.
//!
//! An untagged enum would read both, and not say what is wrong with either.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};

/// A value with two spellings.
pub(crate) trait Written<'de>: Sized {
    /// What may be written, in words.
    const EXPECTED: &'static str;

    /// What a string stands for.
    fn short(text: &str) -> Result<Self, String>;

    /// What a table says.
    fn long<D: Deserializer<'de>>(table: D) -> Result<Self, D::Error>;
}

/// Reads one of the two.
pub(crate) struct Reading<T>(PhantomData<T>);

impl<T> Default for Reading<T> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<'de, T: Written<'de>> Visitor<'de> for Reading<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::short(text).map_err(E::custom)
    }

    fn visit_map<M: MapAccess<'de>>(self, table: M) -> Result<T, M::Error> {
        T::long(MapAccessDeserializer::new(table))
    }
}
