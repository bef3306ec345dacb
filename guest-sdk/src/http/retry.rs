//! When to ask again, and after how long.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, SystemTime};

use super::{Client, HttpError, Response};

/// How often to ask again, and after how long: pauses double, and half of each is drawn, so that many providers that failed
/// together don't come back together.
///
/// Asked again is what is [idempotent](super::Request::idempotent) after 429, 502, 503 and 504, broken connections and timeouts; anything
/// after 429 and 503 with a `Retry-After`, which say that nothing was done, and where no connection was made at all. What other answers of a
/// service mean, [`Client::retry_when`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// How often to ask again; 0 means never.
    pub attempts: u32,
    /// About how long to wait before the first repetition.
    pub first_pause: Duration,
    /// The longest pause, also where the server asks for a longer one: then its answer is returned as it is.
    pub longest_pause: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self { attempts: 4, first_pause: Duration::from_millis(250), longest_pause: Duration::from_secs(30) }
    }
}

impl Retry {
    /// Asks once.
    pub const NEVER: Self = Self { attempts: 0, first_pause: Duration::ZERO, longest_pause: Duration::ZERO };

    /// The pause before repetition `number`, counted from 0, where `drawn` decides between its half and the whole.
    fn pause(&self, number: u32, drawn: u32) -> Duration {
        let whole = self.first_pause.saturating_mul(2_u32.saturating_pow(number)).min(self.longest_pause);
        let half = whole / 2;
        half + half.mul_f64(f64::from(drawn) / f64::from(u32::MAX))
    }

    /// How long to wait before asking again; none if there is no point in it.
    pub(super) fn after(&self, number: u32, idempotent: bool, outcome: Result<Again, &HttpError>) -> Option<Duration> {
        let least = match outcome {
            Err(error) if error.is_transient() && (idempotent || !error.may_have_been_sent()) => Duration::ZERO,
            Ok(Again::Later(least)) if idempotent => least,
            Ok(Again::NothingDone(least)) => least,
            _ => return None,
        };
        let pause = self.pause(number, draw()).max(least);
        Some(pause).filter(|pause| number < self.attempts && *pause <= self.longest_pause)
    }
}

/// What an answer says about asking again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// What [`Retry`] makes of such an answer.
    Usual,
    /// It wouldn't help.
    No,
    /// It may help, if the request may be repeated: after the usual pause, but not before this time.
    Later(Duration),
    /// The server did nothing, so that any request may be repeated: after the usual pause, but not before this time. Of a success
    /// (200 to 299) it is the same as [`No`](Self::No): something was done. Where a success is none, say [`Later`](Self::Later).
    NothingDone(Duration),
}

impl Again {
    /// What the status usually means.
    fn usual(response: &Response) -> Self {
        match (response.status(), response.retry_after()) {
            (429 | 503, Some(pause)) => Self::NothingDone(pause),
            (429 | 502 | 503 | 504, pause) => Self::Later(pause.unwrap_or_default()),
            _ => Self::No,
        }
    }

    /// Whether the server did nothing, and says so.
    pub(super) fn says_nothing_done(self) -> bool {
        matches!(self, Self::NothingDone(_))
    }
}

impl Client {
    /// With what this service's answers say about asking again, which differs: GitHub puts requests off with 403, others know a resource some
    /// time after they made it.
    ///
    /// ```
    /// use bulkhead_sdk::http::{Again, Client, Response};
    ///
    /// fn again(response: &Response) -> Again {
    ///     match (response.status(), response.retry_after()) {
    ///         (403, Some(pause)) => Again::NothingDone(pause),
    ///         _ => Again::Usual,
    ///     }
    /// }
    ///
    /// let client = Client::new().retry_when(again);
    /// ```
    ///
    /// It is asked of every answer, of those that went well too. How often and how long stays [`Retry`]'s to say: an answer that wants a longer pause than that is returned as it is.
    #[must_use]
    pub fn retry_when(mut self, again: fn(&Response) -> Again) -> Self {
        self.again = again;
        self
    }
}

