//! Answers that aren't what a provider asked for, as errors that say what is known of the outcome.

use std::fmt;

use super::{Again, Client, Method, Request, Response, Url};
use crate::error::Error;

/// How much of what a server says is repeated, in characters.
const SAID: usize = 300;

/// A response that isn't what was expected: its status says no, or it can't be read.
///
/// `?` turns it into an [`Error`] that says what an engine must know. If the request isn't [idempotent](Request::idempotent) and the server
/// didn't say that it refused it (400 to 499, or a plea to come again), the [outcome is unknown](Error::outcome_unknown): what it
/// asked for may exist. Anything else is [`ErrorKind::Other`](crate::ErrorKind::Other), also what a `PUT` that makes something
/// [leaves open](crate::http). It never becomes [`Error::failed`] or
/// [`Error::not_found`], which say that nothing is there (any more): only the author knows what a request was about.
pub struct Unexpected {
    asked: Option<Box<Asked>>,
    status: u16,
    what: What,
    /// Whether the request may have had an effect that nobody knows of.
    uncertain: bool,
    /// Whether the server did nothing, neither now nor when it was asked before.
    nothing_done: bool,
}

enum What {
    /// The status says no, and so does the server, in these words.
    Status(String),
    /// The body isn't what it should be.
    Body(String),
}

/// What a response is the answer to, as far as has to be known later.
#[derive(Clone)]
pub(super) struct Asked {
    method: Method,
    pub(super) url: Url,
    /// Whether to ask twice is the same as to ask once.
    idempotent: bool,
    /// Whether it was asked before, and may have been done then.
    repeated: bool,
    /// What the answer means to the provider.
    pub(super) again: Again,
    explain: Option<Explain>,
}

/// What a server says in its own form.
pub(super) type Explain = fn(&Response) -> Option<String>;

impl Asked {
    pub(super) fn new(request: &Request, repeated: bool, again: Again, explain: Option<Explain>) -> Self {
        let (method, url, idempotent) = (request.method(), request.url().clone(), request.is_idempotent());
        Self { method, url, idempotent, repeated, again, explain }
    }
}

impl Client {
    /// With the place where the service says in words what is wrong, which [`Response::ok`] and [`Response::found`] repeat. Otherwise it
    /// is the first 300 characters of any text.
    ///
    /// ```
    /// # use bulkhead_sdk::http::Client;
    /// let client = Client::new().explain(|response| response.header("x-error").map(str::to_owned));
    /// ```
    #[must_use]
    pub fn explain(mut self, explain: fn(&Response) -> Option<String>) -> Self {
        self.explain = Some(explain);
        self
    }
}

impl Response {
    /// The response, if its status says that it went well: 200 to 299.
    pub fn ok(self) -> Result<Self, Unexpected> {
        if self.is_success() {
            return Ok(self);
        }
        let explained = self.asked.as_ref().and_then(|asked| asked.explain).and_then(|explain| explain(&self));
        let said = explained.unwrap_or_else(|| said(&self));
        Err(self.unexpected(What::Status(said)))
    }

    /// The same where there may be nothing: none if the status is 404.
    ///
    /// ```
    /// # use bulkhead_sdk::http::{Client, Method, Request, Url};
    /// # fn shown(client: &Client, url: Url) -> bulkhead_sdk::Result<Option<String>> {
    /// let Some(found) = client.send(&Request::new(Method::Get, url))?.found()? else { return Ok(None) };
    /// Ok(Some(found.text()?.to_owned()))
    /// # }
    /// ```
    pub fn found(self) -> Result<Option<Self>, Unexpected> {
        if self.status() == 404 { Ok(None) } else { self.ok().map(Some) }
    }

    /// The body as text. An error if it isn't UTF-8.
    pub fn text(&self) -> Result<&str, Unexpected> {
        std::str::from_utf8(self.body()).map_err(|error| self.unreadable(error))
    }

    /// An answer that isn't what it should be: `why` says so without repeating it.
    pub fn unreadable(&self, why: impl fmt::Display) -> Unexpected {
        self.unexpected(What::Body(why.to_string()))
    }

