//! Why the server didn't do what it was asked.

use std::fmt;

use bulkhead_sdk::Error;
use bulkhead_sdk::http::{HttpError, InvalidUrl, Response};
use serde::Deserialize;

/// Why the server didn't do what it was asked. Becomes an [`Error`] with what the user can do about it.
#[derive(Debug)]
pub enum Problem {
    /// The call ended before anything was asked to change.
    Ended(Error),
    /// There was no answer.
    Unanswered(HttpError),
    /// The endpoint is no URL.
    Endpoint(InvalidUrl),
    /// The API key isn't the server's.
    Unauthorised,
    /// There is no such thing.
    NotFound,
    /// There is no such server, and so nothing is known of what it has.
    NoServer,
    /// What answers changes says that there is no such thing, and what answers questions that there is.
    NotLetThrough,
    /// It exists already.
    Conflict,
    /// The server doesn't want it; its words.
    Rejected(String),
    /// Any other status, and the server's words.
    Status(u16, String),
    /// The answer isn't what the API promises; what is wrong.
    Malformed(String),
    /// The server stored a record of a set as another one than it was given.
    Misread {
        /// Which.
        place: usize,
        /// Why it still has it so; none if it has what it had before.
        left: Option<Box<Problem>>,
    },
    /// It was changed, and what came of it can't be seen.
    Unseen(Box<Problem>),
}

/// What to say to whoever has a server that reads contents in a way of its own.
const MISREAD: &str = "\nhint: versions since 5.1 take a level of backslashes off contents, and this one does something else, which this \
                       provider doesn't know";

/// How the API says no: once, or once and then why in several ways.
#[derive(Deserialize)]
struct Refusal {
    error: String,
    #[serde(default)]
    errors: Vec<String>,
}

impl Problem {
    /// What a response says that isn't a success.
    pub(super) fn of(response: &Response) -> Self {
        let text = response.text().unwrap_or_default().trim();
        let said = match serde_json::from_str::<Refusal>(text) {
            Ok(Refusal { error, errors }) if errors.is_empty() => error,
            Ok(Refusal { errors, .. }) => errors.join("; "),
            Err(_) => text.to_owned(),
        };
        match response.status() {
            401 => Self::Unauthorised,
            404 => Self::NotFound,
            409 => Self::Conflict,
            400 | 422 => Self::Rejected(said),
            status => Self::Status(status, said),
        }
    }

    /// The server's words where it refused what was asked.
    pub fn rejection(&self) -> Option<&str> {
        if let Self::Rejected(said) = self { Some(said) } else { None }
    }

    /// Whether the request may have had an effect that nobody knows of.
    pub fn is_uncertain(&self) -> bool {
        match self {
            Self::Unanswered(error) => error.may_have_been_sent(),
            Self::Malformed(_) | Self::Misread { left: Some(_), .. } | Self::Unseen(_) => true,
            Self::Status(status, _) => *status >= 500,
            _ => false,
        }
    }

    /// The same where nothing but questions were asked, so that nothing can have had an effect.
    pub(super) fn before_any_change(self) -> Self {
        if self.is_uncertain() { Self::Ended(self.into()) } else { self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended(error) => error.fmt(formatter),
            Self::Unanswered(error) => error.fmt(formatter),
            Self::Endpoint(invalid) => {
                write!(formatter, "the endpoint {invalid}\nhint: `powerdns:endpoint` is a URL such as http://127.0.0.1:8081")
            }
            Self::Unauthorised => formatter.write_str(
                "the server doesn't accept the API key\nhint: `powerdns:apiKey` must be what the server's `api-key` says",
            ),
            Self::NotFound => formatter.write_str("the server has no such thing"),
            Self::NoServer => formatter.write_str(
                "there is no API of such a server\nhint: are `powerdns:endpoint` and `powerdns:serverId` right? the latter is `localhost` for all servers but proxies",
            ),
            Self::NotLetThrough => formatter.write_str(
                "something before the server says that there is no such thing, and there is\nhint: does that let `DELETE`, `PATCH`, `POST` and `PUT` through?",
            ),
            Self::Conflict => formatter.write_str("it exists already"),
            Self::Rejected(said) if said.is_empty() => formatter.write_str("the server refuses it"),
            Self::Rejected(said) if said == "Bad Request" => formatter.write_str(
                "the server doesn't take the request\nhint: it may be larger than the server's `webserver-max-bodysize`, which is 2 MB by default",
            ),
            Self::Rejected(said) => write!(formatter, "the server refuses it: {said}"),
            Self::Status(status, said) => {
                let said = said.lines().next().unwrap_or_default();
                write!(formatter, "the server answered {status}: {said}\nhint: its log says more")
            }
            Self::Misread { left: None, .. } => {
                write!(formatter, "the server stored a record as another one, and has what it had before{MISREAD}")
            }
            Self::Misread { left: Some(problem), .. } => {
                let said = problem.to_string();
                let said = said.lines().next().unwrap_or_default();
                write!(formatter, "the server stored a record as another one, and keeps it: {said}{MISREAD}")
            }
            Self::Unseen(problem) => write!(formatter, "it was changed, and not seen since: {problem}"),
            Self::Malformed(what) => {
                write!(formatter, "the server's answer isn't PowerDNS's: {what}\nhint: does `powerdns:endpoint` name the API of a PowerDNS server?")
            }
        }
    }
}

impl From<HttpError> for Problem {
    fn from(error: HttpError) -> Self {
        Self::Unanswered(error)
    }
}

// Not a `std::error::Error`, for the reason that `HttpError` isn't one.
impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::Ended(error) => error,
            Problem::Unanswered(error) => error.into(),
            Problem::NotFound => Self::not_found(problem),
            other => Self::failed(other),
        }
    }
}
