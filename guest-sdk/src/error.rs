//! How a call fails.
//!
//! Engines treat failures differently: a wrong input is the user's to mend, a failed operation left nothing behind, a partial one
//! left something that must be recorded. So an author says which it was. What `?` converts is the common case: something
//! went wrong and nothing changed.

use std::fmt;

use crate::bindings::wit::types as wit;
use crate::path::Path;
use crate::record::Record;
use crate::value::{Fields, Misfit};

/// What calls return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// How a call fails.
///
/// Any [`std::error::Error`] becomes one with `?`: its text and those of its sources, as [`ErrorKind::Other`]. What only displays is
/// wrapped by hand: `.map_err(|error| Error::failed(format!("{error:#}")))`. Messages are shown to users, so they are lowercase
/// fragments without secrets.
///
/// ```
/// use bulkhead_sdk::{Error, ErrorKind, Result};
///
/// fn port(text: &str) -> Result<u16> {
///     Ok(text.parse()?)
/// }
///
/// assert!(matches!(port("http").unwrap_err().kind(), ErrorKind::Other(_)));
/// assert_eq!(Error::rejected("port", "must not be 0").to_string(), "`port` must not be 0");
/// ```
pub struct Error(Box<ErrorKind>);

/// The ways in which a call fails. Each means something else to an engine.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The user's inputs are wrong.
    Rejected(Vec<Failure>),
    /// Configuration is missing.
    MissingConfiguration(Vec<MissingKey>),
    /// The operation failed and changed nothing.
    Failed(String),
    /// The resource exists but isn't ready: it is recorded, and the next deployment goes on from there.
    NotInitialised(Partial),
    /// What the operation waits for didn't happen in time: nothing is recorded, and the deployment goes on with the rest.
    AwaitFailed(String),
    /// The operation may or may not have had an effect. The host tells the user to look for what may exist, in a create, and that a refresh
    /// shows what became of it, in an update and a delete; unless the message has a line of its own that begins with `hint: `.
    OutcomeUnknown(String),
    /// What the call is about doesn't exist.
    NotFound(String),
    /// The call ended because it was asked to, and changed nothing.
    Cancelled,
    /// The provider doesn't offer this.
    Unsupported(String),
    /// A mistake of the provider's, found by itself; nothing changed.
    Bug(String),
    /// Anything else; nothing changed.
    Other(String),
}

/// An input that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Where; the empty path means the inputs as a whole.
    pub path: Path,
    /// Why, without the value: it may be secret.
    pub reason: String,
}

/// A configuration key that is required and absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingKey {
    /// The key, as the schema spells it.
    pub name: String,
    /// What it is for.
    pub description: String,
}

/// A resource that exists but isn't ready.
#[derive(Debug, Default)]
pub struct Partial {
    /// Its id.
    pub id: String,
    /// The state actually reached.
    pub state: Fields,
    /// The inputs that the state corresponds to, where they differ from those of the request; on read only.
    pub inputs: Option<Fields>,
    /// What is wrong, one sentence each.
    pub reasons: Vec<String>,
    /// Whether to refresh the resource before it is next updated.
    pub refresh_before_update: bool,
}

impl Error {
    /// The user's input at `path` is wrong; `reason` reads well after its name: `must be even`.
    pub fn rejected(path: impl Into<Path>, reason: impl Into<String>) -> Self {
        ErrorKind::Rejected(vec![Failure { path: path.into(), reason: reason.into() }]).into()
    }

    /// Configuration is missing.
    pub fn missing_configuration(name: impl Into<String>, description: impl Into<String>) -> Self {
        ErrorKind::MissingConfiguration(vec![MissingKey { name: name.into(), description: description.into() }]).into()
    }

    /// The operation failed and changed nothing. After a [`checkpoint`](crate::checkpoint()): what was announced is gone again. Not for a status
    /// that says no, of which [`Response::ok`](crate::http::Response::ok) makes an error.
    pub fn failed(message: impl fmt::Display) -> Self {
        ErrorKind::Failed(message.to_string()).into()
    }

    /// The resource `id` exists in `state` but isn't ready, for `reasons`. Only in create, update and read.
    ///
    /// The engine records it, shows the reasons, and tries an update at the next deployment. Where a create knows nothing but the inputs, they
    /// are the state: `Error::partial(&id, &request.inputs, ["it has no address yet"])`. In an update that would say that all inputs were reached,
    /// so that nobody tries those again that weren't, and would lose the outputs on record:
    /// [`Update::partial`](crate::resource::Update::partial) says how far it came, and keeps them.
    pub fn partial(
        id: impl Into<String>,
        state: &impl Record,
        reasons: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let mut reasons: Vec<String> = reasons.into_iter().map(Into::into).collect();
        let mut fields = Fields::new();
        if let Err(misfit) = state.put(&mut fields) {
            reasons.push(format!("the provider made a state that can't be recorded: {misfit}"));
        }
        ErrorKind::NotInitialised(Partial { id: id.into(), state: fields, reasons, ..Partial::default() }).into()
    }

    /// Asks for a refresh before a [`partial`](Self::partial) resource is next updated. Nothing to other errors.
    #[must_use]
    pub fn refresh_before_update(mut self) -> Self {
        if let ErrorKind::NotInitialised(partial) = &mut *self.0 {
            partial.refresh_before_update = true;
        }
        self
    }

    /// What the operation waits for didn't happen in time. The engine records nothing (a new resource stays absent, an old one
    /// keeps its state) and goes on with what doesn't depend on it. Only in create and update.
    pub fn await_failed(message: impl fmt::Display) -> Self {
        ErrorKind::AwaitFailed(message.to_string()).into()
    }

