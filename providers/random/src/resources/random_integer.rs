//! [`RandomInteger`].

use bulkhead_sdk::{
    Create, Created, Error, Fields, Inputs, Read, Resource, Result, Snapshot, State, Value, resource,
    resource::{Check, Checked, Diff, Difference},
};

use super::{
    keepers::{self, Keepers},
    kept,
};
use crate::{
    entropy::Entropy,
    go_rand::Stream,
    import,
    range::{self, RangeError},
};

const REVERSED: &str = "must not be below `min`";

/// The range to draw from.
#[derive(Debug, Inputs)]
pub struct RandomIntegerInputs {
    /// Values that, when they change, have a new integer drawn.
    #[bulkhead(replace)]
    keepers: Option<Keepers>,
    /// The lowest result there can be.
    #[bulkhead(replace)]
    min: i64,
    /// The highest result there can be.
    #[bulkhead(replace)]
    max: i64,
    /// Any text. The same text gives the same result from the same range, so others who know it can tell the result.
    #[bulkhead(replace)]
    seed: Option<String>,
}

/// A random integer from a range that includes both its ends, drawn once and kept until an input changes.
///
/// To import an integer, give `RESULT,MIN,MAX` as the id, or `RESULT,MIN,MAX,SEED`.
#[derive(Debug, State)]
pub struct RandomInteger {
    #[bulkhead(flatten)]
    inputs: RandomIntegerInputs,
    /// The integer.
    result: i64,
}

#[resource(token = "random:index/randomInteger:RandomInteger")]
impl Resource for RandomInteger {
    type Inputs = RandomIntegerInputs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let RandomIntegerInputs { min, max, ref seed, .. } = request.inputs;
        let result = match seed.as_deref().filter(|seed| !seed.is_empty()) {
            Some(seed) => range::between(min, max, &mut Stream::new(seed)),
            None => range::between(min, max, &mut Entropy::new()?),
        };
        let result = result.map_err(|error| match error {
            RangeError::Empty => Error::rejected("max", REVERSED),
            RangeError::TooWide => Error::rejected("max", error.to_string()),
        })?;
        Ok(Created::new(result.to_string(), Self { inputs: request.inputs, result }))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        kept::read(request, Self::imported)
    }

    fn check(request: Check) -> Result<Checked> {
        let mut checked = request.defaults()?;
        if is_reversed(&request.inputs) {
            checked.reject("max", REVERSED);
        }
        Ok(checked)
    }

    fn diff(request: Diff<Self>) -> Result<Difference> {
        keepers::diff(request)
    }
}

impl RandomInteger {
    fn imported(id: &str) -> Result<Snapshot<Self>> {
        let import::Integer { id, result, min, max, seed } = import::integer(id)?;
        let inputs = RandomIntegerInputs { keepers: None, min, max, seed: seed.map(str::to_owned) };
        Ok(Snapshot::new(id, Self { inputs, result }))
    }
}

/// Whether the range is known to be empty.
fn is_reversed(inputs: &Fields) -> bool {
    let number = |input| inputs.get(input).and_then(Value::as_number);
    matches!((number("min"), number("max")), (Some(min), Some(max)) if max < min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_brings_the_range() {
        let imported = RandomInteger::imported("5,1,9,salt").unwrap();
        assert_eq!((imported.id.as_str(), imported.state.result), ("5", 5));
        let inputs = imported.state.inputs;
        assert_eq!((inputs.min, inputs.max, inputs.seed.as_deref()), (1, 9, Some("salt")));
    }

    #[test]
    fn a_range_is_wrong_only_if_both_ends_are_known() {
        let inputs = |min: Value, max: Value| Fields::from([("min".to_owned(), min), ("max".to_owned(), max)]);
        assert!(is_reversed(&inputs(5.into(), 4.into())));
        assert!(is_reversed(&inputs(Value::from(5).secret(), 4.into())));
        assert!(!is_reversed(&inputs(4.into(), 4.into())));
        assert!(!is_reversed(&inputs(Value::Unknown, 4.into())));
        assert!(!is_reversed(&Fields::new()));
    }
}
