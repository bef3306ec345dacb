//! The server's HTTP API: one file for each kind of thing it has, and [`Server`] for what the requests have in common.
//!
//! What the API says and how it says no is known here only. It decides nothing: what to ask and what an answer means for a resource is the
//! resources' part.

mod crypto_key;
mod escapes;
mod metadata;
mod problem;
mod record_set;
mod server;
mod switched_off;
mod tsig_key;
mod version;
mod zone;

pub use crypto_key::{CryptoKey, NewCryptoKey};
pub use problem::Problem;
pub use record_set::{Comment, Content, RecordSet};
pub use server::{About, Server};
pub use tsig_key::{TsigKey, TsigKeyChange};
pub use zone::{NewZone, Zone, ZoneChange};
