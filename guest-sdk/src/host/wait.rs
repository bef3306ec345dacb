//! Waiting until something is ready.
//!
//! Services answer before what was asked for is there, and some never get it done. A loop of one's own has to ask ever more rarely, to
//! show that something goes on, to end (most operations have no deadline) while there is still time to answer, and then to say that
//! the resource exists: the engine would lose it otherwise. This is that loop. What is asked, and how long at most, its author knows.

use std::fmt;
use std::time::{Duration, Instant};

use super::{log, operation};
use crate::error::Error;
use crate::path::Path;
use crate::record::Record;
use crate::resource::{Resource, Update};

/// The first pause, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(15));
/// What is left of a deadline to ask for the last time, and to answer.
const MARGIN: Duration = Duration::from_secs(1);

/// Waits until something is ready, asking in pauses that double.
///
/// ```
/// use std::time::Duration;
///
/// use bulkhead_sdk::resource::Context;
/// use bulkhead_sdk::wait::Wait;
/// use bulkhead_sdk::{Result, State, checkpoint};
/// # fn request_volume() -> Result<String> { Ok("v-1".to_owned()) }
/// # fn address_of(_: &str) -> Result<Option<String>> { Ok(Some("10.0.0.1".to_owned())) }
///
/// #[derive(State)]
/// struct Volume {
///     address: Option<String>,
/// }
///
/// fn make(context: &Context) -> Result<Volume> {
///     let id = request_volume()?;
///     let volume = Volume { address: None };
///     checkpoint(&id, &volume)?;
///     let address = Wait::new("waiting for an address", context.timeout_or(Duration::from_secs(600)))
///         .until(|| address_of(&id))
///         .map_err(|ended| ended.partial(&id, &volume))?;
///     Ok(Volume { address: Some(address) })
/// }
/// # assert_eq!(make(&Context::default()).unwrap().address.as_deref(), Some("10.0.0.1"));
/// ```
///
/// In a [native test](crate::testing) the pauses take no time, but of what is left
/// ([`Driver::end_in`](crate::testing::Driver::end_in)), and count as if they did.
#[derive(Clone, Debug)]
pub struct Wait {
    what: String,
    at_most: Duration,
    pauses: (Duration, Duration),
}

/// Why nobody waits any longer. What it means for the resource only the author can say, so no `?` says it.
#[derive(Debug)]
pub struct Ended {
    what: String,
    why: Why,
}

#[derive(Debug)]
enum Why {
    /// It took longer than this.
    TooLong(Duration),
    Cancelled,
    /// The question failed.
    Failed(Error),
}

impl Wait {
    /// Waits for so long at most, or for as long as the operation has, if that is less. A question that is under way then is waited for: what may take
    /// long, such as a request, has a bound of its own. `what` is shown meanwhile: `waiting for an address`.
    pub fn new(what: impl Into<String>, at_most: Duration) -> Self {
        Self { what: what.into(), at_most, pauses: PAUSES }
    }

    /// With another first pause than 1 s, and another longest one than 15 s.
    #[must_use]
    pub fn pauses(mut self, first: Duration, longest: Duration) -> Self {
        self.pauses = (first, longest);
        self
    }

    /// Asks until there is an answer: what `ready` found.
    ///
    /// # Errors
    /// It took too long, the call was cancelled, or `ready` failed.
    pub fn until<T>(self, mut ready: impl FnMut() -> crate::Result<Option<T>>) -> Result<T, Ended> {
        let (mut pause, longest) = self.pauses;
        let started = Instant::now();
        // Natively a pause takes no time by the clock.
        let mut slept = Duration::ZERO;
        loop {
            match ready() {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => {}
                Err(error) => return Err(self.ended(Why::Failed(error))),
            }
            let waited = slept.max(started.elapsed());
            let left = self.at_most.saturating_sub(waited);
            let left = operation::remaining().map_or(left, |remaining| left.min(remaining.saturating_sub(MARGIN)));
            if left.is_zero() {
                return Err(self.ended(Why::TooLong(waited)));
            }
            log::status(format!("{} ({} s)", self.what, waited.as_secs()));
            // A pause of nothing would ask without end.
            let step = pause.clamp(Duration::from_millis(1), longest.max(Duration::from_millis(1))).min(left);
            if operation::sleep(step).is_err() {
                return Err(self.ended(Why::Cancelled));
            }
            slept += step;
            pause = step.saturating_mul(2);
        }
    }

