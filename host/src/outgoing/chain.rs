//! Whether a server's certificates lead to an authority, by those that can: the first few.
//!
//! The library goes every way from one certificate to the next, whatever their order, and has time for hundreds of thousands of steps.
//! A server that sends some hundreds of each other's certificates, which takes neither a key nor anybody's signature, has it compute for
//! half a minute without a pause, and nobody can interrupt that. So it is given as many as the longest way has; servers send them in
//! order, as TLS asks of them.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

/// How many certificates there may be between a server's and an authority's, for the library. All ways through so many are some two thousand
/// steps.
const MOST: usize = 6;

/// Believes some authorities.
#[derive(Debug)]
pub(super) struct ShortChain {
    roots: RootCertStore,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ShortChain {
    pub(super) fn new(roots: RootCertStore, provider: &CryptoProvider) -> Arc<Self> {
        Arc::new(Self { roots, algorithms: provider.signature_verification_algorithms })
    }
}

impl ServerCertVerifier for ShortChain {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let certificate = ParsedCertificate::try_from(end_entity)?;
        let first = intermediates.get(..MOST).unwrap_or(intermediates);
        verify_server_cert_signed_by_trust_anchor(&certificate, &self.roots, first, now, self.algorithms.all)?;
        verify_server_name(&certificate, server_name)?;
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
    use rustls::CertificateError;

    use super::*;

    fn params(name: &str) -> CertificateParams {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params
    }

    #[test]
    fn of_the_certificates_that_a_server_sends_the_first_few_count() {
        let key = || KeyPair::generate().unwrap();
        let root = CertifiedIssuer::self_signed(params("root"), key()).unwrap();
        let middle = CertifiedIssuer::signed_by(params("middle"), key(), &root).unwrap();
        let leaf = CertificateParams::new(vec!["granted.example".to_owned()]).unwrap();
        let leaf = leaf.signed_by(&key(), &middle).unwrap();
        let other = CertifiedIssuer::self_signed(params("other"), key()).unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(root.der().clone()).unwrap();
        let provider = rustls::crypto::ring::default_provider();
        let believed = ShortChain::new(roots, &provider);
        let verified = |chain: &ShortChain, others: usize, name: &'static str| {
            let mut sent = vec![other.der().clone(); others];
            sent.push(middle.der().clone());
            let name = ServerName::try_from(name).unwrap();
            chain.verify_server_cert(leaf.der(), &sent, &name, &[], UnixTime::now()).map(drop)
        };
        let unknown = Err(Error::InvalidCertificate(CertificateError::UnknownIssuer));
        assert_eq!(verified(&believed, 0, "granted.example"), Ok(()));
        assert_eq!(verified(&believed, MOST - 1, "granted.example"), Ok(()), "whatever their order");
        assert_eq!(verified(&believed, MOST, "granted.example"), unknown);
        assert!(verified(&believed, 0, "other.example").is_err());
        assert_eq!(verified(&ShortChain::new(RootCertStore::empty(), &provider), 0, "granted.example"), unknown);
    }
}
