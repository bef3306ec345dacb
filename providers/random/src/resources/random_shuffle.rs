//! [`RandomShuffle`].

use bulkhead_sdk::{
    Create, Created, Inputs, Resource, Result, State, resource,
    resource::{Diff, Difference},
};

use super::keepers::{self, Keepers};
use crate::{entropy::Entropy, go_rand::Stream, order};

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

/// A list of strings in a random order, drawn once and kept until an input changes.
///
/// An order can't be imported.
#[derive(Debug, State)]
pub struct RandomShuffle {
    #[bulkhead(flatten)]
    inputs: RandomShuffleInputs,
    /// The strings in their random order.
    results: Vec<String>,
}

#[resource(token = "random:index/randomShuffle:RandomShuffle")]
impl Resource for RandomShuffle {
    type Inputs = RandomShuffleInputs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Self::drawn(request.inputs)
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        keepers::diff(request)
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
        Ok(Created::new(ID, Self { inputs, results }))
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
