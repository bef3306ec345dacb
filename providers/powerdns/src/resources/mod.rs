//! The resources, one in each file. Each checks what it is given, says what the API is asked in which order, and
//! recognises what it finds there as what it was given. What they share is how they are read, created and changed.

mod change;
mod creation;
mod crypto_key;
mod reading;
mod record_set;
mod tsig_key;
mod words;
mod zone;
mod zone_metadata;

pub use crypto_key::{CryptoKey, CryptoKeyArgs, KeyType};
pub use record_set::{Comment, RecordSet, RecordSetArgs, RecordSetQuery};
pub use tsig_key::{TsigAlgorithm, TsigKey, TsigKeyArgs};
pub(crate) use zone::kind_of;
pub use zone::{Zone, ZoneArgs, ZoneKind, ZoneQuery};
pub use zone_metadata::{ZoneMetadata, ZoneMetadataArgs};
