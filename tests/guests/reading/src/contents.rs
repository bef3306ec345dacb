//! Contents of what the request holds.

use std::io::Read as _;

use bulkhead_sdk::value::AssetSource;
use bulkhead_sdk::{
    Archive, Asset, Create, Created, Delete, Fields, Inputs, Read, Resource, Result, Snapshot, State, Update, Updated,
    Value, assets, function, log, resource,
};

#[derive(Clone, Inputs)]
pub(crate) struct Args {
    /// An asset.
    asset: Option<Asset>,
    /// An archive.
    archive: Option<Archive>,
    /// Anything, with assets and archives in it.
    any: Option<Value>,
    /// A file to name in the state, though nobody gave it.
    forged: Option<String>,
}

/// What was given, and what is in it.
#[derive(State)]
pub(crate) struct Contents {
    #[bulkhead(flatten)]
    args: Args,
    /// The texts found, in order.
    found: Vec<String>,
}

#[resource(token = "reading:index:Contents")]
impl Resource for Contents {
    type Inputs = Args;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let found = request.inputs.texts()?;
        let mut args = request.inputs;
        if let Some(path) = &args.forged {
            args.asset = Some(Asset { hash: None, source: AssetSource::Path(path.clone()) });
        }
        Ok(Created::new("contents-1", Self { args, found }))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(prior) = request.prior else { return Ok(None) };
        let mut state = prior.state()?;
        state.found = state.args.texts()?;
        Ok(Some(Snapshot::new(request.id, state)))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let mut found = request.prior.state()?.args.texts()?;
        found.extend(request.inputs.texts()?);
        Ok(Updated::new(Self { args: request.inputs, found }))
    }

    fn delete(request: Delete<Self>) -> Result<()> {
        for text in request.prior.state()?.args.texts()? {
            log::info(text);
        }
        Ok(())
    }
}

/// What is in it.
#[derive(State)]
pub(crate) struct Looked {
    /// The texts found, in order.
    found: Vec<String>,
}

/// Looks into assets and archives.
#[function(token = "reading:index:look")]
pub(crate) fn look(args: Args) -> Result<Looked> {
    Ok(Looked { found: args.texts()? })
}

impl Args {
    fn texts(&self) -> Result<Vec<String>> {
        let mut found = Vec::new();
        if let Some(asset) = &self.asset {
            found.push(text(asset)?);
        }
        if let Some(archive) = &self.archive {
            members(archive, &mut found)?;
        }
        if let Some(any) = &self.any {
            inside(any, &mut found)?;
        }
        Ok(found)
    }
}

/// A text, or how long it is.
fn text(asset: &Asset) -> Result<String> {
    let mut blob = assets::open(asset)?;
    let size = blob.size();
    let mut bytes = Vec::new();
    blob.read_to_end(&mut bytes)?;
    assert_eq!(size, Some(bytes.len() as u64), "the size should be that of the contents");
    Ok(shown(bytes))
}

fn shown(bytes: Vec<u8>) -> String {
    match bytes.len() {
        0..100 => String::from_utf8_lossy(&bytes).into_owned(),
        length => format!("{length} bytes"),
    }
}

fn members(archive: &Archive, found: &mut Vec<String>) -> Result<()> {
    let reader = assets::open_archive(archive)?;
    for name in reader.names()? {
        let mut bytes = Vec::new();
        reader.open(&name)?.read_to_end(&mut bytes)?;
        found.push(format!("{name}: {}", shown(bytes)));
    }
    Ok(())
}

fn inside(value: &Value, found: &mut Vec<String>) -> Result<()> {
    match value.plain() {
        Value::Asset(asset) => found.push(text(asset)?),
        Value::Archive(archive) => members(archive, found)?,
        Value::Items(items) => items.iter().try_for_each(|item| inside(item, found))?,
        Value::Fields(fields) => each(fields, found)?,
        _ => {}
    }
    Ok(())
}

fn each(fields: &Fields, found: &mut Vec<String>) -> Result<()> {
    fields.values().try_for_each(|value| inside(value, found))
}
