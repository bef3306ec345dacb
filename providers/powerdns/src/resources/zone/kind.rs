//! [`ZoneKind`], and what the API calls it.

use bulkhead_sdk::{Enum, Error, Result};

/// Who has a zone's records, and who hands them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum ZoneKind {
    /// The server's database has them; other servers get them by copies of the database.
    #[bulkhead(rename = "Native")]
    Native,
    /// The server has them, and tells its secondaries of changes.
    #[bulkhead(rename = "Master")]
    Master,
    /// The same as `Master`.
    #[bulkhead(rename = "Primary")]
    Primary,
    /// The server fetches them from primaries.
    #[bulkhead(rename = "Slave")]
    Slave,
    /// The same as `Slave`.
    #[bulkhead(rename = "Secondary")]
    Secondary,
    /// A catalogue of zones that the server hands out.
    #[bulkhead(rename = "Producer")]
    Producer,
    /// A catalogue of zones that the server fetches.
    #[bulkhead(rename = "Consumer")]
    Consumer,
}

/// The kind as the API calls it.
pub(super) fn wire(kind: &str) -> &str {
    match kind {
        "Primary" => "Master",
        "Secondary" => "Slave",
        other => other,
    }
}

/// Whether the records of a zone of this kind come from elsewhere, and its serial with them.
pub(super) fn is_fetched(kind: &str) -> bool {
    matches!(wire(kind), "Slave" | "Consumer")
}

/// The kind that the API calls so.
pub(crate) fn kind_of(text: &str) -> Result<ZoneKind> {
    Ok(match text {
        "Native" => ZoneKind::Native,
        "Master" => ZoneKind::Master,
        "Primary" => ZoneKind::Primary,
        "Slave" => ZoneKind::Slave,
        "Secondary" => ZoneKind::Secondary,
        "Producer" => ZoneKind::Producer,
        "Consumer" => ZoneKind::Consumer,
        _ => return Err(Error::failed("the zone is of a kind that this provider doesn't know")),
    })
}
