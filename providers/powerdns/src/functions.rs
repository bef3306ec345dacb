//! The functions: what the server has, for programs that don't manage it.

use bulkhead_sdk::{Error, Inputs, Object, Result, State, function};

use crate::api;
use crate::dns::{self, Name};
use crate::resources::{Comment, ZoneKind, ZoneQuery, kind_of};
use crate::settings::Settings;

/// What the server is.
#[derive(State)]
pub struct About {
    /// The server's id in its API.
    id: String,
    /// What kind of server it is: `authoritative`.
    daemon_type: String,
    /// The server's version.
    version: String,
}

/// What the server is.
#[function(token = "powerdns:index:getServer")]
pub fn get_server(config: &Settings) -> Result<About> {
    let about = config.server()?.about()?;
    Ok(About { id: about.id, daemon_type: about.daemon_type, version: about.version })
}

/// Which zone.
#[derive(Inputs)]
pub struct GetZoneArgs {
    /// The zone's name, with or without a dot at the end.
    name: String,
}

/// A zone as the server has it.
#[derive(State)]
pub struct FoundZone {
    /// The zone's name, with a dot at the end.
    name: String,
    /// Who has the records, and who hands them out.
    kind: ZoneKind,
    /// The zone's serial.
    serial: u32,
    /// Whether the zone is signed.
    dnssec: bool,
    /// Where a secondary zone comes from.
    masters: Vec<String>,
    /// Whose the zone is; empty if nobody's.
    account: String,
    /// The catalogue that the zone is a member of; empty if it is in none.
    catalog: String,
    /// The names of the servers that hand the zone out.
    nameservers: Vec<String>,
    /// The contents of the `DS` records that the zone above needs.
    ds_records: Vec<String>,
}

/// Looks up a zone.
#[function(token = "powerdns:index:getZone")]
pub fn get_zone(arguments: GetZoneArgs, config: &Settings) -> Result<FoundZone> {
    let name = parse(&arguments.name, "name")?;
    let server = config.server()?;
    let Some(zone) = server.zone(name.as_str())? else { return Err(no_zone()) };
    let nameservers = server.record_set(name.as_str(), name.as_str(), "NS")?;
    let keys = if zone.dnssec { server.crypto_keys(name.as_str())? } else { Vec::new() };
    let keys = keys.into_iter().filter(|key| key.published && key.keytype != "zsk");
    Ok(FoundZone {
        kind: kind_of(&zone.kind)?,
        name: zone.name,
        serial: zone.serial,
        dnssec: zone.dnssec,
        masters: zone.masters,
        account: zone.account,
        catalog: zone.catalog,
        nameservers: nameservers.into_iter().flat_map(api::RecordSet::handed_out).collect(),
        ds_records: keys.flat_map(|key| key.ds).collect(),
    })
}

/// Which zones.
#[derive(Inputs)]
pub struct GetZonesArgs {
    /// The kind; all if left out.
    kind: Option<ZoneKind>,
    /// Whose they are; anybody's if left out.
    account: Option<String>,
    /// A name at which or below which they are; any if left out.
    below: Option<String>,
}

/// Zones that the server has.
#[derive(State)]
pub struct FoundZones {
    /// The zones, in the order of their names.
    zones: Vec<ZoneSummary>,
}

/// A zone, in short.
#[derive(Object)]
pub struct ZoneSummary {
    /// The zone's name, with a dot at the end.
    name: String,
    /// Who has the records, and who hands them out.
    kind: ZoneKind,
    /// The zone's serial.
    serial: u32,
    /// Whether the zone is signed.
    dnssec: bool,
    /// Whose the zone is; empty if nobody's.
    account: String,
}

/// Looks up zones: all, or some.
#[function(token = "powerdns:index:getZones")]
pub fn get_zones(arguments: GetZonesArgs, config: &Settings) -> Result<FoundZones> {
    let query = ZoneQuery::new(arguments.kind, arguments.account, arguments.below);
    let summary = |zone: api::Zone| {
        let kind = kind_of(&zone.kind)?;
        Ok(ZoneSummary { name: zone.name, kind, serial: zone.serial, dnssec: zone.dnssec, account: zone.account })
    };
    let zones = query.find(config.server()?)?.into_iter().map(summary);
    Ok(FoundZones { zones: zones.collect::<Result<_>>()? })
}

