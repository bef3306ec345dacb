//! What the instances of one configuration share: tokens, rate limits, mutexes.
//!
//! A host runs several instances of a provider, and they share no memory. The store is small, bounded, and gone with the
//! configuration; nothing in it is recorded. Names that start with `bulkhead:` are this module's own.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

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
/// limited. Here a key has 1,000 bytes at most, fewer than elsewhere.
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
    made_once(
        key,
        || get(key),
        || {
            let value = make()?;
            set(key, &value)?;
            Ok(value)
        },
    )
}

/// The same for a value that ends: what was made is good for as long as `make` says beside it. Say less than the service does, so that
/// none ends on its way there. Only this and [`forget`] know the value; [`get`] doesn't.
///
/// ```
/// use std::time::Duration;
///
/// use bulkhead_sdk::{Result, session};
///
/// # fn log_in() -> Result<(String, u64)> { Ok(("token".to_owned(), 3_600)) }
/// fn token() -> Result<Vec<u8>> {
///     session::get_or_make_for("token", || {
///         let (token, seconds) = log_in()?;
///         Ok((token.into_bytes(), Duration::from_secs(seconds) * 9 / 10))
///     })
/// }
///
/// // Where the service refuses it all the same (401):
/// session::forget("token", &token()?)?;
/// # Ok::<(), bulkhead_sdk::Error>(())
/// ```
pub fn get_or_make_for(key: &str, make: impl FnOnce() -> Result<(Vec<u8>, Duration)>) -> Result<Vec<u8>> {
    let place = ending(key);
    made_once(
        key,
        || get(&place).and_then(|kept| if has_ended(&kept) { None } else { Some(kept.get(END..)?.to_vec()) }),
        || {
            // It is good from before it was made.
            let made = now();
            let (value, lasts) = make()?;
            let end = u64::try_from(made.saturating_add(lasts).as_millis()).unwrap_or(u64::MAX);
            set(&place, &[end.to_be_bytes().as_slice(), &value].concat())?;
            Ok(value)
        },
    )
}

/// Forgets a value that turned out not to be good any more, so that it is made anew. One that somebody else has made meanwhile stays.
pub fn forget(key: &str, value: &[u8]) -> Result<()> {
    // A conflict means that it is another one by now.
    let _ = compare_and_swap(key, Some(value), None)?;
    let place = ending(key);
    if let Some(kept) = get(&place).filter(|kept| kept.get(END..) == Some(value)) {
        let _ = compare_and_swap(&place, Some(&kept), None)?;
    }
    Ok(())
}

/// What is kept, or what is made now, while the other instances wait. The lock is none that an author could hold meanwhile.
fn made_once(key: &str, kept: impl Fn() -> Option<Vec<u8>>, make: impl FnOnce() -> Result<Vec<u8>>) -> Result<Vec<u8>> {
    if let Some(value) = kept() {
        return Ok(value);
    }
    let _guard = lock(&format!("bulkhead:make:{key}"))?;
    if let Some(value) = kept() {
        return Ok(value);
    }
    make()
}

/// Bytes before a value that ends, which say when: milliseconds since 1970.
const END: usize = size_of::<u64>();

/// Where the value of a key stands that ends.
fn ending(key: &str) -> String {
    format!("bulkhead:ending:{key}")
}

fn has_ended(kept: &[u8]) -> bool {
    let end = kept.first_chunk().map_or(0, |end| u64::from_be_bytes(*end));
    now().as_millis() >= u128::from(end)
}

/// The time by the clock that all instances share.
fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Adds to a counter, which starts at 0, and returns its new value. Atomic among all instances.
pub fn add(counter: &str, amount: i32) -> Result<i32> {
    host::add(counter, amount).map_err(failed)
}

/// Waits for a lock. Not re-entrant: a call that holds it already would wait for itself, and is ended.
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::host::native;

    const HOUR: Duration = Duration::from_secs(3_600);

    /// The value of `token`, made as `token N` for the Nth time, each good for so long.
    fn token(lasts: Duration) -> String {
        let make = || Ok((format!("token {}", add("logins", 1)?).into_bytes(), lasts));
        String::from_utf8(get_or_make_for("token", make).unwrap()).unwrap()
    }

    #[test]
    fn what_ends_is_made_anew_once_it_has() {
        native::reset();
        assert_eq!(token(Duration::ZERO), "token 1");
        assert_eq!([token(HOUR), token(HOUR)], ["token 2", "token 2"]);
        native::reset();
        assert_eq!([token(Duration::MAX), token(HOUR)], ["token 1", "token 1"], "as good as for ever");
    }

    #[test]
    fn what_is_forgotten_is_made_anew_unless_somebody_has_done_so() {
        native::reset();
        let first = token(HOUR);
        forget("token", first.as_bytes()).unwrap();
        assert_eq!(token(HOUR), "token 2");
        // Two instances are refused, and both forget what they had.
        forget("token", first.as_bytes()).unwrap();
        assert_eq!(token(HOUR), "token 2");

        let logins = Cell::new(0);
        let make = || {
            logins.set(logins.get() + 1);
            Ok(vec![logins.get()])
        };
        assert_eq!(get_or_make("kept", make).unwrap(), [1]);
        forget("kept", &[1]).unwrap();
        assert_eq!(get_or_make("kept", make).unwrap(), [2]);
        forget("kept", &[1]).unwrap();
        assert_eq!(get_or_make("kept", make).unwrap(), [2]);
    }

    /// It waited for itself for ever.
    #[test]
    fn what_is_made_may_hold_the_lock_of_its_own_name() {
        native::reset();
        let make = || lock("token").map(|_guard| b"t".to_vec());
        assert_eq!(get_or_make("token", make).unwrap(), b"t");
        let make = || lock("token").map(|_guard| (b"t".to_vec(), HOUR));
        assert_eq!(get_or_make_for("token", make).unwrap(), b"t");
    }

    #[test]
    #[should_panic = "the lock `turn` is taken twice"]
    fn a_lock_that_is_taken_twice_fails_a_test_as_it_fails_a_call() {
        native::reset();
        drop(lock("turn").unwrap());
        let _held = lock("turn").unwrap();
        let _ = lock("turn");
    }
}
