//! What the instances of one configuration share: tokens, rate limits, mutexes.
//!
//! A host runs several instances of a provider, and they share no memory. The store is small, bounded, and gone with the
//! configuration; nothing in it is recorded.

use super::imports::session as host;
use crate::bindings::wit::session::SessionError;
use crate::error::{Error, Result};

/// A lock that is held until it is dropped, or the call ends.
#[derive(Debug)]
pub struct Guard {
    /// Given back by being dropped.
    _held: host::Guard,
}

/// The value of a key, none if there is none.
pub fn get(key: &str) -> Option<Vec<u8>> {
    host::get(key)
}

/// Sets a key, whatever its value was.
pub fn set(key: &str, value: &[u8]) -> Result<()> {
    let mut expected = host::get(key);
    loop {
        match compare_and_swap(key, expected.as_deref(), Some(value))? {
            Ok(()) => return Ok(()),
            Err(present) => expected = present,
        }
    }
}

/// Sets a key, or removes it, if it still has the expected value; gives the present value otherwise. Atomic among all
/// instances.
pub fn compare_and_swap(
    key: &str,
    expected: Option<&[u8]>,
    value: Option<&[u8]>,
) -> Result<std::result::Result<(), Option<Vec<u8>>>> {
    match host::compare_and_swap(key, expected, value) {
        Ok(()) => Ok(Ok(())),
        Err(SessionError::Conflict(present)) => Ok(Err(present)),
        Err(error) => Err(failed(error)),
    }
}

/// The value of a key, or what `make` makes now. One instance makes it, the others wait: fit for a token that is expensive or
/// limited.
///
/// ```
/// use bulkhead_sdk::{Result, session};
///
/// # fn log_in() -> Result<String> { Ok("token".to_owned()) }
/// let token = session::get_or_make("token", || Ok(log_in()?.into_bytes()))?;
/// assert_eq!(session::get_or_make("token", || unreachable!())?, token);
/// # Ok::<(), bulkhead_sdk::Error>(())
/// ```
pub fn get_or_make(key: &str, make: impl FnOnce() -> Result<Vec<u8>>) -> Result<Vec<u8>> {
    if let Some(value) = get(key) {
        return Ok(value);
    }
    let _guard = lock(key)?;
    if let Some(value) = get(key) {
        return Ok(value);
    }
    let value = make()?;
    set(key, &value)?;
    Ok(value)
}

/// Adds to a counter, which starts at 0, and returns its new value. Atomic among all instances.
pub fn add(counter: &str, amount: i32) -> Result<i32> {
    host::add(counter, amount).map_err(failed)
}

/// Waits for a lock. Not re-entrant.
pub fn lock(name: &str) -> Result<Guard> {
    Ok(Guard { _held: host::lock(name).map_err(failed)? })
}

fn failed(error: SessionError) -> Error {
    match error {
        SessionError::Cancelled => Error::cancelled(),
        SessionError::TooLarge(reason) => Error::other(reason),
        // Only a swap can meet another value.
        SessionError::Conflict(_) => Error::other("the value was changed meanwhile"),
    }
}
