//! The ids of what lies in a zone: `example.org.:www.example.org.:A` and the like. People type them to import.

use std::fmt;

use bulkhead_sdk::{Error, Result};

use crate::dns::{self, Name};

/// The id of a record set: zone, name and type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordSetId {
    /// The zone.
    pub zone: Name,
    /// The full name.
    pub name: Name,
    /// The type, as the server calls it.
    pub kind: String,
}

/// The id of something in a zone that has a name of its own: `example.org.:ALSO-NOTIFY`, `example.org.:12`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InZone<T> {
    /// The zone.
    pub zone: Name,
    /// What it is called there.
    pub what: T,
}

impl RecordSetId {
    /// Reads an id, dots at the ends of names left out or not, the name relative to the zone or not.
    pub fn parse(id: &str) -> Result<Self> {
        let wrong =
            || Error::failed("the id of a record set is `zone:name:type`, such as `example.org.:www.example.org.:A`");
        let (zone, rest) = id.split_once(':').ok_or_else(wrong)?;
        let (name, kind) = rest.rsplit_once(':').ok_or_else(wrong)?;
        let zone = Name::parse(zone).map_err(|_| wrong())?;
        let name = Name::in_zone(name, &zone).map_err(|_| wrong())?;
        if kind.is_empty() { Err(wrong()) } else { Ok(Self { zone, name, kind: dns::type_name(kind) }) }
    }
}

impl InZone<String> {
    /// Reads the id of a kind of metadata.
    pub fn kind(id: &str) -> Result<Self> {
        let wrong = || Error::failed("the id of zone metadata is `zone:kind`, such as `example.org.:ALSO-NOTIFY`");
        let (zone, kind) = id.split_once(':').filter(|(_, kind)| !kind.is_empty()).ok_or_else(wrong)?;
        Ok(Self { zone: Name::parse(zone).map_err(|_| wrong())?, what: kind.to_owned() })
    }
}

impl InZone<u32> {
    /// Reads the id of a key.
    pub fn number(id: &str) -> Result<Self> {
        let wrong = || Error::failed("the id of a zone's key is `zone:number`, such as `example.org.:1`");
        let (zone, number) = id.split_once(':').ok_or_else(wrong)?;
        Ok(Self { zone: Name::parse(zone).map_err(|_| wrong())?, what: number.parse().map_err(|_| wrong())? })
    }
}

impl fmt::Display for RecordSetId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.zone, self.name, self.kind)
    }
}

impl<T: fmt::Display> fmt::Display for InZone<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.zone, self.what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_forgiving_and_come_out_in_one_spelling() {
        for id in ["example.org.:www.example.org.:A", "Example.org:www:a", "example.org:WWW.example.org:A"] {
            assert_eq!(RecordSetId::parse(id).unwrap().to_string(), "example.org.:www.example.org.:A", "{id}");
        }
        for id in ["example.org:@:soa", "example.org:@:TYPE6"] {
            assert_eq!(RecordSetId::parse(id).unwrap().to_string(), "example.org.:example.org.:SOA", "{id}");
        }
        assert_eq!(InZone::kind("example.org:X-A:B").unwrap().to_string(), "example.org.:X-A:B");
        assert_eq!(InZone::number("example.org:12").unwrap().to_string(), "example.org.:12");
    }

    #[test]
    fn ids_of_others_are_told_what_they_should_be() {
        for id in [
            "",
            "example.org.",
            "example.org.:www",
            "example.org.:www.example.org.:",
            "example.org.:www.example.com.:A",
        ] {
            let error = RecordSetId::parse(id).unwrap_err().to_string();
            assert!(error.contains("`zone:name:type`"), "{id}: {error}");
        }
        assert!(InZone::kind("example.org.:").unwrap_err().to_string().contains("`zone:kind`"));
        assert!(InZone::number("example.org.:one").unwrap_err().to_string().contains("`zone:number`"));
    }
}
