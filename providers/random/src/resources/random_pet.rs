//! [`RandomPet`].

use bulkhead_sdk::{
    Create, Created, Inputs, Resource, Result, State, resource,
    resource::{Diff, Difference},
};

use super::keepers::{self, Keepers};
use crate::{entropy::Entropy, pet};

/// How the name is made up.
#[derive(Debug, Inputs)]
pub struct RandomPetInputs {
    /// Values that, when they change, have a new name drawn.
    #[bulkhead(replace)]
    keepers: Option<Keepers>,
    /// How many words the name has, a prefix not counted.
    #[bulkhead(replace, output_default = 2, maximum = 65536)]
    length: i64,
    /// What the name begins with, followed by the separator.
    #[bulkhead(replace)]
    prefix: Option<String>,
    /// What stands between the words.
    #[bulkhead(replace, output_default = "-")]
    separator: String,
}

/// A name that people can remember, such as `calm-otter`, drawn once and kept until an input changes. The name is the id.
///
/// A name can't be imported.
#[derive(Debug, State)]
pub struct RandomPet {
    #[bulkhead(flatten)]
    inputs: RandomPetInputs,
}

#[resource(token = "random:index/randomPet:RandomPet")]
impl Resource for RandomPet {
    type Inputs = RandomPetInputs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let RandomPetInputs { length, ref prefix, ref separator, .. } = request.inputs;
        let name = pet::name(length, separator, &mut Entropy::new()?);
        let name = match prefix.as_deref().filter(|prefix| !prefix.is_empty()) {
            Some(prefix) => format!("{prefix}{separator}{name}"),
            None => name,
        };
        Ok(Created::new(name, Self { inputs: request.inputs }))
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        keepers::diff(request)
    }
}
