//! What a package has by token, without the cost of having all of it.
//!
//! The largest packages have thousands of resources, and a command uses a dozen of them. So an entry may still be encoded,
//! as an index keeps it (see `index`), and is decoded when somebody asks for it. What it looks like encoded isn't known here.
//! An entry that can't be decoded counts as absent: whoever kept it vouches for it, and it can't be had otherwise any more.

use std::{
    collections::{BTreeMap, btree_map},
    fmt,
    ops::Range,
    sync::{Arc, OnceLock},
};

/// Entries by token, in the order of the tokens. To look at all the entries decodes all, to look at the tokens none.
#[derive(Clone)]
pub struct Section<T> {
    entries: BTreeMap<String, Entry<T>>,
    source: Option<Source<T>>,
}

/// Boxed, since most entries are never decoded.
#[derive(Clone)]
struct Entry<T> {
    encoded: Range<usize>,
    decoded: OnceLock<Option<Box<T>>>,
}

/// What encoded entries are decoded from.
#[derive(Clone)]
struct Source<T> {
    bytes: Arc<Vec<u8>>,
    decode: fn(&[u8]) -> Option<T>,
}

impl<T> Entry<T> {
    fn of(value: T) -> Self {
        Self { encoded: 0..0, decoded: OnceLock::from(Some(Box::new(value))) }
    }

    fn get(&self, source: Option<&Source<T>>) -> Option<&T> {
        let decode =
            || source.and_then(|source| (source.decode)(source.bytes.get(self.encoded.clone())?)).map(Box::new);
        self.decoded.get_or_init(decode).as_deref()
    }
}

impl<T> Section<T> {
    /// Entries that are decoded when they are asked for, given where they lie in the bytes.
    pub(crate) fn encoded(
        bytes: Arc<Vec<u8>>,
        entries: impl IntoIterator<Item = (String, Range<usize>)>,
        decode: fn(&[u8]) -> Option<T>,
    ) -> Self {
        let entry = |encoded| Entry { encoded, decoded: OnceLock::new() };
        let entries = entries.into_iter().map(|(token, encoded)| (token, entry(encoded))).collect();
        Self { entries, source: Some(Source { bytes, decode }) }
    }

    /// The entry of a token.
    pub fn get(&self, token: &str) -> Option<&T> {
        self.entries.get(token)?.get(self.source.as_ref())
    }

    /// The entry of a token, to change it.
    pub(crate) fn get_mut(&mut self, token: &str) -> Option<&mut T> {
        let entry = self.entries.get_mut(token)?;
        entry.get(self.source.as_ref())?;
        entry.decoded.get_mut()?.as_deref_mut()
    }

    /// Adds an entry, or replaces the one that the token has.
    pub(crate) fn insert(&mut self, token: String, value: T) {
        self.entries.insert(token, Entry::of(value));
    }

    /// Whether there is an entry of this token.
    pub fn contains_key(&self, token: &str) -> bool {
        self.entries.contains_key(token)
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The tokens. Decodes nothing.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.entries.keys()
    }

    /// The entries with their tokens.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { entries: self.entries.iter(), source: self.source.as_ref() }
    }

    /// The entries.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.iter().map(|(_, value)| value)
    }

    /// How many entries have been asked for.
    #[cfg(test)]
    pub(crate) fn decoded(&self) -> usize {
        self.entries.values().filter(|entry| entry.decoded.get().is_some()).count()
    }
}

impl<T> Default for Section<T> {
    fn default() -> Self {
        Self { entries: BTreeMap::new(), source: None }
    }
}

impl<T: PartialEq> PartialEq for Section<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: fmt::Debug> fmt::Debug for Section<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<T> Extend<(String, T)> for Section<T> {
    fn extend<I: IntoIterator<Item = (String, T)>>(&mut self, entries: I) {
        self.entries.extend(entries.into_iter().map(|(token, value)| (token, Entry::of(value))));
    }
}

impl<'s, T> IntoIterator for &'s Section<T> {
    type Item = (&'s String, &'s T);
    type IntoIter = Iter<'s, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The entries of a section with their tokens.
pub struct Iter<'s, T> {
    entries: btree_map::Iter<'s, String, Entry<T>>,
    source: Option<&'s Source<T>>,
}

impl<'s, T> Iterator for Iter<'s, T> {
    type Item = (&'s String, &'s T);

    fn next(&mut self) -> Option<Self::Item> {
        let source = self.source;
        self.entries.find_map(|(token, entry)| Some((token, entry.get(source)?)))
    }
}
