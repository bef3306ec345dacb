//! Descriptions of other packages.

use bulkhead_sdk::packages::{Made, Package, Resolved, mapping, parameterized_schema, resolve, schema};
use bulkhead_sdk::{Error, Inputs, Result, State, function, log};

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

/// Asks what a user means, and for the schema of that.
#[function(token = "asking:index:describeResolved")]
pub(crate) fn describe_resolved(args: Named) -> Result<Said> {
    let found = resolve(&Package::of(args.source), &args.parameters.unwrap_or_default())?;
    let made = found.replacement.or(found.extension).ok_or_else(|| Error::failed("it is no other package"))?;
    let text = parameterized_schema(&Package::of(found.name).version(found.version), &made)?;
    Ok(Said { length: u32::try_from(text.len())?, text })
}

#[derive(Inputs)]
pub(crate) struct Named {
    /// What the user wrote.
    source: String,
    /// The version.
    version: Option<String>,
    /// Arguments for the package.
    parameters: Option<Vec<String>>,
}

/// Asks what a user means.
#[function(token = "asking:index:resolve")]
pub(crate) fn resolved(args: Named) -> Result<Said> {
    let source = match args.version {
        Some(version) => Package::of(args.source).version(version),
        None => Package::of(args.source),
    };
    let Resolved { name, kind, version, download_url, replacement, extension, .. } =
        resolve(&source, &args.parameters.unwrap_or_default())?;
    let made = |made: Option<Made>| {
        let made = made.map(|made| format!("{} {} {}", made.name, made.version, String::from_utf8_lossy(&made.value)));
        made.unwrap_or_else(|| "none".to_owned())
    };
    let url = download_url.unwrap_or_else(|| "the usual place".to_owned());
    let (replacement, extension) = (made(replacement), made(extension));
    let text = format!("{kind} {name} {version} from {url}, replaced by {replacement}, extended by {extension}");
    Ok(Said { length: u32::try_from(text.len())?, text })
}
