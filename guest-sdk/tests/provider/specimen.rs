//! A provider that uses all there is: a DNS service that exists in memory.

use std::cell::RefCell;
use std::collections::BTreeMap;

use bulkhead_sdk::config::{CheckConfig, ChecksConfig};
use bulkhead_sdk::resource::{Check, Checked, PreviewCreate, Upgrade, Upgraded};
use bulkhead_sdk::{
    Archive, Asset, Config, Connection, Create, Created, Delete, Enum, Error, Fields, Inputs, Json, Object, Read, Ref,
    Resource, Result, Secret, Snapshot, State, Union, Update, Updated, Value, checkpoint, function, log, operation,
    provider, resource,
};

thread_local! {
    /// What the service has, by id.
    pub(crate) static RECORDS: RefCell<BTreeMap<String, String>> = const { RefCell::new(BTreeMap::new()) };
    /// How often somebody connected.
    pub(crate) static CONNECTIONS: RefCell<u32> = const { RefCell::new(0) };
}

/// How to reach the service.
#[derive(Config)]
pub(crate) struct Settings {
    /// Where the service is.
    pub endpoint: String,
    /// Who is asking.
    #[bulkhead(secret, env = "DNS_TOKEN")]
    pub token: Option<String>,
    /// How often to try again.
    #[bulkhead(default = 3, maximum = 10)]
    pub retries: u8,
    #[bulkhead(skip)]
    pub client: Connection<Client>,
}

pub(crate) struct Client(pub String);

impl Settings {
    fn client(&self) -> Result<&Client> {
        self.client.get_or_connect(|| {
            if self.endpoint == "unreachable" {
                return Err(Error::failed("the service can't be reached"));
            }
            CONNECTIONS.with_borrow_mut(|count| *count += 1);
            Ok(Client(self.endpoint.clone()))
        })
    }
}

impl ChecksConfig for Settings {
    fn check(request: CheckConfig) -> Result<Checked> {
        Ok(Checked { inputs: request.inputs, failures: Vec::new() })
    }
}

/// What kind of record it is.
#[derive(Enum, Clone, Copy, Debug, PartialEq)]
pub(crate) enum RecordKind {
    /// An address.
    #[bulkhead(rename = "A")]
    Address,
    /// Another name.
    #[bulkhead(rename = "CNAME")]
    Alias,
    /// Text.
    #[bulkhead(deprecated = "use a note")]
    PlainText,
}

/// A note about a record, and notes about the note.
#[derive(Object, Clone, Debug, PartialEq)]
#[bulkhead(rename = "RecordNote")]
pub(crate) struct Note {
    /// What it says.
    #[bulkhead(min_length = 1)]
    pub text: String,
    /// How important it is.
    #[bulkhead(default = 0.5)]
    pub weight: f64,
    /// Notes about it.
    pub notes: Option<Vec<Note>>,
}

/// How often something is done: so many times, or by a rule.
#[derive(Union, Clone, Debug, PartialEq)]
pub(crate) enum Repeat {
    Times(u8),
    Rules(Vec<Note>),
    Rule(String),
}

#[derive(Inputs, Clone)]
pub(crate) struct RecordArgs {
    /// The record's name.
    #[bulkhead(replace, autoname(max_length = 63, separator = "-"))]
    pub name: String,
    /// What kind of record it is.
    #[bulkhead(replace, default = RecordKind::Address)]
    pub kind: RecordKind,
    /// What it says.
    #[bulkhead(min_items = 1)]
    pub values: Vec<String>,
    /// How long it may be cached, in seconds.
    #[bulkhead(output_default = 300, minimum = 30)]
    pub ttl: u64,
    /// A comment.
    #[bulkhead(output_default = None, conflicts_with = "notes")]
    pub comment: Option<String>,
    /// Notes.
    #[bulkhead(requires = ["comment"], max_items = 8)]
    pub notes: Option<Vec<Note>>,
    /// What else is said.
    #[bulkhead(empty_is_absent, coerces)]
    pub tags: Option<BTreeMap<String, String>>,
    /// Which type it is.
    #[bulkhead(conflicts_with = "ttl")]
    pub r#type: Option<String>,
    /// A weight, between 0 and 1.
    #[bulkhead(minimum = 0.0, maximum = 1.0, not_echoed)]
    pub weight: Option<f32>,
    /// The zone that it is in.
    pub zone: Option<Ref<Zone>>,
    /// How to prove that it is ours.
    pub proof: Option<Secret<String>>,
    /// How often to check it.
    pub repeat: Option<Repeat>,
    /// Anything.
    pub extra: Option<Value>,
    /// A policy.
    pub policy: Option<Json>,
    /// A certificate.
    pub certificate: Option<Asset>,
    /// Pages.
    pub pages: Option<Archive>,
    /// An offset.
    #[bulkhead(deprecated = "it does nothing", pattern = "^[0-9]+$", rename = "legacy_offset")]
    pub offset: Option<String>,
}

#[derive(Inputs)]
pub(crate) struct RecordLookup {
    /// The zone that it is in.
    pub zone: Option<String>,
}

/// A record of a zone.
#[derive(State, Clone)]
pub(crate) struct Record {
    #[bulkhead(flatten)]
    pub args: RecordArgs,
    /// When it was made, in seconds since 1970.
    #[bulkhead(stable)]
    pub created: i64,
    /// What it is signed with.
    #[bulkhead(secret)]
    pub signature: String,
}

