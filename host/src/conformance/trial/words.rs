//! What a provider logs when it fails, which its author needs: a panic ends a call as a trap, and only the log says where.
//!
//! Kept from the first error of a call on, since all that providers say before is for tests of their own.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::provider::{Log, Message, Severity, shortened};
use crate::rpc::EngineLink;

/// Messages that are kept, the last ones: a panic is what comes last.
const MOST: usize = 3;
/// Characters of each.
const LONGEST: usize = 1_000;

/// The last messages of a call. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Words(Arc<Mutex<VecDeque<String>>>);

impl Words {
    /// The next call begins.
    pub(super) fn forget(&self) {
        self.lock().clear();
    }

    /// What was said at the end of the last one, if that was an error.
    pub(super) fn last(&self) -> Vec<String> {
        self.lock().iter().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Log for Words {
    fn log(&self, message: Message) {
        let mut words = self.lock();
        if words.is_empty() && message.severity != Severity::Error {
            return;
        }
        if words.len() == MOST {
            words.pop_front();
        }
        words.push_back(shortened(message.text, LONGEST));
    }
}

impl EngineLink for Words {
    fn connect(&self, _address: &str) {}

    fn log(&self) -> Arc<dyn Log> {
        Arc::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_call_is_kept_from_its_first_error_on() {
        let words = Words::default();
        let say = |severity, text: &str| {
            Log::log(&words, Message { severity, text: text.to_owned(), urn: None, ephemeral: false });
        };
        say(Severity::Warning, "all is well");
        assert!(words.last().is_empty());
        say(Severity::Error, "it panicked");
        say(Severity::Debug, "its message");
        assert_eq!(words.last(), ["it panicked", "its message"]);
        (0..10).for_each(|number| say(Severity::Error, &number.to_string()));
        assert_eq!(words.last(), ["7", "8", "9"]);
        words.forget();
        assert!(words.last().is_empty());
    }
}
