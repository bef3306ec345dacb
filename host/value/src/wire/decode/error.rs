//! Why bytes are no value, said without showing a value.

use std::fmt;

use crate::{Kind, PropertyPath, wire::reader};

/// Bytes that are no value, and where.
///
/// The path ends at the outermost secret or output on the way, as names inside a secret are part of the secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("decode {}", self.located())]
pub struct DecodeError {
    /// The property; the root if it is the message as a whole.
    pub path: PropertyPath,
    /// What is wrong there.
    pub fault: Fault,
}

impl DecodeError {
    /// Where and what, for whoever says already that something is decoded.
    pub fn located(&self) -> impl fmt::Display {
        format!("{}: {}", self.path.described(), self.fault)
    }
}

/// What is wrong with a value on the wire.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The bytes end inside a field, or a length is greater than what follows.
    #[error("the message is cut short")]
    Truncated,
    /// An integer of more than 64 bits.
    #[error("an integer in the message is too long")]
    Varint,
    /// A field without a valid number.
    #[error("a field has an invalid number")]
    FieldNumber,
    /// A field of another type than the message's definition says, or of a type that isn't in use.
    #[error("a field has the wrong wire type")]
    WireType,
    /// A string or a key that isn't UTF-8.
    #[error("a string isn't UTF-8; hint: such strings are sent as byte strings")]
    Utf8,
    /// A value of none of the kinds there are.
    #[error("the value has no kind; hint: null is a kind of its own")]
    NoKind,
    /// The value is nested too deeply.
    #[error(
        "it is nested more than {limit} levels deep; hint: this is fixed: pass what is so deep as a text, such as JSON"
    )]
    TooDeep {
        /// The limit, in levels.
        limit: usize,
    },
    /// There are too many values.
    #[error("there are more than {limit} values; hint: this is fixed: pass so many as an asset, or as a text")]
    TooManyNodes {
        /// The limit, in values.
        limit: usize,
    },
    /// There are too many bytes.
    #[error("it has {bytes} bytes, more than {limit}; hint: this is fixed: pass large contents as an asset")]
    TooLarge {
        /// How many bytes there are.
        bytes: usize,
        /// The limit, in bytes.
        limit: usize,
    },
    /// An object's signature is none that this version knows, or no string at all.
    #[error(
        "the object's signature is of no known kind; hint: `4dabf18193072939515e22adb298388d` can't be a key of a plain object"
    )]
    Signature,
    /// The properties of a request are not a plain object.
    #[error("the properties are {found} instead of an object")]
    NotProperties {
        /// What they are.
        found: Kind,
    },
    /// A member of an archive that is neither an asset nor an archive.
    #[error("a member of an archive must be an asset or an archive, this one is {found}")]
    StrayMember {
        /// What it is.
        found: Kind,
    },
    /// An object that has the signature of a kind, but not its members.
    #[error("in {kind}, {problem}")]
    Malformed {
        /// What the signature says it is.
        kind: Kind,
        /// What is wrong with it.
        problem: Problem,
    },
}

/// What is wrong with the members of an object with a signature.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A member that has to be there isn't.
    #[error("`{member}` is missing")]
    Missing {
        /// The member.
        member: &'static str,
    },
    /// A member of the wrong kind.
    #[error("`{member}` is {found} instead of {expected}")]
    WrongKind {
        /// The member.
        member: &'static str,
        /// What it has to be.
        expected: Kind,
        /// What it is.
        found: Kind,
    },
    /// More than one source.
    #[error("both `{first}` and `{second}` are given")]
    TwoSources {
        /// One source.
        first: &'static str,
        /// The other one.
        second: &'static str,
    },
    /// A byte string that can't be read.
    #[error("`value` isn't base64")]
    Base64,
}

impl From<reader::Fault> for Fault {
    fn from(fault: reader::Fault) -> Self {
        match fault {
            reader::Fault::Truncated => Self::Truncated,
            reader::Fault::Varint => Self::Varint,
            reader::Fault::FieldNumber => Self::FieldNumber,
            reader::Fault::WireType => Self::WireType,
            reader::Fault::Utf8 => Self::Utf8,
        }
    }
}
