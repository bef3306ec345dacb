//! The call that is being served: how long it may take, and whether it should end.

use std::time::Duration;

use super::imports::operation as host;
use crate::error::{Error, Result};

/// How much time is left; none if the call has no deadline. At 0 the instance is ended.
pub fn remaining() -> Option<Duration> {
    host::remaining().map(|milliseconds| Duration::from_millis(milliseconds.into()))
}

/// Whether the call should end: someone interrupted the engine. After a grace period the instance is ended; calls
/// that make, change and delete nothing have none, and end at once.
pub fn is_cancelled() -> bool {
    host::cancelled()
}

/// Waits, and fails with [`Error::cancelled`] as soon as the call is cancelled. A resource that exists by then should have been
/// announced with [`checkpoint`](crate::checkpoint()), or be reported with [`Error::partial`]. Who waits until something is ready had
/// better [`Wait`](crate::wait::Wait): most operations have no deadline, so that a loop around this needs an end of its own.
///
/// ```
/// use std::time::Duration;
///
/// // So that the next request doesn't come at once.
/// bulkhead_sdk::operation::sleep(Duration::from_secs(2))?;
/// # Ok::<(), bulkhead_sdk::Error>(())
/// ```
pub fn sleep(duration: Duration) -> Result<()> {
    let mut left = duration.as_millis();
    loop {
        let step = u32::try_from(left).unwrap_or(u32::MAX);
        if host::sleep(step) {
            return Err(Error::cancelled());
        }
        left -= u128::from(step);
        if left == 0 {
            return Ok(());
        }
    }
}