    /// The operation may or may not have had an effect: an answer was lost, say. Prefer
    /// [`checkpoint`](crate::checkpoint()) and [`partial`](Self::partial) wherever the id is known.
    pub fn outcome_unknown(message: impl fmt::Display) -> Self {
        ErrorKind::OutcomeUnknown(message.to_string()).into()
    }

    /// What the call is about doesn't exist. `read` returns `Ok(None)` instead.
    pub fn not_found(message: impl fmt::Display) -> Self {
        ErrorKind::NotFound(message.to_string()).into()
    }

    /// The call ended because it was asked to, and changed nothing.
    pub fn cancelled() -> Self {
        ErrorKind::Cancelled.into()
    }

    /// The provider doesn't offer this.
    pub fn unsupported(message: impl fmt::Display) -> Self {
        ErrorKind::Unsupported(message.to_string()).into()
    }

    /// A mistake of the provider's, found by itself; nothing changed. Users are asked to report it.
    pub fn bug(message: impl fmt::Display) -> Self {
        ErrorKind::Bug(message.to_string()).into()
    }

    /// Something that the SDK does for an author failed. Never [`failed`](Self::failed): passed on after a
    /// [`checkpoint`](crate::checkpoint()), that would say that what was announced is gone again.
    pub(crate) fn other(message: impl fmt::Display) -> Self {
        ErrorKind::Other(message.to_string()).into()
    }

    /// How the call failed.
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }

    /// How the call failed, for an error that isn't needed any more.
    pub fn into_kind(self) -> ErrorKind {
        *self.0
    }

    /// Whether the resource exists and isn't ready.
    pub(crate) fn is_partial(&self) -> bool {
        matches!(self.kind(), ErrorKind::NotInitialised(_))
    }

    /// An input doesn't fit its type, which the schema couldn't say.
    pub(crate) fn unfit_input(misfit: Misfit) -> Self {
        let (path, reason) = misfit.into_parts();
        Self::rejected(path, reason)
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(kind))
    }
}

/// The texts of the error and of its sources.
impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(error) = source {
            message.push_str(": ");
            message.push_str(&error.to_string());
            source = error.source();
        }
        ErrorKind::Other(message).into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(failures) => list(formatter, failures),
            Self::MissingConfiguration(keys) => list(formatter, keys),
            Self::NotInitialised(partial) => list(formatter, &partial.reasons),
            Self::Cancelled => formatter.write_str("cancelled"),
            Self::Failed(message)
            | Self::AwaitFailed(message)
            | Self::OutcomeUnknown(message)
            | Self::NotFound(message)
            | Self::Unsupported(message)
            | Self::Bug(message)
            | Self::Other(message) => formatter.write_str(message),
        }
    }
}

fn list(formatter: &mut fmt::Formatter<'_>, items: &[impl fmt::Display]) -> fmt::Result {
    for (position, item) in items.iter().enumerate() {
        let separator = if position == 0 { "" } else { "; " };
        write!(formatter, "{separator}{item}")?;
    }
    Ok(())
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.segments() {
            [] => formatter.write_str(&self.reason),
            _ => write!(formatter, "`{}` {}", self.path, self.reason),
        }
    }
}

impl fmt::Display for MissingKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}` is not configured", self.name)
    }
}

impl From<Failure> for wit::Failure {
    fn from(failure: Failure) -> Self {
        Self { path: failure.path.into(), reason: failure.reason }
    }
}

impl From<wit::Failure> for Failure {
    fn from(failure: wit::Failure) -> Self {
        Self { path: failure.path.into(), reason: failure.reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Property;

    #[derive(Debug)]
    struct Outer(std::num::ParseIntError);

    impl fmt::Display for Outer {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("the port is wrong")
        }
    }

    impl std::error::Error for Outer {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn question_marks_keep_the_sources() {
        let error = Error::from(Outer("x".parse::<u16>().unwrap_err()));
        assert!(matches!(error.kind(), ErrorKind::Other(_)));
        assert_eq!(error.to_string(), "the port is wrong: invalid digit found in string");
    }

    /// What is shown of each kind.
    #[test]
    fn texts() {
        assert_eq!(Error::rejected(Path::root(), "give one of both").to_string(), "give one of both");
        assert_eq!(Error::rejected(Path::from("a").index(1), "is odd").to_string(), "`a[1]` is odd");
        assert_eq!(Error::missing_configuration("token", "who asks").to_string(), "`token` is not configured");
        assert_eq!(Error::partial("i", &(), ["not ready", "not well"]).to_string(), "not ready; not well");
        assert_eq!(Error::cancelled().to_string(), "cancelled");
        assert_eq!(Error::failed("the disk is full").to_string(), "the disk is full");
    }

    #[derive(crate::State)]
    struct Counter {
        name: String,
        count: i64,
    }

    #[test]
    fn a_partial_state_that_no_value_carries_keeps_the_rest() {
        let error = Error::partial("c", &Counter { name: "n".to_owned(), count: i64::MAX }, ["not ready"]);
        let ErrorKind::NotInitialised(partial) = error.into_kind() else { panic!() };
        assert_eq!(partial.state, Fields::from([("name".to_owned(), "n".to_owned().to_value().unwrap())]));
        assert_eq!(partial.reasons.len(), 2);
        assert!(partial.reasons[1].contains("`count` is larger than"), "{:?}", partial.reasons);
    }
}
