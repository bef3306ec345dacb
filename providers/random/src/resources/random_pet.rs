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
    #[bulkhead(replace, output_default = None)]
    keepers: Option<Keepers>,
    /// How many words the name has, a prefix not counted.
    #[bulkhead(replace, output_default = 2, maximum = 65536)]
    length: i64,
    /// What the name begins with, followed by the separator.
    #[bulkhead(replace, output_default = None)]
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
        Self::drawn(request.inputs)
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        keepers::diff(request)
    }
}

impl RandomPet {
    fn drawn(inputs: RandomPetInputs) -> Result<Created<Self>> {
        let separator = &inputs.separator;
        let name = pet::name(inputs.length, separator, &mut Entropy::new()?);
        let name = match inputs.prefix.as_deref().filter(|prefix| !prefix.is_empty()) {
            Some(prefix) => format!("{prefix}{separator}{name}"),
            None => name,
        };
        Ok(Created::new(name, Self { inputs }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(prefix: Option<&str>) -> String {
        let prefix = prefix.map(str::to_owned);
        let inputs = RandomPetInputs { keepers: None, length: 2, prefix, separator: "+".to_owned() };
        RandomPet::drawn(inputs).unwrap().id
    }

    #[test]
    fn the_separator_stands_between_all_parts() {
        assert_eq!(name(None).split('+').count(), 2);
        assert_eq!(name(Some("")).split('+').count(), 2);
        let prefixed = name(Some("Prefix"));
        assert!(prefixed.starts_with("Prefix+"), "{prefixed}");
        assert_eq!(prefixed.split('+').count(), 3);
    }
}
