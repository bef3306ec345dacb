//! What a guest holds of what it asked an engine for: a number, which has a meaning during one call only.

#![expect(unreachable_pub, reason = "the generated bindings re-export them")]

/// A registration, reading or look-up under way.
#[derive(Debug)]
pub struct PendingResource(pub(crate) u32);

/// A call under way.
#[derive(Debug)]
pub struct PendingValue(pub(crate) u32);
