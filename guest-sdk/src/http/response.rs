//! Responses.

use std::fmt;

use super::unexpected::Asked;

/// A response, whatever its status: [`ok`](Self::ok) and [`found`](Self::found) make an error of one that says no.
#[derive(Clone)]
pub struct Response {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// What it is the answer to, once it was sent through a client.
    pub(super) asked: Option<Box<Asked>>,
}

impl Response {
    /// A response, for transports and tests.
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: Vec::new(), body: body.into(), asked: None }
    }

    /// With a further header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_ascii_lowercase(), value.into()));
        self
    }

    /// With another body.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn with_body(self, body: Vec<u8>) -> Self {
        Self { body, ..self }
    }

    /// The status code.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Whether the status says that it went well: 200 to 299.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The first header of a name, whatever its case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers(name).next()
    }

    /// All headers of a name, whatever its case.
    pub fn headers(&self, name: &str) -> impl Iterator<Item = &str> {
        self.headers.iter().filter(move |(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The body.
    pub fn body(&self) -> &[u8] {
        &self.body
    }
}

/// Without headers and body, which may be secret.
impl fmt::Debug for Response {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} with {} bytes", self.status, self.body.len())
    }
}
