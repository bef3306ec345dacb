//! [`Zone`].

use std::net::{IpAddr, SocketAddr};

use bulkhead_sdk::list::{List, Listed, Lists, Page};
use bulkhead_sdk::resource::{Check, Checked, Diff, Difference};
use bulkhead_sdk::{
    Create, Created, Delete, Enum, Error, Inputs, Read, Resource, Result, Snapshot, State, Update, Updated, Value,
    checkpoint, resource,
};

use super::{exists, gone};
use crate::api::{self, Content, NewZone, Problem, Server, ZoneChange};
use crate::dns::{self, Name};
use crate::given;
use crate::settings::Settings;

/// How long name servers may be kept by others if nothing else is known, in seconds.
const NAMESERVER_TTL: u32 = 3600;
/// Ways to change a serial when a zone is signed.
const SOA_EDIT: &[&str] = &["INCREMENT-WEEKS", "INCEPTION-EPOCH", "INCEPTION-INCREMENT", "EPOCH", "NONE"];
/// Ways to change a serial through the API.
const SOA_EDIT_API: &[&str] = &["DEFAULT", "INCREASE", "EPOCH", "SOA-EDIT", "SOA-EDIT-INCREASE", "OFF"];

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

/// A zone.
#[derive(Clone, Debug, Inputs)]
pub struct ZoneArgs {
    /// The zone's name, with or without a dot at the end.
    #[bulkhead(replace)]
    name: String,
    /// Who has the records, and who hands them out.
    #[bulkhead(default = ZoneKind::Native)]
    kind: ZoneKind,
    /// The names of the servers that hand the zone out: its own `NS` records. Left out, those that there are stay.
    #[bulkhead(empty_is_absent, output_default = None)]
    nameservers: Option<Vec<String>>,
    /// Where a secondary zone comes from: addresses, perhaps with ports.
    #[bulkhead(empty_is_absent, output_default = None)]
    masters: Option<Vec<String>>,
    /// Whether the zone is signed. The server makes a key, unless there is one.
    #[bulkhead(default = false)]
    dnssec: bool,
    /// How denials are hashed: `1 0 0 -`, say. Left out, they aren't (NSEC).
    #[bulkhead(empty_is_absent, output_default = None)]
    nsec3param: Option<String>,
    /// Whether hashed denials are made for each question, so that nobody can list the zone.
    #[bulkhead(default = false)]
    nsec3narrow: bool,
    /// How the serial is changed when the zone is signed: `INCEPTION-INCREMENT`, say.
    #[bulkhead(empty_is_absent, output_default = None)]
    soa_edit: Option<String>,
    /// How the serial is changed by changes through this provider.
    #[bulkhead(default = "DEFAULT")]
    soa_edit_api: String,
    /// Whether the server puts the order of names right after each change. Left out, the server's setting holds.
    #[bulkhead(output_default = None)]
    api_rectify: Option<bool>,
    /// Whose the zone is.
    #[bulkhead(empty_is_absent, output_default = None, max_length = 40)]
    account: Option<String>,
    /// The catalogue zone that the zone is a member of.
    #[bulkhead(empty_is_absent, output_default = None)]
    catalog: Option<String>,
    /// The ids of the TSIG keys with which the zone is handed out.
    #[bulkhead(empty_is_absent, output_default = None)]
    master_tsig_key_ids: Option<Vec<String>>,
    /// The ids of the TSIG keys with which the zone is fetched.
    #[bulkhead(empty_is_absent, output_default = None)]
    slave_tsig_key_ids: Option<Vec<String>>,
}

/// A zone of the server.
///
/// To delete it deletes all records in it. To import it, give its name as the id.
#[derive(Clone, Debug, State)]
pub struct Zone {
    #[bulkhead(flatten)]
    args: ZoneArgs,
    /// The zone's serial.
    serial: u32,
    /// The serial that others see, which differs where the zone is signed.
    edited_serial: u32,
    /// The serial that secondaries were last told of.
    notified_serial: u32,
    /// The contents of the `DS` records that the zone above needs, where the zone is signed.
    ds_records: Vec<String>,
    /// The contents of the `DNSKEY` records, where the zone is signed.
    dnskeys: Vec<String>,
}

