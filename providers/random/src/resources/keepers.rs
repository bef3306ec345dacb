//! Keepers are how a user says when to draw again: whenever one of them changes.

use std::collections::BTreeMap;

/// Arbitrary values by name.
pub(super) type Keepers = BTreeMap<String, Option<String>>;
