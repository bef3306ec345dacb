//! Checking configuration.

use bulkhead_value::Object;

use super::decode::unread;
use super::{EXEMPT, typed};
use crate::{
    check::{CheckRequest, Checked},
    failure::{Failure, FailureKind},
    model::Package,
};

/// Checks a configuration and completes it. Values are checked as what they mean and returned as they were given; what is
/// filled in below a value that was given as JSON isn't returned, as there is nowhere to put it.
pub fn check(package: &Package, given: &Object, environment: &dyn Fn(&str) -> Option<String>) -> Checked {
    let meant = typed(package, given);
    let request = CheckRequest { environment, exempt: &EXEMPT, ..CheckRequest::of(&package.configuration, &meant) };
    let mut checked = crate::check::check(package, request);
    explain(package, given, &mut checked.failures);
    for (name, value) in given {
        if meant.get(name) != Some(value) {
            checked.inputs.insert(name.clone(), value.clone());
        }
    }
    checked
}

/// Says of what should be JSON, and is none, where it breaks, in place of that it is text. What can't be decoded stands in a
/// decoded configuration as it was given, so either is looked at.
pub fn explain(package: &Package, given: &Object, failures: &mut [Failure]) {
    for failure in failures.iter_mut().filter(|failure| failure.kind == FailureKind::Type) {
        let name = failure.path.first_name().filter(|_| failure.path.segments().len() == 1);
        if let Some(reason) = name.and_then(|name| unread(package, name, given.get(name)?)) {
            failure.reason = reason;
        }
    }
}
