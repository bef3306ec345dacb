//! Contents of assets and archives, on the machine of the program.
//!
//! A path means nothing inside a sandbox, and a host that opened whatever path a guest names would be no sandbox. So what is opened
//! here was named by the engine's request; who asks sees to that. This module in turn trusts no file: only regular ones are
//! read, nothing leads out of a directory, archives are unpacked within bounds, and what doesn't have its recorded hash any more
//! is refused. It blocks, and belongs on a thread that may; it knows neither sandbox nor protocol. What lies on
//! other machines is fetched by whoever asks (`remote.rs`).

mod access;
mod archive;
mod blob;
mod directory;
mod error;
mod file;
mod links;
mod name;
mod open;
mod remote;
mod spool;
mod tarball;
mod texts;
mod uri;
mod zipped;

pub use access::AssetLimits;
pub(crate) use access::{Access, Lender, Progress};
pub(crate) use archive::Reader;
pub(crate) use blob::Blob;
pub(crate) use error::AssetError;
pub(crate) use file::Held;
pub(crate) use links::Guarded;
pub(crate) use open::{open_archive, open_asset};
pub(crate) use remote::Remote;
pub(crate) use texts::Room;

#[cfg(test)]
mod tests;
