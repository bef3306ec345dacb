//! Checking configuration.

use bulkhead_value::Object;

use super::decode::unread;
use super::{EXEMPT, typed};
use crate::{
    check::{CheckRequest, Checked},
    failure::FailureKind,
    model::Package,
};

/// Checks a configuration and completes it. Values are checked as what they mean and returned as they were given; what is
/// filled in below a value that was given as JSON isn't returned, as there is nowhere to put it.
pub fn check(package: &Package, given: &Object, environment: &dyn Fn(&str) -> Option<String>) -> Checked {
    let meant = typed(package, given);
    let request = CheckRequest { environment, exempt: &EXEMPT, ..CheckRequest::of(&package.configuration, &meant) };
    let mut checked = crate::check::check(package, request);
    for failure in checked.failures.iter_mut().filter(|failure| failure.kind == FailureKind::Type) {
        let name = failure.path.first_name().filter(|_| failure.path.segments().len() == 1);
        if let Some(reason) = name.and_then(|name| unread(package, name, given.get(name)?)) {
            failure.reason = reason;
        }
    }
    for (name, value) in given {
        if meant.get(name) != Some(value) {
            checked.inputs.insert(name.clone(), value.clone());
        }
    }
    checked
}