    fn unexpected(&self, what: What) -> Unexpected {
        let refused = matches!(what, What::Status(_)) && (400..500).contains(&self.status());
        let settled = refused || self.again().says_nothing_done();
        let asked = self.asked.as_ref();
        let uncertain = !settled && asked.is_none_or(|asked| !asked.idempotent);
        let nothing_done =
            asked.is_some_and(|asked| asked.method.is_safe()) || (settled && asked.is_none_or(|asked| !asked.repeated));
        Unexpected { asked: self.asked.clone(), status: self.status(), what, uncertain, nothing_done }
    }
}

/// The beginning of a text, as one line. Pages for people say nothing that helps here.
fn said(response: &Response) -> String {
    if response.header("content-type").is_some_and(is_page) {
        return String::new();
    }
    let text = std::str::from_utf8(response.body()).unwrap_or_default();
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(SAID).collect()
}

/// Media types know no case.
fn is_page(content_type: &str) -> bool {
    content_type.get(..9).is_some_and(|kind| kind.eq_ignore_ascii_case("text/html"))
}

impl Unexpected {
    /// The status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// What the server says about it, if its status says no; may be empty.
    pub fn said(&self) -> &str {
        if let What::Status(said) = &self.what { said } else { "" }
    }

    /// Whether the request may have had an effect that nobody knows of. So it is, too, if nobody knows what was asked.
    pub fn is_uncertain(&self) -> bool {
        self.uncertain
    }

    /// Whether the server certainly did nothing: it was asked a mere question (`GET`, `HEAD`), or refuses the request and has got none like it
    /// whose answer was lost. A `PUT` that it answers with 502 isn't [uncertain](Self::is_uncertain), since it can be asked again, and may be
    /// done all the same: an update that may be taken back says so with [`Update::unsettled`](crate::Update::unsettled).
    pub fn nothing_done(&self) -> bool {
        self.nothing_done
    }
}

impl fmt::Display for Unexpected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(asked) = &self.asked {
            // Without the query, as a URL shows itself: that may be secret.
            write!(formatter, "{} {:?}: ", asked.method, asked.url)?;
        }
        match &self.what {
            What::Status(said) if said.is_empty() => write!(formatter, "the server answered {}", self.status),
            What::Status(said) => write!(formatter, "the server answered {}: {said}", self.status),
            What::Body(why) => write!(formatter, "the server's answer can't be read: {why}"),
        }
    }
}

impl fmt::Debug for Unexpected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

