//! How an operation on a resource ended, as data: a front end decides what of it is an error in its protocol.

use bulkhead_schema::Resource;
use bulkhead_value::Object;

use super::{Error, Fault, Partial};

/// How create, update or delete ended.
#[derive(Clone, Debug)]
pub enum Outcome<T> {
    /// As wished.
    Done(T),
    /// The resource exists, or changed, but isn't as wished.
    Partial(Partial),
    /// It failed, and nothing is different, as far as anybody says.
    NothingChanged(Error),
    /// It failed, and nobody knows what is different.
    Unknown(Error),
}

/// What to do where nobody knows what became of a resource that is on record. Engines tell of it as of any failure. What can't be read a
/// refresh leaves as it is on record, as if nothing had happened.
pub(super) fn look_again(resource: &Resource) -> &'static str {
    match resource.facts.methods.read {
        true => "`pulumi refresh` shows what became of it",
        false => {
            "look for what became of it where it is: the provider can't read it, and `pulumi refresh` shows nothing of that"
        }
    }
}

impl<T> Outcome<T> {
    /// `unknown` is what to do where nobody knows what is different, or where what went on until its end can't say.
    pub(super) fn from_fault(fault: Fault, unknown: &str) -> Self {
        match fault {
            Fault::Partial(partial) => Self::Partial(partial),
            Fault::Error(error) if matches!(error.kind, super::ErrorKind::OutcomeUnknown) => {
                Self::Unknown(error.also(unknown))
            }
            Fault::Error(error) if matches!(error.kind, super::ErrorKind::DeadlineExceeded) => {
                Self::NothingChanged(error.also(unknown))
            }
            Fault::Error(error) => Self::NothingChanged(error),
        }
    }
}

/// What reading found.
#[derive(Clone, Debug)]
pub enum ReadOutcome {
    /// The resource, well.
    Found {
        /// Its id.
        id: String,
        /// The state as the guest returned it.
        raw: Object,
        /// The state as an engine should record it.
        shown: Object,
        /// The inputs that go with it: those given, where only normalisation differs.
        inputs: Object,
        /// Whether to refresh before the next update.
        refresh_before_update: bool,
    },
    /// The resource, not well.
    Unwell(Partial),
    /// Nothing.
    NotFound,
}
