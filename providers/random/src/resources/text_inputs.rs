//! Strings and passwords are asked for in the same words. Two of the words mean the same, `number` and `numeric`: either
//! may be given, the state has both, and to go over from one to the other must not replace a password.

use bulkhead_sdk::{
    Error, Fields, Inputs, Resource, Result, Value,
    resource::{Check, Checked, Diff, Difference, PreviewCreate},
};

use super::keepers::{self, Keepers};
use crate::{
    characters::{self, CharactersError, DIGITS, Kind, LOWER, SPECIAL, UPPER},
    entropy::Entropy,
};

/// The inputs that say how many characters of a kind there are at least.
const LEAST: [&str; 4] = ["minUpper", "minLower", "minNumeric", "minSpecial"];

/// What a string or password is to look like.
#[derive(Debug, Inputs)]
pub struct TextInputs {
    /// Values that, when they change, have a new result drawn.
    #[bulkhead(replace, output_default = None)]
    pub(super) keepers: Option<Keepers>,
    /// How many characters the result has; at least 1, and at least `minUpper`, `minLower`, `minNumeric` and `minSpecial`
    /// together.
    #[bulkhead(replace, minimum = 1, maximum = 1048576)]
    pub(super) length: u32,
    /// Whether the result may have upper-case letters.
    #[bulkhead(replace, output_default = true)]
    pub(super) upper: bool,
    /// Whether the result may have lower-case letters.
    #[bulkhead(replace, output_default = true)]
    pub(super) lower: bool,
    /// Whether the result may have digits. An older name of `numeric`; if both are given, they must be equal.
    #[bulkhead(replace, output_default = true, deprecated = "`numeric` is the same, and will stay.")]
    pub(super) number: bool,
    /// Whether the result may have digits.
    #[bulkhead(replace, output_default = true)]
    pub(super) numeric: bool,
    /// Whether the result may have special characters: one of `!@#$%&*()-_=+[]{}<>:?`, or of `overrideSpecial`.
    #[bulkhead(replace, output_default = true)]
    pub(super) special: bool,
    /// How many upper-case letters the result has at least.
    #[bulkhead(replace, output_default = 0)]
    pub(super) min_upper: u32,
    /// How many lower-case letters the result has at least.
    #[bulkhead(replace, output_default = 0)]
    pub(super) min_lower: u32,
    /// How many digits the result has at least.
    #[bulkhead(replace, output_default = 0)]
    pub(super) min_numeric: u32,
    /// How many special characters the result has at least.
    #[bulkhead(replace, output_default = 0)]
    pub(super) min_special: u32,
    /// The characters to use as special ones. They are used only if `special` is true or `minSpecial` is above 0.
    #[bulkhead(replace, output_default = None)]
    pub(super) override_special: Option<String>,
}

impl TextInputs {
    /// A text after these inputs, which afterwards agree about digits.
    pub(super) fn draw(&mut self) -> Result<String> {
        // Where only one was given, the other is true; where both were, they are equal.
        let numeric = self.number && self.numeric;
        (self.number, self.numeric) = (numeric, numeric);

        let special = self.override_special.as_deref().filter(|special| !special.is_empty()).unwrap_or(SPECIAL);
        let kind = |characters, allowed, least: u32| Kind { characters, allowed, least: least as usize };
        let kinds = [
            kind(UPPER, self.upper, self.min_upper),
            kind(LOWER, self.lower, self.min_lower),
            kind(DIGITS, numeric, self.min_numeric),
            kind(special, self.special, self.min_special),
        ];
        characters::string(self.length as usize, &kinds, &mut Entropy::new()?).map_err(|error| match error {
            CharactersError::TooShort { .. } => Error::rejected("length", TOO_SHORT),
            CharactersError::NothingAllowed => Error::rejected("numeric", NOTHING_ALLOWED),
        })
    }

