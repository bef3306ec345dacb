//! [`ZoneArgs`]: what a program says of a zone, and which requests that makes.
//!
//! A zone is created bare and on record before anything else is set, since all that may fail for other reasons.

use bulkhead_sdk::{Enum, Error, Inputs, Result};

use super::kind::{ZoneKind, wire};
use crate::api::{self, Content, NewZone, Problem, Server, ZoneChange};
use crate::dns::Name;
use crate::given;
use crate::resources::creation::made;

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
    /// Whether the zone is signed. The server makes a key, unless there is one.
    #[bulkhead(default = false)]
    pub(super) dnssec: bool,
    /// How denials are hashed: `1 0 0 -`, say. Left out, they aren't (NSEC).
    #[bulkhead(empty_is_absent, output_default = None)]
    pub(super) nsec3param: Option<String>,
    /// Whether hashed denials are made for each question, so that nobody can list the zone.
    #[bulkhead(default = false)]
    pub(super) nsec3narrow: bool,
    /// How the serial is changed when the zone is signed: `INCEPTION-INCREMENT`, say.
    #[bulkhead(empty_is_absent, output_default = None)]
    pub(super) soa_edit: Option<String>,
    /// How the serial is changed by changes through this provider.
    #[bulkhead(default = "DEFAULT")]
    pub(super) soa_edit_api: String,
    /// Whether the server puts the order of names right after each change. Left out, the server's setting holds.
    #[bulkhead(output_default = None)]
    pub(super) api_rectify: Option<bool>,
    /// Whose the zone is.
    #[bulkhead(empty_is_absent, output_default = None, max_length = 40)]
    pub(super) account: Option<String>,
    /// The catalogue zone that the zone is a member of.
    #[bulkhead(empty_is_absent, output_default = None)]
    pub(super) catalog: Option<String>,
    /// The ids of the TSIG keys with which the zone is handed out.
    #[bulkhead(empty_is_absent, output_default = None)]
    pub(super) master_tsig_key_ids: Option<Vec<String>>,
    /// The ids of the TSIG keys with which the zone is fetched.
    #[bulkhead(empty_is_absent, output_default = None)]
    pub(super) slave_tsig_key_ids: Option<Vec<String>>,
}

impl ZoneArgs {
    pub(super) fn parsed_name(&self) -> Result<Name> {
        Name::parse(&self.name).map_err(|error| Error::rejected("name", format!("must be a name: {error}")))
    }

    /// Creates the zone, unsigned: what may fail for other reasons comes later, when it is on record.
    pub(super) fn create(&self, server: &Server, name: &Name) -> Result<()> {
        let nameservers = names(self.nameservers.as_deref().unwrap_or_default());
        let zone = NewZone {
            name: name.as_str(),
            nameservers: &nameservers,
            settings: ZoneChange { api_rectify: self.api_rectify, ..self.settings(false) },
        };
        let attempt = server.create_zone(&zone);
        made(attempt, || server.zone(name.as_str()), ("zone", name.as_str()), rejected).map(drop)
    }

    /// What is set whether or not the zone is signed.
    pub(super) fn settings(&self, api_rectify: bool) -> ZoneChange<'_> {
        ZoneChange {
            kind: Some(wire(self.kind.text())),
            masters: Some(self.masters.as_deref().unwrap_or_default()),
            account: Some(self.account.as_deref().unwrap_or_default()),
            soa_edit: Some(self.soa_edit.as_deref().unwrap_or_default()),
            soa_edit_api: Some(if self.soa_edit_api == "OFF" { "" } else { &self.soa_edit_api }),
            api_rectify: self.api_rectify.filter(|wanted| *wanted != api_rectify),
            ..ZoneChange::default()
        }
    }

    /// Sets what needs the zone to exist: its signature, its keys, its catalogue.
    pub(super) fn secure(&self, server: &Server, name: &Name, is_new: bool, is_unsigned: bool) -> Result<()> {
        let keys = |ids: &Option<Vec<String>>| names(ids.as_deref().unwrap_or_default());
        let (handing_out, fetching) = (keys(&self.master_tsig_key_ids), keys(&self.slave_tsig_key_ids));
        let catalog = names(self.catalog.as_slice());
        if is_new && !self.dnssec && handing_out.is_empty() && fetching.is_empty() && catalog.is_empty() {
            return Ok(());
        }
        let change = ZoneChange {
            catalog: Some(catalog.first().map_or("", String::as_str)),
            master_tsig_key_ids: Some(&handing_out),
            slave_tsig_key_ids: Some(&fetching),
            dnssec: Some(self.dnssec).filter(|signed| *signed == is_unsigned),
            nsec3param: self.dnssec.then(|| self.nsec3param.as_deref().unwrap_or_default()),
            nsec3narrow: (self.dnssec && self.nsec3param.is_some()).then_some(self.nsec3narrow),
            ..ZoneChange::default()
        };
        server.change_zone(name.as_str(), &change).map_err(rejected)
    }

    /// Sets the name servers, if they are given and others than there are.
    pub(super) fn name(&self, server: &Server, name: &Name) -> Result<()> {
        let Some(given) = self.nameservers.as_deref().filter(|given| !given.is_empty()) else { return Ok(()) };
        let found = server.record_set(name.as_str(), name.as_str(), "NS")?;
        let ttl = found.as_ref().map_or(NAMESERVER_TTL, |found| found.ttl);
        let found: Vec<String> = found.into_iter().flat_map(|set| set.records).map(|record| record.content).collect();
        if given::same_set(given, &found, |given, found| given::same_name(given, found)) {
            return Ok(());
        }
        let records = names(given).into_iter().map(|content| Content { content, disabled: false }).collect();
        let set = api::RecordSet { name: name.to_string(), kind: "NS".to_owned(), ttl, records, comments: None };
        Ok(server.replace_record_set(name.as_str(), &set)?)
    }

    /// A zone of which nothing but its name is said.
    pub(super) fn of(name: &Name) -> Self {
        Self {
            name: name.to_string(),
            kind: ZoneKind::Native,
            nameservers: None,
            masters: None,
            dnssec: false,
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
    let path = match said {
        said if said.contains("Master (") => "masters",
        said if said.contains("NSEC3") => "nsec3param",
        said if said.contains("catalog") || said.contains("Catalog") => "catalog",
        said if said.contains("ameserver") => "nameservers",
        said if said.contains("DNS Name") || said.contains("unsupported character") => "name",
        _ => return problem.into(),
    };
    let reason = said.rsplit_once(": ").map_or(said, |(_, reason)| reason);
    Error::rejected(path, format!("is refused by the server: {reason}"))
}
