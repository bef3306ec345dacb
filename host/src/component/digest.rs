//! The name under which components and what is known about them are kept.

use sha2::{Digest, Sha256};

/// The lower-case hexadecimal SHA-256 by which components are known.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
