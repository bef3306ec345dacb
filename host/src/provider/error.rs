//! How an operation fails, before any protocol has a code for it.
//!
//! A message is a fragment that reads well after "failed to create the resource:". It never holds a property's value.

use std::fmt;

use bulkhead_schema::Failure;
use bulkhead_value::Object;

use super::Reason;

/// What to do about what nobody can name.
pub(super) const NAMELESS: &str =
    "a resource may have been created: look for it where the provider makes such things, and import or delete it";

/// A failed operation.
#[derive(Clone, Debug)]
pub struct Error {
    /// What it means.
    pub kind: ErrorKind,
    /// What happened.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// What a failure means to an engine.
#[derive(Clone, Debug)]
pub enum ErrorKind {
    /// The user's inputs are wrong.
    Rejected(Vec<Failure>),
    /// Configuration keys are missing.
    MissingConfiguration(Vec<MissingKey>),
    /// The request itself is wrong: a malformed URN, an unknown token, an unknown value where none may be.
    InvalidRequest,
    /// The provider isn't in a state to serve the request.
    NotReady,
    /// The operation failed and changed nothing.
    Failed,
    /// What the operation waits for didn't happen: nothing is recorded, and the rest goes on.
    AwaitFailed,
    /// The operation may have had an effect.
    OutcomeUnknown,
    /// What the request is about doesn't exist.
    NotFound,
    /// The operation was cancelled and changed nothing.
    Cancelled,
    /// The component doesn't offer this.
    Unsupported,
    /// The deadline passed, and the operation went on until then.
    DeadlineExceeded,
    /// The deadline passed before the operation began.
    Overdue,
    /// A limit of the host was met.
    Exhausted,
    /// The provider broke the contract, or crashed.
    ProviderBug,
}

impl ErrorKind {
    /// Whether only the host says so, by itself: what a guest says becomes none of these.
    pub(crate) fn is_the_hosts(&self) -> bool {
        matches!(self, Self::Cancelled | Self::DeadlineExceeded | Self::Overdue | Self::Exhausted)
    }
}

/// A configuration key that is required and absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingKey {
    /// The key.
    pub name: String,
    /// What it is for.
    pub description: String,
}

/// A resource that exists but isn't ready, as a guest reports it.
#[derive(Clone, Debug, Default)]
pub struct Partial {
    /// Its id.
    pub id: String,
    /// The state reached.
    pub state: Object,
    /// The inputs it corresponds to, on read.
    pub inputs: Option<Object>,
    /// What is wrong.
    pub reasons: Vec<Reason>,
    /// Whether to refresh before the next update.
    pub refresh_before_update: bool,
    /// Whether the operation came to its end all the same, and only what it returned is wrong.
    pub finished: bool,
}

/// How a guest's operation on a resource may end badly.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The resource exists but isn't ready.
    Partial(Partial),
    /// It failed.
    Error(Error),
}

impl Error {
    /// An error without a hint.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds what else to do about it, unless that is said already, or the provider has said what to do in its own words.
    #[must_use]
    pub fn also(mut self, hint: &str) -> Self {
        let is_said = self.message.contains("\nhint: ") || self.hint.as_deref().is_some_and(|said| said.contains(hint));
        if !is_said {
            self.hint = self.hint.into_iter().chain([hint.to_owned()]).reduce(|said, hint| format!("{said}; {hint}"));
        }
        self
    }

    /// Somebody cancelled what was under way.
    pub fn cancelled() -> Self {
        Self::new(ErrorKind::Cancelled, "the operation was cancelled")
    }

    /// Its time was over before it was.
    pub fn late() -> Self {
        Self::new(ErrorKind::DeadlineExceeded, "the operation took longer than its deadline")
    }

    /// The provider's own mistake, said so.
    pub fn provider_bug(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::ProviderBug, format!("{message}; this is a bug in the provider"))
            .hint("please report it to the provider's author")
    }

    /// Something may exist that nobody can name.
    pub fn nameless(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::OutcomeUnknown, message).hint(NAMELESS)
    }

    /// Configuration that is required and absent.
    pub fn missing_configuration(keys: Vec<MissingKey>) -> Self {
        let names: Vec<&str> = keys.iter().map(|key| key.name.as_str()).collect();
        let message = format!("required configuration is missing: {}", names.join(", "));
        Self::new(ErrorKind::MissingConfiguration(keys), message)
    }

    /// Failures of inputs where the protocol has no place for them as data.
    pub fn rejected(failures: Vec<Failure>) -> Self {
        let message = match failures.as_slice() {
            [] => "the inputs were rejected".to_owned(),
            [one] => placed(one),
            many => {
                let lines: Vec<String> = many.iter().map(placed).collect();
                format!("{} inputs are wrong: {}", many.len(), lines.join("; "))
            }
        };
        Self::new(ErrorKind::Rejected(failures), message)
    }
}

/// What is wrong, behind its place, which the inputs as a whole have none of.
fn placed(failure: &Failure) -> String {
    match failure.path.is_root() {
        true => failure.reason.clone(),
        false => format!("{:#}: {}", failure.path, failure.reason),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

#[cfg(test)]
mod tests {
    use bulkhead_schema::FailureKind;
    use bulkhead_value::PropertyPath;

    use super::*;

    #[test]
    fn what_a_provider_says_to_do_stands_alone_and_what_is_said_is_not_said_again() {
        let lost = |message: &str| Error::new(ErrorKind::OutcomeUnknown, message);
        assert_eq!(lost("lost").also("look").to_string(), "lost\nhint: look");
        assert_eq!(lost("lost").hint("ask").also("look").to_string(), "lost\nhint: ask; look");
        assert_eq!(lost("lost").hint("ask; look").also("look").to_string(), "lost\nhint: ask; look");
        assert_eq!(lost("lost\nhint: is it there?").also("look").to_string(), "lost\nhint: is it there?");
    }

    #[test]
    fn what_is_wrong_with_all_inputs_has_no_place() {
        let failure = |path, reason: &str| Failure { path, kind: FailureKind::Constraint, reason: reason.to_owned() };
        let whole = failure(PropertyPath::root(), "one of a and b is needed");
        let size = failure(PropertyPath::parse("size").unwrap(), "must be even");
        assert_eq!(Error::rejected(vec![whole.clone()]).message, "one of a and b is needed");
        let both = "2 inputs are wrong: one of a and b is needed; size: must be even";
        assert_eq!(Error::rejected(vec![whole, size]).message, both);
    }
}
