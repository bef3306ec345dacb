//! The resources, one in each file. Each checks what it is given, says what the API is asked in which order, and
//! recognises what it finds there as what it was given.

mod crypto_key;
mod record_set;
mod tsig_key;
mod zone;
mod zone_metadata;

pub use crypto_key::{CryptoKey, CryptoKeyArgs, KeyType};
pub use record_set::{Comment, RecordSet, RecordSetArgs, RecordSetQuery};
pub use tsig_key::{TsigAlgorithm, TsigKey, TsigKeyArgs};
pub(crate) use zone::kind_of;
pub use zone::{Zone, ZoneArgs, ZoneKind, ZoneQuery};
pub use zone_metadata::{ZoneMetadata, ZoneMetadataArgs};

use bulkhead_sdk::Error;

/// What to say about something that the server has although nobody here made it.
fn exists(what: &str, id: &str) -> Error {
    Error::failed(format!("the server has this {what} already\nhint: import it with the id `{id}`"))
}

/// What to say about something that is gone.
fn gone(what: &str) -> Error {
    Error::failed(format!(
        "the server doesn't have this {what} any more\nhint: `pulumi refresh` says what else is gone"
    ))
}

/// What to say about something in a zone that isn't there.
fn no_zone() -> Error {
    Error::rejected("zone", "must be a zone of the server\nhint: if it is, `powerdns:serverId` isn't the server's")
}