#[resource(token = "powerdns:index:Zone")]
impl Resource for Zone {
    type Inputs = ZoneArgs;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let args = request.inputs;
        let (server, name) = (request.config.server()?, args.parsed_name()?);
        let id = name.to_string();
        if server.zone(name.as_str())?.is_some() {
            return Err(exists("zone", &id));
        }
        args.create(server, &name)?;
        let bare =
            Self { serial: 0, edited_serial: 0, notified_serial: 0, ds_records: Vec::new(), dnskeys: Vec::new(), args };
        checkpoint(&id, &bare)?;
        let args = &bare.args;
        match args.secure(server, &name, true, true).and_then(|()| Self::current(server, &name, args)) {
            Ok(state) => Ok(Created::new(id, state)),
            Err(error) => Err(Error::partial(id, &bare, [error.to_string()])),
        }
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let name = Name::parse(&request.id)
            .map_err(|error| Error::failed(format!("the id of a zone is its name: {error}")))?;
        let server = request.config.server()?;
        let Some(found) = server.zone(name.as_str())? else { return Ok(None) };
        let given = request.prior.and_then(|prior| prior.state().ok()).map(|state| state.args);
        Ok(Some(Snapshot::new(name.to_string(), Self::found(server, &name, found, given)?)))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let args = request.inputs;
        let (server, name) = (request.config.server()?, args.parsed_name()?);
        let Some(before) = server.zone(name.as_str())? else { return Err(gone("zone")) };
        server.change_zone(name.as_str(), &args.settings(before.api_rectify))?;
        let rest = || {
            args.secure(server, &name, false, !before.dnssec)?;
            args.name(server, &name)?;
            Self::current(server, &name, &args)
        };
        match rest() {
            Ok(state) => Ok(Updated::new(state)),
            // Some of it is done, and what is recorded must not say otherwise.
            Err(error) => match Self::current(server, &name, &args) {
                Ok(state) => Err(Error::partial(name.to_string(), &state, [error.to_string()])),
                Err(_) => Err(error),
            },
        }
    }

    fn delete(request: Delete<Self>) -> Result<()> {
        Ok(request.config.server()?.delete_zone(&request.prior.id)?)
    }

    fn check(request: Check) -> Result<Checked> {
        let mut checked = request.defaults()?;
        check(&mut checked);
        Ok(checked)
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        let mut difference = request.defaults()?;
        let before = request.prior.recorded_inputs();
        given::without_spelling(&mut difference, before, &request.inputs, |property, before, after| match property {
            "name" | "catalog" => given::same_text(before, after, given::same_name),
            "kind" => given::same_text(before, after, |before, after| wire(before) == wire(after)),
            "nameservers" | "masterTsigKeyIds" | "slaveTsigKeyIds" => {
                given::same_texts(before, after, given::same_name)
            }
            "masters" => given::same_texts(before, after, same_address),
            "nsec3param" => given::same_text(before, after, |before, after| dns::is_same("NSEC3PARAM", before, after)),
            _ => false,
        });
        // To stop giving what stays as it is changes nothing.
        let stays = |name: &str| request.inputs.get(name).is_none_or(|value| matches!(value.plain(), Value::Null));
        difference.changes.retain(|change| {
            let path = change.path.to_string();
            let of = |name: &str| path.split(['[', '.']).next() == Some(name) && stays(name);
            !of("nameservers") && !of("apiRectify")
        });
        Ok(difference)
    }
}

impl ZoneArgs {
    fn parsed_name(&self) -> Result<Name> {
        Name::parse(&self.name).map_err(|error| Error::rejected("name", format!("must be a name: {error}")))
    }

    /// Creates the zone, unsigned: what may fail for other reasons comes later, when it is on record.
    fn create(&self, server: &Server, name: &Name) -> Result<()> {
        let nameservers = names(self.nameservers.as_deref().unwrap_or_default());
        let zone = NewZone {
            name: name.as_str(),
            nameservers: &nameservers,
            settings: ZoneChange { api_rectify: self.api_rectify, ..self.settings(false) },
        };
        match server.create_zone(&zone) {
            Ok(_) => Ok(()),
            Err(Problem::Conflict) => Err(exists("zone", name.as_str())),
            // It wasn't there a moment ago: if it is now, this made it.
            Err(problem) if problem.is_uncertain() => match server.zone(name.as_str()) {
                Ok(Some(_)) => Ok(()),
                Ok(None) => Err(Error::failed(problem)),
                Err(_) => {
                    Err(Error::outcome_unknown(format!("{problem}\nhint: is there a zone `{name}`? then import it")))
                }
            },
            Err(problem) => Err(rejected(problem)),
        }
    }

