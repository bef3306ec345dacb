//! Checks, differences and previews that the author answers instead of the host.

mod renamed;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use bulkhead_sdk::config::{CheckConfig, ChecksConfig, DiffConfig, DiffsConfig};
use bulkhead_sdk::resource::{
    Change, ChangeKind, Check, Checked, Diff, Difference, PreviewCreate, PreviewUpdate, Upgrade, Upgraded,
};
use bulkhead_sdk::{
    Config, Create, Created, Error, Fields, Inputs, Read, Resource, Result, Snapshot, State, Update, Updated, Value,
    provider, resource,
};

use renamed::Renamed;

#[derive(Config)]
struct Settings {
    /// Where to.
    endpoint: Option<String>,
    /// What nobody else may know.
    #[bulkhead(secret)]
    token: Option<String>,
}

impl ChecksConfig for Settings {
    fn check(request: CheckConfig) -> Result<Checked> {
        let mut checked = Checked { inputs: request.inputs, failures: Vec::new() };
        if let Some(port) = checked.inputs.get("endpoint").and_then(Value::as_number) {
            checked.inputs.insert("endpoint".to_owned(), format!("http://localhost:{port}").into());
        }
        match checked.inputs.get("endpoint").and_then(Value::as_text) {
            Some("forbidden") => checked.reject("endpoint", "is forbidden"),
            Some("promised") => drop(checked.inputs.insert("token".to_owned(), Value::Unknown)),
            Some("counted") => drop(checked.inputs.insert("token".to_owned(), 1.into())),
            Some("stolen") => {
                checked.inputs.clear();
                checked.reject("token", "is known to others");
            }
            Some(_) => {}
            None => drop(checked.inputs.insert("endpoint".to_owned(), "https://chosen".into())),
        }
        Ok(checked)
    }
}

impl DiffsConfig for Settings {
    fn diff(request: DiffConfig) -> Result<Difference> {
        Ok(difference("endpoint", request.prior_inputs.get("endpoint") != request.inputs.get("endpoint"), true))
    }
}

#[derive(Inputs)]
struct Args {
    /// A name.
    name: String,
    /// What nobody else may know.
    #[bulkhead(secret)]
    key: Option<String>,
}

/// How many resources an instance has created.
static CREATED: AtomicU32 = AtomicU32::new(0);

/// A resource that decides for itself.
#[derive(State)]
struct Decided {
    #[bulkhead(flatten)]
    args: Args,
    /// What follows from the name.
    shout: String,
    /// What doesn't.
    serial: u32,
}

fn shout(name: &str) -> String {
    if name == "drawn" { drawn() } else { name.to_uppercase() }
}

/// Chance from a generator that stays in memory, and the time.
fn drawn() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("{:x} {}", rand::random::<u64>(), now.as_nanos())
}

#[resource(token = "overriding:index:Decided")]
impl Resource for Decided {
    type Inputs = Args;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let shout = shout(&request.inputs.name);
        let serial = CREATED.fetch_add(1, Ordering::Relaxed) + 1;
        Ok(Created::new("decided-1", Self { args: request.inputs, shout, serial }))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let shout = shout(&request.inputs.name);
        Ok(Updated::new(Self { args: request.inputs, shout, serial: 2 }))
    }

    fn check(request: Check) -> Result<Checked> {
        let mut checked = Checked { inputs: request.inputs, failures: Vec::new() };
        match checked.inputs.get("name").and_then(Value::as_text) {
            Some("forbidden") => checked.reject("name", "is forbidden"),
            Some("drawn") => drop(checked.inputs.insert("key".to_owned(), drawn().into())),
            Some("remember") => {
                let recorded = request.prior_state.and_then(|mut state| state.remove("key"));
                checked.inputs.insert("key".to_owned(), recorded.unwrap_or_else(|| "nothing".into()));
            }
            Some("broken") => return Err(Error::bug("the check is broken")),
            Some("promised") => drop(checked.inputs.insert("key".to_owned(), Value::Unknown)),
            Some("counted") => drop(checked.inputs.insert("key".to_owned(), 1.into())),
            Some(_) => {}
            None => drop(checked.inputs.insert("name".to_owned(), "chosen".into())),
        }
        Ok(checked)
    }

    /// Only the length of a name counts.
    fn diff(request: Diff<Self>) -> Result<Difference> {
        let old = request.prior.recorded_state().get("name").and_then(Value::as_text).map(str::len);
        let new = request.inputs.get("name").and_then(Value::as_text).map(str::len);
        Ok(difference("name", old != new, new.is_none()))
    }

    fn preview_create(request: PreviewCreate) -> Result<Fields> {
        Ok(guess(&request.inputs))
    }

    fn preview_update(request: PreviewUpdate<Self>) -> Result<Fields> {
        Ok(guess(&request.inputs))
    }
}

#[derive(Inputs)]
struct DeferredArgs {
    /// A name.
    #[bulkhead(replace)]
    name: String,
    /// How many.
    #[bulkhead(default = 3)]
    count: u32,
}

/// A resource that adds to what the host would do. Up to version 1 its name was called `title`.
#[derive(State)]
struct Deferred {
    #[bulkhead(flatten)]
    args: DeferredArgs,
    /// What follows from the name.
    shout: String,
}

#[resource(token = "overriding:index:Deferred", aliases = ["overriding:index:Postponed"], schema_version = 2)]
impl Resource for Deferred {
    type Inputs = DeferredArgs;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let shout = shout(&request.inputs.name);
        Ok(Created::new("deferred-1", Self { args: request.inputs, shout }))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(prior) = request.prior else { return Ok(None) };
        Ok(Some(Snapshot::new(request.id, prior.state()?)))
    }

    fn check(request: Check) -> Result<Checked> {
        let mut checked = request.defaults()?;
        if request.inputs.get("name").and_then(Value::as_text) == Some("forbidden") {
            checked.reject("name", "is forbidden");
        }
        Ok(checked)
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        let mut difference = request.defaults()?;
        difference.delete_before_replace = true;
        Ok(difference)
    }

    fn preview_create(request: PreviewCreate) -> Result<Fields> {
        let mut fields = request.defaults()?;
        fields.extend(guess(&request.inputs));
        Ok(fields)
    }

    fn upgrade(request: Upgrade) -> Result<Upgraded> {
        let renamed = |mut fields: Fields| {
            if let Some(title) = fields.remove("title") {
                fields.insert("name".to_owned(), title);
            }
            fields
        };
        if request.from_version == 1 && request.state.get("title").and_then(Value::as_text) == Some("lost") {
            return Err(Error::failed("nobody knows what this was"));
        }
        Ok(Upgraded { state: renamed(request.state), inputs: request.inputs.map(renamed) })
    }
}

fn guess(inputs: &Fields) -> Fields {
    let name = inputs.get("name").and_then(Value::as_text);
    if name == Some("counted") {
        return Fields::from([("shout".to_owned(), 1.into())]);
    }
    name.map(|name| ("shout".to_owned(), shout(name).into())).into_iter().collect()
}

fn difference(path: &str, differs: bool, replaces: bool) -> Difference {
    let change = Change { path: path.into(), kind: ChangeKind::Updated, replaces, input_diff: true };
    Difference { changes: differs.then_some(change).into_iter().collect(), ..Difference::default() }
}

provider! {
    name: "overriding",
    description: "Decides for itself",
    license: "Apache-2.0",
    config: Settings,
    resources: [Decided, Deferred, Renamed],
    overrides: [check, diff, preview, upgrade, config_check, config_diff],
}
