//! What an output depends on.

use std::collections::BTreeSet;

/// The URNs of the resources that an output depends on, sorted, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependencies(BTreeSet<String>);

impl Dependencies {
    /// No dependencies.
    pub fn none() -> Self {
        Self::default()
    }

    /// Adds a resource.
    pub fn insert(&mut self, urn: impl Into<String>) {
        self.0.insert(urn.into());
    }

    /// What either depends on.
    pub fn union(mut self, other: &Self) -> Self {
        self.0.extend(other.0.iter().cloned());
        self
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the resource is among them.
    pub fn contains(&self, urn: &str) -> bool {
        self.0.contains(urn)
    }

    /// The URNs, sorted.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    pub(crate) fn into_urns(self) -> Vec<String> {
        self.0.into_iter().collect()
    }
}

impl<U: Into<String>> FromIterator<U> for Dependencies {
    fn from_iter<I: IntoIterator<Item = U>>(urns: I) -> Self {
        Self(urns.into_iter().map(Into::into).collect())
    }
}

impl<U: Into<String>> Extend<U> for Dependencies {
    fn extend<I: IntoIterator<Item = U>>(&mut self, urns: I) {
        self.0.extend(urns.into_iter().map(Into::into));
    }
}
