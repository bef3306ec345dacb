//! Why an exchange didn't happen, or broke off.

use std::io;
use std::path::PathBuf;

use bulkhead_policy::Denial;

use super::framing::Framing;
use super::untrusted::Untrusted;

/// Why an exchange failed. No text holds a path, a header or a body: any may be secret.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OutgoingError {
    /// Policy forbids it.
    #[error("{0}")]
    Denied(Denial),
    /// It has no single meaning, or one that nobody should rely on.
    #[error("the destination {0}")]
    Target(&'static str),
    /// A method that is never sent, and what it is one of.
    #[error("{0} are never sent")]
    Method(&'static str),
    /// A header that says how messages are told apart, which is the host's to say.
    #[error("the header `{0}` is the host's to send")]
    Header(String),
    /// All connections are in use.
    #[error("{0} connections are open, and no more may be")]
    Connections(usize),
    /// The name stands for nothing.
    #[error("the name can't be resolved: {0}")]
    Resolve(io::Error),
    /// Nobody answers there.
    #[error("can't connect: {0}")]
    Connect(io::Error),
    /// Nobody answered in time.
    #[error("connecting took too long")]
    ConnectTimeout,
    /// The operator names certificates that can't be read.
    #[error("can't read the granted certificates in {}: {reason}", path.display())]
    Certificates {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The server's certificate isn't trusted, or isn't the server's.
    #[error("{0}")]
    Untrusted(Untrusted),
    /// The two sides don't agree on how to encrypt.
    #[error("the TLS handshake failed: {0}")]
    Tls(io::Error),
    /// The response didn't begin in time.
    #[error("the response took too long to begin")]
    FirstByteTimeout,
    /// The response paused for too long.
    #[error("the response paused for too long")]
    BetweenBytesTimeout,
    /// The status line and headers are too long or too many, or announce more than can be counted, which the connection doesn't tell apart.
    #[error("the response's headers are more than they may be, or announce more than any response has")]
    Head,
    /// A `content-length` that no body has.
    #[error(
        "the length that the server announces for its response (`content-length`) isn't one number, or is beyond any"
    )]
    Length,
    /// The body is too long.
    #[error("the response is larger than {0} bytes")]
    Body(usize),
    /// The server ended the connection in the middle.
    #[error("the connection ended before the response did")]
    Incomplete,
    /// What came isn't HTTP, or not as it was asked for.
    #[error("the server doesn't keep to the protocol")]
    Protocol,
    /// The guest broke off its request.
    #[error("the request broke off")]
    Request,
}

/// How the HTTP connection tells of a length that is none: it has no other sign for it.
const NO_LENGTH: &str = "invalid content-length parsed";

impl OutgoingError {
    /// What kind of failure it is, in a word that nothing secret is in.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Denied(_) => "denied",
            Self::Target(_) => "target_invalid",
            Self::Method(_) => "method_invalid",
            Self::Header(_) => "header_invalid",
            Self::Connections(_) => "too_many_connections",
            Self::Resolve(_) => "name_unresolved",
            Self::Connect(_) => "connection_failed",
            Self::ConnectTimeout | Self::FirstByteTimeout | Self::BetweenBytesTimeout => "timeout",
            Self::Certificates { .. } => "certificates_unreadable",
            Self::Untrusted(_) => "server_certificate_invalid",
            Self::Tls(_) => "tls_failed",
            Self::Head | Self::Length | Self::Protocol => "response_invalid",
            Self::Body(_) => "response_too_large",
            Self::Incomplete => "connection_ended",
            Self::Request => "request_broken_off",
        }
    }

    /// Whether the server may have been spoken to in the other scheme than its own: with TLS where it has none, as its first bytes say, or
    /// without where it expects it. Then it takes a request for a broken handshake, and ends the connection with an alert or without.
    pub(crate) fn may_be_of_the_scheme(&self, secure: bool) -> bool {
        match self {
            Self::Tls(error) => {
                let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<rustls::Error>());
                secure && cause == Some(&rustls::Error::InvalidMessage(rustls::InvalidMessage::InvalidContentType))
            }
            Self::Incomplete | Self::Protocol => !secure,
            _ => false,
        }
    }

    /// What an error of the HTTP connection means.
    pub(super) fn of(error: &hyper::Error) -> Self {
        match error {
            error if error.is_parse_too_large() => Self::Head,
            error if Framing::ended(error) || is_nonsense(error) => Self::Protocol,
            error if error.is_incomplete_message() || error.is_closed() || error.is_canceled() => Self::Incomplete,
            error if error.is_body_write_aborted() || error.is_user() => Self::Request,
            error if error.is_parse() && error.to_string() == NO_LENGTH => Self::Length,
            error if error.is_parse() => Self::Protocol,
            // What remains is the connection's own end.
            _ => Self::Incomplete,
        }
    }
}

/// Whether a body's pieces, or what stands between them, aren't what they should be: the connection has no other sign for it.
fn is_nonsense(error: &hyper::Error) -> bool {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| matches!(cause.kind(), io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput))
}
