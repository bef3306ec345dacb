//! [`Zone`].

mod args;
mod check;
mod kind;
mod query;

use std::collections::BTreeSet;

use bulkhead_sdk::resource::{Check, Checked, Diff, Difference};
use bulkhead_sdk::{
    Create, Created, Delete, Enum, Error, Read, Resource, Result, Snapshot, State, Update, Updated, Value, checkpoint,
    resource,
};

pub use args::ZoneArgs;
pub use kind::ZoneKind;
pub(crate) use kind::kind_of;
pub use query::ZoneQuery;

use self::args::rejected;
use self::check::{address_key, check};
use self::kind::{is_fetched, wire};
use super::change::{changed_or_attempted, unknown_after};
use super::creation::{ZONE, exists, gone};
use super::reading::{self, Known};
use crate::api::{self, Server};
use crate::dns::{self, Name};
use crate::given;
use crate::settings::Settings;

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
            return Err(exists(ZONE, &id));
        }
        let (made, is_whole) = args.create(server, &name)?;
        checkpoint(&id, &args)?;
        let rest = || {
            if !is_whole {
                server.change_zone(name.as_str(), &args.settings()).map_err(rejected)?;
                args.name(server, &name)?;
            }
            args.refer(server, &name, &made, false)?;
            args.sign(server, &name, &made)?;
            Self::current(server, &name, &args)
        };
        match rest() {
            Ok(state) => Ok(Created::new(id, state)),
            Err(error) => Err(Error::partial(id, &args, [error.to_string()])),
        }
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        reading::read(request)
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let args = &request.inputs;
        let (server, name) = (request.config.server()?, args.parsed_name()?);
        let Some(before) = server.zone(name.as_str())? else { return Err(gone(ZONE)) };
        if let Some(what) = changed_by_others(&request, &before) {
            return Err(Error::failed(format!(
                "others changed the zone's {what}\nhint: `pulumi refresh` shows it; the `pulumi up` after that sets it back unless the program says it, too"
            )));
        }
        // Servers put zones into catalogues by themselves, and secondaries drop what leaves theirs.
        let leaves_catalog = is_said(&request, &before.catalog);
        let change = server.change_zone(name.as_str(), &args.settings());
        changed_or_attempted(&request, &attempted(&request), change, rejected)?;
        let rest = || {
            args.refer(server, &name, &before, leaves_catalog)?;
            args.sign(server, &name, &before)?;
            args.name(server, &name)?;
            Self::current(server, &name, args)
        };
        // Some of it is done where the rest fails, and what is recorded must not say otherwise: in which catalogue it is, for one.
        rest().map(Updated::new).map_err(|error| {
            let given = ZoneArgs { catalog: args.catalog.clone().or(catalog_before(&request)), ..args.clone() };
            match Self::current(server, &name, &given) {
                Ok(mut state) => {
                    let said =
                        |there: &str| args.catalog.as_deref().is_some_and(|given| given::same_name(given, there));
                    state.args.catalog = state.args.catalog.filter(|there| said(there) || is_said(&request, there));
                    Error::partial(name.to_string(), &state, [error.to_string()])
                }
                Err(_) => {
                    let catalog = args.catalog.as_ref().map(|_| "catalog");
                    let attempted: Vec<&str> = ["kind", "masters"].into_iter().chain(catalog).collect();
                    unknown_after(&request, &attempted, error)
                }
            }
        })
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
            "nameservers" | "masterTsigKeyIds" | "slaveTsigKeyIds" => given::same_texts(before, after, given::name_key),
            "masters" => given::same_texts(before, after, address_key),
            "nsec3param" => given::same_text(before, after, |before, after| dns::is_same("NSEC3PARAM", before, after)),
            "soaEdit" | "soaEditApi" => given::same_text(before, after, str::eq_ignore_ascii_case),
            _ => false,
        });
        // To stop giving what stays as it is changes nothing.
        let stays = |name: &str| request.inputs.get(name).is_none_or(|value| matches!(value.plain(), Value::Null));
        difference.changes.retain(|change| {
            let path = change.path.to_string();
            let of = |name: &str| path.split(['[', '.']).next() == Some(name) && stays(name);
            !["nameservers", "apiRectify", "dnssec"].into_iter().any(of)
        });
        Ok(difference)
    }
}

