//! Strings and passwords are asked for in the same words. Two of the words mean the same, `number` and `numeric`: either
//! may be given, the state has both, and to go over from one to the other must not replace a password.

use bulkhead_sdk::{Error, Fields, Inputs, Result, Value};

use super::{checked::Flaw, keepers::Keepers, table::Table};
use crate::{
    characters::{self, CharactersError, DIGITS, LOWER, SPECIAL, UPPER},
    entropy::Entropy,
    plan::{Attribute, Kind, Replaces, Unset},
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
    /// A text after these inputs.
    pub(super) fn draw(&self) -> Result<String> {
        if self.length == 0 {
            return Err(Error::rejected("length", "must be at least 1"));
        }
        if self.number != self.numeric {
            return Err(disagreement());
        }
        let special = self.override_special.as_deref().filter(|special| !special.is_empty()).unwrap_or(SPECIAL);
        let kind = |characters, allowed, least: u32| characters::Kind { characters, allowed, least: least as usize };
        let kinds = [
            kind(UPPER, self.upper, self.min_upper),
            kind(LOWER, self.lower, self.min_lower),
            kind(DIGITS, self.numeric, self.min_numeric),
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

/// The inputs that the native provider records of an import.
pub(super) const OF_IMPORT: [&str; 6] = ["length", "upper", "lower", "special", "number", "numeric"];

impl Table for TextInputs {
    const ATTRIBUTES: &'static [Attribute] = &[
        Attribute::KEEPERS,
        Attribute::new("length", Kind::Whole, Unset::Absent),
        Attribute::new("upper", Kind::Truth, Unset::True),
        Attribute::new("lower", Kind::Truth, Unset::True),
        Attribute::new("number", Kind::Truth, Unset::As("numeric")),
        Attribute::new("numeric", Kind::Truth, Unset::As("number")),
        Attribute::new("special", Kind::Truth, Unset::True),
        Attribute::new("minUpper", Kind::Whole, Unset::Whole(0)),
        Attribute::new("minLower", Kind::Whole, Unset::Whole(0)),
        Attribute::new("minNumeric", Kind::Whole, Unset::Whole(0)),
        Attribute::new("minSpecial", Kind::Whole, Unset::Whole(0)),
        Attribute::new("overrideSpecial", Kind::Text, Unset::Absent).replaces(Replaces::UnlessEmptied),
    ];

    fn agree(inputs: &Fields) -> Result<()> {
        if disagree(inputs) { Err(disagreement()) } else { Ok(()) }
    }
}

const TOO_SHORT: &str = "must be at least the sum of `minUpper`, `minLower`, `minNumeric` and `minSpecial`";
const NOTHING_ALLOWED: &str = "must not be false where `upper`, `lower` and `special` are: no characters would be left";
const DISAGREE: &str =
    "must equal `numeric`, or be left out: number and numeric are both configured with different values";

/// Whether the two words for the same say otherwise.
fn disagree(inputs: &Fields) -> bool {
    let flag = |input| inputs.get(input).and_then(Value::as_boolean);
    flag("number").zip(flag("numeric")).is_some_and(|(number, numeric)| number != numeric)
}

fn disagreement() -> Error {
    Error::rejected("number", DISAGREE)
}

/// Inputs that can't stand beside others. What isn't known yet contradicts nothing.
pub(super) fn contradictions(inputs: &Fields) -> Vec<Flaw> {
    let mut found = Vec::new();
    let number = |input| inputs.get(input).and_then(Value::as_number);
    let least: f64 = LEAST.into_iter().filter_map(number).filter(|least| *least > 0.0).sum();
    if number("length").is_some_and(|length| length < least) {
        let from = &["length", "minUpper", "minLower", "minNumeric", "minSpecial"];
        found.push(Flaw { input: "length", reason: TOO_SHORT, from });
    }
    if disagree(inputs) {
        found.push(Flaw { input: "number", reason: DISAGREE, from: &["number", "numeric"] });
    }
    let is_false = |input: &&str| inputs.get(*input).and_then(Value::as_boolean) == Some(false);
    if ["upper", "lower", "special"].iter().all(is_false) {
        // Natively each of them is checked for itself.
        let digits = ["number", "numeric"].into_iter().filter(is_false);
        let from = &["upper", "lower", "special", "number", "numeric"];
        found.extend(digits.map(|input| Flaw { input, reason: NOTHING_ALLOWED, from }));
    }
    found
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
    fn digits_may_be_left_out() {
        for expected in [true, false] {
            let text =
                TextInputs { number: expected, numeric: expected, special: false, ..inputs(300) }.draw().unwrap();
            assert_eq!(text.contains(|character: char| character.is_ascii_digit()), expected, "{text}");
        }
    }

    #[test]
    fn special_characters_can_be_chosen() {
        let only = |override_special: &str| {
            let override_special = Some(override_special.to_owned());
            let inputs = TextInputs {
                upper: false,
                lower: false,
                number: false,
                numeric: false,
                override_special,
                ..inputs(50)
            };
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
            (
                fields([("upper", no()), ("lower", no()), ("special", no()), ("number", no()), ("numeric", no())]),
                vec![("number", NOTHING_ALLOWED), ("numeric", NOTHING_ALLOWED)],
            ),
            (fields([("upper", no()), ("lower", no()), ("special", Value::Unknown), ("number", no())]), vec![]),
        ];
        for (inputs, expected) in cases {
            let found: Vec<_> = contradictions(&inputs).iter().map(|flaw| (flaw.input, flaw.reason)).collect();
            assert_eq!(found, expected, "{inputs:?}");
        }
    }

    #[test]
    fn what_cannot_be_drawn_names_the_input() {
        let message = |inputs: TextInputs| inputs.draw().unwrap_err().to_string();
        let short = TextInputs { min_upper: 2, min_lower: 2, ..inputs(3) };
        assert_eq!(message(short), format!("`length` {TOO_SHORT}"));
        let nothing =
            TextInputs { upper: false, lower: false, special: false, number: false, numeric: false, ..inputs(3) };
        assert_eq!(message(nothing), format!("`numeric` {NOTHING_ALLOWED}"));
        assert_eq!(message(inputs(0)), "`length` must be at least 1");
        let both = TextInputs { number: false, numeric: true, ..inputs(3) };
        assert_eq!(message(both), format!("`number` {DISAGREE}"));
    }

    #[test]
    fn imports_count_bytes() {
        assert_eq!(TextInputs::imported("Grüße").unwrap().length, 7);
    }
}
