//! `bulkhead schema`: the package schema, as GetSchema returns it.

use std::path::Path;

use super::component::load;
use super::error::CommandError;
use crate::component::Cache;

/// The schema's text, with a line end.
///
/// # Errors
/// A file that isn't a usable provider.
pub(super) async fn schema(path: &Path, cache: &Cache) -> Result<Vec<u8>, CommandError> {
    let (_, description) = load("show the schema of", path, cache).await?;
    let mut text = description.schema.to_vec();
    text.push(b'\n');
    Ok(text)
}