// Not a `std::error::Error`, for the reason that `HttpError` isn't one.
impl From<Unexpected> for Error {
    fn from(unexpected: Unexpected) -> Self {
        if unexpected.is_uncertain() { Self::outcome_unknown(unexpected) } else { Self::other(unexpected) }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use super::*;
    use crate::error::ErrorKind;
    use crate::host::native;
    use crate::http::{Failed, HttpError, Retry};

    fn answered(method: Method, answer: Response) -> Response {
        native::reset();
        let client = Client::over(move |_: &Request| Ok(answer.clone())).retry(Retry::NEVER);
        client.send(&Request::new(method, Url::parse("http://a.example:81/b?token=t").unwrap())).unwrap()
    }

    #[test]
    fn a_status_that_says_no_never_says_that_nothing_is_there() {
        for (method, status, unknown) in [
            (Method::Post, 502, true),
            (Method::Post, 500, true),
            (Method::Post, 303, true),
            (Method::Post, 404, false),
            (Method::Post, 422, false),
            (Method::Patch, 504, true),
            (Method::Put, 502, false),
            (Method::Get, 404, false),
            (Method::Delete, 404, false),
        ] {
            let error = Error::from(answered(method, Response::new(status, "")).ok().unwrap_err());
            let kind = error.kind();
            assert_eq!(matches!(kind, ErrorKind::OutcomeUnknown(_)), unknown, "{method} {status}: {kind:?}");
            assert_eq!(matches!(kind, ErrorKind::Other(_)), !unknown, "{method} {status}: {kind:?}");
        }
        let later = Response::new(503, "").with_header("retry-after", "3600");
        assert!(!answered(Method::Post, later).ok().unwrap_err().is_uncertain(), "it says that it did nothing");
        assert!(Response::new(500, "").ok().unwrap_err().is_uncertain(), "nobody knows what was asked");
        assert_eq!(answered(Method::Post, Response::new(201, "made")).ok().unwrap().text().unwrap(), "made");
    }

    /// The thing exists, whatever the server says about it.
    #[test]
    fn what_was_made_is_not_lost_to_an_answer_that_makes_no_sense() {
        let garbled = |method| Error::from(answered(method, Response::new(201, [0xff])).text().unwrap_err());
        assert!(matches!(garbled(Method::Post).kind(), ErrorKind::OutcomeUnknown(_)));
        assert!(matches!(garbled(Method::Get).kind(), ErrorKind::Other(_)));
        let url = || Url::parse("http://a.example/drawn-name").unwrap();
        let client = Client::over(|_: &Request| Ok(Response::new(504, "")));
        let made = client.send(&Request::new(Method::Put, url()).idempotent(false)).unwrap().ok().unwrap_err();
        assert!(made.is_uncertain(), "the next one draws another name");
        let why = answered(Method::Post, Response::new(200, "{}")).unreadable("it has no id");
        assert_eq!(why.to_string(), "POST http://a.example:81/b: the server's answer can't be read: it has no id");
        assert!(why.is_uncertain());
    }

    #[test]
    fn what_may_not_be_there_is_none() {
        assert!(answered(Method::Get, Response::new(404, "")).found().unwrap().is_none());
        assert!(answered(Method::Get, Response::new(200, "")).found().unwrap().is_some());
        assert_eq!(answered(Method::Get, Response::new(403, "")).found().unwrap_err().status(), 403);
    }

    #[test]
    fn the_servers_words_are_repeated_and_nothing_secret_of_the_request() {
        let told = |response| answered(Method::Get, response).ok().unwrap_err().to_string();
        let no = "GET http://a.example:81/b: the server answered 403";
        assert_eq!(told(Response::new(403, " it is\n  not yours ")), format!("{no}: it is not yours"));
        assert_eq!(told(Response::new(403, "")), no);
        for page in ["text/html; charset=utf-8", "Text/HTML"] {
            assert_eq!(told(Response::new(403, "<html>").with_header("Content-Type", page)), no);
        }
        assert_eq!(told(Response::new(403, "no").with_header("Content-Type", "text")), format!("{no}: no"));
        assert_eq!(told(Response::new(403, "é".repeat(1000))), format!("{no}: {}", "é".repeat(SAID)));

        native::reset();
        let client = Client::over(|_: &Request| Ok(Response::new(403, "{}").with_header("x-why", "too soon")))
            .explain(|response| response.header("x-why").map(str::to_owned));
        let sent = client.send(&Request::new(Method::Get, Url::parse("http://a/").unwrap())).unwrap();
        assert_eq!(sent.ok().unwrap_err().said(), "too soon");
    }

    #[test]
    fn nothing_is_done_where_the_server_refuses_or_is_only_asked() {
        for (method, status, nothing) in [
            (Method::Get, 500, true),
            (Method::Put, 502, false),
            (Method::Put, 409, true),
            (Method::Post, 422, true),
            (Method::Post, 500, false),
            (Method::Delete, 303, false),
        ] {
            let error = answered(method, Response::new(status, "")).ok().unwrap_err();
            assert_eq!(error.nothing_done(), nothing, "{method} {status}");
        }
        let later = Response::new(503, "").with_header("retry-after", "3600");
        assert!(answered(Method::Put, later).ok().unwrap_err().nothing_done());
        let garbled = |method| answered(method, Response::new(200, [0xff])).text().unwrap_err().nothing_done();
        assert!(garbled(Method::Get) && !garbled(Method::Put));
    }

    /// It conflicts with itself.
    #[test]
    fn what_is_refused_the_second_time_may_have_been_done_the_first_time() {
        native::reset();
        let asked = Cell::new(false);
        let client = Client::over(move |request: &Request| match asked.replace(true) {
            false => Err(HttpError::new(request, true, Failed::Connection("it broke".to_owned()))),
            true => Ok(Response::new(409, "")),
        });
        let sent = client.send(&Request::new(Method::Put, Url::parse("http://a/").unwrap())).unwrap();
        assert!(!sent.ok().unwrap_err().nothing_done());
    }

    #[test]
    fn who_decides_what_says_that_nothing_was_done_decides_it_here_too() {
        native::reset();
        let client = Client::over(|_: &Request| Ok(Response::new(500, "")))
            .retry(Retry::NEVER)
            .retry_when(|_| Again::NothingDone(Duration::ZERO));
        let sent = client.send(&Request::new(Method::Post, Url::parse("http://a/").unwrap())).unwrap();
        assert!(!sent.ok().unwrap_err().is_uncertain());
    }
}
