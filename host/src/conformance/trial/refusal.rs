//! A call that failed, and what that says of the provider.

use bulkhead_proto::errors::InputPropertiesError;
use bulkhead_proto::provider::{ErrorResourceAwaitFailed, ErrorResourceInitFailed};
use bulkhead_proto::status::Status as Details;
use bulkhead_value::Object;
use prost::{Message, Name};
use tonic::{Code, Status};

use super::engine::{Recorded, object};

/// What every message about a provider's own mistake says.
const BUG: &str = "this is a bug in the provider";

/// What a provider's own words stand behind.
const OWN: &str = "the provider says: ";

/// What is said to users about such a mistake. Whoever checks a provider is its author.
const REPORT: &str = "please report it to the provider's author";

/// A call that failed.
#[derive(Clone)]
pub(super) struct Refusal {
    /// What happened.
    pub(super) message: String,
    /// What the provider says to do about it.
    pub(super) hint: Option<String>,
    /// Whether the provider is to blame, rather than what it was asked.
    pub(super) is_bug: bool,
    /// Whether the call was cancelled, and changed nothing.
    pub(super) is_cancelled: bool,
    /// The resource that it left behind, without its inputs.
    pub(super) left: Option<Box<Recorded>>,
}

impl Refusal {
    /// What the provider sent, or was sent, can't be used.
    pub(super) fn unusable(message: String) -> Self {
        Self { message: format!("failed to {message}"), hint: None, is_bug: true, is_cancelled: false, left: None }
    }

    /// Whether nothing was wrong but that the provider was denied something, and nothing came of it. What crashes may do so for another
    /// reason.
    pub(super) fn is_denial(&self) -> bool {
        let is_told = |hint: &str| hint.contains(" is denied: ");
        !self.is_bug && self.left.is_none() && self.hint.as_deref().is_some_and(is_told)
    }

    /// The same with what was asked of the provider, where its own words are all that there is: they say what is wrong, and not with what.
    pub(super) fn asked_to(self, what: &str) -> Self {
        if !self.message.starts_with(OWN) {
            return self;
        }
        Self { message: format!("asked to {what}, {}", self.message), ..self }
    }

    /// The same with the provider's last words, where it is to blame: they say where it went wrong. Whatever it was denied may have
    /// nothing to do with that.
    pub(super) fn with_words(self, words: Vec<String>) -> Self {
        if words.is_empty() || !self.is_bug {
            return self;
        }
        let message = format!("{}; its log says: {}", self.message, words.join("; ").replace('\n', " "));
        let hint =
            self.hint.map(|hint| format!("look at the place that its log names; if it lacked something there: {hint}"));
        Self { message, hint, ..self }
    }
}

impl From<Status> for Refusal {
    fn from(status: Status) -> Self {
        let (message, hint) = match status.message().split_once("\nhint: ") {
            Some((message, hint)) => {
                let hint = hint.strip_suffix(REPORT).unwrap_or(hint).trim_end_matches("; ");
                (message, Some(hint).filter(|hint| !hint.is_empty()).map(str::to_owned))
            }
            None => (status.message(), None),
        };
        // Only what nobody can tell the outcome of gets the first three; the last is a limit that the provider met.
        let codes = [Code::Unknown, Code::Internal, Code::DataLoss, Code::ResourceExhausted, Code::DeadlineExceeded];
        let is_bug = message.contains(BUG) || codes.contains(&status.code());
        let left = left(&status).map(Box::new);
        // A provider's own words stand alone, but for those about what didn't happen in time.
        let in_vain = detail::<ErrorResourceAwaitFailed>(&status).is_some();
        let is_own = status.code() == Code::Aborted && !is_bug && left.is_none() && !in_vain;
        let message = format!("{message}{}", reasons(&status)).replace('\n', " ");
        let message = if is_own { format!("{OWN}{message}") } else { format!("failed to {message}") };
        Self { message, hint, is_bug, is_cancelled: status.code() == Code::Cancelled, left }
    }
}

fn left(status: &Status) -> Option<Recorded> {
    let ErrorResourceInitFailed { id, properties, .. } = detail(status)?;
    Some(Recorded { id, state: object(properties).unwrap_or_default(), inputs: Object::new() })
}

/// Which inputs of a component are wrong, and why: engines show that below the message, which says only how many they are.
fn reasons(status: &Status) -> String {
    let InputPropertiesError { errors } = detail(status).unwrap_or_default();
    let reasons: Vec<String> =
        errors.into_iter().map(|error| format!("{}: {}", error.property_path, error.reason)).collect();
    if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) }
}

/// What stands beside the message.
fn detail<M: Message + Name + Default>(status: &Status) -> Option<M> {
    Details::decode(status.details()).ok()?.details.iter().find_map(|any| any.to_msg().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRASHED: &str = "create the resource: the provider crashed: unreachable; this is a bug in the provider";

    #[test]
    fn a_panic_is_told_with_its_place_before_what_may_have_nothing_to_do_with_it() {
        let words =
            || vec!["the provider panicked at src/lib.rs:3:5".to_owned(), "the panic's message: a\nb".to_owned()];
        let of = |text: &str, words| Refusal::from(Status::aborted(text.to_owned())).with_words(words);
        let crashed = of(&format!("{CRASHED}\nhint: {REPORT}"), words());
        assert_eq!(
            crashed.message,
            format!(
                "failed to {CRASHED}; its log says: the provider panicked at src/lib.rs:3:5; the panic's message: a b"
            )
        );
        assert_eq!(crashed.hint, None, "whoever checks a provider is its author");
        let denied = || format!("{CRASHED}\nhint: environment A is denied: nothing grants it; {REPORT}");
        let expected = "look at the place that its log names; if it lacked something there: environment A is denied: nothing grants it";
        assert_eq!(of(&denied(), words()).hint.as_deref(), Some(expected));
        assert_eq!(of(&denied(), Vec::new()).hint.as_deref(), Some("environment A is denied: nothing grants it"));
        let own = of("there is no such zone", words());
        assert_eq!(own.message, "the provider says: there is no such zone", "no crash, so nothing to look for");
        assert_eq!(own.asked_to("update it").message, "asked to update it, the provider says: there is no such zone");
        let told = of(CRASHED, Vec::new()).message;
        assert_eq!(of(CRASHED, Vec::new()).asked_to("update it").message, told);
    }
}
