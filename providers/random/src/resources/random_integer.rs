//! [`RandomInteger`].

use bulkhead_sdk::{
    Create, Created, Error, Fields, Inputs, Read, Resource, Result, Snapshot, State, Update, Updated, Value, resource,
    resource::{Check, Checked, Diff, Difference, PreviewCreate, PreviewUpdate},
};

use super::{
    checked::{self, Flaw},
    coerced::Coerced,
    keepers::Keepers,
    kept::{self, Kept},
    notes::Notes,
    table::Table,
};
use crate::{
    entropy::Entropy,
    go_rand::Stream,
    import,
    plan::{Attribute, Kind, Unset},
    range::{self, RangeError},
};

const REVERSED: &str = "must not be below `min`";
const TOO_WIDE: &str = "must be nearer to `min`: the range has 2^63 values or more";

/// The range to draw from.
#[derive(Debug, Inputs)]
pub struct RandomIntegerInputs {
    /// Values that, when they change, have a new integer drawn.
    #[bulkhead(replace, output_default = None)]
    keepers: Option<Keepers>,
    /// The lowest result there can be.
    #[bulkhead(replace)]
    min: i64,
    /// The highest result there can be.
    #[bulkhead(replace)]
    max: i64,
    /// Any text. The same text gives the same result from the same range, so others who know it can tell the result.
    #[bulkhead(replace, output_default = None)]
    seed: Option<String>,
}

impl Table for RandomIntegerInputs {
    const ATTRIBUTES: &'static [Attribute] = &[
        Attribute::KEEPERS,
        Attribute::new("min", Kind::Whole, Unset::Absent),
        Attribute::new("max", Kind::Whole, Unset::Absent),
        Attribute::new("seed", Kind::Text, Unset::Absent),
    ];
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
    #[bulkhead(flatten)]
    notes: Notes<RandomIntegerInputs>,
}

#[resource(token = "random:index/randomInteger:RandomInteger")]
impl Resource for RandomInteger {
    type Inputs = Coerced<RandomIntegerInputs>;

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
        checked::check::<RandomIntegerInputs>(request, |inputs| {
            let reversed = Flaw { input: "max", reason: REVERSED, from: &["min", "max"] };
            is_reversed(inputs).then_some(reversed).into_iter().collect()
        })
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

impl Kept for RandomInteger {
    type Given = RandomIntegerInputs;
    const DRAWN: &'static [(&'static str, Kind)] = &[("result", Kind::Whole)];

    fn noted(self, notes: Notes<Self::Given>) -> Self {
        Self { notes, ..self }
    }
}

impl RandomInteger {
    fn drawn(inputs: RandomIntegerInputs) -> Result<Created<Self>> {
        let (min, max) = (inputs.min, inputs.max);
        let result = match inputs.seed.as_deref().filter(|seed| !seed.is_empty()) {
            Some(seed) => range::between(min, max, &mut Stream::new(seed)),
            None => range::between(min, max, &mut Entropy::new()?),
        };
        let result = result.map_err(|error| match error {
            RangeError::Empty => Error::rejected("max", REVERSED),
            RangeError::TooWide => Error::rejected("max", TOO_WIDE),
        })?;
        // Natively an empty seed isn't recorded.
        let inputs = RandomIntegerInputs { seed: inputs.seed.filter(|seed| !seed.is_empty()), ..inputs };
        let id = result.to_string();
        Ok(Created::new(id.clone(), Self { inputs, result, notes: Notes::of(id) }))
    }

    fn imported(id: &str) -> Result<Snapshot<Self>> {
        let import::Integer { id, result, min, max, seed } = import::integer(id)?;
        let inputs = RandomIntegerInputs { keepers: None, min, max, seed: seed.map(str::to_owned) };
        let state = Self { inputs, result, notes: Notes::of(id) };
        // Natively an empty seed is recorded, but isn't an input.
        let given = ["min", "max"].into_iter().chain(seed.filter(|seed| !seed.is_empty()).map(|_| "seed"));
        let inputs = kept::inputs_of(&state, &given.collect::<Vec<_>>())?;
        Ok(Snapshot::new(id, state).inputs(inputs))
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

    fn drawn(min: i64, max: i64, seed: Option<&str>) -> Result<Created<RandomInteger>> {
        RandomInteger::drawn(RandomIntegerInputs { keepers: None, min, max, seed: seed.map(str::to_owned) })
    }

    #[test]
    fn a_seed_fixes_the_result() {
        // As created by the native provider 4.22.0.
        let created = drawn(1, 50_000, Some("my-seed")).unwrap();
        assert_eq!((created.id.as_str(), created.state.result), ("4644", 4644));
    }

    #[test]
    fn an_empty_seed_is_none() {
        let results: std::collections::BTreeSet<_> =
            (0..20).map(|_| drawn(1, 1_000_000, Some("")).unwrap().state.result).collect();
        assert!(results.len() > 1);
    }

    #[test]
    fn impossible_ranges_name_the_input() {
        assert_eq!(drawn(5, 4, None).unwrap_err().to_string(), "`max` must not be below `min`");
        assert_eq!(
            drawn(i64::MIN, i64::MAX, None).unwrap_err().to_string(),
            "`max` must be nearer to `min`: the range has 2^63 values or more",
        );
    }

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
