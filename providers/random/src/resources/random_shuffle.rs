//! [`RandomShuffle`].

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
    go_rand::Stream,
    order,
    plan::{Attribute, Kind, Unset},
};

/// The id of every order.
const ID: &str = "-";

/// What to shuffle.
#[derive(Debug, Inputs)]
pub struct RandomShuffleInputs {
    /// The strings to shuffle.
    #[bulkhead(replace)]
    inputs: Vec<String>,
    /// Values that, when they change, have a new order drawn.
    #[bulkhead(replace, output_default = None)]
    keepers: Option<Keepers>,
    /// How many results there are, by default as many as inputs. Fewer leave some out; more repeat them, each as often
    /// as the others or once more.
    #[bulkhead(replace, output_default = None, maximum = 1048576)]
    result_count: Option<u32>,
    /// Any text. The same text gives the same order of as many inputs, so others who know it can tell the order.
    #[bulkhead(replace, output_default = None)]
    seed: Option<String>,
}

impl Table for RandomShuffleInputs {
    const ATTRIBUTES: &'static [Attribute] = &[
        Attribute::KEEPERS,
        Attribute::new("inputs", Kind::Texts, Unset::Absent),
        Attribute::new("resultCount", Kind::Whole, Unset::Absent),
        Attribute::new("seed", Kind::Text, Unset::Absent),
    ];
    const LISTS: &'static [&'static str] = &["results"];
    const RENAMED: &'static [(&'static str, &'static str)] = &[("inputs", "input"), ("results", "result")];
}

/// A list of strings in a random order, drawn once and kept until an input changes.
///
/// An order can't be imported.
#[derive(Debug, State)]
pub struct RandomShuffle {
    #[bulkhead(flatten)]
    inputs: RandomShuffleInputs,
    /// The strings in their random order.
    results: Vec<String>,
    #[bulkhead(flatten)]
    notes: Notes<RandomShuffleInputs>,
}

#[resource(token = "random:index/randomShuffle:RandomShuffle")]
impl Resource for RandomShuffle {
    type Inputs = Coerced<RandomShuffleInputs>;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Self::drawn(request.inputs.typed()?)
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        kept::read(request, kept::no_import)
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        kept::update(request)
    }

    fn check(request: Check) -> Result<Checked> {
        kept::check::<RandomShuffleInputs>(request)
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

impl Kept for RandomShuffle {
    type Given = RandomShuffleInputs;
    const DRAWN: &'static [(&'static str, Kind)] = &[("results", Kind::Texts)];

    fn noted(self, notes: Notes<Self::Given>) -> Self {
        Self { notes, ..self }
    }
}

impl RandomShuffle {
    fn drawn(inputs: RandomShuffleInputs) -> Result<Created<Self>> {
        let items = &inputs.inputs;
        let count = inputs.result_count.map_or(items.len(), |count| count as usize);
        let results = match inputs.seed.as_deref().filter(|seed| !seed.is_empty()) {
            Some(seed) => order::shuffled(items, count, &mut Stream::new(seed)),
            None => order::shuffled(items, count, &mut Entropy::new()?),
        };
        Ok(Created::new(ID, Self { inputs, results, notes: Notes::of(ID) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(result_count: Option<u32>, seed: Option<&str>) -> Vec<String> {
        let inputs = ["a", "b", "c"].map(str::to_owned).to_vec();
        let inputs = RandomShuffleInputs { inputs, keepers: None, result_count, seed: seed.map(str::to_owned) };
        let created = RandomShuffle::drawn(inputs).unwrap();
        assert_eq!(created.id, "-");
        created.state.results
    }

    #[test]
    fn there_are_as_many_results_as_inputs_unless_said_otherwise() {
        assert_eq!(results(None, None).len(), 3);
        assert_eq!(results(Some(0), None).len(), 0);
        assert_eq!(results(Some(8), None).len(), 8);
    }

    #[test]
    fn a_seed_fixes_the_order() {
        // As created by the native provider 4.22.0.
        assert_eq!(results(None, Some("a")), ["c", "b", "a"]);
        assert_eq!(results(Some(8), Some("x")), ["b", "c", "a", "c", "b", "a", "b", "c"]);
    }

    #[test]
    fn an_empty_seed_is_none() {
        let orders: std::collections::BTreeSet<_> = (0..100).map(|_| results(None, Some(""))).collect();
        assert!(orders.len() > 1);
    }
}
