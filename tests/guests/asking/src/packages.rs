//! Descriptions of other packages.

use bulkhead_sdk::packages::{Package, mapping, schema};
use bulkhead_sdk::{Inputs, Result, State, function, log};

#[derive(Inputs)]
pub(crate) struct Args {
    /// The package.
    package: Option<String>,
    /// Its version.
    version: Option<String>,
    /// A provider of another ecosystem, whose mapping to ask for.
    provider: Option<String>,
}

/// What was said.
#[derive(State)]
pub(crate) struct Said {
    /// The beginning of the text.
    text: String,
    /// How long it is, in bytes.
    length: u32,
}

/// Asks for a schema, or a mapping.
#[function(token = "asking:index:describe")]
pub(crate) fn describe(args: Args) -> Result<Said> {
    let package = args.package.map(|name| match args.version {
        Some(version) => Package::of(name).version(version),
        None => Package::of(name),
    });
    log::debug("asking");
    let text = match args.provider {
        Some(provider) => String::from_utf8_lossy(&mapping(&provider, package.as_ref())?).into_owned(),
        None => schema(&package.unwrap_or_else(|| Package::of("")))?,
    };
    Ok(Said { length: u32::try_from(text.len())?, text: text.chars().take(100).collect() })
}
