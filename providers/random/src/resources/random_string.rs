//! [`RandomString`].

use bulkhead_sdk::{
    Create, Created, Fields, Read, Resource, Result, Snapshot, State, Update, Updated, resource,
    resource::{Check, Checked, Diff, Difference, PreviewCreate, PreviewUpdate, Upgrade, Upgraded},
};

use super::{
    coerced::Coerced,
    kept::{self, Kept},
    notes::Notes,
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
    #[bulkhead(flatten)]
    notes: Notes<TextInputs>,
}

#[resource(token = "random:index/randomString:RandomString", schema_version = 2)]
impl Resource for RandomString {
    type Inputs = Coerced<TextInputs>;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Self::drawn(request.inputs.inputs)
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        kept::read(request, Self::imported)
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        kept::update(request)
    }

    fn check(request: Check) -> Result<Checked> {
        text_inputs::check(request)
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        kept::diff(request)
    }

    fn preview_create(request: PreviewCreate) -> Result<Fields> {
        kept::preview_create::<Self>(&request)
    }

    fn preview_update(request: PreviewUpdate<Self>) -> Result<Fields> {
        kept::preview_update(&request)
    }

    fn upgrade(request: Upgrade) -> Result<Upgraded> {
        Ok(Upgraded { state: upgrade::text(request.state), inputs: request.inputs })
    }
}

impl Kept for RandomString {
    type Given = TextInputs;
    const DRAWN: &'static [&'static str] = &["result"];

    fn kept(self, inputs: Self::Given, notes: Notes<Self::Given>) -> Self {
        Self { inputs, notes, ..self }
    }
}

impl RandomString {
    fn drawn(inputs: TextInputs) -> Result<Created<Self>> {
        let result = inputs.draw()?;
        Ok(Created::new(result.clone(), Self { inputs, notes: Notes::of(result.clone()), result }))
    }

    fn imported(text: &str) -> Result<Snapshot<Self>> {
        let state = Self { inputs: TextInputs::imported(text)?, result: text.to_owned(), notes: Notes::of(text) };
        Ok(Snapshot::new(text, state).inputs(TextInputs::import_inputs(text)?))
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
