//! A password is offered hashed as well, for services that take nothing else. The hash is bcrypt in the spelling of the
//! native provider: version `2a`, cost 10, of the first 72 bytes at most.

use bcrypt::{BcryptError, Version};

use crate::entropy::{Entropy, NoEntropy};

/// The binary logarithm of the number of rounds.
const COST: u32 = 10;

/// Why there is no hash.
#[derive(Debug, thiserror::Error)]
pub enum HashError {
    /// No salt.
    #[error(transparent)]
    Salt(#[from] NoEntropy),
    /// The library refused.
    #[error("hash the password")]
    Bcrypt(#[from] BcryptError),
}

/// The hash of a password, with a salt of its own.
pub fn hash(password: &str) -> Result<String, HashError> {
    let salt = Entropy::new()?.array();
    Ok(bcrypt::hash_with_salt(password, COST, salt)?.format_for_version(Version::TwoA))
}

/// Whether a hash is one of the password.
pub fn belongs(hash: &str, password: &str) -> bool {
    bcrypt::verify(password, hash).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by `golang.org/x/crypto/bcrypt` v0.55.0, as which the native provider hashes.
    const GO: [(&str, &str); 3] = [
        ("ao75F", "$2a$10$pV9zNOcRHaEjK9lFq8ScQOR1EpGqUnqNd6GiBVz2RZDmv8Ul//xdK"),
        ("Grüße", "$2a$10$8U9AgctQBN9JVHFzGWthE.Q.bEGdLF1qCBr68aGHgiDhocm/kmmgy"),
        (
            "long long long long long long long long long long long long long long lo",
            "$2a$10$aQxUjA8oMfIINlFh2KJRe.XALwY9UVBKYnt8yg6AoVOmFpcueGBU.",
        ),
    ];

    #[test]
    fn hashes_are_in_the_usual_spelling_and_salted() {
        let hashes = [hash("correct horse").unwrap(), hash("correct horse").unwrap()];
        for hash in &hashes {
            assert!(hash.starts_with("$2a$10$"), "{hash}");
            assert_eq!(hash.len(), 60);
            assert!(belongs(hash, "correct horse"));
            assert!(!belongs(hash, "correct house"));
        }
        assert_ne!(hashes[0], hashes[1]);
    }

    #[test]
    fn hashes_made_by_go_are_understood() {
        for (password, hash) in GO {
            assert!(belongs(hash, password), "{password}");
        }
        let [.., (long, hash)] = GO;
        assert!(belongs(hash, &format!("{long}, and more")), "bytes from the 73rd on don't count");
        assert!(!belongs("not a hash", "password"));
    }
}
