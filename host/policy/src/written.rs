//! What an operator may write as a string, or as a table with more to say, and lists of it.
//!
//! An untagged enum would read both spellings, and not say what is wrong with either. And a parser has its own words for a list, which
//! are none for who forgot the brackets.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

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

/// Reads a list.
pub(crate) fn list<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    deserializer.deserialize_seq(List(PhantomData))
}

/// Reads a list, where there may be none.
pub(crate) fn list_if_any<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    list(deserializer).map(Some)
}

struct List<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list like [\"…\", \"…\"]")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, members: S) -> Result<Vec<T>, S::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(members))
    }
}
