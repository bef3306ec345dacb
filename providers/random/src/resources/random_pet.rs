//! [`RandomPet`].

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
    entropy::Entropy,
    pet,
    plan::{Attribute, Kind, Unset},
};

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

impl Table for RandomPetInputs {
    const ATTRIBUTES: &'static [Attribute] = &[
        Attribute::KEEPERS,
        Attribute::new("length", Kind::Whole, Unset::Whole(2)),
        Attribute::new("prefix", Kind::Text, Unset::Absent),
        Attribute::new("separator", Kind::Text, Unset::Text("-")),
    ];
}

/// A name that people can remember, such as `calm-otter`, drawn once and kept until an input changes. The name is the id.
///
/// A name can't be imported.
#[derive(Debug, State)]
pub struct RandomPet {
    #[bulkhead(flatten)]
    inputs: RandomPetInputs,
    #[bulkhead(flatten)]
    notes: Notes<RandomPetInputs>,
}

#[resource(token = "random:index/randomPet:RandomPet")]
impl Resource for RandomPet {
    type Inputs = Coerced<RandomPetInputs>;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Self::drawn(request.inputs.inputs)
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        kept::read(request, kept::no_import)
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        kept::update(request)
    }

    fn check(request: Check) -> Result<Checked> {
        kept::check::<RandomPetInputs>(request)
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

impl Kept for RandomPet {
    type Given = RandomPetInputs;
    const DRAWN: &'static [&'static str] = &[];

    fn kept(self, inputs: Self::Given, notes: Notes<Self::Given>) -> Self {
        Self { inputs, notes }
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
        // Natively an empty prefix isn't recorded.
        let inputs = RandomPetInputs { prefix: inputs.prefix.filter(|prefix| !prefix.is_empty()), ..inputs };
        Ok(Created::new(name.clone(), Self { inputs, notes: Notes::of(name) }))
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