impl Response {
    /// What it says about asking again; never [`Again::Usual`].
    pub(super) fn again(&self) -> Again {
        match &self.asked {
            Some(asked) if asked.again != Again::Usual => asked.again,
            _ => Again::usual(self),
        }
    }

    /// How long the server asks to wait in `Retry-After`, whether it says so in seconds or as a date.
    pub fn retry_after(&self) -> Option<Duration> {
        self.header("retry-after").and_then(|value| wait(value, SystemTime::now()))
    }
}

/// What `Retry-After` says: seconds, or a date.
fn wait(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    match value.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => {
            let at = httpdate::parse_http_date(value).ok()?;
            Some(at.duration_since(now).unwrap_or_default())
        }
    }
}

/// Enough randomness to tell providers apart, without a generator of its own.
fn draw() -> u32 {
    let drawn = RandomState::new().build_hasher().finish();
    u32::try_from(drawn >> 32).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::http::{Failed, Method, Request, Url};

    fn failed(sent: bool, failed: Failed) -> Result<Response, HttpError> {
        Err(HttpError::new(&Request::new(Method::Get, Url::parse("http://a").unwrap()), sent, failed))
    }

    #[test]
    fn asked_again_is_what_may_be() {
        let again = |idempotent, outcome: Result<Response, HttpError>| {
            let outcome = outcome.as_ref().map(Response::again);
            Retry::default().after(0, idempotent, outcome).is_some()
        };
        for status in [429, 502, 503, 504] {
            assert!(again(true, Ok(Response::new(status, ""))), "{status}");
            assert!(!again(false, Ok(Response::new(status, ""))), "{status}");
        }
        for status in [200, 301, 400, 401, 404, 409, 422, 500] {
            assert!(!again(true, Ok(Response::new(status, ""))), "{status}");
        }
        assert!(again(false, Ok(Response::new(429, "").with_header("Retry-After", "1"))));
        assert!(!again(false, Ok(Response::new(502, "").with_header("Retry-After", "1"))));
        let refused = || Failed::Connection("refused".to_owned());
        assert!(again(true, failed(true, refused())));
        assert!(again(false, failed(false, refused())));
        assert!(!again(false, failed(true, refused())));
        for hopeless in [Failed::Denied, Failed::Cancelled, Failed::TooLarge(1), Failed::Tls(String::new())] {
            assert!(!again(true, failed(false, hopeless.clone())), "{hopeless:?}");
        }
    }

    #[test]
    fn the_server_may_ask_for_more_time_but_not_for_any() {
        let after = |value: &str| {
            let response = Response::new(503, "").with_header("retry-after", value);
            Retry::default().after(0, true, Ok(response.again()))
        };
        assert_eq!(after("7"), Some(Duration::from_secs(7)));
        assert_eq!(after("3600"), None, "its answer is returned instead");
        assert!(after("0").is_some_and(|pause| pause >= Duration::from_millis(125)), "our own pause at least");
        assert!(
            after("soon").is_some_and(|pause| pause < Duration::from_secs(1)),
            "what can't be read counts for nothing"
        );
    }

    #[test]
    fn dates_are_waited_for() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        assert_eq!(wait("Sun, 06 Nov 1994 08:49:42 GMT", now), Some(Duration::from_secs(5)));
        assert_eq!(wait("Sun, 06 Nov 1994 08:49:30 GMT", now), Some(Duration::ZERO));
    }

    proptest! {
        #[test]
        fn pauses_grow_to_a_bound(number in 0_u32..100, drawn: u32) {
            let retry = Retry::default();
            let pause = retry.pause(number, drawn);
            prop_assert!(pause <= retry.longest_pause);
            prop_assert!(pause >= retry.pause(number, 0) && pause <= retry.pause(number, u32::MAX));
            prop_assert!(retry.pause(number + 1, 0) >= retry.pause(number, 0));
        }
    }
}
