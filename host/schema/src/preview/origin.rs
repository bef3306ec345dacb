//! A preview, and where its values come from.

use bulkhead_value::{Object, PropertyPath};

/// What an operation would return.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Preview {
    /// Every output of the schema, unknown where it isn't certain; the same for members of objects. Secrets aren't marked
    /// yet: see [`mark`](crate::secrets::mark).
    pub state: Object,
    /// Where the values come from. An entry holds for its place and for everything below it that has no entry of its own.
    pub origins: Vec<(PropertyPath, Origin)>,
}

impl Preview {
    /// Where the value at a place comes from; `None` if there is none, or if it is made of several.
    pub fn origin(&self, path: &PropertyPath) -> Option<Origin> {
        let above = self.origins.iter().filter(|(place, _)| place.contains(path));
        above.max_by_key(|(place, _)| place.segments().len()).map(|(_, origin)| *origin)
    }
}

/// Where a value of a preview comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// From the inputs.
    Given,
    /// From the schema's default, whether it was given or filled in.
    Default,
    /// From what the provider promises for an input that is left out.
    OutputDefault,
    /// From the schema: there is only one value.
    Constant,
    /// From the state before: an update doesn't change it.
    Stable,
    /// From the provider's own preview.
    Guess,
    /// From nowhere: the value is unknown.
    Unknown,
}

impl Origin {
    /// Whether the operation will return this very value. A guess may be wrong.
    pub fn is_promise(self) -> bool {
        !matches!(self, Self::Guess | Self::Unknown)
    }
}
