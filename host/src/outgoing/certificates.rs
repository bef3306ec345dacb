//! Whom to believe: the roots of this system, and those that an operator grants by file.
//!
//! Reading the system's roots takes longer than most calls, so it happens once, and only when something is encrypted. A system that names none
//! is asked again each time: what wasn't there, or couldn't be read for want of a descriptor, would be missing for as long as the process lives.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bulkhead_policy::Host;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use rustls_native_certs::{CertificateResult, load_certs_from_paths, load_native_certs};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::chain::ShortChain;
use super::error::OutgoingError;
use super::untrusted::{Nobody, Untrusted};
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
        let (config, nobody) = self.config(granted).await?;
        TlsConnector::from(config).connect(name, stream).await.map_err(|error| {
            let cause = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
            let untrusted = cause.and_then(|cause| Untrusted::of(cause, nobody.as_ref()));
            untrusted.map_or_else(|| OutgoingError::Tls(error), OutgoingError::Untrusted)
        })
    }

    /// How to encrypt, and that the system names no authorities, if it doesn't.
    async fn config(&self, granted: Vec<PathBuf>) -> Result<(Arc<ClientConfig>, Option<Nobody>), OutgoingError> {
        let known = |granted| self.0.lock().unwrap_or_else(PoisonError::into_inner).get(granted).cloned();
        if let Some(config) = known(&granted) {
            return Ok((config, None));
        }
        let files = granted.clone();
        let read = tokio::task::spawn_blocking(move || {
            let (system, nobody) = match system() {
                Ok(system) => (system, None),
                Err(nobody) => (&[][..], Some(nobody)),
            };
            config(system, &files).map(|config| (Arc::new(config), nobody))
        });
        let (config, nobody) = read.await.map_err(|error| OutgoingError::Tls(std::io::Error::other(error)))??;
        if nobody.is_some() {
            return Ok((config, nobody));
        }
        let mut configs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever came first: sessions are resumed within one.
        Ok((Arc::clone(configs.entry(granted).or_insert(config)), None))
    }
}

/// What to believe and how to speak, from the system and some files.
fn config(system: &[CertificateDer<'static>], granted: &[PathBuf]) -> Result<ClientConfig, OutgoingError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(system.iter().cloned());
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
///
/// # Errors
/// There are none.
fn system() -> Result<&'static [CertificateDer<'static>], Nobody> {
    static SYSTEM: OnceLock<Vec<CertificateDer<'static>>> = OnceLock::new();
    kept(&SYSTEM, || read(std::env::var_os("SSL_CERT_FILE"), std::env::var_os("SSL_CERT_DIR")))
}

/// What is known by now, or is read and known from now on unless it is nothing.
fn kept<'k>(
    known: &'k OnceLock<Vec<CertificateDer<'static>>>,
    read: impl FnOnce() -> CertificateResult,
) -> Result<&'k [CertificateDer<'static>], Nobody> {
    if let Some(known) = known.get() {
        return Ok(known);
    }
    let found = read();
    if found.certs.is_empty() {
        return Err(Nobody::because(found.errors.first()));
    }
    Ok(known.get_or_init(|| {
        if let Some(error) = found.errors.first() {
            let all = found.errors.len();
            let hint = "see that they are there, whole, and may be read by whoever runs providers, or name others in SSL_CERT_FILE and \
                        SSL_CERT_DIR";
            tracing::warn!(
                "of the places and files of the system's certificates {all} can't be read, such as: {error}; hint: {hint}"
            );
        }
        found.certs
    }))
}

/// The roots that these variables name, or else the system's own. One that is empty names nothing, as for native providers, which are
/// written in Go, and for the engine.
fn read(file: Option<OsString>, directories: Option<OsString>) -> CertificateResult {
    if !file.is_some_and(|file| file.is_empty()) {
        // It passes over directories without a name itself.
        return load_native_certs();
    }
    let directories = directories.as_deref().map(std::env::split_paths).into_iter().flatten();
    let named: Vec<PathBuf> = directories.filter(|directory| !directory.as_os_str().is_empty()).collect();
    match named.is_empty() {
        true => usual(),
        false => together(None, &named),
    }
}

