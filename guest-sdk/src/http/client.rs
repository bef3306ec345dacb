//! [`Client`].

use std::fmt;
use std::time::Duration;

use super::request::replace;
use super::transport::Host;
use super::unexpected::{Asked, Explain};
use super::{Again, Bounds, Failed, HttpError, Request, Response, Retry, Transport};
use crate::host::operation;

/// How long an attempt may take if nothing else is said.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How long an attempt may take at most, a year: clocks don't count to the end of all durations, and who has no bound says
/// [`Duration::MAX`].
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// How large an answer may be if nothing else is said: 16 MiB.
const MAX_BODY: usize = 16 << 20;
/// What is left of a call's time to say that there was too little of it.
const MARGIN: Duration = Duration::from_millis(250);
/// Who asks if nothing else is said. Some services answer nobody who doesn't say that.
const USER_AGENT: &str = concat!("bulkhead-sdk/", env!("CARGO_PKG_VERSION"));

/// What sends requests, with what they have in common. Made once for a configuration, in a [`Connection`](crate::Connection).
///
/// Services want to know who asks, and some (GitHub, crates.io) refuse whoever doesn't say: each request has a `user-agent`, which is
/// this crate's unless a provider says its own name:
///
/// ```
/// # use bulkhead_sdk::http::Client;
/// let client = Client::new().header("user-agent", concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")));
/// ```
pub struct Client {
    transport: Box<dyn Transport>,
    headers: Vec<(String, String)>,
    timeout: Duration,
    max_body: usize,
    retry: Retry,
    /// What an answer says about asking again.
    pub(super) again: fn(&Response) -> Again,
    /// What a server says is wrong, where it has a form of its own for that.
    pub(super) explain: Option<Explain>,
}

impl Default for Client {
    fn default() -> Self {
        Self::new()
    }
}

impl Client {
    /// A client whose requests the host sends; in native tests, what [`Driver::answer_http`](crate::testing::Driver::answer_http) says
    /// answers them.
    pub fn new() -> Self {
        Self::over(Host)
    }

    /// A client over another transport.
    pub fn over(transport: impl Transport + 'static) -> Self {
        let transport = Box::new(transport);
        let headers = vec![("user-agent".to_owned(), USER_AGENT.to_owned())];
        let (timeout, max_body, retry) = (TIMEOUT, MAX_BODY, Retry::default());
        Self { transport, headers, timeout, max_body, retry, again: |_| Again::Usual, explain: None }
    }

    /// With a header that each request has unless it has its own. One of the same name is replaced.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        replace(&mut self.headers, name, value.into());
        self
    }

    /// With another bound than 30 seconds for each attempt. A call's own deadline always holds.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// With another bound than 16 MiB for answers.
    #[must_use]
    pub fn max_body(mut self, bytes: usize) -> Self {
        self.max_body = bytes;
        self
    }

    /// With other repetitions.
    #[must_use]
    pub fn retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// Sends a request and waits for the answer, if need be several times. An answer is one whatever its status: also the last one
    /// after repetitions.
    pub fn send(&self, request: &Request) -> Result<Response, HttpError> {
        let request = request.with_defaults(&self.headers);
        let mut number = 0;
        // An attempt that may have had an effect isn't forgotten because a later one had none.
        let mut sent = false;
        loop {
            let outcome = self.attempt(&request, sent).map_err(|error| error.after(sent));
            let again = outcome.as_ref().map(Response::again);
            let Some(pause) = self.retry.after(number, request.is_idempotent(), again) else { return outcome };
            sent |= again.map_or_else(HttpError::may_have_been_sent, |again| !again.says_nothing_done());
            if operation::remaining().is_some_and(|left| left <= pause.saturating_add(MARGIN)) {
                return outcome;
            }
            if operation::sleep(pause).is_err() {
                return Err(HttpError::new(&request, sent, Failed::Cancelled));
            }
            number += 1;
        }
    }

    fn attempt(&self, request: &Request, repeated: bool) -> Result<Response, HttpError> {
        if operation::is_cancelled() {
            return Err(HttpError::new(request, false, Failed::Cancelled));
        }
        let left = operation::remaining().map_or(self.timeout, |left| left.saturating_sub(MARGIN));
        if left.is_zero() {
            return Err(HttpError::new(request, false, Failed::Timeout(Duration::ZERO)));
        }
        let bounds = Bounds::new(self.timeout.min(left).min(LONGEST), self.max_body);
        let mut response = self.transport.send(request, &bounds)?;
        let again = match (self.again)(&response) {
            // It says what to do before the next request: this one is done, and may not be done twice.
            Again::NothingDone(_) if response.is_success() => Again::No,
            again => again,
        };
        response.asked = Some(Box::new(Asked::new(request, repeated, again, self.explain)));
        Ok(response)
    }
}