#[resource(
    token = "dns:zones/record:Record",
    aliases = ["dns:index:Record"],
    delete_before_replace,
    schema_version = 2,
    same_inputs,
    lookup = RecordLookup
)]
impl Resource for Record {
    type Inputs = RecordArgs;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let client = request.config.client()?;
        let args = request.inputs;
        let id = format!("{}/{}", client.0, args.name);
        let record = Record { created: 1_000, signature: format!("signed {}", args.name), args };
        RECORDS.with_borrow_mut(|records| records.insert(id.clone(), record.args.values.join(",")));
        checkpoint(&id, &record)?;
        log::status("waiting for the record to be served");
        if record.args.values.contains(&"slow".to_owned()) {
            operation::sleep(std::time::Duration::from_secs(5))
                .map_err(|_| Error::partial(&id, &record, ["isn't served yet"]))?;
        }
        Ok(Created::new(id, record))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(found) = RECORDS.with_borrow(|records| records.get(&request.id).cloned()) else { return Ok(None) };
        let values = found.split(',').map(str::to_owned).collect();
        let mut record = match request.prior {
            Some(prior) => prior.state()?,
            None => Record { args: imported(&request.id), created: 1_000, signature: String::new() },
        };
        record.args.values = values;
        let inputs = record.args.clone();
        Ok(Some(Snapshot::new(request.id, record).inputs(inputs)))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let prior = request.prior.state()?;
        let values = request.inputs.values.join(",");
        RECORDS.with_borrow_mut(|records| records.insert(request.prior.id.clone(), values));
        Ok(Updated::new(Record { args: request.inputs, ..prior }).refresh_before_update())
    }

    fn delete(request: Delete<Self>) -> Result<()> {
        RECORDS.with_borrow_mut(|records| records.remove(&request.prior.id));
        log::info(format!("deleted {}", request.prior.id));
        Ok(())
    }

    fn check(request: Check) -> Result<Checked> {
        let mut checked = Checked { inputs: request.inputs, failures: Vec::new() };
        let values = checked.inputs.get("values").and_then(Value::as_items).unwrap_or_default();
        if values.iter().any(|value| value.as_text() == Some("")) {
            checked.reject("values", "must not hold an empty string");
        }
        Ok(checked)
    }

    fn preview_create(request: PreviewCreate) -> Result<Fields> {
        let mut state = request.defaults()?;
        state.insert("created".to_owned(), Value::Unknown);
        Ok(state)
    }

    fn upgrade(request: Upgrade) -> Result<Upgraded> {
        let mut state = request.state;
        if let Some(value) = state.remove("value") {
            state.insert("values".to_owned(), Value::Items(vec![value]));
        }
        Ok(Upgraded { state, inputs: request.inputs })
    }
}

fn imported(id: &str) -> RecordArgs {
    RecordArgs {
        name: id.rsplit('/').next().unwrap_or_default().to_owned(),
        kind: RecordKind::Address,
        values: Vec::new(),
        ttl: 300,
        comment: None,
        notes: None,
        tags: None,
        r#type: None,
        weight: None,
        zone: None,
        proof: None,
        repeat: None,
        extra: None,
        policy: None,
        certificate: None,
        pages: None,
        offset: None,
    }
}

/// A zone, which is only created.
#[derive(State)]
pub(crate) struct Zone {}

#[resource(token = "dns:zones/zone:Zone", deprecated = "zones make themselves")]
impl Resource for Zone {
    type Inputs = ();

    fn create(_: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("zone", Zone {}))
    }
}

#[derive(Inputs)]
pub(crate) struct LookupArgs {
    /// The zone to look it up in.
    pub zone: Option<String>,
    /// The name to look up.
    pub name: String,
}

#[derive(State)]
pub(crate) struct Found {
    /// What the record says.
    pub values: Vec<String>,
}

/// Looks a record up.
#[function(token = "dns:zones/lookup:lookup", positional)]
pub(crate) fn lookup(arguments: LookupArgs, config: &Settings) -> Result<Found> {
    let zone = arguments.zone.as_ref().unwrap_or(&config.client()?.0);
    let id = format!("{zone}/{}", arguments.name);
    let found = RECORDS.with_borrow(|records| records.get(&id).cloned());
    let found = found.ok_or_else(|| Error::not_found(format!("there is no record `{}`", arguments.name)))?;
    Ok(Found { values: found.split(',').map(str::to_owned).collect() })
}

/// How many records there are.
#[function(token = "dns:zones/count:count", deprecated = "count them yourself")]
pub(crate) fn count() -> Result<u32> {
    RECORDS.with_borrow(|records| Ok(u32::try_from(records.len())?))
}

provider! {
    name: "dns",
    version: "1.2.3",
    display_name: "DNS",
    description: "Names for \"addresses\"",
    publisher: "Example",
    license: "Apache-2.0",
    homepage: "https://dns.example",
    repository: "https://dns.example/source",
    keywords: ["dns", "category/network"],
    module_format: "(.*)(?:/[^/]*)",
    language: {
        nodejs: { compatibility: "tfbridge20", dependencies: { "@pulumi/pulumi": "^3.0.0" } },
        csharp: { respectSchemaVersion: true },
    },
    config: Settings,
    resources: [Record, Zone],
    functions: [lookup, count],
    overrides: [check, preview, upgrade, config_check],
    permissions: {
        network: [{
            endpoint: "https://${config.endpoint}",
            methods: ["GET", "POST"],
            phases: ["create", "read"],
            reason: "talks to the service",
        }],
        limits: [{ limit: "memory", value: "2GiB", reason: "zones of a million records" }],
    },
}