    /// The inputs of a text that exists: how it was drawn isn't known, so whatever isn't its length is the default. The
    /// length counts bytes, as the native provider's does on import.
    pub(super) fn imported(text: &str) -> Result<Self> {
        Ok(Self {
            keepers: None,
            length: u32::try_from(text.len())?,
            upper: true,
            lower: true,
            number: true,
            numeric: true,
            special: true,
            min_upper: 0,
            min_lower: 0,
            min_numeric: 0,
            min_special: 0,
            override_special: None,
        })
    }
}

const TOO_SHORT: &str = "must be at least the sum of `minUpper`, `minLower`, `minNumeric` and `minSpecial`";
const NOTHING_ALLOWED: &str = "must not be false where `upper`, `lower` and `special` are: no characters would be left";
const DISAGREE: &str = "must equal `numeric`, or be left out: both mean the same";

/// The host's check, and what inputs say about each other.
pub(super) fn check(request: &Check) -> Result<Checked> {
    let mut checked = request.defaults()?;
    for (input, reason) in contradictions(&request.inputs) {
        checked.reject(input, reason);
    }
    Ok(checked)
}

/// Inputs that can't stand beside others. What isn't known yet contradicts nothing.
fn contradictions(inputs: &Fields) -> Vec<(&'static str, &'static str)> {
    let mut found = Vec::new();
    let number = |input| inputs.get(input).and_then(Value::as_number);
    let least: f64 = LEAST.into_iter().filter_map(number).filter(|least| *least > 0.0).sum();
    if number("length").is_some_and(|length| length < least) {
        found.push(("length", TOO_SHORT));
    }
    let flag = |input| inputs.get(input).and_then(Value::as_boolean);
    if let (Some(number), Some(numeric)) = (flag("number"), flag("numeric"))
        && number != numeric
    {
        found.push(("number", DISAGREE));
    }
    if ["upper", "lower", "special"].into_iter().all(|input| flag(input) == Some(false)) {
        let digits = ["numeric", "number"].into_iter().find(|input| flag(input) == Some(false));
        found.extend(digits.map(|input| (input, NOTHING_ALLOWED)));
    }
    found
}

/// The host's difference, less that of inputs which only say the same in other words.
pub(super) fn diff<R: Resource>(mut request: Diff<R>) -> Result<Difference> {
    request.inputs = in_both_words(request.inputs);
    let old = request.prior.recorded_inputs().unwrap_or(request.prior.recorded_state());
    if says_nothing(old, "overrideSpecial") && says_nothing(&request.inputs, "overrideSpecial") {
        request.ignore_changes.push("overrideSpecial".into());
    }
    keepers::diff(request)
}

/// The host's prediction, where `number` and `numeric` follow each other.
pub(super) fn preview_create(mut request: PreviewCreate) -> Result<Fields> {
    request.inputs = in_both_words(request.inputs);
    request.defaults()
}

/// Inputs with `number` and `numeric`, if either is given.
fn in_both_words(mut inputs: Fields) -> Fields {
    for (given, other) in [("number", "numeric"), ("numeric", "number")] {
        if says_nothing(&inputs, other)
            && let Some(value) = inputs.get(given)
        {
            inputs.insert(other.to_owned(), value.clone());
        }
    }
    inputs
}