/// Which record set.
#[derive(Inputs)]
pub struct GetRecordSetArgs {
    /// The zone.
    zone: String,
    /// The name: full, relative to the zone, or `@` for the zone's own.
    name: String,
    /// The type.
    #[bulkhead(rename = "type")]
    kind: String,
}

/// The records of one name and type.
#[derive(State)]
pub struct FoundRecordSet {
    /// How long the records may be kept by others, in seconds.
    ttl: u32,
    /// The contents of the records that are handed out.
    records: Vec<String>,
    /// The contents of the records that are switched off.
    disabled: Vec<String>,
    /// What is remembered about the records.
    comments: Vec<Comment>,
}

/// Looks up the records of one name and type.
#[function(token = "powerdns:index:getRecordSet")]
pub fn get_record_set(arguments: GetRecordSetArgs, config: &Settings) -> Result<FoundRecordSet> {
    let zone = parse(&arguments.zone, "zone")?;
    let name = Name::in_zone(&arguments.name, &zone)
        .map_err(|error| Error::rejected("name", format!("must be a name: {error}")))?;
    let kind = arguments.kind.to_ascii_uppercase();
    let server = config.server()?;
    let found = server.record_set(zone.as_str(), name.as_str(), &kind)?;
    let found = found.ok_or_else(|| Error::not_found("the server has no such records"))?;
    let disabled = server.switched_off(zone.as_str(), name.as_str(), &kind)?;
    let comments = found.comments.clone().unwrap_or_default();
    Ok(FoundRecordSet {
        ttl: found.ttl,
        records: found.handed_out().collect(),
        disabled: disabled.into_iter().map(|record| record.content).collect(),
        comments: comments.into_iter().map(Comment::of).collect(),
    })
}

/// Which records.
#[derive(Inputs)]
pub struct GetRecordsArgs {
    /// The zone.
    zone: String,
    /// The type; all if left out.
    #[bulkhead(rename = "type")]
    kind: Option<String>,
    /// A name at which or below which they are, full or relative to the zone; any if left out.
    below: Option<String>,
}

/// Records of a zone.
#[derive(State)]
pub struct FoundRecords {
    /// The records, in the order of their names and types.
    record_sets: Vec<FoundSet>,
}

/// The records of one name and type.
#[derive(Object)]
pub struct FoundSet {
    /// The full name, with a dot at the end.
    name: String,
    /// The type.
    #[bulkhead(rename = "type")]
    kind: String,
    /// How long the records may be kept by others, in seconds.
    ttl: u32,
    /// The contents of the records that are handed out.
    records: Vec<String>,
}

/// Looks up records of a zone: all that are handed out, or some.
#[function(token = "powerdns:index:getRecords")]
pub fn get_records(arguments: GetRecordsArgs, config: &Settings) -> Result<FoundRecords> {
    let zone = parse(&arguments.zone, "zone")?;
    let below = match &arguments.below {
        Some(below) => {
            Name::in_zone(below, &zone).map_err(|error| Error::rejected("below", format!("must be a name: {error}")))?
        }
        None => zone.clone(),
    };
    let found = config.server()?.zone_with_records(zone.as_str())?.ok_or_else(no_zone)?;
    let wanted = |set: &api::RecordSet| {
        arguments.kind.as_ref().is_none_or(|kind| dns::is_same_type(kind, &set.kind))
            && Name::parse(&set.name).is_ok_and(|name| name.is_within(&below))
    };
    let mut record_sets: Vec<FoundSet> = found
        .rrsets
        .into_iter()
        .filter(wanted)
        .map(|set| FoundSet {
            name: set.name.clone(),
            kind: set.kind.clone(),
            ttl: set.ttl,
            records: set.handed_out().collect(),
        })
        .filter(|set| !set.records.is_empty())
        .collect();
    record_sets.sort_by(|one, other| (&one.name, &one.kind).cmp(&(&other.name, &other.kind)));
    Ok(FoundRecords { record_sets })
}

fn parse(text: &str, path: &str) -> Result<Name> {
    Name::parse(text).map_err(|error| Error::rejected(path, format!("must be a name: {error}")))
}

fn no_zone() -> Error {
    Error::not_found("the server has no such zone")
}
