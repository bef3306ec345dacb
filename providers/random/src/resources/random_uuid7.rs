//! [`RandomUuid7`].

use bulkhead_sdk::{
    Create, Created, Inputs, Read, Resource, Result, Snapshot, State, resource,
    resource::{Diff, Difference},
};

use super::{
    keepers::{self, Keepers},
    kept,
};
use crate::{import, uuid};

/// When to draw again.
#[derive(Debug, Inputs)]
pub struct RandomUuid7Inputs {
    /// Values that, when they change, have a new UUID drawn.
    #[bulkhead(replace)]
    keepers: Option<Keepers>,
}

/// A UUID of version 7, made of the time and randomness, drawn once and kept until a keeper changes. Those drawn later sort after those drawn earlier.
///
/// To import a UUID, give the UUID as the id.
#[derive(Debug, State)]
pub struct RandomUuid7 {
    #[bulkhead(flatten)]
    inputs: RandomUuid7Inputs,
    /// The UUID, in lower-case hexadecimal digits with hyphens.
    result: String,
}

#[resource(token = "random:index/randomUuid7:RandomUuid7")]
impl Resource for RandomUuid7 {
    type Inputs = RandomUuid7Inputs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let result = uuid::version_7()?;
        Ok(Created::new(result.clone(), Self { inputs: request.inputs, result }))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        kept::read(request, Self::imported)
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        keepers::diff(request)
    }
}

impl RandomUuid7 {
    fn imported(id: &str) -> Result<Snapshot<Self>> {
        let result = import::uuid(id)?;
        Ok(Snapshot::new(result.clone(), Self { inputs: RandomUuid7Inputs { keepers: None }, result }))
    }
}
