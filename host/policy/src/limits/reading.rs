//! Limits as people write them, and what is said to who writes them otherwise: an example, instead of a parser's words.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::time::Duration;

use bytesize::ByteSize;
use humantime_serde::re::humantime;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

use super::{MOST_COMPONENT, MOST_DEPTH, MOST_MESSAGE, MOST_NODES};
use crate::explain::brief;

/// A size.
pub(super) fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ByteSize>, D::Error> {
    deserializer.deserialize_any(Reading::<ByteSize>(PhantomData)).map(Some)
}

/// A time.
pub(super) fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    deserializer.deserialize_any(Reading::<Duration>(PhantomData)).map(Some)
}

/// A number of what there has to be some of.
pub(super) fn at_least_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NonZeroUsize>, D::Error> {
    let number = usize::deserialize(deserializer)?;
    NonZeroUsize::new(number).map(Some).ok_or_else(|| D::Error::custom("write a number of at least 1"))
}

/// A number of nodes.
pub(super) fn nodes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    at_most(deserializer, MOST_NODES)
}

/// A number of levels.
pub(super) fn depth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    at_most(deserializer, MOST_DEPTH)
}

/// The size of a message.
pub(super) fn message<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ByteSize>, D::Error> {
    size_at_most(deserializer, u64::try_from(MOST_MESSAGE).unwrap_or(u64::MAX))
}

/// The size of a component.
pub(super) fn component<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ByteSize>, D::Error> {
    size_at_most(deserializer, MOST_COMPONENT)
}

fn size_at_most<'de, D: Deserializer<'de>>(deserializer: D, most: u64) -> Result<Option<ByteSize>, D::Error> {
    match size(deserializer)? {
        Some(size) if size.as_u64() > most => {
            let most = most >> 20;
            Err(D::Error::custom(format!("this limit can't be raised so far: write \"{most}MiB\" or less")))
        }
        size => Ok(size),
    }
}

fn at_most<'de, D: Deserializer<'de>>(deserializer: D, most: usize) -> Result<Option<usize>, D::Error> {
    match usize::deserialize(deserializer)? {
        number if number <= most => Ok(Some(number)),
        _ => Err(D::Error::custom(format!("this limit can't be raised: write {most} or less"))),
    }
}

/// A kind of value that is written as a text.
trait Text: Sized {
    /// What may be written, in words.
    const EXPECTED: &'static str;

    fn parse(text: &str) -> Option<Self>;

    /// What a number means, if anything.
    fn of(number: u64) -> Option<Self>;
}

impl Text for ByteSize {
    const EXPECTED: &'static str = "a size like \"512MiB\"";

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn of(number: u64) -> Option<Self> {
        Some(Self::b(number))
    }
}

impl Text for Duration {
    const EXPECTED: &'static str = "a time like \"5s\"";

    fn parse(text: &str) -> Option<Self> {
        humantime::parse_duration(text).ok()
    }

    fn of(_number: u64) -> Option<Self> {
        None
    }
}

struct Reading<T>(PhantomData<T>);

impl<'de, T: Text> Visitor<'de> for Reading<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::parse(text).ok_or_else(|| wrong::<T, E>(text))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        T::of(number).ok_or_else(|| wrong::<T, E>(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        u64::try_from(number).ok().and_then(T::of).ok_or_else(|| wrong::<T, E>(number))
    }
}

fn wrong<T: Text, E: Error>(written: impl fmt::Display) -> E {
    let written = brief(&written.to_string());
    E::custom(format!("`{written}` means nothing here: write {}", T::EXPECTED))
}
