//! Assets of a provider's own: what its check makes of those that it is given.

use bulkhead_sdk::resource::{Check, Checked};
use bulkhead_sdk::value::{ArchiveSource, AssetSource};
use bulkhead_sdk::{
    Archive, Asset, Create, Created, Inputs, Resource, Result, State, Update, Updated, Value, resource,
};

#[derive(Inputs)]
pub(crate) struct Args {
    /// An asset.
    asset: Option<Asset>,
    /// An archive.
    archive: Option<Archive>,
}

/// What is left of texts without the spaces around them.
#[derive(State)]
pub(crate) struct Trimmed {
    #[bulkhead(flatten)]
    args: Args,
    /// A text that the provider makes.
    made: Asset,
}

fn made() -> Asset {
    Asset::from("hello".to_owned())
}

#[resource(token = "reading:index:Trimmed")]
impl Resource for Trimmed {
    type Inputs = Args;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("trimmed-1", Self { args: request.inputs, made: made() }))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        Ok(Updated::new(Self { args: request.inputs, made: made() }))
    }

    fn check(request: Check) -> Result<Checked> {
        let mut checked = request.defaults()?;
        for input in checked.inputs.values_mut() {
            *input = trimmed(std::mem::replace(input, Value::Null));
        }
        Ok(checked)
    }
}

/// The same without spaces, and without any hash.
fn trimmed(value: Value) -> Value {
    match value {
        Value::Asset(Asset { source: AssetSource::Text(text), .. }) => {
            Value::Asset(Asset::from(text.trim().to_owned()))
        }
        Value::Asset(asset) => Value::Asset(Asset { hash: None, ..asset }),
        Value::Archive(archive) => {
            let source = match archive.source {
                ArchiveSource::Members(members) => {
                    ArchiveSource::Members(members.into_iter().map(|(name, member)| (name, trimmed(member))).collect())
                }
                source => source,
            };
            Value::Archive(Archive { hash: None, source })
        }
        other => other,
    }
}
