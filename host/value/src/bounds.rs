//! How large a value may be before it is refused.

/// Limits on a value from outside. A value at a limit passes, one past it is a clean error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Levels of nesting on the wire; a plain string has one, a list of strings or a secret string two. 1,024 by default.
    pub depth: usize,
    /// Values in all, counted as they stand on the wire: a secret is its object, its signature and what it holds. Two
    /// million by default.
    pub nodes: usize,
    /// Bytes of the encoded form. 256 MiB by default.
    pub bytes: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { depth: 1_024, nodes: 2_000_000, bytes: 256 << 20 }
    }
}
