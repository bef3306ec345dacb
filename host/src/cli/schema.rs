//! `bulkhead schema`: the package schema, which says what GetSchema returns.

use std::path::Path;

use super::component::{here, load};
use super::error::CommandError;
use crate::component::{Artefact, Cache};
use crate::legible::legible_json;

/// The schema's text, with a line end. Whether a component does what its schema says is asked by whoever uses it.
///
/// # Errors
/// A file that isn't a usable provider.
pub(super) async fn schema(path: &Path, cache: &Cache) -> Result<Vec<u8>, CommandError> {
    let described = Artefact::open(cache, path).ok().and_then(|artefact| artefact.description(cache)?.ok());
    let schema = match described {
        // What a component says of itself in a section is read without compiling it, which may take seconds.
        Some(description) => description.schema,
        None => load("show the schema of", path, here, cache).await?.1.schema,
    };
    let mut text = legible_json(schema.to_vec());
    text.push(b'\n');
    Ok(text)
}
