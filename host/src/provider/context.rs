//! Who an operation is about, and what is on record about it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use bulkhead_value::{Object, PropertyPath};

use super::{Filled, View, ViewPlace};

/// The resource of an operation. Only the token is always known.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The type token.
    pub token: String,
    /// The name that the program gave.
    pub name: Option<String>,
    /// The URN, where the engine has such a thing.
    pub urn: Option<String>,
    /// Where all randomness of a check comes from; without one, generated names stay unknown in previews.
    pub seed: Option<Vec<u8>>,
    /// How long the operation may take; the provider's own default if absent.
    pub timeout: Option<Duration>,
    /// Where views of the operation are shown, if the engine has such a place.
    pub views: Option<Arc<dyn ViewPlace>>,
}

/// A resource as a guest sees it recorded.
#[derive(Clone, Debug, Default)]
pub struct Prior {
    /// Its id.
    pub id: String,
    /// Its state.
    pub state: Object,
    /// The inputs that led to the state.
    pub inputs: Option<Object>,
    /// The views beneath it.
    pub views: Vec<View>,
}

/// A resource as the front end recorded it, and wherever it keeps the parts.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// What the guest knows.
    pub prior: Prior,
    /// The schema version that the state was written under.
    pub schema_version: u32,
    /// The one that the inputs were, which engines record apart from it.
    pub inputs_version: u32,
    /// Inputs of a newer version, where a record was brought to the present one without them.
    pub newer_inputs: Option<Object>,
    /// Inputs that nobody gave.
    pub filled: Filled,
    /// Inputs that engines haven't on record as they are, should they be ignored: an upgrade has moved or converted them, and engines put what
    /// is to be ignored among new inputs as it was before. The state says how they are.
    pub displaced: BTreeSet<String>,
    /// Properties that updates changed which failed half-way: the inputs on record are those from before.
    pub reached: BTreeSet<String>,
    /// Whether the resource came to no end when it was made or changed, and nothing could have read it since.
    pub part: bool,
    /// Whether the state is the inputs, word for word: what engines send of a resource that a program looks up. A state on record that
    /// isn't whole has notes beside it, since there are such.
    pub repeats_inputs: bool,
}

impl Record {
    /// The record with the views beneath the resource.
    #[must_use]
    pub fn with(mut self, views: Vec<View>) -> Self {
        self.prior.views = views;
        self
    }
}

/// What is noted of inputs: of what was checked, or of what is on record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// Named by the host, where the user gave no name.
    pub generated: Vec<PropertyPath>,
    /// The version that they were recorded under, where nobody checked them by the present schema: they are from the record, and no program's.
    pub recorded: Option<u32>,
}
