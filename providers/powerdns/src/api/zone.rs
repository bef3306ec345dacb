//! Zones.

use bulkhead_sdk::http::Method;
use serde::{Deserialize, Deserializer, Serialize};

use super::record_set::RecordSet;
use super::server::{request, zone_id, zone_name};
use super::{Problem, Server};

/// A zone as the server has it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Zone {
    /// Its name, with a dot at the end.
    pub name: String,
    /// `Native`, `Master`, `Slave`, `Producer` or `Consumer`.
    pub kind: String,
    /// Its serial.
    pub serial: u32,
    /// The serial that secondaries see once the zone is signed.
    pub edited_serial: u32,
    /// The serial that secondaries were last told of.
    pub notified_serial: u32,
    /// The primaries of a secondary zone: addresses, perhaps with ports.
    pub masters: Vec<String>,
    /// Whether it is signed.
    pub dnssec: bool,
    /// What denials are hashed with; empty means that they aren't.
    pub nsec3param: String,
    /// Whether denials are made for each question.
    pub nsec3narrow: bool,
    /// How the serial is changed when the zone is signed.
    pub soa_edit: String,
    /// How the serial is changed by the API.
    pub soa_edit_api: String,
    /// Whether the API puts the zone's order right.
    pub api_rectify: bool,
    /// Whose it is.
    pub account: String,
    /// The catalogue that it is a member of.
    pub catalog: String,
    /// The names of the keys with which it is handed out.
    #[serde(deserialize_with = "names")]
    pub master_tsig_key_ids: Vec<String>,
    /// The names of the keys with which it is fetched.
    #[serde(deserialize_with = "names")]
    pub slave_tsig_key_ids: Vec<String>,
    /// Its record sets, where they were asked for.
    pub rrsets: Vec<RecordSet>,
}

/// Ids, as the names that they stand for: the API takes names, and ids only as it spells them itself.
fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(Vec::<String>::deserialize(deserializer)?.iter().map(|id| zone_name(id)).collect())
}

/// A zone to create.
#[derive(Debug, Serialize)]
pub struct NewZone<'a> {
    /// Its name, with a dot at the end.
    pub name: &'a str,
    /// The names of its servers, with dots at their ends.
    pub nameservers: &'a [String],
    /// What else is said.
    #[serde(flatten)]
    pub settings: ZoneChange<'a>,
}

/// Settings of a zone; those that aren't said stay as they are.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "they are those of `Zone`")]
pub struct ZoneChange<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub masters: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub catalog: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soa_edit: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soa_edit_api: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_rectify: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dnssec: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nsec3param: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nsec3narrow: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub master_tsig_key_ids: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slave_tsig_key_ids: Option<&'a [String]>,
}

impl Server {
    /// All zones, without their records and some of their settings.
    pub fn zones(&self) -> Result<Vec<Zone>, Problem> {
        // A server without zones still has the list.
        self.get(self.url(["zones"]))?.ok_or(Problem::NoServer)
    }

    /// A zone without its records; none if there is none.
    pub fn zone(&self, name: &str) -> Result<Option<Zone>, Problem> {
        self.get(self.url(["zones", &zone_id(name)]).query("rrsets", "false"))
    }

    /// A zone with all its records; none if there is none.
    pub fn zone_with_records(&self, name: &str) -> Result<Option<Zone>, Problem> {
        self.get(self.url(["zones", &zone_id(name)]))
    }

    /// Creates a zone.
    pub fn create_zone(&self, zone: &NewZone<'_>) -> Result<Zone, Problem> {
        self.post_to_list(self.url(["zones"]).query("rrsets", "false"), zone)
    }

    /// Changes a zone's settings.
    pub fn change_zone(&self, name: &str, change: &ZoneChange<'_>) -> Result<(), Problem> {
        let put = request(Method::Put, self.url(["zones", &zone_id(name)]), change)?;
        // A server that is slow to sign doesn't see at a second request that it does, and makes a second key.
        let makes_key = change.dnssec == Some(true);
        self.change(&put.idempotent(!makes_key)).map(drop)
    }

    /// Deletes a zone with all that is in it, if it is there.
    pub fn delete_zone(&self, name: &str) -> Result<(), Problem> {
        self.delete(self.url(["zones", &zone_id(name)]), || Ok(self.zone(name)?.is_some()))
    }
}
