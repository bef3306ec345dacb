//! [`RandomUuid7`].

use bulkhead_sdk::{
    Create, Created, Fields, Inputs, Read, Resource, Result, Snapshot, State, Update, Updated, resource,
    resource::{Check, Checked, Diff, Difference, PreviewCreate, PreviewUpdate},
};

use super::{
    coerced::Coerced,
    keepers::Keepers,
    kept::{self, Kept},
    notes::Notes,
    table::Table,
};
use crate::{
    import,
    plan::{Attribute, Kind},
    uuid,
};

/// When to draw again.
#[derive(Debug, Inputs)]
pub struct RandomUuid7Inputs {
    /// Values that, when they change, have a new UUID drawn.
    #[bulkhead(replace, output_default = None)]
    keepers: Option<Keepers>,
}

impl Table for RandomUuid7Inputs {
    const ATTRIBUTES: &'static [Attribute] = &[Attribute::KEEPERS];
}

/// A UUID of version 7, made of the time and randomness, drawn once and kept until a keeper changes. By the clock, those drawn later sort after those drawn earlier.
///
/// To import a UUID, give the UUID as the id.
#[derive(Debug, State)]
pub struct RandomUuid7 {
    #[bulkhead(flatten)]
    inputs: RandomUuid7Inputs,
    /// The UUID, in lower-case hexadecimal digits with hyphens.
    result: String,
    #[bulkhead(flatten)]
    notes: Notes<RandomUuid7Inputs>,
}

#[resource(token = "random:index/randomUuid7:RandomUuid7")]
impl Resource for RandomUuid7 {
    type Inputs = Coerced<RandomUuid7Inputs>;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Self::drawn(request.inputs.typed()?)
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        kept::read(request, Self::imported)
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        kept::update(request)
    }

    fn check(request: Check) -> Result<Checked> {
        kept::check::<RandomUuid7Inputs>(request)
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
}

impl Kept for RandomUuid7 {
    type Given = RandomUuid7Inputs;
    const DRAWN: &'static [(&'static str, Kind)] = &[("result", Kind::Text)];

    fn noted(self, notes: Notes<Self::Given>) -> Self {
        Self { notes, ..self }
    }
}

impl RandomUuid7 {
    fn drawn(inputs: RandomUuid7Inputs) -> Result<Created<Self>> {
        let result = uuid::version_7()?;
        Ok(Created::new(result.clone(), Self { inputs, notes: Notes::of(result.clone()), result }))
    }

    fn imported(id: &str) -> Result<Snapshot<Self>> {
        let result = import::uuid(id)?;
        let inputs = RandomUuid7Inputs { keepers: None };
        Ok(Snapshot::new(result.clone(), Self { inputs, notes: Notes::of(result.clone()), result }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_is_the_result() {
        let created = RandomUuid7::drawn(RandomUuid7Inputs { keepers: None }).unwrap();
        assert_eq!(created.id, created.state.result);
        assert_eq!(created.id.chars().nth(14), Some('7'), "the version");
    }

    #[test]
    fn an_import_is_spelled_canonically() {
        let imported = RandomUuid7::imported("9615DFE3-DB80-22DA-B96F-58C82D07E685").unwrap();
        assert_eq!(imported.id, "9615dfe3-db80-22da-b96f-58c82d07e685");
        assert_eq!(imported.state.result, imported.id);
    }
}
