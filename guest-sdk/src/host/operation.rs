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

/// What a user does who gets no answer since the time is over, as the host says it.
const LONGER: &str =
    "give it more time with the resource option `customTimeouts`, or where there is none with the limit `wall`";

/// Waits, and fails with [`Error::cancelled`] as soon as the call is cancelled, and at once where the call's deadline comes first: an
/// instance that is ended meanwhile says nothing any more. A resource that exists by then should have been
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
    if let Some(remaining) = remaining().filter(|remaining| *remaining <= duration) {
        let message = format!("it waits for {duration:?}, and {remaining:?} are left of the operation");
        return Err(Error::other(format!("{message}\nhint: {LONGER}")));
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::host::native;

    #[test]
    fn who_would_wait_beyond_the_deadline_has_the_time_that_is_left() {
        native::reset();
        native::operation::end_in(Duration::from_secs(5));
        sleep(Duration::from_secs(3)).unwrap();
        for wait in [Duration::from_secs(2), Duration::MAX] {
            let error = sleep(wait).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Other(_)), "{error:?}");
        }
        let message = "it waits for 10s, and 2s are left of the operation\nhint: give it more time";
        assert!(sleep(Duration::from_secs(10)).unwrap_err().to_string().starts_with(message));
        assert_eq!(remaining(), Some(Duration::from_secs(2)));
        native::operation::cancel();
        assert!(matches!(sleep(Duration::from_secs(1)).unwrap_err().kind(), ErrorKind::Cancelled));
        native::reset();
    }
}
