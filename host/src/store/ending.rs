//! Why a call is ended from outside.

use std::fmt;
use std::time::Instant;

use tokio_util::sync::CancellationToken;

use super::state::Serving;

/// Why a call was ended from outside. Travels as the cause of a trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The engine wanted it to end.
    Cancelled,
    /// The deadline passed.
    Deadline,
    /// It computed for too long.
    Compute,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cancelled => "the call was cancelled",
            Self::Deadline => "the call took longer than its deadline",
            Self::Compute => "the call computed for longer than it may",
        })
    }
}

impl std::error::Error for Ending {}

impl Ending {
    /// Why a call whose hard token is set was ended.
    pub(crate) fn of(call: &Serving) -> Self {
        Self::at(call.deadline, &call.soft)
    }

    /// The same, of a call with this deadline and this token.
    pub(crate) fn at(deadline: Option<Instant>, soft: &CancellationToken) -> Self {
        match deadline {
            Some(deadline) if !soft.is_cancelled() && Instant::now() >= deadline => Self::Deadline,
            _ => Self::Cancelled,
        }
    }
}
