//! Why a value can't be sent, said without showing it.

use crate::{Kind, PropertyPath};

/// A value that can't be sent, and where it is.
///
/// The path ends at the outermost secret or output on the way, as names inside a secret are part of the secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("encode {}: {refusal}", path.described())]
pub struct EncodeError {
    /// The property.
    pub path: PropertyPath,
    /// Why it can't be sent.
    pub refusal: Refusal,
}

/// Why a value can't be sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The receiver takes no unknown values.
    #[error("an unknown value can't be sent here; hint: unknown values exist only in previews")]
    Unknown,
    /// The receiver takes no byte strings.
    #[error("the receiver takes no byte strings; hint: encode the bytes as text, for instance base64")]
    Bytes,
    /// An object has the key that marks other kinds.
    #[error("an object can't have the key `4dabf18193072939515e22adb298388d`; hint: it is reserved, rename the key")]
    Key,
    /// A string is one of the sentinels for unknown values.
    #[error("a string is one of those that stand for unknown values; hint: send an unknown value instead")]
    Sentinel,
    /// An asset or archive without a source and without a hash would be read back as an empty one.
    #[error("{kind} has neither contents nor a hash")]
    Hollow {
        /// Which of the two it is.
        kind: Kind,
    },
    /// A member of an archive that is neither an asset nor an archive.
    #[error("a member of an archive must be an asset or an archive, this one is {found}")]
    StrayMember {
        /// What it is.
        found: Kind,
    },
}
