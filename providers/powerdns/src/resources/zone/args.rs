//! [`ZoneArgs`]: what a program says of a zone, and which requests that makes.
//!
//! A zone is created bare and on record before anything else is set, since all that may fail for other reasons.

use std::collections::BTreeSet;

use bulkhead_sdk::{Enum, Error, Inputs, Result};

use super::kind::{ZoneKind, is_fetched, wire};
use crate::api::{self, Content, NewZone, Problem, Server, ZoneChange};
use crate::dns::{self, Name};
use crate::given;
use crate::resources::creation::{ZONE, made};
use crate::resources::record_set::keep_switched_off;
use crate::resources::words::without_quoted;

/// How long name servers may be kept by others if nothing else is known, in seconds.
const NAMESERVER_TTL: u32 = 3600;

/// A zone.
#[derive(Clone, Debug, Inputs)]
pub struct ZoneArgs {
    /// The zone's name, with or without a dot at the end.
    #[bulkhead(replace)]
    pub(super) name: String,
    /// Who has the records, and who hands them out.
    #[bulkhead(default = ZoneKind::Native)]
    pub(super) kind: ZoneKind,
    /// The names of the servers that hand the zone out: its own `NS` records. Left out, those that there are stay.
    #[bulkhead(empty_is_absent, output_default = None)]
    pub(super) nameservers: Option<Vec<String>>,
    /// Where a secondary zone comes from: addresses, perhaps with ports.
    #[bulkhead(empty_is_absent, output_default = None)]
    pub(super) masters: Option<Vec<String>>,
    /// Whether the zone is signed. The server makes a key, unless there is one. Left out, the zone stays as it is: keys that others made for
    /// it, or fetched with it, are theirs. To say `false` deletes all of its keys.
    #[bulkhead(output_default = None)]
    pub(super) dnssec: Option<bool>,
    /// How denials are hashed: `1 0 0 -`, say. Left out, they aren't (NSEC).
    #[bulkhead(empty_is_absent, output_default = None)]
    pub(super) nsec3param: Option<String>,
    /// Whether hashed denials are made for each question, so that nobody can list the zone.
    #[bulkhead(default = false)]
    pub(super) nsec3narrow: bool,
    /// How the serial is changed when the zone is signed: `INCEPTION-INCREMENT`, say.
    #[bulkhead(empty_is_absent, output_default = None)]
    pub(super) soa_edit: Option<String>,
    /// How the serial is changed by changes through this provider. Zones that are fetched from elsewhere keep the serial that they have there.
    #[bulkhead(default = "DEFAULT")]
    pub(super) soa_edit_api: String,
    /// Whether the server puts the order of names right after each change. Left out, the server's setting holds.
    #[bulkhead(output_default = None)]
    pub(super) api_rectify: Option<bool>,
    /// Whose the zone is.
    #[bulkhead(empty_is_absent, output_default = None, max_length = 40)]
    pub(super) account: Option<String>,
    /// The catalogue zone that the zone is a member of. Never given, the zone stays in the one that the server puts it into, if any.
    #[bulkhead(empty_is_absent, output_default = None)]
    pub(super) catalog: Option<String>,
    /// The ids of the TSIG keys with which the zone is handed out.
    #[bulkhead(empty_is_absent, output_default = None)]
    pub(super) master_tsig_key_ids: Option<Vec<String>>,
    /// The id of the TSIG key with which the zone is fetched. Servers use one.
    #[bulkhead(empty_is_absent, output_default = None)]
    pub(super) slave_tsig_key_ids: Option<Vec<String>>,
}

impl ZoneArgs {
    pub(super) fn parsed_name(&self) -> Result<Name> {
        Name::parse(&self.name).map_err(|error| Error::rejected("name", format!("must be a name: {error}")))
    }

