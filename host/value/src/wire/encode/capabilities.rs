//! What a receiver takes.

/// The kinds of values that a receiver takes, as it said in its handshake and configuration, or as a method's definition
/// says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// Secrets. Otherwise sent as what they hold.
    pub secrets: bool,
    /// Resource references. Otherwise sent as their id, or as their URN if they have none.
    pub resources: bool,
    /// Outputs. Otherwise sent as a plain, a secret or an unknown value.
    pub outputs: bool,
    /// Byte strings. Otherwise an error.
    pub byte_strings: bool,
    /// Unknown values. Otherwise an error: outside of previews there are none.
    pub unknowns: bool,
}

impl Capabilities {
    /// Every kind that there is.
    pub const ALL: Self = Self { secrets: true, resources: true, outputs: true, byte_strings: true, unknowns: true };

    /// Only what JSON has words for, and assets.
    pub const NONE: Self =
        Self { secrets: false, resources: false, outputs: false, byte_strings: false, unknowns: false };
}
