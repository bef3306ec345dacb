//! The first version of a provider, whose next one is `ledger-next`: it calls things otherwise and measures them in another unit.

use bulkhead_sdk::{
    Create, Created, Inputs, Read, Resource, Result, Snapshot, State, Update, Updated, provider, resource,
};

#[derive(Inputs)]
struct EntryArgs {
    /// What it says.
    text: String,
}

/// An entry, whose inputs stay as they are in the next version.
#[derive(State)]
struct Entry {
    #[bulkhead(flatten)]
    args: EntryArgs,
    /// How often it was written.
    count: u32,
}

#[resource(token = "ledger:index:Entry")]
impl Resource for Entry {
    type Inputs = EntryArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("entry-1", Self { args: request.inputs, count: 1 }))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(prior) = request.prior else { return Ok(None) };
        Ok(Some(Snapshot::new(request.id, prior.state()?)))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let count = request.prior.state()?.count + 1;
        Ok(Updated::new(Self { args: request.inputs, count }))
    }
}

#[derive(Inputs)]
struct MarkArgs {
    /// What it is called.
    title: Option<String>,
    /// How large it is, in GiB.
    size: Option<u32>,
    /// What is said of it, which can't be `half` something.
    note: String,
}

/// A mark, whose inputs the next version calls and measures otherwise.
#[derive(State)]
struct Mark {
    #[bulkhead(flatten)]
    args: MarkArgs,
}

#[resource(token = "ledger:index:Mark")]
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
        if request.inputs.note == "half" {
            return Err(request.partial(["title"], ["the note can't be written yet"]));
        }
        Ok(Updated::new(Self { args: request.inputs }))
    }
}

provider! {
    name: "ledger",
    description: "Keeps entries and marks",
    license: "Apache-2.0",
    resources: [Entry, Mark],
}
