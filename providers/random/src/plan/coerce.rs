//! Programs in languages without types give `"12"` where 12 is due, and `1` where `"1"` is. The native provider takes the one
//! for the other when it creates, and stacks rely on it. What can't be taken for what is due stays as it is, to be refused by
//! whoever is told to.

use bulkhead_sdk::Value;

use super::{attribute::Kind, numerals};

/// A value in the form in which it is recorded; secrets stay secret.
pub fn coerced(kind: Kind, value: &Value) -> Value {
    match (kind, value) {
        (kind, Value::Secret(inner)) => coerced(kind, inner).secret(),
        (Kind::Text, value) => text(value),
        (Kind::Whole, Value::Text(digits)) => whole(digits).unwrap_or_else(|| value.clone()),
        (Kind::Texts, Value::Items(items)) => {
            items.iter().map(|item| coerced(Kind::Text, item)).collect::<Vec<_>>().into()
        }
        (Kind::TextsByName, Value::Fields(members)) => {
            let members = members.iter().map(|(name, member)| (name.clone(), coerced(Kind::Text, member)));
            Value::Fields(members.collect())
        }
        (Kind::Whole | Kind::Truth | Kind::Texts | Kind::TextsByName, value) => value.clone(),
    }
}

fn text(value: &Value) -> Value {
    match value {
        Value::Boolean(truth) => truth.to_string().into(),
        // Without exponent, in as few digits as tell the number from others.
        Value::Number(number) => number.to_string().into(),
        other => other.clone(),
    }
}

/// The number that a text stands for; an empty one stands for none.
fn whole(digits: &str) -> Option<Value> {
    if digits.is_empty() {
        return Some(Value::Null);
    }
    numerals::number(digits).map(Value::Number)
}

#[cfg(test)]
mod tests {
    use bulkhead_sdk::fields;

    use super::*;

    #[test]
    fn numbers_and_truth_values_are_taken_for_text() {
        // As the native provider 4.22.0 recorded them.
        for (given, recorded) in [
            (Value::from(1), "1"),
            (Value::from(1.5), "1.5"),
            (Value::from(1e21), "1000000000000000000000"),
            (Value::from(123_456_789_012_345_680.0), "123456789012345680"),
            (Value::from(true), "true"),
        ] {
            assert_eq!(coerced(Kind::Text, &given), recorded.into());
        }
    }

    #[test]
    fn digits_are_taken_for_numbers() {
        assert_eq!(coerced(Kind::Whole, &"12".into()), 12.into());
        assert_eq!(coerced(Kind::Whole, &"1e1".into()), 10.into());
        assert_eq!(coerced(Kind::Whole, &"1_000".into()), 1000.into());
        assert_eq!(coerced(Kind::Whole, &"".into()), Value::Null);
        for kept in ["x", "0x10", " 5", "inf", "nan"] {
            assert_eq!(coerced(Kind::Whole, &kept.into()), kept.into());
        }
    }

    #[test]
    fn nothing_is_taken_for_a_truth_value() {
        for kept in [Value::from("true"), Value::from(1)] {
            assert_eq!(coerced(Kind::Truth, &kept), kept);
        }
    }

    #[test]
    fn members_are_taken_one_by_one_and_secrets_stay_secret() {
        let given =
            fields! { "keepers": fields! { "a": Value::from(1).secret(), "b": Value::Null, "c": Value::Unknown } };
        let recorded = fields! { "a": Value::from("1").secret(), "b": Value::Null, "c": Value::Unknown };
        assert_eq!(coerced(Kind::TextsByName, &given["keepers"]), Value::Fields(recorded.clone()));
        assert_eq!(coerced(Kind::TextsByName, &given["keepers"].clone().secret()), Value::Fields(recorded).secret());
        assert_eq!(coerced(Kind::Texts, &vec![Value::from(1), Value::from("b")].into()), vec!["1", "b"].into());
    }
}
