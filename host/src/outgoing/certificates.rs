//! Whom to believe: the roots of this system, and those that an operator grants by file.
//!
//! Reading the system's roots takes longer than most calls, so it happens once, and only when something is encrypted.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bulkhead_policy::Host;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::chain::ShortChain;
use super::error::OutgoingError;
use super::untrusted::Untrusted;
use crate::regular;

/// More than all the roots there are, bytes.
const LARGEST: u64 = 16 << 20;

/// Whom one configuration believes, by the files that were granted to it.
#[derive(Debug, Default)]
pub(super) struct Trust(Mutex<HashMap<Vec<PathBuf>, Arc<ClientConfig>>>);

impl Trust {
    /// Encrypts a connection with a server that proves to be the host.
    ///
    /// # Errors
    /// Certificates that can't be read, a server that can't prove it, or a failed handshake.
    pub(super) async fn handshake<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: S,
        host: &Host,
        granted: Vec<PathBuf>,
    ) -> Result<TlsStream<S>, OutgoingError> {
        let name = match host {
            Host::Address(address) => ServerName::from(*address),
            Host::Name(name) => {
                let name = ServerName::try_from(name.clone());
                name.map_err(|_| OutgoingError::Target("has a name that no certificate can have"))?
            }
        };
        let config = self.config(granted).await?;
        TlsConnector::from(config).connect(name, stream).await.map_err(|error| {
            let cause = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
            cause.and_then(Untrusted::of).map_or_else(|| OutgoingError::Tls(error), OutgoingError::Untrusted)
        })
    }

    async fn config(&self, granted: Vec<PathBuf>) -> Result<Arc<ClientConfig>, OutgoingError> {
        let known = |granted| self.0.lock().unwrap_or_else(PoisonError::into_inner).get(granted).cloned();
        if let Some(config) = known(&granted) {
            return Ok(config);
        }
        let files = granted.clone();
        let read = tokio::task::spawn_blocking(move || config(&files)).await;
        let config = Arc::new(read.map_err(|error| OutgoingError::Tls(std::io::Error::other(error)))??);
        let mut configs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever came first: sessions are resumed within one.
        Ok(Arc::clone(configs.entry(granted).or_insert(config)))
    }
}

/// What to believe and how to speak, from the system and some files.
fn config(granted: &[PathBuf]) -> Result<ClientConfig, OutgoingError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(system().iter().cloned());
    for path in granted {
        let unreadable = |reason: String| OutgoingError::Certificates { path: path.clone(), reason };
        let mut found = 0;
        for certificate in
            CertificateDer::pem_slice_iter(&contents(path).map_err(|error| unreadable(error.to_string()))?)
        {
            let certificate = certificate.map_err(|error| unreadable(error.to_string()))?;
            roots.add(certificate).map_err(|error| unreadable(error.to_string()))?;
            found += 1;
        }
        if found == 0 {
            return Err(unreadable("it holds no certificate".to_owned()));
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let chain = ShortChain::new(roots, &provider);
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let versions = versions.map_err(|error| OutgoingError::Tls(std::io::Error::other(error)))?;
    let mut config = versions.dangerous().with_custom_certificate_verifier(chain).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn contents(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let mut contents = Vec::new();
    regular::open(path)?.take(LARGEST).read_to_end(&mut contents)?;
    Ok(contents)
}

/// The roots of this system. What can't be read of them isn't believed.
fn system() -> &'static [CertificateDer<'static>] {
    static SYSTEM: OnceLock<Vec<CertificateDer<'static>>> = OnceLock::new();
    SYSTEM.get_or_init(|| {
        let found = rustls_native_certs::load_native_certs();
        for error in &found.errors {
            tracing::warn!("some of the system's certificates can't be read: {error}");
        }
        found.certs
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn granted_files_have_to_hold_certificates() {
        let directory = tempfile::tempdir().unwrap();
        let file = |contents: &str| {
            let path = directory.path().join("roots.pem");
            std::fs::write(&path, contents).unwrap();
            config(&[path]).map(drop).unwrap_err().to_string()
        };
        let begins = format!("can't read the granted certificates in {}", directory.path().display());
        for contents in ["", "nothing", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
            let error = file(contents);
            assert!(error.starts_with(&begins), "{contents}: {error}");
        }
        assert!(file("").ends_with("it holds no certificate"));
        let missing = config(&[directory.path().join("missing.pem")]).map(drop).unwrap_err().to_string();
        assert!(missing.starts_with(&begins), "{missing}");
        assert!(config(&[]).is_ok(), "the system's alone");
    }
}