/// Whether an input is left out, or empty, which is the same.
fn says_nothing(inputs: &Fields, input: &str) -> bool {
    match inputs.get(input).map(Value::plain) {
        None | Some(Value::Null) => true,
        Some(value) => value.as_text() == Some(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields<const N: usize>(entries: [(&str, Value); N]) -> Fields {
        entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn inputs(length: u32) -> TextInputs {
        TextInputs { length, ..TextInputs::imported("").unwrap() }
    }

    #[test]
    fn each_word_for_digits_rules_both() {
        for (number, numeric, expected) in [(true, true, true), (false, true, false), (true, false, false)] {
            let mut inputs = TextInputs { number, numeric, special: false, ..inputs(300) };
            let text = inputs.draw().unwrap();
            assert_eq!((inputs.number, inputs.numeric), (expected, expected));
            assert_eq!(text.contains(|character: char| character.is_ascii_digit()), expected, "{text}");
        }
    }

    #[test]
    fn special_characters_can_be_chosen() {
        let only = |override_special: &str| {
            let override_special = Some(override_special.to_owned());
            let mut inputs = TextInputs { upper: false, lower: false, numeric: false, override_special, ..inputs(50) };
            inputs.draw().unwrap()
        };
        assert!(only("+-").chars().all(|character| "+-".contains(character)));
        assert!(only("").chars().all(|character| SPECIAL.contains(character)), "empty means the usual ones");
    }

    #[test]
    fn characters_may_be_demanded_of_a_kind_that_is_not_allowed() {
        let text = TextInputs { upper: false, min_upper: 2, ..inputs(4) }.draw().unwrap();
        assert_eq!(text.chars().filter(char::is_ascii_uppercase).count(), 2, "{text}");
    }

    #[test]
    fn contradictions_are_found_before_anything_is_created() {
        let no = || Value::from(false);
        let cases = [
            (
                fields([("length", 2.into()), ("minUpper", 2.into()), ("minLower", 1.into())]),
                vec![("length", TOO_SHORT)],
            ),
            (fields([("length", Value::from(2).secret()), ("minUpper", 3.into())]), vec![("length", TOO_SHORT)]),
            (
                fields([("length", 2.into()), ("minUpper", 3.into()), ("minLower", Value::Unknown)]),
                vec![("length", TOO_SHORT)],
            ),
            (fields([("length", 3.into()), ("minUpper", 3.into())]), vec![]),
            (fields([("length", Value::Unknown), ("minUpper", 3.into())]), vec![]),
            (fields([("number", true.into()), ("numeric", no())]), vec![("number", DISAGREE)]),
            (fields([("number", no()), ("numeric", no())]), vec![]),
            (fields([("number", Value::Unknown), ("numeric", no())]), vec![]),
            (fields([("upper", no()), ("lower", no()), ("special", no())]), vec![]),
            (
                fields([("upper", no()), ("lower", no()), ("special", no()), ("numeric", no())]),
                vec![("numeric", NOTHING_ALLOWED)],
            ),
            (
                fields([("upper", no()), ("lower", no()), ("special", no()), ("number", no())]),
                vec![("number", NOTHING_ALLOWED)],
            ),
            (fields([("upper", no()), ("lower", no()), ("special", Value::Unknown), ("number", no())]), vec![]),
        ];
        for (inputs, expected) in cases {
            assert_eq!(contradictions(&inputs), expected, "{inputs:?}");
        }
    }

    #[test]
    fn what_cannot_be_drawn_names_the_input() {
        let message = |mut inputs: TextInputs| inputs.draw().unwrap_err().to_string();
        let short = TextInputs { min_upper: 2, min_lower: 2, ..inputs(3) };
        assert_eq!(message(short), format!("`length` {TOO_SHORT}"));
        let nothing = TextInputs { upper: false, lower: false, special: false, numeric: false, ..inputs(3) };
        assert_eq!(message(nothing), format!("`numeric` {NOTHING_ALLOWED}"));
    }

    #[test]
    fn one_word_for_digits_is_given_to_the_other() {
        for given in [Value::from(false), Value::Unknown, Value::from(true).secret()] {
            let both = fields([("number", given.clone()), ("numeric", given.clone())]);
            assert_eq!(in_both_words(fields([("number", given.clone())])), both);
            assert_eq!(in_both_words(fields([("numeric", given)])), both);
        }
        assert_eq!(in_both_words(Fields::new()), Fields::new());
    }

    #[test]
    fn imports_count_bytes() {
        assert_eq!(TextInputs::imported("Grüße").unwrap().length, 7);
    }
}