    /// Creates the zone, unsigned: what may fail for other reasons comes later, when it is on record. Also says whether the server said that it
    /// did all of it.
    pub(super) fn create(&self, server: &Server, name: &Name) -> Result<(api::Zone, bool)> {
        let nameservers = names(self.nameservers.as_deref().unwrap_or_default());
        let zone = NewZone { name: name.as_str(), nameservers: &nameservers, settings: self.settings() };
        let attempt = server.create_zone(&zone);
        let is_whole = attempt.is_ok();
        let attempt = match attempt {
            // Some things it refuses only once it has made the zone.
            Err(refused @ Problem::Rejected(_)) => self.left_behind(server, name).ok().flatten().ok_or(refused),
            attempt => attempt,
        };
        // Only the server itself says so that it gave up. Where no answer came, or one of a gateway's, it may be in the middle of it.
        let is_over = matches!(attempt, Err(Problem::Status(500, _)));
        let look = || if is_over { self.left_behind(server, name) } else { server.zone(name.as_str()) };
        let zone = made(attempt, look, (ZONE, name.as_str()), rejected)?;
        Ok((zone, is_whole))
    }

    /// What is there of a zone after an attempt to create it that failed in the server. That makes a zone first, and all that is in it
    /// afterwards or not at all. One that has no records of its own then would never get its `SOA`: it wasn't there a moment ago, and goes.
    /// One of another kind is somebody else's.
    fn left_behind(&self, server: &Server, name: &Name) -> Result<Option<api::Zone>, Problem> {
        let found = server.zone_with_records(name.as_str())?;
        if found.as_ref().is_some_and(|found| wire(&found.kind) != wire(self.kind.text())) {
            return Err(Problem::Conflict);
        }
        if is_fetched(self.kind.text()) || found.as_ref().is_none_or(|found| !found.rrsets.is_empty()) {
            return Ok(found);
        }
        server.delete_zone(name.as_str())?;
        Ok(None)
    }