    fn ended(self, why: Why) -> Ended {
        Ended { what: self.what, why }
    }
}

impl Ended {
    /// The resource exists, and isn't ready: in a create, as [`Error::partial`] says it. An error of the question's that says so
    /// itself stays as it is.
    ///
    /// In an update it would say that all of `state` was reached, so that what wasn't is never tried again: there
    /// [`applied`](Self::applied) says how far it came.
    pub fn partial<R: Record>(self, id: impl Into<String>, state: &R) -> Error {
        match self.why {
            Why::Failed(error) if error.is_partial() => error,
            _ => Error::partial(id, state, [self.to_string()]),
        }
    }

    /// In an update, the inputs at `applied` are as they should be and the others as they were, as
    /// [`Update::partial`](crate::resource::Update::partial) says it. Where nothing was changed yet, [`error`](Self::error) says so.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use bulkhead_sdk::wait::Wait;
    /// # use bulkhead_sdk::{Create, Created, Inputs, Resource, Result, State, Update, Updated, provider, resource};
    /// # mod service {
    /// #     pub fn is_idle(_: &str) -> bulkhead_sdk::Result<Option<()>> { Ok(Some(())) }
    /// #     pub fn resize(_: &str, _: u32) -> bulkhead_sdk::Result<()> { Ok(()) }
    /// #     pub fn rename(_: &str, _: &str) -> bulkhead_sdk::Result<()> { Ok(()) }
    /// # }
    /// # #[derive(Inputs, Clone)]
    /// # struct Args { name: String, size: u32 }
    /// # #[derive(State)]
    /// # struct Volume { #[bulkhead(flatten)] args: Args }
    /// # #[resource(token = "p:index:Volume")]
    /// # impl Resource for Volume {
    /// #     type Inputs = Args;
    /// #     fn create(request: Create<Self>) -> Result<Created<Self>> {
    /// #         Ok(Created::new("v-1", Volume { args: request.inputs }))
    /// #     }
    /// fn update(request: Update<Self>) -> Result<Updated<Self>> {
    ///     let id = &request.prior.id;
    ///     let idle = || Wait::new("waiting for the volume", Duration::from_secs(600)).until(|| service::is_idle(id));
    ///     idle().map_err(|ended| ended.error())?;
    ///     if request.changed("size") {
    ///         service::resize(id, request.inputs.size)?;
    ///     }
    ///     idle().map_err(|ended| ended.applied(&request, ["size"]))?;
    ///     if request.changed("name") {
    ///         service::rename(id, &request.inputs.name).map_err(|error| request.partial(["size"], [error.to_string()]))?;
    ///     }
    ///     Ok(Updated::new(Volume { args: request.inputs }))
    /// }
    /// # }
    /// # provider! { name: "p", resources: [Volume] }
    /// ```
    pub fn applied<R: Resource, P: Into<Path>>(
        self,
        request: &Update<'_, R>,
        applied: impl IntoIterator<Item = P>,
    ) -> Error {
        match self.why {
            Why::Failed(error) if error.is_partial() => error,
            _ => request.partial(applied, [self.to_string()]),
        }
    }