/// Without headers, which may be secret.
impl fmt::Debug for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { timeout, max_body, retry, .. } = self;
        let mut shown = formatter.debug_struct("Client");
        shown.field("timeout", timeout).field("max_body", max_body).field("retry", retry).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    use super::*;
    use crate::host::native;
    use crate::http::{Method, Url};

    fn request(method: Method) -> Request {
        Request::new(method, Url::parse("http://a.example/b").unwrap())
    }

    /// A client that is answered in turn, and the number of its requests.
    fn answered(answers: Vec<Result<u16, Failed>>) -> (Client, Rc<Cell<usize>>) {
        native::reset();
        let (count, answers) = (Rc::new(Cell::new(0)), RefCell::new(answers));
        let asked = Rc::clone(&count);
        let client = Client::over(move |request: &Request| {
            asked.set(asked.get() + 1);
            let answer = answers.borrow_mut().remove(0);
            answer.map(|status| Response::new(status, "")).map_err(|failed| HttpError::new(request, true, failed))
        });
        (client, count)
    }

    #[test]
    fn what_fails_for_a_moment_is_asked_again() {
        let broken = || Err(Failed::Connection("it broke".to_owned()));
        let (client, count) = answered(vec![Ok(503), broken(), Ok(200)]);
        assert_eq!(client.send(&request(Method::Get)).unwrap().status(), 200);
        assert_eq!(count.get(), 3);

        let (client, count) = answered(vec![Ok(503); 5]);
        assert_eq!(client.send(&request(Method::Get)).unwrap().status(), 503, "the last answer is one");
        assert_eq!(count.get(), 5);

        let (client, count) = answered(vec![broken()]);
        assert!(client.send(&request(Method::Post)).unwrap_err().may_have_been_sent());
        assert_eq!(count.get(), 1, "what isn't idempotent isn't repeated");
        let (client, count) = answered(vec![broken(), Ok(204)]);
        assert_eq!(client.send(&request(Method::Patch).idempotent(true)).unwrap().status(), 204);
        assert_eq!(count.get(), 2);
    }

    /// What puts a request off has done nothing, and neither has what never got it.
    #[test]
    fn what_was_put_off_is_asked_again_and_leaves_nothing_open() {
        let put_off = |request: &Request| match request.method() {
            Method::Post => Ok(Response::new(429, "").with_header("retry-after", "0")),
            _ => Ok(Response::new(429, "")),
        };
        let refused = |request: &Request| Err(HttpError::new(request, false, Failed::Connection("refused".to_owned())));
        let sent = |method: Method, last: u16| {
            native::reset();
            let number = Cell::new(0);
            let client = Client::over(move |request: &Request| match number.replace(number.get() + 1) {
                0 => put_off(request),
                attempt if attempt < 2 || last == 0 => refused(request),
                _ => Ok(Response::new(last, "")),
            });
            client.send(&request(method))
        };
        assert_eq!(sent(Method::Post, 201).unwrap().status(), 201);
        assert!(!sent(Method::Post, 0).unwrap_err().may_have_been_sent());
        assert!(sent(Method::Put, 0).unwrap_err().may_have_been_sent(), "it didn't say so");

        native::reset();
        let client = Client::over(move |request: &Request| {
            native::operation::cancel();
            put_off(request)
        });
        assert!(!client.send(&request(Method::Post)).unwrap_err().may_have_been_sent(), "cancelled in the pause");
        native::reset();
    }

    /// What it answers, each service means in its own way.
    #[test]
    fn a_provider_says_what_is_asked_again() {
        let sent = |answers: Vec<u16>, method, again| {
            let (client, count) = answered(answers.into_iter().map(Ok).collect());
            (client.retry_when(again).send(&request(method)).unwrap().status(), count.get())
        };
        let put_off: fn(&Response) -> Again = |response| match response.status() {
            403 => Again::NothingDone(Duration::ZERO),
            500 => Again::Later(Duration::ZERO),
            503 => Again::No,
            _ => Again::Usual,
        };
        assert_eq!(sent(vec![403, 201], Method::Post, put_off), (201, 2));
        assert_eq!(sent(vec![500], Method::Post, put_off), (500, 1), "it may have done something");
        assert_eq!(sent(vec![500, 502, 200], Method::Put, put_off), (200, 3));
        assert_eq!(sent(vec![503], Method::Get, put_off), (503, 1));
        let too_long: fn(&Response) -> Again = |_| Again::NothingDone(Duration::from_secs(3600));
        assert_eq!(sent(vec![403], Method::Get, too_long), (403, 1), "the answer is returned");
    }

    /// Limits of rates stand in each answer, also in the last one before a pause.
    #[test]
    fn what_was_made_is_not_made_twice_because_the_next_request_has_to_wait() {
        let (client, count) = answered(vec![Ok(201), Ok(201)]);
        let made = client.retry_when(|_| Again::NothingDone(Duration::ZERO)).send(&request(Method::Post)).unwrap();
        assert_eq!((made.status(), count.get()), (201, 1));
        assert!(made.unreadable("it has no id").is_uncertain(), "it was made");
        for method in [Method::Get, Method::Put, Method::Delete] {
            let (client, count) = answered(vec![Ok(200), Ok(404)]);
            let client = client.retry_when(|_| Again::NothingDone(Duration::ZERO));
            assert_eq!((client.send(&request(method)).unwrap().status(), count.get()), (200, 1));
        }
    }

    #[test]
    fn a_cancelled_call_asks_no_more() {
        let (client, count) = answered(vec![Ok(503)]);
        native::operation::cancel();
        let error = client.send(&request(Method::Post)).unwrap_err();
        assert_eq!((error.failed(), error.may_have_been_sent(), count.get()), (&Failed::Cancelled, false, 0));

        native::reset();
        let client = Client::over(|request: &Request| {
            native::operation::cancel();
            Err(HttpError::new(request, true, Failed::Connection("it broke".to_owned())))
        });
        let error = client.send(&request(Method::Put)).unwrap_err();
        assert_eq!((error.failed(), error.may_have_been_sent()), (&Failed::Cancelled, true));
    }

    #[test]
    fn deadlines_bound_attempts_and_pauses() {
        native::reset();
        native::operation::end_in(Duration::from_secs(2));
        let client = Client::over(Waiting);
        let error = client.send(&request(Method::Get)).unwrap_err();
        assert_eq!(error.failed(), &Failed::Timeout(Duration::from_millis(1750)), "some time is left to say so");

        native::operation::end_in(Duration::from_millis(200));
        let error = client.send(&request(Method::Get)).unwrap_err();
        assert_eq!(error.failed(), &Failed::Timeout(Duration::ZERO));
        native::reset();
    }

    /// Uses up what time it has.
    struct Waiting;

    impl Transport for Waiting {
        fn send(&self, request: &Request, bounds: &Bounds) -> Result<Response, HttpError> {
            native::operation::end_in(MARGIN);
            Err(HttpError::new(request, true, Failed::Timeout(bounds.timeout)))
        }
    }

    #[test]
    fn who_waits_for_ever_waits_until_a_time_that_clocks_have() {
        native::reset();
        let client = Client::over(Waiting).timeout(Duration::MAX).retry(Retry::NEVER);
        let error = client.send(&request(Method::Get)).unwrap_err();
        let Failed::Timeout(bound) = error.failed() else { panic!("it should have waited: {error:?}") };
        assert!(std::time::Instant::now().checked_add(*bound).is_some(), "{bound:?}");
        native::reset();
    }

    #[test]
    fn a_request_has_its_own_headers_first() {
        native::reset();
        let client = Client::over(|request: &Request| {
            let headers: Vec<_> = request.headers().map(|(name, value)| format!("{name}: {value}")).collect();
            Ok(Response::new(200, headers.join("\n")))
        });
        let client = client.header("X-Key", "k").header("Accept", "application/json").header("User-Agent", "dns/1");
        let response = client.send(&request(Method::Post).json("{}").header("ACCEPT", "text/plain")).unwrap();
        let sent = "content-type: application/json\naccept: text/plain\nx-key: k\nuser-agent: dns/1";
        assert_eq!(response.text().unwrap(), sent);
        assert!(!format!("{client:?}").contains("x-key"), "a header may be secret");
    }

    /// GitHub answers 403 to whoever doesn't say that.
    #[test]
    fn servers_are_told_who_asks_and_told_once() {
        native::reset();
        let agents = |request: &Request| {
            let agents = request.headers().filter(|(name, _)| *name == "user-agent").map(|(_, value)| value);
            Ok(Response::new(200, agents.collect::<Vec<_>>().join(", ")))
        };
        let told = |client: Client| client.send(&request(Method::Get)).unwrap().text().unwrap().to_owned();
        assert_eq!(told(Client::over(agents)), concat!("bulkhead-sdk/", env!("CARGO_PKG_VERSION")));
        let named = Client::over(agents).header("User-Agent", "dns/1").header("user-agent", "dns/2");
        assert_eq!(told(named), "dns/2", "the last one counts");
    }
}
