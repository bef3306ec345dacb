//! Waiting for what can only be looked for, with an end: what never comes fails its test, and doesn't stop all of them without a word.

use std::time::{Duration, Instant};

/// How long anything may take. Generous, since a test machine may be busy.
const PATIENCE: Duration = Duration::from_secs(20);
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
