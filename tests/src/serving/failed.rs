//! What an engine is told by a failed call beside its message.

use std::collections::BTreeMap;

use bulkhead_proto::provider as pb;
use bulkhead_proto::status::Status as Details;
use bulkhead_value::Object;
use prost::{Message as _, Name};
use tonic::{Code, Status};

use super::object;

/// A resource that exists but isn't ready, as an engine records it.
#[derive(Debug)]
pub struct InitFailed {
    /// Its id.
    pub id: String,
    /// The state to record.
    pub state: Object,
    /// The same with the host's notes.
    pub noted: Object,
    /// The inputs to record, on read.
    pub inputs: Option<Object>,
    /// What is wrong.
    pub reasons: Vec<String>,
    /// Whether to refresh it before the next update.
    pub refresh_before_update: bool,
}

/// The resource that a failed call left behind. Panics if the status doesn't say so in the way that engines understand.
#[track_caller]
pub fn init_failed(status: &Status) -> InitFailed {
    assert_eq!(status.code(), Code::Aborted, "{status:?}");
    let detail: pb::ErrorResourceInitFailed =
        detail(status).unwrap_or_else(|| panic!("there is no detail: {status:?}"));
    assert_eq!(
        status.message(),
        format!(
            "{}: the resource exists but isn't ready: {}",
            status.message().split(':').next().unwrap_or_default(),
            detail.reasons.join("; ")
        )
    );
    let noted = detail.properties.map(object).unwrap_or_default();
    let mut state = noted.clone();
    state.remove("__meta");
    InitFailed {
        id: detail.id,
        state,
        noted,
        inputs: detail.inputs.map(object),
        reasons: detail.reasons,
        refresh_before_update: detail.refresh_before_update,
    }
}

/// The missing keys that a status tells of, with what they are for.
#[track_caller]
pub fn missing_keys(status: &Status) -> BTreeMap<String, String> {
    assert_eq!(status.code(), Code::InvalidArgument, "{status:?}");
    let detail: pb::ConfigureErrorMissingKeys =
        detail(status).unwrap_or_else(|| panic!("there is no detail: {status:?}"));
    detail.missing_keys.into_iter().map(|key| (key.name, key.description)).collect()
}

/// The names of a status's details, without their package.
pub fn details(status: &Status) -> Vec<String> {
    let details = Details::decode(status.details()).expect("details should be a status").details;
    details.iter().filter_map(|any| any.type_url.rsplit('.').next()).map(str::to_owned).collect()
}

/// The detail of a type, if the status has one.
pub fn detail<M: prost::Message + Default + Name>(status: &Status) -> Option<M> {
    let details = Details::decode(status.details()).expect("details should be a status");
    if !status.details().is_empty() {
        assert_eq!((details.code, details.message.as_str()), (status.code() as i32, status.message()));
    }
    details.details.iter().find_map(|any| any.to_msg().ok())
}