/// Those of the places where systems have them.
#[cfg(all(unix, not(target_os = "macos")))]
fn usual() -> CertificateResult {
    let mut usual = openssl_probe::probe();
    // What an empty variable names.
    usual.cert_dir.retain(|directory| !directory.as_os_str().is_empty());
    together(usual.cert_file.as_deref(), &usual.cert_dir)
}

/// The library reads a system's own store only where neither variable is there.
#[cfg(not(all(unix, not(target_os = "macos"))))]
fn usual() -> CertificateResult {
    load_native_certs()
}

fn together(file: Option<&Path>, directories: &[PathBuf]) -> CertificateResult {
    let mut all = load_certs_from_paths(file, None);
    for directory in directories {
        let found = load_certs_from_paths(None, Some(directory));
        all.certs.extend(found.certs);
        all.errors.extend(found.errors);
    }
    all.certs.sort_unstable_by(|one, other| one.as_ref().cmp(other.as_ref()));
    all.certs.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::told::told;

    #[test]
    fn granted_files_have_to_hold_certificates() {
        let directory = tempfile::tempdir().unwrap();
        let file = |contents: &str| {
            let path = directory.path().join("roots.pem");
            std::fs::write(&path, contents).unwrap();
            config(&[], &[path]).map(drop).unwrap_err().to_string()
        };
        let begins = format!("can't read the granted certificates in {}", directory.path().display());
        for contents in ["", "nothing", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
            let error = file(contents);
            assert!(error.starts_with(&begins), "{contents}: {error}");
        }
        assert!(file("").ends_with("it holds no certificate"));
        let missing = config(&[], &[directory.path().join("missing.pem")]).map(drop).unwrap_err().to_string();
        assert!(missing.starts_with(&begins), "{missing}");
        assert!(config(&[], &[]).is_ok(), "nobody is believed");
    }

    fn authority() -> rcgen::Certificate {
        rcgen::generate_simple_self_signed(vec!["authority".to_owned()]).unwrap().cert
    }

    #[test]
    fn who_names_no_authorities_is_asked_again_until_there_are_some() {
        let known = OnceLock::new();
        let missing = || load_certs_from_paths(Some(Path::new("/nowhere/roots.pem")), None);
        for _ in 0..2 {
            let nobody = kept(&known, missing).unwrap_err().to_string();
            assert!(nobody.contains("No such file or directory (os error 2) at '/nowhere/roots.pem'"), "{nobody}");
        }
        let mut some = CertificateResult::default();
        some.certs.push(authority().der().clone());
        assert_eq!(kept(&known, || some).map(<[_]>::len).ok(), Some(1));
        assert_eq!(kept(&known, missing).map(<[_]>::len).ok(), Some(1), "once there are, they are known");
    }

    #[test]
    fn what_cannot_be_read_beside_others_is_told_once_and_counted() {
        let told = told(|| {
            let read = || {
                let places = ["/nowhere/one", "/nowhere/two"].map(PathBuf::from);
                let mut found = together(Some(Path::new("/nowhere/roots.pem")), &places);
                found.certs.push(authority().der().clone());
                found
            };
            assert_eq!(kept(&OnceLock::new(), read).map(<[_]>::len).ok(), Some(1));
        });
        let [told] = told.as_slice() else { panic!("{told:?}") };
        let begins = "of the places and files of the system's certificates 3 can't be read, such as: ";
        assert!(told.starts_with(begins) && told.contains("/nowhere/") && told.contains("; hint: "), "{told}");
    }

    #[cfg(unix)]
    #[test]
    fn an_empty_variable_names_no_authorities_and_takes_none_away() {
        let place = tempfile::tempdir().unwrap();
        let all = |file: Option<&str>, directories: Option<String>| {
            read(file.map(OsString::from), directories.map(OsString::from)).certs
        };
        std::fs::write(place.path().join("root.pem"), authority().pem()).unwrap();
        assert_eq!(all(Some(""), Some(format!(":{}", place.path().display()))).len(), 1, "what is named");
        let unset = all(None, None);
        for directories in [None, Some(String::new()), Some(":".to_owned())] {
            assert_eq!(all(Some(""), directories.clone()).is_empty(), unset.is_empty(), "{directories:?}");
        }
    }
}
