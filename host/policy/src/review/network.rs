//! What became of a request for the network: case by case, which are its phases and methods.

use super::Found;
use crate::denial::{Narrowing, Why};
use crate::grant::NetworkGrant;
use crate::permissions::{Above, Permissions};
use crate::request::{NetworkRequest, Phase};
use crate::upgrade::phases;

/// A phase, and a method; none stands for all that nobody mentions.
type Case<'a> = (Phase, Option<&'a str>);

/// How much of a request somebody permits in a case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Share {
    None,
    /// As far as what is permitted turns out to be what is asked for.
    Part,
    All,
}

/// A file above, and what it says of the network.
type Allowed<'a> = (&'a Above, &'a [NetworkGrant]);

pub(super) fn found(permissions: &Permissions, request: &NetworkRequest) -> Found {
    if let Some(why) = request.endpoint.never() {
        return Found::denied(&why);
    }
    let granted: Vec<&NetworkGrant> = permissions.grants().flat_map(|grant| &grant.network).collect();
    let above: Vec<Allowed<'_>> =
        permissions.above().iter().filter_map(|above| Some((above, above.ceiling.network.as_deref()?))).collect();
    let mentioned = granted.iter().copied().chain(above.iter().flat_map(|(_, allowed)| *allowed));
    let methods = methods(request, mentioned);
    let cases = phases(&request.phases).flat_map(|phase| methods.iter().map(move |method| (phase, *method)));
    let by_grants = |case: &Case<'_>| share(granted.iter().copied(), request, *case, false);
    let by_file = |file: &Allowed<'_>, case: &Case<'_>| share(file.1.iter(), request, *case, true);

    let given: Vec<Case<'_>> = cases.filter(|case| by_grants(case) > Share::None).collect();
    if given.is_empty() {
        return match granted.iter().any(|terms| terms.endpoint.may_meet(&request.endpoint)) {
            true => Found::only("not granted: it is granted for other methods or phases".to_owned()),
            false => Found::denied(&permissions.ungranted()),
        };
    }
    let narrowing: Vec<&Allowed<'_>> =
        above.iter().filter(|file| given.iter().any(|case| by_file(file, case) < Share::All)).collect();
    let left = |case: &&Case<'_>| narrowing.iter().all(|file| by_file(file, case) > Share::None);
    let left: Vec<Case<'_>> = given.iter().filter(left).copied().collect();
    let narrowing: Vec<Narrowing> = narrowing.into_iter().map(|(above, _)| above.narrowing()).collect();
    if left.is_empty() {
        return Found::denied(&Why::Above(narrowing));
    }
    let mut verdict = format!("granted{}", restricted(request, &methods, &left));
    if left.iter().any(|case| by_grants(case) < Share::All) {
        let useful = |terms: &&&NetworkGrant| {
            left.iter().any(|case| share([**terms].into_iter(), request, *case, false) > Share::None)
        };
        let useful: Vec<String> = granted.iter().filter(useful).map(ToString::to_string).collect();
        verdict.push_str(&format!(" as far as it is {}", useful.join(", ")));
    }
    for table in &narrowing {
        verdict.push_str(&format!(", as far as {table} allows it"));
    }
    Found { verdict, above: narrowing.iter().map(ToString::to_string).collect() }
}

/// The methods to ask about. Where all are asked for, those that anybody mentions stand for themselves.
fn methods<'a>(request: &'a NetworkRequest, terms: impl Iterator<Item = &'a NetworkGrant>) -> Vec<Option<&'a str>> {
    if !request.methods.is_empty() {
        return request.methods.iter().map(|method| Some(method.as_str())).collect();
    }
    let mut mentioned: Vec<&str> = terms.flat_map(|terms| &terms.methods).map(String::as_str).collect();
    mentioned.sort_unstable();
    mentioned.dedup();
    std::iter::once(None).chain(mentioned.into_iter().map(Some)).collect()
}

/// How much of a request anybody's terms permit. Who only allows, and names no phase, means all of them.
fn share<'a>(
    terms: impl Iterator<Item = &'a NetworkGrant>,
    request: &NetworkRequest,
    (phase, method): Case<'_>,
    only_allows: bool,
) -> Share {
    let permit = |terms: &&NetworkGrant| {
        let phase = if only_allows && terms.phases.is_empty() { Phase::Create } else { phase };
        terms.gives(phase, method)
    };
    let of = |terms: &NetworkGrant| match () {
        () if request.endpoint.is_within(&terms.endpoint) => Share::All,
        () if request.endpoint.may_meet(&terms.endpoint) => Share::Part,
        () => Share::None,
    };
    terms.filter(permit).map(of).max().unwrap_or(Share::None)
}

/// Which methods and phases are left, where not all are.
fn restricted(request: &NetworkRequest, methods: &[Option<&str>], left: &[Case<'_>]) -> String {
    let mut parts = Vec::new();
    let has_method = |method: &Option<&str>| left.iter().any(|(_, left)| left == method);
    if !methods.iter().all(has_method) {
        let methods: Vec<&str> =
            methods.iter().filter(|method| has_method(method)).filter_map(|method| *method).collect();
        parts.push(format!(" only with {}", methods.join(", ")));
    }
    let has_phase = |phase: &Phase| left.iter().any(|(left, _)| left == phase);
    if !phases(&request.phases).all(|phase| has_phase(&phase)) {
        let phases: Vec<String> = phases(&request.phases).filter(has_phase).map(|phase| phase.to_string()).collect();
        parts.push(format!(" only in {}", phases.join(", ")));
    }
    parts.join(",")
}
