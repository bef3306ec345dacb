//! An authority that vouches for servers of this machine, and that nobody believes who wasn't told to.

use std::path::PathBuf;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::PrivateKeyDer;
use tempfile::TempDir;

use crate::temporary_directory;

/// An authority, with its certificate in a file.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    directory: TempDir,
}

impl Authority {
    /// One with a name that no other has.
    #[expect(clippy::new_without_default, reason = "each is another one")]
    pub fn new() -> Self {
        let directory = temporary_directory();
        let mut params = CertificateParams::default();
        let name = directory.path().to_string_lossy().into_owned();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        std::fs::write(directory.path().join("authority.pem"), issuer.pem()).unwrap();
        Self { issuer, directory }
    }

    /// Its certificate, as PEM.
    pub fn file(&self) -> PathBuf {
        self.directory.path().join("authority.pem")
    }

    /// How a server encrypts that has a certificate for these names, which may have expired.
    pub fn config(&self, provider: Arc<CryptoProvider>, names: &[&str], expired: bool) -> ServerConfig {
        let key = KeyPair::generate().unwrap();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        if expired {
            params.not_before = date_time_ymd(2001, 1, 1);
            params.not_after = date_time_ymd(2002, 1, 1);
        }
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        config.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key).unwrap()
    }
}
