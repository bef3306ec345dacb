//! What a request says is on record, in the waist's terms: without notes of others.

use bulkhead_value::Object;

use super::defaults::filled;
use super::displaced::displaced;
use super::internal_keys::{hidden, hidden_state};
use super::reached::{is_part, reached};
use super::schema_version::{inputs_version, is_noted, meta, schema_version};
use crate::provider::{Prior, Record};

/// The record of a resource, from the state and inputs that an engine sends.
pub(super) fn record(id: String, state: Object, inputs: Option<Object>) -> Record {
    let meta = meta(&state);
    Record {
        schema_version: schema_version(&meta),
        inputs_version: inputs_version(&meta, inputs.as_ref()),
        newer_inputs: None,
        reached: reached(&meta),
        part: is_part(&meta),
        filled: inputs.as_ref().map(filled).unwrap_or_default(),
        displaced: displaced(&meta),
        repeats_inputs: inputs.as_ref() == Some(&state) && !is_noted(&state),
        prior: Prior { id, state: hidden_state(state), inputs: inputs.map(hidden), views: Vec::new() },
    }
}
