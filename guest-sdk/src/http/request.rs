//! Requests.

use std::fmt;

use super::Url;

/// What is asked of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are HTTP's")]
pub enum Method {
    Get,
    Head,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    /// As it is sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// Whether it changes nothing.
    pub fn is_safe(self) -> bool {
        matches!(self, Self::Get | Self::Head)
    }

    /// Whether to ask twice is the same as to ask once.
    pub fn is_idempotent(self) -> bool {
        matches!(self, Self::Get | Self::Head | Self::Put | Self::Delete)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A request.
#[derive(Clone)]
pub struct Request {
    method: Method,
    url: Url,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    idempotent: bool,
}

impl Request {
    /// A request without a body.
    pub fn new(method: Method, url: Url) -> Self {
        Self { method, url, headers: Vec::new(), body: Vec::new(), idempotent: method.is_idempotent() }
    }

    /// With a header. One of the same name is replaced.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        replace(&mut self.headers, name, value.into());
        self
    }

    /// With a body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// With a JSON document as its body.
    #[must_use]
    pub fn json(self, document: impl Into<String>) -> Self {
        self.header("content-type", "application/json").body(document.into())
    }

    /// Says that to ask twice is the same as to ask once, so that it may be [repeated](super::Retry): true of `GET`, `HEAD`, `PUT` and
    /// `DELETE` unless said otherwise. Failures of such a request say that nothing changed, which in a create isn't so if the next one asks for another
    /// thing: a `PUT` under a name that is drawn isn't idempotent in this sense. Nor is it so in an update that is taken back: end that with
    /// [`Update::unsettled`](crate::Update::unsettled), and don't rely on [`Update::changed`](crate::Update::changed) in the next.
    #[must_use]
    pub fn idempotent(mut self, idempotent: bool) -> Self {
        self.idempotent = idempotent;
        self
    }

    /// What is asked.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Of whom.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The headers, names in lower case.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The body; empty if there is none.
    pub fn content(&self) -> &[u8] {
        &self.body
    }

    /// Whether it may be repeated.
    pub fn is_idempotent(&self) -> bool {
        self.idempotent
    }

    /// The same with further headers, where it has none of those names.
    pub(super) fn with_defaults(&self, defaults: &[(String, String)]) -> Self {
        let mut request = self.clone();
        for (name, value) in defaults {
            if !request.headers.iter().any(|(other, _)| other == name) {
                request.headers.push((name.clone(), value.clone()));
            }
        }
        request
    }
}

/// Puts a header in the place of those of its name.
pub(super) fn replace(headers: &mut Vec<(String, String)>, name: &str, value: String) {
    let name = name.to_ascii_lowercase();
    headers.retain(|(other, _)| *other != name);
    headers.push((name, value));
}

/// Without headers and body, which may be secret.
impl fmt::Debug for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {:?} with {} bytes", self.method, self.url, self.body.len())
    }
}
