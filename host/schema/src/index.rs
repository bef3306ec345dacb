//! A package in a form that is cheap to read again.
//!
//! The largest schemas have tens of megabytes, and to parse one takes seconds and hundreds of megabytes, at each start of a
//! provider of which a command uses a dozen resources. Here a package that was parsed becomes bytes that can be kept, and comes
//! back from them with its resources, functions and types still encoded, each decoded when it is asked for.
//!
//! What comes back is what was parsed, or nothing: bytes that are damaged, of another version, or of other documents are no
//! index, whoever wrote them, and the schema is parsed again. Where bytes are kept isn't decided here.

mod code;
mod members;
mod read;
mod write;

pub use read::read;
pub use write::write;

use sha2::{Digest, Sha256};

/// How the bytes are put together, and what parsing makes of a schema. To be raised with every change of either: of the former a
/// test knows, of the latter only who changes it.
const FORMAT: u64 = 9;

/// What an index begins with.
const MAGIC: &[u8; 14] = b"bulkhead index";

/// What a seal measures, bytes.
const SEAL: usize = 32;

/// The documents that a package was read from, by their digests: an index counts for these very documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin([u8; SEAL]);

impl Origin {
    /// The origin of what was read from these documents.
    pub fn of<const COUNT: usize>(documents: [&[u8]; COUNT]) -> Self {
        let mut all = Sha256::new();
        for document in documents {
            all.update(Sha256::digest(document));
        }
        Self(all.finalize().into())
    }
}

/// What shows that the bytes are all there, and as they were written.
fn seal(bytes: &[u8]) -> [u8; SEAL] {
    Sha256::digest(bytes).into()
}

#[cfg(test)]
mod tests;