/// What others changed of what can't be set back without a loss, where the program didn't change it: a secondary that was promoted by hand
/// has records that its primary hasn't, and one that was turned to another primary has those of that.
fn changed_by_others(request: &Update<'_, Zone>, found: &api::Zone) -> Option<&'static str> {
    let (args, state) = (&request.inputs, request.prior.state().ok()?.args);
    // An attempt that failed may have done what the state says, or nothing, and it is as was asked before.
    let asked = request.prior.inputs().ok().flatten();
    if !is_of(args, state.kind.text()) {
        return None;
    }
    if !is_of(&state, &found.kind) && !asked.as_ref().is_some_and(|asked| is_of(asked, &found.kind)) {
        return Some("kind");
    }
    let there = addresses(&found.masters);
    let unchanged = is_fetched(&found.kind) && primaries(args) == primaries(&state);
    (unchanged && primaries(&state) != there && asked.is_none_or(|asked| primaries(&asked) != there))
        .then_some("primaries")
}

fn is_of(args: &ZoneArgs, kind: &str) -> bool {
    wire(args.kind.text()) == wire(kind)
}

fn primaries(args: &ZoneArgs) -> BTreeSet<String> {
    addresses(args.masters.as_deref().unwrap_or_default())
}

fn addresses(masters: &[String]) -> BTreeSet<String> {
    masters.iter().map(|master| address_key(master)).collect()
}

/// The catalogues that a program said: the zone may be in the one of the state, or still in that of the inputs.
fn catalogs<'r>(request: &'r Update<'_, Zone>) -> impl Iterator<Item = &'r str> {
    let (state, asked) = (Some(request.prior.recorded_state()), request.prior.recorded_inputs());
    state.into_iter().chain(asked).filter_map(|given| given::text(given, "catalog"))
}

/// Whether a program said the catalogue that a zone is in, or an attempt that failed may have put it there.
fn is_said(request: &Update<'_, Zone>, catalog: &str) -> bool {
    catalogs(request).any(|said| given::same_name(said, catalog))
}

/// The catalogue that a zone was put into by what a program said: it is there, or an attempt that failed may have put it there.
fn catalog_before(request: &Update<'_, Zone>) -> Option<String> {
    catalogs(request).next().map(str::to_owned)
}

/// What the state says of a first change that may have come about: what the next update compares with what it finds. What the inputs on record
/// say it needn't: it goes on saying what an attempt before may have left.
fn attempted(request: &Update<'_, Zone>) -> Vec<&'static str> {
    let (args, asked) = (&request.inputs, request.prior.inputs().ok().flatten());
    let mut attempted = Vec::new();
    if asked.as_ref().is_none_or(|asked| !is_of(asked, args.kind.text())) {
        attempted.push("kind");
    }
    if asked.as_ref().is_none_or(|asked| primaries(asked) != primaries(args)) {
        attempted.push("masters");
    }
    attempted
}

impl Zone {
    /// The state as the server has it now.
    fn current(server: &Server, name: &Name, given: &ZoneArgs) -> Result<Self> {
        let found = server.zone(name.as_str())?.ok_or_else(|| gone(ZONE))?;
        Self::recognised(server, name, found, Some(given.clone()))
    }
}

impl Known for Zone {
    type Id = Name;
    type Found = api::Zone;

    fn id(text: &str) -> Result<Name> {
        Name::parse(text).map_err(|error| Error::failed(format!("the id of a zone is its name: {error}")))
    }

    fn find(server: &Server, name: &Name) -> Result<Option<api::Zone>> {
        Ok(server.zone(name.as_str())?)
    }

    fn into_given(self) -> ZoneArgs {
        self.args
    }

    fn recognised(server: &Server, name: &Name, mut found: api::Zone, given: Option<ZoneArgs>) -> Result<Self> {
        let keys = if found.dnssec { server.crypto_keys(name.as_str())? } else { Vec::new() };
        // Whether or not they were given, an import has them: a program may or may not.
        let manages_names = given.as_ref().is_none_or(|given| given.nameservers.is_some());
        let nameservers = match manages_names && !is_fetched(&found.kind) {
            true => server.record_set(name.as_str(), name.as_str(), "NS")?,
            false => None,
        };
        let nameservers: Vec<String> = nameservers.into_iter().flat_map(api::RecordSet::handed_out).collect();
        let is_import = given.is_none();
        let manages_catalog = given.as_ref().is_none_or(|given| given.catalog.is_some());
        let given = given.unwrap_or_else(|| ZoneArgs::of(name));
        // What is fetched from elsewhere is mostly signed there.
        let manages_signature = if is_import { !is_fetched(&found.kind) } else { given.dnssec.is_some() };
        let same_name = |one: &str, other: &str| given::same_name(one, other);
        let list = |given: Option<Vec<String>>, found: Vec<String>, key: fn(&str) -> String| {
            Some(given::settled_list(&given.unwrap_or_default(), found, key)).filter(|settled| !settled.is_empty())
        };
        let text = |given: Option<String>, found: String, same: &dyn Fn(&str, &str) -> bool| {
            Some(given::settled(given, found, |given, found| same(given, found))).filter(|settled| !settled.is_empty())
        };
        let kind = match wire(given.kind.text()) == found.kind {
            true => given.kind,
            false => kind_of(&found.kind)?,
        };
        // What the server keeps and doesn't use is nothing that a program could say: how denials are hashed without a signature, whether they
        // are narrow without being hashed, from where what is its own is fetched, and with which further keys.
        let nsec3param =
            text(given.nsec3param.clone(), found.nsec3param, &|one, other| dns::is_same("NSEC3PARAM", one, other))
                .filter(|_| found.dnssec);
        let nsec3narrow = found.nsec3narrow && nsec3param.is_some();
        let masters = list(given.masters, found.masters, address_key).filter(|_| is_fetched(&found.kind));
        if is_import {
            found.slave_tsig_key_ids.truncate(1);
        }
        let soa_edit_api = match found.soa_edit_api.to_ascii_uppercase() {
            _ if is_fetched(&found.kind) => given.soa_edit_api,
            off if off.is_empty() => "OFF".to_owned(),
            known => given::settled(Some(given.soa_edit_api), known, |one, other| one.eq_ignore_ascii_case(other)),
        };
        let args = ZoneArgs {
            name: given.name,
            kind,
            nameservers: list(given.nameservers, nameservers, given::name_key),
            masters,
            dnssec: Some(found.dnssec).filter(|signed| manages_signature && (*signed || !is_import)),
            nsec3param: if manages_signature { nsec3param } else { given.nsec3param },
            nsec3narrow: if manages_signature { nsec3narrow } else { given.nsec3narrow },
            soa_edit: text(given.soa_edit, found.soa_edit.to_ascii_uppercase(), &str::eq_ignore_ascii_case),
            soa_edit_api,
            api_rectify: match is_import {
                true => Some(true).filter(|_| found.api_rectify),
                false => given.api_rectify.map(|_| found.api_rectify),
            },
            account: text(given.account, found.account, &|one, other| one == other),
            catalog: text(given.catalog, found.catalog, &same_name).filter(|_| manages_catalog),
            master_tsig_key_ids: list(given.master_tsig_key_ids, found.master_tsig_key_ids, given::name_key),
            slave_tsig_key_ids: list(given.slave_tsig_key_ids, found.slave_tsig_key_ids, given::name_key),
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
