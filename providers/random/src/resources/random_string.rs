//! [`RandomString`].

use bulkhead_sdk::{
    Create, Created, Fields, Read, Resource, Result, Snapshot, State, resource,
    resource::{Check, Checked, Diff, Difference, PreviewCreate, Upgrade, Upgraded},
};

use super::{
    kept,
    text_inputs::{self, TextInputs},
};
use crate::upgrade;

/// A random string of letters, digits and special characters, drawn once and kept until an input changes.
///
/// The result is shown in plain. Use `RandomPassword` for what must stay secret, and `RandomId` for what must be unique.
///
/// To import a string, give the string itself as the id.
#[derive(Debug, State)]
pub struct RandomString {
    #[bulkhead(flatten)]
    inputs: TextInputs,
    /// The string.
    result: String,
}

#[resource(token = "random:index/randomString:RandomString", schema_version = 2)]
impl Resource for RandomString {
    type Inputs = TextInputs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Self::drawn(request.inputs)
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        kept::read(request, Self::imported)
    }

    fn check(request: Check) -> Result<Checked> {
        text_inputs::check(&request)
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        text_inputs::diff(request)
    }

    fn preview_create(request: PreviewCreate) -> Result<Fields> {
        text_inputs::preview_create(request)
    }

    fn upgrade(request: Upgrade) -> Result<Upgraded> {
        Ok(Upgraded { state: upgrade::text(request.state), inputs: request.inputs })
    }
}

impl RandomString {
    fn drawn(mut inputs: TextInputs) -> Result<Created<Self>> {
        let result = inputs.draw()?;
        Ok(Created::new(result.clone(), Self { inputs, result }))
    }

    fn imported(text: &str) -> Result<Snapshot<Self>> {
        Ok(Snapshot::new(text, Self { inputs: TextInputs::imported(text)?, result: text.to_owned() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_is_the_string() {
        let created = RandomString::drawn(TextInputs::imported("length").unwrap()).unwrap();
        assert_eq!(created.state.result.chars().count(), 6);
        assert_eq!(created.id, created.state.result);
    }

    #[test]
    fn an_import_is_the_string_that_was_typed() {
        let imported = RandomString::imported("abc123").unwrap();
        assert_eq!((imported.id.as_str(), imported.state.result.as_str()), ("abc123", "abc123"));
        assert_eq!(imported.state.inputs.length, 6);
    }
}