    /// What is set whether or not the zone is signed.
    pub(super) fn settings(&self) -> ZoneChange<'_> {
        // A serial that is counted on here is ahead of the primary's, and nothing is fetched any more.
        let counts = self.soa_edit_api != "OFF" && !is_fetched(self.kind.text());
        ZoneChange {
            kind: Some(wire(self.kind.text())),
            masters: Some(self.masters.as_deref().unwrap_or_default()),
            account: Some(self.account.as_deref().unwrap_or_default()),
            soa_edit: Some(self.soa_edit.as_deref().unwrap_or_default()),
            soa_edit_api: Some(if counts { &self.soa_edit_api } else { "" }),
            // Where it was never set the server says `false`, whatever its own setting has it do.
            api_rectify: self.api_rectify,
            ..ZoneChange::default()
        }
    }

    /// Sets what the zone refers to: its keys for transfers and its catalogue. That comes before the signature, with which a server forgets the
    /// keys of a zone that it hasn't fetched yet.
    pub(super) fn refer(&self, server: &Server, name: &Name, before: &api::Zone, leaves_catalog: bool) -> Result<()> {
        let keys = |ids: &Option<Vec<String>>| names(ids.as_deref().unwrap_or_default());
        let (handing_out, fetching) = (keys(&self.master_tsig_key_ids), keys(&self.slave_tsig_key_ids));
        let catalog = names(self.catalog.as_slice());
        let catalog = catalog.first().map_or("", String::as_str);
        let differ =
            |one: &[String], other: &[String]| !given::same_set(one, other, |one, other| given::same_name(one, other));
        let change = ZoneChange {
            catalog: Some(catalog).filter(|catalog| {
                (leaves_catalog || !catalog.is_empty()) && !given::same_name(catalog, &before.catalog)
            }),
            master_tsig_key_ids: Some(&*handing_out).filter(|keys| differ(keys, &before.master_tsig_key_ids)),
            slave_tsig_key_ids: Some(&*fetching).filter(|keys| differ(keys, &before.slave_tsig_key_ids)),
            ..ZoneChange::default()
        };
        if change == ZoneChange::default() {
            return Ok(());
        }
        server.change_zone(name.as_str(), &change).map_err(rejected)
    }

    /// Signs the zone, or stops it, if it is said and isn't so. What has its keys from elsewhere isn't touched: they can't be had again.
    pub(super) fn sign(&self, server: &Server, name: &Name, before: &api::Zone) -> Result<()> {
        let Some(signed) = self.dnssec else { return Ok(()) };
        let parameters = self.nsec3param.as_deref().unwrap_or_default();
        let denies_so = dns::is_same("NSEC3PARAM", parameters, &before.nsec3param)
            && (parameters.is_empty() || self.nsec3narrow == before.nsec3narrow);
        if signed == before.dnssec && (!signed || denies_so) {
            return Ok(());
        }
        let change = ZoneChange {
            dnssec: Some(signed).filter(|signed| *signed != before.dnssec),
            nsec3param: signed.then_some(parameters),
            nsec3narrow: (signed && !parameters.is_empty()).then_some(self.nsec3narrow),
            ..ZoneChange::default()
        };
        server.change_zone(name.as_str(), &change).map_err(rejected)
    }

    /// Sets the name servers, if they are given and others than there are.
    pub(super) fn name(&self, server: &Server, name: &Name) -> Result<()> {
        let Some(given) = self.nameservers.as_deref().filter(|given| !given.is_empty()) else { return Ok(()) };
        let found = server.record_set(name.as_str(), name.as_str(), "NS")?;
        let ttl = found.as_ref().map_or(NAMESERVER_TTL, |found| found.ttl);
        let found: Vec<String> = found.into_iter().flat_map(api::RecordSet::handed_out).collect();
        if given::same_set(given, &found, |given, found| given::same_name(given, found)) {
            return Ok(());
        }
        let own: BTreeSet<String> = names(given).into_iter().collect();
        let records = names(given).into_iter().map(|content| Content { content, disabled: false }).collect();
        let set = api::RecordSet { name: name.to_string(), kind: "NS".to_owned(), ttl, records, comments: None };
        Ok(server.revise_record_set(name.as_str(), &set, |set| keep_switched_off(server, name, set, &own))?)
    }

    /// A zone of which nothing but its name is said.
    pub(super) fn of(name: &Name) -> Self {
        Self {
            name: name.to_string(),
            kind: ZoneKind::Native,
            nameservers: None,
            masters: None,
            dnssec: None,
            nsec3param: None,
            nsec3narrow: false,
            soa_edit: None,
            soa_edit_api: "DEFAULT".to_owned(),
            api_rectify: None,
            account: None,
            catalog: None,
            master_tsig_key_ids: None,
            slave_tsig_key_ids: None,
        }
    }
}

/// Names with their dots.
fn names(given: &[String]) -> Vec<String> {
    given.iter().map(|name| Name::parse(name).map_or_else(|_| name.clone(), |name| name.to_string())).collect()
}

/// What the server refused, with the input that it talks about.
pub(super) fn rejected(problem: Problem) -> Error {
    let Some(said) = problem.rejection() else { return problem.into() };
    // Zones and keys have names of all kinds.
    let words = without_quoted(said, '\'');
    let says = |some: &[&str]| some.iter().any(|some| words.contains(some));
    let path = match () {
        () if says(&["Master (", "Primary ("]) => "masters",
        () if says(&["NSEC3"]) => "nsec3param",
        () if says(&["catalog", "Catalog"]) => "catalog",
        () if says(&["ameserver"]) => "nameservers",
        () if says(&["DNS Name", "unsupported character"]) => "name",
        () => return problem.into(),
    };
    let reason = said.rsplit_once(": ").map_or(said, |(_, reason)| reason);
    Error::rejected(path, format!("is refused by the server: {reason}"))
}
