//! A blob, by its text, its path or its address, and always by its hash.
//!
//! An asset is its hash: two assets with equal hashes are equal, whatever their sources. This module reads nothing but
//! text that is at hand.

use sha2::{Digest, Sha256};

/// A blob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// The SHA-256 of the contents in lower-case hexadecimal.
    pub hash: Option<String>,
    /// Where the contents are.
    pub source: AssetSource,
}

/// Where an asset's contents are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssetSource {
    /// The contents themselves.
    Text(String),
    /// A path on the machine of the program.
    Path(String),
    /// A `file`, `http` or `https` address.
    Uri(String),
    /// Not at hand: old state keeps only the hash.
    Elided,
}

impl Asset {
    /// The hash of an empty blob. It tells an asset of the empty text from one whose contents were left out: on the wire
    /// both are a hash and nothing else.
    pub const EMPTY_HASH: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    /// An asset of this text, with its hash.
    ///
    /// ```
    /// # use bulkhead_value::Asset;
    /// let hash = Asset::text("hello").hash;
    /// assert_eq!(hash.as_deref(), Some("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"));
    /// ```
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { hash: Some(Self::hash_of(text.as_bytes())), source: AssetSource::Text(text) }
    }

    /// An asset whose contents aren't at hand.
    pub fn elided(hash: impl Into<String>) -> Self {
        Self { hash: Some(hash.into()), source: AssetSource::Elided }
    }

    /// The hash of a blob of these bytes: their SHA-256 in lower-case hexadecimal.
    pub fn hash_of(contents: &[u8]) -> String {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digest = Sha256::digest(contents);
        let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        digits.filter_map(|digit| DIGITS.get(usize::from(digit))).map(|digit| char::from(*digit)).collect()
    }

    /// The same asset without its contents, as old state keeps it.
    #[must_use]
    pub fn without_contents(&self) -> Self {
        Self { hash: self.content_hash(), source: AssetSource::Elided }
    }

    /// The same asset with its hash, if its contents are at hand.
    #[must_use]
    pub fn hashed(self) -> Self {
        Self { hash: self.content_hash(), ..self }
    }

    /// Whether both have the same contents: by hash, and by source only where a hash isn't at hand. Assets whose
    /// contents can't be told count as different.
    pub fn same_contents(&self, other: &Self) -> bool {
        match (self.content_hash(), other.content_hash()) {
            (Some(a), Some(b)) => a == b,
            _ => self.source == other.source && self.source != AssetSource::Elided,
        }
    }

    fn content_hash(&self) -> Option<String> {
        match (&self.hash, &self.source) {
            (Some(hash), _) => Some(hash.clone()),
            (None, AssetSource::Text(text)) => Some(Self::hash_of(text.as_bytes())),
            (None, _) => None,
        }
    }
}

#[cfg(test)]
mod tests;
