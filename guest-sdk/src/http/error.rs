//! Why there is no response.

use std::fmt;
use std::time::Duration;

use super::{Method, Request};
use crate::error::{Error, ErrorKind};

/// Why there is no response. A response with a bad status is a response.
///
/// `?` turns it into an [`Error`] that says what an engine must know: that the call was cancelled, that nothing changed, or, if a request
/// that isn't idempotent may have reached the server, that the [outcome is unknown](Error::outcome_unknown).
pub struct HttpError {
    origin: String,
    method: Method,
    idempotent: bool,
    sent: bool,
    failed: Failed,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failed {
    /// The host denies it: the manifest doesn't ask for this request, its operator doesn't grant or allow it, or nobody can. Which of
    /// these, and what would change it, the host adds to the call's error.
    Denied,
    /// There is no connection, or it broke; why.
    Connection(String),
    /// The server can't be trusted, or speaks TLS in another way; why.
    Tls(String),
    /// No answer in this time.
    Timeout(Duration),
    /// The answer is larger than this many bytes.
    TooLarge(usize),
    /// The answer isn't one, or the request can't be sent; why.
    Protocol(String),
    /// The call was cancelled meanwhile.
    Cancelled,
}

impl HttpError {
    /// An error about a request; `sent` says whether it may have reached the server.
    pub fn new(request: &Request, sent: bool, failed: Failed) -> Self {
        let origin = request.url().origin();
        Self { origin, method: request.method(), idempotent: request.is_idempotent(), sent, failed }
    }

    /// What went wrong.
    pub fn failed(&self) -> &Failed {
        &self.failed
    }

    /// Whether the request may have reached the server, and so may have had an effect.
    pub fn may_have_been_sent(&self) -> bool {
        self.sent
    }

    /// Whether the server certainly did nothing: no attempt reached it, or it was a mere question (`GET`, `HEAD`). An update that has
    /// changed nothing before ends with `?` then, and otherwise with [`Update::unsettled`](crate::Update::unsettled).
    pub fn nothing_done(&self) -> bool {
        !self.sent || self.method.is_safe()
    }

    /// The same error after other attempts, of which one may have reached the server.
    pub(super) fn after(self, sent: bool) -> Self {
        Self { sent: self.sent || sent, ..self }
    }

    /// Whether to ask again may help.
    pub(super) fn is_transient(&self) -> bool {
        matches!(self.failed, Failed::Connection(_) | Failed::Timeout(_))
    }
}

impl fmt::Display for HttpError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, method, .. } = self;
        match &self.failed {
            // Which permission is missing, and whose it is to give, only the host knows. It says so itself.
            Failed::Denied => write!(formatter, "{method} {origin}: the host denied it"),
            Failed::Connection(reason) => write!(formatter, "{method} {origin}: no connection: {reason}"),
            Failed::Tls(reason) => write!(formatter, "{method} {origin}: no secure connection: {reason}"),
            Failed::Timeout(after) => write!(formatter, "{method} {origin}: no answer within {after:.1?}"),
            Failed::TooLarge(limit) => write!(formatter, "{method} {origin}: the answer is larger than {limit} bytes"),
            Failed::Protocol(reason) => write!(formatter, "{method} {origin}: {reason}"),
            Failed::Cancelled => write!(formatter, "{method} {origin}: cancelled"),
        }
    }
}

impl fmt::Debug for HttpError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

// Not a `std::error::Error`: all of those become "something went wrong and nothing changed".
impl From<HttpError> for Error {
    fn from(error: HttpError) -> Self {
        if error.sent && !error.idempotent {
            return Self::outcome_unknown(error);
        }
        match error.failed {
            Failed::Cancelled => Self::cancelled(),
            _ => ErrorKind::Other(error.to_string()).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Url;

    fn error(method: Method, sent: bool, failed: Failed) -> HttpError {
        HttpError::new(&Request::new(method, Url::parse("http://a.example:81/b?token=t").unwrap()), sent, failed)
    }

    #[test]
    fn an_engine_hears_what_may_have_happened() {
        let lost = || Failed::Connection("it broke".to_owned());
        for (method, sent, failed, unknown) in [
            (Method::Get, true, lost(), false),
            (Method::Put, true, lost(), false),
            (Method::Post, true, lost(), true),
            (Method::Post, false, lost(), false),
            (Method::Post, true, Failed::Cancelled, true),
            (Method::Post, true, Failed::TooLarge(1), true),
        ] {
            let kind = Error::from(error(method, sent, failed.clone())).into_kind();
            assert_eq!(matches!(kind, ErrorKind::OutcomeUnknown(_)), unknown, "{method} {failed:?}");
        }
        let cancelled = Error::from(error(Method::Post, false, Failed::Cancelled)).into_kind();
        assert!(matches!(cancelled, ErrorKind::Cancelled));
    }

    /// What is asked for twice is done once, and yet it is done.
    #[test]
    fn nothing_is_done_by_what_never_arrived_and_by_questions() {
        let lost = |method, sent| error(method, sent, Failed::Connection("it broke".to_owned())).nothing_done();
        for method in [Method::Post, Method::Put, Method::Delete] {
            assert!(lost(method, false) && !lost(method, true), "{method}");
        }
        assert!(lost(Method::Get, true) && lost(Method::Head, true));
    }

    #[test]
    fn texts_name_the_origin_and_nothing_secret() {
        let texts = [
            Failed::Denied,
            Failed::Connection("refused".to_owned()),
            Failed::Tls("the certificate isn't trusted".to_owned()),
            Failed::Timeout(Duration::from_millis(1500)),
            Failed::TooLarge(10),
            Failed::Protocol("the answer isn't HTTP".to_owned()),
            Failed::Cancelled,
        ]
        .map(|failed| error(Method::Get, true, failed).to_string());
        assert_eq!(
            texts,
            [
                "GET http://a.example:81: the host denied it",
                "GET http://a.example:81: no connection: refused",
                "GET http://a.example:81: no secure connection: the certificate isn't trusted",
                "GET http://a.example:81: no answer within 1.5s",
                "GET http://a.example:81: the answer is larger than 10 bytes",
                "GET http://a.example:81: the answer isn't HTTP",
                "GET http://a.example:81: cancelled",
            ]
        );
    }
}
