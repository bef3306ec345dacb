//! A resource that was called `Titled`, whose name was called `title` up to version 1, and whose size was in GiB. Whatever looks for a `name` in what wasn't upgraded fails,
//! and so does an upgrade of what has no title. It reads what it rewrites in clear.

use bulkhead_sdk::resource::{Upgrade, Upgraded};
use bulkhead_sdk::{
    Create, Created, Delete, Error, Fields, Inputs, Read, Resource, Result, Snapshot, State, Update, Updated, Value,
    resource,
};

use crate::Settings;

#[derive(Inputs)]
pub(crate) struct Args {
    /// What it is called.
    #[bulkhead(replace, autoname)]
    name: String,
    /// What is written on it.
    text: Option<String>,
    /// How large it is, in MiB.
    #[bulkhead(replace)]
    size: Option<u32>,
}

/// A resource with a name.
#[derive(State)]
pub(crate) struct Renamed {
    #[bulkhead(flatten)]
    args: Args,
    /// How often it was written on.
    revision: u32,
}

#[resource(token = "overriding:index:Renamed", aliases = ["overriding:index:Titled"], schema_version = 2)]
impl Resource for Renamed {
    type Inputs = Args;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("renamed-1", Self { args: request.inputs, revision: 1 }))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let state = match request.prior {
            Some(prior) => prior.state()?,
            None => Self { args: Args { name: request.id.clone(), text: None, size: None }, revision: 1 },
        };
        Ok(Some(Snapshot::new(request.id, state)))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        if request.inputs.text.as_deref() == Some("half") {
            return Err(request.unsettled(["nothing was written yet"]));
        }
        let revision = request.prior.state()?.revision + 1;
        Ok(Updated::new(Self { args: request.inputs, revision }))
    }

    fn delete(request: Delete<Self>) -> Result<()> {
        request.prior.state().map(drop)
    }

    fn upgrade(request: Upgrade) -> Result<Upgraded> {
        let renamed = |mut fields: Fields| -> Result<Fields> {
            if fields.get("text").and_then(Value::as_text) == Some("crash") {
                std::process::abort();
            }
            let title = fields.remove("title").ok_or_else(|| Error::bug("what was recorded has no title"))?;
            fields.insert("name".to_owned(), title.into_plain());
            if let Some(size) = fields.get("size").and_then(Value::as_number) {
                fields.insert("size".to_owned(), (size * 1024.0).into());
            }
            Ok(fields)
        };
        Ok(Upgraded { state: renamed(request.state)?, inputs: request.inputs.map(renamed).transpose()? })
    }
}
