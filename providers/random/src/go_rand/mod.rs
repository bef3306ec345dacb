//! Seeded results must equal the native provider's, value for value. That one seeds the generator of Go's `math/rand`,
//! whose stream is frozen, with a checksum of the user's seed. The same generator stands here, derived from its
//! recurrence. It is predictable by design: where no seed was given, it may not be used.

mod jump;
mod minimal_standard;
mod source;
mod stream;

pub use stream::Stream;
