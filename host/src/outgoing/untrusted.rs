//! A certificate that isn't believed, in words.
//!
//! Nobody has vouched for what stands in it, and errors repeat it: a name with ends of lines would go on as the host's own hint, and
//! thousands of names would be a message of a hundred kilobytes. So it is told on one line, and in part, once what is secret in it
//! is masked.

use std::borrow::Cow;

use rustls::CertificateError;

use crate::legible::on_one_line;

/// Why a server isn't believed to be the one that was meant.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub(crate) struct Untrusted {
    reason: String,
    remedy: Cow<'static, str>,
}

/// That a machine names no authorities at all: whoever is sent to grant a server's own would believe it in more than is needed.
#[derive(Clone, Debug, thiserror::Error)]
#[error(
    "this machine names no authorities{because}: install its `ca-certificates`, or name a file of them with SSL_CERT_FILE; an authority of \
     one's own may be one of the grant's `certificates`"
)]
pub(super) struct Nobody {
    because: String,
}

impl Nobody {
    /// For this reason, if there is any.
    pub(super) fn because(error: Option<&rustls_native_certs::Error>) -> Self {
        Self { because: error.map_or_else(String::new, |error| format!(" ({})", on_one_line(&error.to_string()))) }
    }
}

impl Untrusted {
    /// What the handshake ended with, if that was the server's certificate, where nobody is believed perhaps.
    pub(super) fn of(error: &rustls::Error, nobody: Option<&Nobody>) -> Option<Self> {
        let rustls::Error::InvalidCertificate(certificate) = error else { return None };
        let remedy = match (certificate, nobody) {
            (CertificateError::UnknownIssuer, Some(nobody)) => nobody.to_string().into(),
            _ => remedy(certificate).into(),
        };
        Some(Self { reason: on_one_line(&error.to_string()), remedy })
    }

    /// What would have it believed.
    pub(crate) fn remedy(&self) -> &str {
        &self.remedy
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_nobody_is_believed_no_authority_of_one_server_is_asked_for() {
        let remedy = |error, nobody| Untrusted::of(&rustls::Error::InvalidCertificate(error), nobody).unwrap().remedy;
        let unknown = || CertificateError::UnknownIssuer;
        assert!(remedy(unknown(), None).starts_with("name the PEM file of its authority"));
        let nobody = Nobody::because(None);
        assert!(
            remedy(unknown(), Some(&nobody))
                .starts_with("this machine names no authorities: install its `ca-certificates`")
        );
        assert!(
            remedy(CertificateError::Expired, Some(&nobody))
                .starts_with("the server needs a certificate that is in force")
        );
    }
}
