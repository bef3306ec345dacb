//! A certificate that isn't believed, in words.
//!
//! Nobody has vouched for what stands in it, and errors repeat it: a name with ends of lines would go on as the host's own hint, and
//! thousands of names would be a message of a hundred kilobytes. So it is told on one line, and in part, once what is secret in it
//! is masked.

use rustls::CertificateError;

use crate::legible::on_one_line;

/// Why a server isn't believed to be the one that was meant.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub(crate) struct Untrusted {
    reason: String,
    remedy: &'static str,
}

impl Untrusted {
    /// What the handshake ended with, if that was the server's certificate.
    pub(super) fn of(error: &rustls::Error) -> Option<Self> {
        let rustls::Error::InvalidCertificate(certificate) = error else { return None };
        Some(Self { reason: on_one_line(&error.to_string()), remedy: remedy(certificate) })
    }

    /// What would have it believed.
    pub(crate) fn remedy(&self) -> &'static str {
        self.remedy
    }
}

/// No authority that is named helps where it isn't the authority that is in doubt.
fn remedy(error: &CertificateError) -> &'static str {
    use CertificateError as Error;
    match error {
        Error::Expired | Error::ExpiredContext { .. } | Error::NotValidYet | Error::NotValidYetContext { .. } => {
            "the server needs a certificate that is in force, or this machine's clock is wrong"
        }
        Error::NotValidForName | Error::NotValidForNameContext { .. } => {
            "name the server as its certificate does, in the grant too, or give it a certificate for this name"
        }
        Error::InvalidPurpose
        | Error::InvalidPurposeContext { .. }
        | Error::BadEncoding
        | Error::UnhandledCriticalExtension
        | Error::Other(_) => "the server needs another certificate, whoever its authority is",
        _ => "name the PEM file of its authority as one of the grant's `certificates`",
    }
}
