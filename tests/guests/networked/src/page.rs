//! A resource that asks a server in everything that it does, to see when it may.

use bulkhead_sdk::resource::{Check, Checked, Diff, Difference, PreviewCreate, PreviewUpdate};
use bulkhead_sdk::{
    Create, Created, Delete, Error, Fields, Inputs, Read, Resource, Result, Snapshot, State, Update, Updated, Value,
    resource,
};

use crate::exchange::{Wish, exchange};

#[derive(Inputs)]
pub(crate) struct Args {
    /// Who is asked.
    authority: String,
}

/// What was found there.
#[derive(State)]
pub(crate) struct Page {
    #[bulkhead(flatten)]
    args: Args,
}

/// Asks, saying what for.
fn ask(authority: &str, phase: &str) -> Result<()> {
    let wish = Wish {
        method: "GET".to_owned(),
        scheme: "http".to_owned(),
        authority: authority.to_owned(),
        path: Some(format!("/{phase}")),
        ..Wish::default()
    };
    exchange(&wish).map(drop).map_err(|why| Error::failed(format!("nobody answers: {why}")))
}

fn ask_by(fields: &Fields, phase: &str) -> Result<()> {
    ask(fields.get("authority").and_then(Value::as_text).unwrap_or_default(), phase)
}

#[resource(token = "networked:index:Page")]
impl Resource for Page {
    type Inputs = Args;

    fn check(request: Check) -> Result<Checked> {
        ask_by(&request.inputs, "check")?;
        Ok(Checked { inputs: request.inputs, failures: Vec::new() })
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        ask_by(&request.inputs, "diff")?;
        Ok(Difference { changes: Vec::new(), delete_before_replace: false, stable: Vec::new() })
    }

    fn preview_create(request: PreviewCreate) -> Result<Fields> {
        ask_by(&request.inputs, "preview")?;
        Ok(request.inputs)
    }

    fn preview_update(request: PreviewUpdate<Self>) -> Result<Fields> {
        ask_by(&request.inputs, "preview")?;
        Ok(request.inputs)
    }

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        ask(&request.inputs.authority, "create")?;
        Ok(Created::new("page-1", Self { args: request.inputs }))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(prior) = request.prior else { return Ok(None) };
        let state: Self = prior.state()?;
        ask(&state.args.authority, "read")?;
        Ok(Some(Snapshot::new(request.id, state)))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        ask(&request.inputs.authority, "update")?;
        Ok(Updated::new(Self { args: request.inputs }))
    }

    fn delete(request: Delete<Self>) -> Result<()> {
        let state: Self = request.prior.state()?;
        ask(&state.args.authority, "delete")
    }
}
