//! Requests to a guest, from the waist's terms.

use bulkhead_value::{Object, PropertyPath, Segment};

use super::bindings::exports::functions::InvokeRequest;
use super::bindings::types;
use super::tree::tree_from_object;
use crate::provider::{Call, GuestCheck, GuestDiff, Prior, View};

/// Who a call is about, by the type that the guest has. The URN is the engine's, and says the type that it has on record.
pub(crate) fn context(call: &Call) -> types::Context {
    let context = &call.context;
    types::Context {
        token: call.guests_token().to_owned(),
        name: context.name.clone(),
        urn: context.urn.clone(),
        timeout: context.timeout.map(|timeout| timeout.as_secs_f64()),
    }
}

/// A resource on record.
pub(crate) fn prior(prior: &Prior) -> types::Prior {
    types::Prior {
        id: prior.id.clone(),
        state: tree_from_object(&prior.state),
        inputs: prior.inputs.as_ref().map(tree_from_object),
        views: prior.views.iter().map(view).collect(),
    }
}

fn view(view: &View) -> types::View {
    types::View {
        token: view.token.clone(),
        name: view.name.clone(),
        parent: view.parent.clone(),
        inputs: tree_from_object(&view.inputs),
        state: tree_from_object(&view.state),
    }
}

/// A function call.
pub(crate) fn arguments(token: &str, arguments: &Object, preview: bool) -> InvokeRequest {
    InvokeRequest { token: token.to_owned(), arguments: tree_from_object(arguments), preview }
}

/// A check that the guest overrides.
pub(crate) fn check_request(call: &Call, request: GuestCheck<'_>) -> types::CheckRequest {
    types::CheckRequest {
        context: context(call),
        prior_inputs: request.prior_inputs.map(tree_from_object),
        prior_state: request.prior_state.map(tree_from_object),
        inputs: tree_from_object(request.inputs),
        seed: call.context.seed.clone(),
        autonaming: request.autonaming.map(super::autonaming),
    }
}

/// A difference that the guest overrides.
pub(crate) fn diff_request(call: &Call, request: GuestDiff<'_>) -> types::DiffRequest {
    types::DiffRequest {
        context: context(call),
        prior: prior(request.prior),
        inputs: tree_from_object(request.inputs),
        ignore_changes: paths(request.ignore_changes),
    }
}

/// Property paths.
pub(crate) fn paths(paths: &[PropertyPath]) -> Vec<types::PropertyPath> {
    paths.iter().map(|path| path.segments().iter().map(segment).collect()).collect()
}

fn segment(segment: &Segment) -> types::PathSegment {
    match segment {
        Segment::Field(name) => types::PathSegment::Field(name.clone()),
        Segment::Key(name) => types::PathSegment::Key(name.clone()),
        Segment::Index(index) => types::PathSegment::Index(u32::try_from(*index).unwrap_or(u32::MAX)),
        Segment::Wildcard => types::PathSegment::Key("*".to_owned()),
    }
}
