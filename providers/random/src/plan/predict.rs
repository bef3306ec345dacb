//! The values that a resource has after a create or update with some inputs, as far as inputs say.

use bulkhead_sdk::{Fields, Value};

use super::attribute::{Attribute, Unset};
use super::coerce::coerced;

/// The value of each attribute; those that are absent aren't there. What is secret stays so, what isn't known as well.
pub fn predicted(attributes: &[Attribute], inputs: &Fields) -> Fields {
    let given = |attribute: &Attribute| {
        let value = coerced(attribute.kind, inputs.get(attribute.name)?);
        (*value.plain() != Value::Null).then_some(value)
    };
    let named = |name: &str| attributes.iter().find(|attribute| attribute.name == name).and_then(given);
    let value = |attribute: &Attribute| {
        let otherwise = || match attribute.unset {
            Unset::Absent => None,
            Unset::Whole(number) => Some(number.into()),
            Unset::Text(text) => Some(text.into()),
            Unset::True => Some(true.into()),
            Unset::As(other) => Some(named(other).unwrap_or_else(|| true.into())),
        };
        Some((attribute.name.to_owned(), given(attribute).or_else(otherwise)?))
    };
    attributes.iter().filter_map(value).collect()
}

#[cfg(test)]
mod tests {
    use bulkhead_sdk::fields;

    use super::*;
    use crate::plan::Kind;

    const ATTRIBUTES: [Attribute; 4] = [
        Attribute::KEEPERS,
        Attribute::new("length", Kind::Whole, Unset::Whole(2)),
        Attribute::new("number", Kind::Truth, Unset::As("numeric")),
        Attribute::new("numeric", Kind::Truth, Unset::As("number")),
    ];

    fn of(inputs: Fields) -> Fields {
        predicted(&ATTRIBUTES, &inputs)
    }

    #[test]
    fn what_is_left_out_is_the_default_or_absent() {
        let expected = fields! { "length": 2, "number": true, "numeric": true };
        assert_eq!(of(fields! {}), expected);
        assert_eq!(of(fields! { "length": Value::Null, "keepers": Value::Null, "nope": 1 }), expected);
        assert_eq!(of(fields! { "length": "" }), expected);
    }

    #[test]
    fn what_is_given_is_recorded_in_its_form() {
        let predicted = of(fields! { "length": "12", "keepers": fields! { "version": 1 } });
        assert_eq!(predicted["length"], 12.into());
        assert_eq!(predicted["keepers"], fields! { "version": "1" }.into());
    }

    #[test]
    fn one_word_is_taken_for_the_other() {
        for value in [Value::from(false), Value::Unknown, Value::from(true).secret()] {
            for word in ["number", "numeric"] {
                let predicted = of(Fields::from([(word.to_owned(), value.clone())]));
                assert_eq!((&predicted["number"], &predicted["numeric"]), (&value, &value));
            }
        }
        let both = of(fields! { "number": false, "numeric": Value::Null });
        assert_eq!(both["numeric"], false.into());
    }
}