    /// Nothing is to be recorded: in functions, or where what is on record holds, as in a delete, or in an update that has changed nothing
    /// yet. Not in a create that has announced nothing: what it made would be lost.
    pub fn error(self) -> Error {
        match self.why {
            Why::Failed(error) => error,
            Why::Cancelled => Error::cancelled(),
            Why::TooLong(_) => Error::other(self),
        }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, why } = self;
        match why {
            Why::TooLong(waited) => write!(formatter, "{what} ended without success after {} s", waited.as_secs()),
            Why::Cancelled => write!(formatter, "cancelled while {what}"),
            Why::Failed(error) => write!(formatter, "{what} failed: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::error::ErrorKind;
    use crate::host::native;

    const MINUTE: Duration = Duration::from_secs(60);

    /// How often it was asked until it ended, and how.
    fn never_ready(wait: Wait) -> (u32, Ended) {
        let asked = Cell::new(0);
        let ended = wait.until(|| {
            asked.set(asked.get() + 1);
            Ok(None::<()>)
        });
        (asked.get(), ended.unwrap_err())
    }

    fn wait(at_most: Duration) -> Wait {
        native::reset();
        Wait::new("waiting for an address", at_most)
    }

    #[test]
    fn what_gets_ready_is_found_and_what_goes_on_is_shown() {
        let mut answers = [None, None, Some(7)].into_iter();
        assert_eq!(wait(MINUTE).until(|| Ok(answers.next().flatten())).unwrap(), 7);
        assert_eq!(native::log::last_status(), "waiting for an address (1 s)");
    }

    #[test]
    fn what_never_gets_ready_ends_at_its_limit_asked_ever_more_rarely() {
        // After 0, 1, 3, 7, 15, 30, 45 and 60 seconds.
        let (asked, ended) = never_ready(wait(MINUTE));
        assert_eq!(
            (asked, ended.to_string()),
            (8, "waiting for an address ended without success after 60 s".to_owned())
        );
        let (asked, _) = never_ready(wait(MINUTE).pauses(Duration::from_secs(20), MINUTE));
        assert_eq!(asked, 3);
        let (asked, _) = never_ready(wait(Duration::from_millis(5)).pauses(Duration::ZERO, Duration::ZERO));
        assert!(asked <= 6, "{asked}");
        let (asked, _) = never_ready(wait(MINUTE).pauses(Duration::ZERO, Duration::from_secs(15)));
        assert!(asked < 30, "who asks at once asks ever more rarely, too: {asked}");
    }

    #[test]
    fn a_deadline_that_comes_sooner_leaves_time_to_answer() {
        let wait = wait(Duration::MAX);
        native::operation::end_in(MINUTE);
        let (_, ended) = never_ready(wait);
        assert_eq!(ended.to_string(), "waiting for an address ended without success after 59 s");
        assert_eq!(operation::remaining(), Some(MARGIN), "waiting takes of the time that is left");
        native::reset();
    }

    #[test]
    fn whoever_waits_for_what_exists_says_that_it_does() {
        let cancelled = || {
            let wait = wait(MINUTE);
            native::operation::cancel();
            let (asked, ended) = never_ready(wait);
            assert_eq!(asked, 1);
            ended
        };
        let reasons = |error: Error| match error.into_kind() {
            ErrorKind::NotInitialised(partial) => (partial.id, partial.reasons),
            other => panic!("{other:?}"),
        };
        let of = |reason: &str| ("v-1".to_owned(), vec![reason.to_owned()]);
        assert_eq!(reasons(cancelled().partial("v-1", &())), of("cancelled while waiting for an address"));
        assert!(matches!(cancelled().error().kind(), ErrorKind::Cancelled));

        // `failed` would say that it is gone again.
        let failed = || wait(MINUTE).until::<()>(|| Err(Error::failed("bad gateway"))).unwrap_err();
        assert_eq!(reasons(failed().partial("v-1", &())), of("waiting for an address failed: bad gateway"));
        assert!(matches!(failed().error().kind(), ErrorKind::Failed(_)));

        let own = wait(MINUTE).until::<()>(|| Err(Error::partial("v-1", &(), ["half of it"]))).unwrap_err();
        assert_eq!(reasons(own.partial("v-1", &())), of("half of it"));
        let (_, ended) = never_ready(wait(MINUTE));
        assert!(matches!(ended.error().kind(), ErrorKind::Other(_)));
        native::reset();
    }
}
