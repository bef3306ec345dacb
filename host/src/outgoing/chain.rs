//! Whether a server's certificates lead to an authority, by those that can: a few, each of which follows from the one before.
//!
//! The library goes every way from one certificate to the next, whatever their order, and has time for hundreds of thousands of steps and
//! for a hundred signatures. A server that sends some hundreds of each other's certificates, which takes neither a key nor anybody's
//! signature, has it compute for half a minute without a pause, and nobody can interrupt that; six that all have an authority's name have
//! it look at a hundred signatures in each handshake, which no limit counts. So it is given one way, as servers are to send it: whoever
//! issued the server's certificate, by name, whoever issued theirs, and so on. Authorities that others have vouched for are there twice,
//! by each of the two, of which an older machine believes the one and a newer one the other; so one of them may be. Whoever needs the
//! choice at two places of one way isn't known to anybody, and each would double what is looked at.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use webpki::EndEntityCert;

/// How many certificates there may be between a server's and an authority's, for the library: as many as the longest way has.
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
        let way = following(end_entity, intermediates);
        verify_server_cert_signed_by_trust_anchor(&certificate, &self.roots, &way, now, self.algorithms.all)?;
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

/// The certificates that follow from a server's by the names of their issuers: the first of each name, and of one name the second too.
fn following<'c>(end_entity: &'c CertificateDer<'_>, sent: &'c [CertificateDer<'_>]) -> Vec<CertificateDer<'c>> {
    let Ok(first) = EndEntityCert::try_from(end_entity) else { return Vec::new() };
    let known = |sent: &'c CertificateDer<'_>| Some((sent.as_ref(), EndEntityCert::try_from(sent).ok()?));
    let known: Vec<_> = sent.iter().filter_map(known).collect();
    let mut issuers = vec![first.issuer()];
    let (mut way, mut met, mut twice) = (Vec::new(), 0, false);
    while let Some(issuer) = issuers.get(met).copied() {
        met += 1;
        let mut named: Vec<_> = known.iter().filter(|(_, certificate)| certificate.subject() == issuer).collect();
        // Whoever issued their own is believed anyway, or not at all, but for a new key that the same name's old one vouches for, which hardly
        // anybody sends.
        named.sort_by_key(|(_, certificate)| certificate.issuer() == certificate.subject());
        let mut named = named.into_iter();
        let Some((one, certificate)) = named.next() else { continue };
        let mut found = vec![(*one, certificate.issuer())];
        if !twice && let Some((other, certificate)) = named.find(|(other, _)| other != one) {
            twice = true;
            found.push((*other, certificate.issuer()));
        }
        for (certificate, issuer) in found {
            if way.len() < MOST {
                way.push(CertificateDer::from(certificate));
            }
            if !issuers.contains(&issuer) {
                issuers.push(issuer);
            }
        }
    }
    way
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
    use rustls::CertificateError;
    use rustls::pki_types::{AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm};

    use super::*;

    fn params(name: &str) -> CertificateParams {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params
    }

    fn key() -> KeyPair {
        KeyPair::generate().unwrap()
    }

    type Issuer = CertifiedIssuer<'static, KeyPair>;

    fn root(name: &str) -> Issuer {
        CertifiedIssuer::self_signed(params(name), key()).unwrap()
    }

    fn between(name: &str, above: &Issuer) -> Issuer {
        CertifiedIssuer::signed_by(params(name), key(), above).unwrap()
    }

    /// The certificate of another issuer of the same name and key.
    fn crossed(issuer: &Issuer, name: &str, above: &Issuer) -> CertificateDer<'static> {
        params(name).signed_by(issuer.key(), above).unwrap().der().clone()
    }

    fn leaf(above: &Issuer) -> CertificateDer<'static> {
        let leaf = CertificateParams::new(vec!["granted.example".to_owned()]).unwrap();
        leaf.signed_by(&key(), above).unwrap().der().clone()
    }

    thread_local! {
        static LOOKED_AT: Cell<usize> = const { Cell::new(0) };
    }

    /// How the library knows a signature, which is counted.
    #[derive(Debug)]
    struct Counted;

    impl SignatureVerificationAlgorithm for Counted {
        fn verify_signature(&self, key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), InvalidSignature> {
            LOOKED_AT.set(LOOKED_AT.get() + 1);
            webpki::ring::ECDSA_P256_SHA256.verify_signature(key, message, signature)
        }

        fn public_key_alg_id(&self) -> AlgorithmIdentifier {
            webpki::ring::ECDSA_P256_SHA256.public_key_alg_id()
        }

        fn signature_alg_id(&self) -> AlgorithmIdentifier {
            webpki::ring::ECDSA_P256_SHA256.signature_alg_id()
        }
    }

    /// Who believes these.
    fn believing(roots: &[&Issuer]) -> Arc<ShortChain> {
        let mut store = RootCertStore::empty();
        for root in roots {
            store.add(root.der().clone()).unwrap();
        }
        let signature_verification_algorithms = WebPkiSupportedAlgorithms {
            all: &[&Counted],
            mapping: &[(SignatureScheme::ECDSA_NISTP256_SHA256, &[&Counted])],
        };
        let provider = CryptoProvider { signature_verification_algorithms, ..rustls::crypto::ring::default_provider() };
        ShortChain::new(store, &provider)
    }

    /// Whether a server is believed that sends these after its own.
    fn verified(chain: &ShortChain, leaf: &CertificateDer<'_>, sent: &[CertificateDer<'_>]) -> Result<(), Error> {
        let name = ServerName::try_from("granted.example").unwrap();
        chain.verify_server_cert(leaf, sent, &name, &[], UnixTime::now()).map(drop)
    }

    const UNKNOWN: Result<(), Error> = Err(Error::InvalidCertificate(CertificateError::UnknownIssuer));

    #[test]
    fn of_the_certificates_that_a_server_sends_those_count_that_follow_from_its_own() {
        let root = root("root");
        let mut ways = vec![between("1", &root)];
        for number in 2..=MOST + 1 {
            ways.push(between(&number.to_string(), &ways[number - 2]));
        }
        // The last one's first.
        let sent: Vec<_> = ways.iter().rev().map(|issuer| issuer.der().clone()).collect();
        let believed = believing(&[&root]);
        assert_eq!(verified(&believed, &leaf(&ways[MOST - 1]), &sent[1..]), Ok(()));
        assert_eq!(verified(&believed, &leaf(&ways[MOST]), &sent), UNKNOWN, "one more than there may be");
        let leaf = leaf(&ways[1]);
        let mut reversed = sent.clone();
        reversed.reverse();
        assert_eq!(verified(&believed, &leaf, &reversed), Ok(()), "whatever their order");
        let other = self::root("other");
        let others = [vec![other.der().clone(); 100], sent].concat();
        assert_eq!(verified(&believed, &leaf, &others), Ok(()), "and whatever else there is");
        assert_eq!(verified(&believing(&[&other]), &leaf, &others), UNKNOWN);
        let elsewhere = ServerName::try_from("other.example").unwrap();
        assert!(believed.verify_server_cert(&leaf, &others, &elsewhere, &[], UnixTime::now()).is_err());
    }

    #[test]
    fn an_authority_that_others_have_vouched_for_is_believed_by_whoever_believes_one_of_them() {
        let (old, new) = (root("old"), root("new"));
        let middle = between("middle", &new);
        let leaf = leaf(&middle);
        // Whoever knows the new one needs no more than the first, and whoever doesn't is told who has vouched for it.
        let sent = [middle.der().clone(), crossed(&new, "new", &old)];
        assert_eq!([&new, &old].map(|known| verified(&believing(&[known]), &leaf, &sent)), [Ok(()), Ok(())]);
        // Some are told of both at once.
        let both = [middle.der().clone(), crossed(&middle, "middle", &old)];
        let others = [both[1].clone(), both[0].clone()];
        for sent in [both, others] {
            assert_eq!([&new, &old].map(|known| verified(&believing(&[known]), &leaf, &sent)), [Ok(()), Ok(())]);
        }
        // Where there is a choice below, it is for who doesn't know the new one, whatever it says of itself.
        let another = root("another");
        let sent =
            [middle.der().clone(), crossed(&middle, "middle", &another), new.der().clone(), crossed(&new, "new", &old)];
        let known = [&new, &old, &another];
        assert_eq!(known.map(|known| verified(&believing(&[known]), &leaf, &sent)), [Ok(()), Ok(()), Ok(())]);
    }

    /// Nothing that a limit of the caller's counts, and nobody can interrupt one.
    #[test]
    fn certificates_that_lead_nowhere_in_many_ways_take_few_signatures() {
        let (root, fake) = (root("root"), self::root("root"));
        let alike: Vec<_> = (0..MOST).map(|_| between("root", &fake).der().clone()).collect();
        // Whom each name is vouched for by: one another, and the authority's own.
        let names = ["root", "a", "b", "c"];
        let each_other: Vec<_> =
            names.iter().flat_map(|name| names.map(|above| between(name, &self::root(above)).der().clone())).collect();
        let believed = believing(&[&root]);
        for sent in [alike, each_other] {
            LOOKED_AT.set(0);
            assert!(verified(&believed, &leaf(&fake), &sent).is_err());
            let looked_at = LOOKED_AT.get();
            assert!((1..=7).contains(&looked_at), "{looked_at}");
        }
    }
}
