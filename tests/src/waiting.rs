//! Waiting for what can only be looked for, with an end: what never comes fails its test, and doesn't stop all of them without a word.
//!
//! What has to come soon is another matter. Where a test gives a guest, or a host, a moment on purpose, a machine that is busy may
//! take all of it, and who is right fails. A longer moment would prove nothing, so it is tried again ([`in_time`]).

use std::time::{Duration, Instant};

/// How long anything may take. Generous, since a test machine may be busy, and nobody waits for it where all is well.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often it is looked for.
const PAUSE: Duration = Duration::from_millis(5);

/// Waits until it is so. `what` says what isn't, if it never is.
pub async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what} should have been seen within {PATIENCE:?}");
        tokio::time::sleep(PAUSE).await;
    }
}

/// What came of a scenario once all of it was soon enough. It begins anew each time that something wasn't, which it says by `None`; what
/// has to hold however slow the machine is, it asserts itself.
pub async fn in_time<T>(tries: u32, mut scenario: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..tries {
        if let Some(came) = scenario().await {
            return came;
        }
    }
    panic!("none of {tries} tries was in time")
}
