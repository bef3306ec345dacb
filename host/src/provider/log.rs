//! Messages on their way to the user.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::legible::legible;

/// How important a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// For the provider's author.
    Debug,
    /// Worth knowing.
    Info,
    /// Probably a mistake.
    Warning,
    /// Something failed.
    Error,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// How important it is.
    pub severity: Severity,
    /// The text.
    pub text: String,
    /// The resource it is about.
    pub urn: Option<String>,
    /// Whether it is a status that the next one replaces.
    pub ephemeral: bool,
}

impl Message {
    /// A warning about no resource.
    pub fn warning(text: String) -> Self {
        Self { severity: Severity::Warning, text, urn: None, ephemeral: false }
    }
}

/// Who says something: one call of a guest's, beside others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Speaker(u64);

impl Speaker {
    /// One who hasn't said anything yet.
    pub fn next() -> Self {
        static SO_FAR: AtomicU64 = AtomicU64::new(0);
        Self(SO_FAR.fetch_add(1, Ordering::Relaxed).wrapping_add(1))
    }
}

/// Where messages go. Never blocks; a message may be lost when nobody listens.
pub trait Log: Send + Sync {
    /// Shows a message of the host's own.
    fn log(&self, message: Message);

    /// Shows a message of a guest's, of which there may be any number. It crowds out no message of the host's, nor those of other calls.
    fn relay(&self, message: Message, _by: Speaker) {
        self.log(message);
    }

    /// Ends when everything has been seen that the host has shown so far, and a call if one is named; or nobody looks. Who waits bounds it.
    fn seen(&self, _by: Option<Speaker>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(std::future::ready(()))
    }
}

/// How long an answer waits for the user to have seen what was said in its call.
const HEARD: Duration = Duration::from_millis(250);

/// Waits for a moment until what was said is seen, by the host and in a call: an engine whose last call this was ends at once, and shows
/// nothing that comes later.
pub async fn heard(log: &dyn Log, by: Option<Speaker>) {
    let _ = tokio::time::timeout(HEARD, log.seen(by)).await;
}

/// Shows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Log for Silent {
    fn log(&self, _message: Message) {}
}

/// A text for people, or its beginning and a note. `limit` counts characters. What would steer a terminal rather than be read is
/// replaced: it could hide what else is shown, or forge it.
pub fn shortened(text: String, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => legible(text),
        Some((at, _)) => {
            let (beginning, bytes) = (text.get(..at).unwrap_or_default().to_owned(), text.len());
            format!("{} … ({bytes} bytes in all)", legible(beginning))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn long_messages_are_cut_between_characters() {
        assert_eq!(shortened("ééé".into(), 3), "ééé");
        assert_eq!(shortened("éééé".into(), 3), "ééé … (8 bytes in all)");
    }

    #[test]
    fn what_steers_a_terminal_is_not_passed_on() {
        assert_eq!(shortened("a\r\n\tb ☃".into(), 99), "a\n\tb ☃");
        assert_eq!(shortened("\u{1b}[2Jerror\rok\0\u{9b}m".into(), 99), "\u{fffd}[2Jerror\u{fffd}ok\u{fffd}\u{fffd}m");
        assert_eq!(shortened("\u{7}\u{7}\u{7}".into(), 2), "\u{fffd}\u{fffd} … (3 bytes in all)");
    }
}