    /// What is set whether or not the zone is signed.
    fn settings(&self, api_rectify: bool) -> ZoneChange<'_> {
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
    fn secure(&self, server: &Server, name: &Name, is_new: bool, is_unsigned: bool) -> Result<()> {
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
    fn name(&self, server: &Server, name: &Name) -> Result<()> {
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
}

impl Zone {
    /// The state as the server has it now.
    fn current(server: &Server, name: &Name, given: &ZoneArgs) -> Result<Self> {
        let found = server.zone(name.as_str())?.ok_or_else(|| gone("zone"))?;
        Self::found(server, name, found, Some(given.clone()))
    }

    /// The state of what the server has, in the spelling in which it was given.
    fn found(server: &Server, name: &Name, found: api::Zone, given: Option<ZoneArgs>) -> Result<Self> {
        let keys = if found.dnssec { server.crypto_keys(name.as_str())? } else { Vec::new() };
        // Whether or not they were given, an import has them: a program may or may not.
        let manages_names = given.as_ref().is_none_or(|given| given.nameservers.is_some());
        let nameservers = match manages_names && !matches!(found.kind.as_str(), "Slave" | "Consumer") {
            true => {
                server.record_set(name.as_str(), name.as_str(), "NS")?.into_iter().flat_map(|set| set.records).collect()
            }
            false => Vec::new(),
        };
        let nameservers: Vec<String> = nameservers.into_iter().map(|record: Content| record.content).collect();
        let is_import = given.is_none();
        let given = given.unwrap_or_else(|| ZoneArgs::of(name));
        let same_name = |one: &str, other: &str| given::same_name(one, other);
        let list = |given: Option<Vec<String>>, found: Vec<String>, same: fn(&str, &str) -> bool| {
            Some(given::settled_list(&given.unwrap_or_default(), found, same)).filter(|settled| !settled.is_empty())
        };
        let text = |given: Option<String>, found: String, same: &dyn Fn(&str, &str) -> bool| {
            Some(given::settled(given, found, |given, found| same(given, found))).filter(|settled| !settled.is_empty())
        };
        let kind = match wire(given.kind.text()) == found.kind {
            true => given.kind,
            false => kind_of(&found.kind)?,
        };
        let soa_edit_api = if found.soa_edit_api.is_empty() { "OFF".to_owned() } else { found.soa_edit_api };
        let args = ZoneArgs {
            name: given.name,
            kind,
            nameservers: list(given.nameservers, nameservers, given::same_name),
            masters: list(given.masters, found.masters, same_address),
            dnssec: found.dnssec,
            nsec3param: text(given.nsec3param, found.nsec3param, &|one, other| dns::is_same("NSEC3PARAM", one, other)),
            nsec3narrow: found.nsec3narrow,
            soa_edit: text(given.soa_edit, found.soa_edit, &|one, other| one == other),
            soa_edit_api,
            api_rectify: match is_import {
                true => Some(true).filter(|_| found.api_rectify),
                false => given.api_rectify.map(|_| found.api_rectify),
            },
            account: text(given.account, found.account, &|one, other| one == other),
            catalog: text(given.catalog, found.catalog, &same_name),
            master_tsig_key_ids: list(given.master_tsig_key_ids, found.master_tsig_key_ids, given::same_name),
            slave_tsig_key_ids: list(given.slave_tsig_key_ids, found.slave_tsig_key_ids, given::same_name),
        };
        let published = || keys.iter().filter(|key| key.published);
        Ok(Self {
            args,
            serial: found.serial,
            edited_serial: found.edited_serial,
            notified_serial: found.notified_serial,
            ds_records: published().filter(|key| key.keytype != "zsk").flat_map(|key| key.ds.clone()).collect(),
            dnskeys: published().map(|key| key.dnskey.clone()).collect(),
        })
    }
}

impl ZoneArgs {
    /// A zone of which nothing but its name is said.
    fn of(name: &Name) -> Self {
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

/// The kind as the API calls it.
fn wire(kind: &str) -> &str {
    match kind {
        "Primary" => "Master",
        "Secondary" => "Slave",
        other => other,
    }
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

/// Names with their dots.
fn names(given: &[String]) -> Vec<String> {
    given.iter().map(|name| Name::parse(name).map_or_else(|_| name.clone(), |name| name.to_string())).collect()
}

/// An address, perhaps with a port.
fn address(text: &str) -> Option<SocketAddr> {
    text.parse::<IpAddr>().map(|address| SocketAddr::new(address, 53)).or_else(|_| text.parse()).ok()
}

fn same_address(one: &str, other: &str) -> bool {
    one == other || matches!((address(one), address(other)), (Some(one), Some(other)) if one == other)
}

/// What the server refused, with the input that it talks about.
fn rejected(problem: Problem) -> Error {
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

/// Rejects what the server wouldn't take, or would take and not do.
fn check(checked: &mut Checked) {
    let inputs = checked.inputs.clone();
    for property in ["name", "catalog"] {
        if let Some(name) = given::text(&inputs, property).filter(|name| property == "name" || !name.is_empty()) {
            given::check_name(checked, property.into(), name);
        }
    }
    for property in ["nameservers", "masterTsigKeyIds", "slaveTsigKeyIds"] {
        let mut seen: Vec<Name> = Vec::new();
        for (path, text) in given::texts(&inputs, property) {
            let parsed = if property == "nameservers" { Name::target(text) } else { Name::parse(text) };
            if let Some(name) = given::checked_name(checked, path.clone(), parsed) {
                if seen.contains(&name) {
                    checked.reject(path, "is there twice");
                }
                seen.push(name);
            }
        }
    }
    for (path, master) in given::texts(&inputs, "masters") {
        if address(master).is_none() {
            checked.reject(path, "must be an address, such as 192.0.2.1, 192.0.2.1:5300 or [2001:db8::1]:5300");
        }
    }
    if let Some(kind) = given::text(&inputs, "kind").map(wire) {
        let fetched = matches!(kind, "Slave" | "Consumer");
        if fetched && given::is_empty(&inputs, "masters") {
            checked.reject("masters", "must be given for a zone that is fetched from elsewhere");
        }
        if fetched && !given::is_empty(&inputs, "nameservers") {
            checked.reject("nameservers", "must be left out for a zone whose records are fetched from elsewhere");
        }
        if !fetched && !given::is_empty(&inputs, "masters") {
            checked.reject("masters", "must be left out for a zone whose records are the server's own");
        }
    }
    let signed = inputs.get("dnssec").and_then(Value::as_boolean);
    if let Some(parameters) = given::text(&inputs, "nsec3param").filter(|text| !text.is_empty()) {
        match dns::canonical("NSEC3PARAM", parameters) {
            Err(reason) => checked.reject("nsec3param", format!("must be such as `1 0 0 -`: {reason}")),
            Ok(spelled) if !spelled.starts_with("1 ") => {
                checked.reject("nsec3param", "must start with 1: there is no other algorithm");
            }
            Ok(_) if signed == Some(false) => checked.reject("nsec3param", "needs `dnssec`"),
            Ok(_) => {}
        }
    } else if !inputs.contains_key("nsec3param") && inputs.get("nsec3narrow").and_then(Value::as_boolean) == Some(true)
    {
        checked.reject("nsec3narrow", "needs `nsec3param`");
    }
    for (property, known) in [("soaEdit", SOA_EDIT), ("soaEditApi", SOA_EDIT_API)] {
        if let Some(text) = given::text(&inputs, property).filter(|text| property == "soaEditApi" || !text.is_empty())
            && !known.contains(&text)
        {
            checked.reject(property, format!("must be one of {}", known.join(", ")));
        }
    }
}

/// What narrows down a list of zones.
#[derive(Inputs)]
pub struct ZoneQuery {
    /// The kind.
    kind: Option<ZoneKind>,
    /// Whose they are.
    account: Option<String>,
    /// A zone below which they are.
    below: Option<String>,
}

impl ZoneQuery {
    pub(crate) fn new(kind: Option<ZoneKind>, account: Option<String>, below: Option<String>) -> Self {
        Self { kind, account, below }
    }

    /// The zones that it is about, in the order of their names.
    pub(crate) fn find(&self, server: &Server) -> Result<Vec<api::Zone>> {
        let below = match &self.below {
            Some(name) => {
                Some(Name::parse(name).map_err(|error| Error::rejected("below", format!("must be a name: {error}")))?)
            }
            None => None,
        };
        let is_below = |zone: &api::Zone| match &below {
            Some(below) => Name::parse(&zone.name).is_ok_and(|name| name.is_within(below)),
            None => true,
        };
        let mut zones = server.zones()?;
        zones.retain(|zone| {
            self.kind.is_none_or(|kind| wire(kind.text()) == wire(&zone.kind))
                && self.account.as_ref().is_none_or(|account| *account == zone.account)
                && is_below(zone)
        });
        zones.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(zones)
    }
}

impl Lists for Zone {
    type Query = ZoneQuery;

    fn list(request: List<Self>) -> Result<Page> {
        let found = request.query.find(request.config.server()?)?;
        request.page(found.into_iter().map(|zone| Listed::new(zone.name.clone()).with_name(zone.name)))
    }
}
