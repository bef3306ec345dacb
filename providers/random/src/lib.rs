//! The `random` provider.

pub mod bcrypt_hash;
pub mod characters;
pub mod draw;
pub mod encodings;
pub mod entropy;
pub mod go_rand;
pub mod import;
pub mod order;
pub mod pet;
pub mod range;
