//! The second version of the provider whose first one is `ledger`.

use bulkhead_sdk::resource::{Upgrade, Upgraded};
use bulkhead_sdk::{
    Create, Created, Fields, Inputs, Read, Resource, Result, Snapshot, State, Update, Updated, Value, provider,
    resource,
};

#[derive(Inputs)]
struct EntryArgs {
    /// What it says.
    text: String,
}

/// An entry, of which the output `total` was called `count`, and `origin` is new.
#[derive(State)]
struct Entry {
    #[bulkhead(flatten)]
    args: EntryArgs,
    /// How often it was written.
    total: u32,
    /// Which version made it.
    origin: String,
}

#[resource(token = "ledger:index:Entry", schema_version = 1, same_inputs)]
impl Resource for Entry {
    type Inputs = EntryArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("entry-1", Self { args: request.inputs, total: 1, origin: "the second".to_owned() }))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(prior) = request.prior else { return Ok(None) };
        Ok(Some(Snapshot::new(request.id, prior.state()?)))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let prior = request.prior.state()?;
        Ok(Updated::new(Self { args: request.inputs, total: prior.total + 1, origin: prior.origin }))
    }

    fn upgrade(mut request: Upgrade) -> Result<Upgraded> {
        if let Some(count) = request.state.remove("count") {
            request.state.insert("total".to_owned(), count);
        }
        request.state.insert("origin".to_owned(), "the first".into());
        Ok(Upgraded { state: request.state, inputs: request.inputs })
    }
}

#[derive(Inputs)]
struct MarkArgs {
    /// What it is called.
    label: Option<String>,
    /// How large it is, in MiB.
    size: Option<u32>,
    /// What is said of it.
    note: String,
}

/// A mark, whose `label` was called `title`, and whose size was in GiB.
#[derive(State)]
struct Mark {
    #[bulkhead(flatten)]
    args: MarkArgs,
}

#[resource(token = "ledger:index:Mark", schema_version = 1)]
impl Resource for Mark {
    type Inputs = MarkArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("mark-1", Self { args: request.inputs }))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(prior) = request.prior else { return Ok(None) };
        Ok(Some(Snapshot::new(request.id, prior.state()?)))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        Ok(Updated::new(Self { args: request.inputs }))
    }

    fn upgrade(request: Upgrade) -> Result<Upgraded> {
        let rewritten = |mut fields: Fields| {
            if let Some(title) = fields.remove("title") {
                fields.insert("label".to_owned(), title);
            }
            if let Some(size) = fields.get("size").and_then(Value::as_number) {
                fields.insert("size".to_owned(), (size * 1024.0).into());
            }
            fields
        };
        Ok(Upgraded { state: rewritten(request.state), inputs: request.inputs.map(rewritten) })
    }
}

provider! {
    name: "ledger",
    description: "Keeps entries and marks",
    license: "Apache-2.0",
    resources: [Entry, Mark],
    overrides: [upgrade],
}
