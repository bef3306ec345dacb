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
    inputs: Vec<Option<String>>,
    /// Values that, when they change, have a new order drawn.
    #[bulkhead(replace)]
    keepers: Option<Keepers>,
    /// How many results there are, by default as many as inputs. Fewer leave some out; more repeat them, each as often
    /// as the others or once more.
    #[bulkhead(replace, maximum = 1048576)]
    result_count: Option<u32>,
    /// Any text. The same text gives the same order of as many inputs, so others who know it can tell the order.
    #[bulkhead(replace)]
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
    results: Vec<Option<String>>,
}

#[resource(token = "random:index/randomShuffle:RandomShuffle")]
impl Resource for RandomShuffle {
    type Inputs = RandomShuffleInputs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let RandomShuffleInputs { ref inputs, result_count, ref seed, .. } = request.inputs;
        let count = result_count.map_or(inputs.len(), |count| count as usize);
        let results = match seed.as_deref().filter(|seed| !seed.is_empty()) {
            Some(seed) => order::shuffled(inputs, count, &mut Stream::new(seed)),
            None => order::shuffled(inputs, count, &mut Entropy::new()?),
        };
        Ok(Created::new(ID, Self { inputs: request.inputs, results }))
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        keepers::diff(request)
    }
}
