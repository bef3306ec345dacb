//! What the user gave comes back exactly as it was given.
//!
//! Between request and answer, values are hidden from the waist or retyped (configuration arrives as JSON strings). Wherever
//! the waist left a value alone, the original stands in the answer.

use bulkhead_value::{Object, Value};

/// The answer: the result, with originals in place of values that came through unchanged.
pub(super) fn as_given(original: &Object, handed: &Object, result: Object) -> Object {
    let mut answer: Object = result
        .into_map()
        .into_iter()
        .map(|(key, value)| {
            let value = match (original.get(&key), handed.get(&key), value) {
                (Some(original), Some(handed), value) if *handed == value => original.clone(),
                (Some(Value::Object(original)), Some(Value::Object(handed)), Value::Object(value)) => {
                    Value::Object(as_given(original, handed, value))
                }
                (_, _, value) => value,
            };
            (key, value)
        })
        .collect();
    // What was hidden from the waist altogether.
    for (key, value) in original.iter().filter(|(key, _)| !handed.contains_key(key.as_str())) {
        answer.insert(key.clone(), value.clone());
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object<const N: usize>(fields: [(&str, Value); N]) -> Object {
        fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    #[test]
    fn given_values_come_back_as_they_were_and_defaults_are_added() {
        let original =
            object([("port", "8080".into()), ("version", "1".into()), ("o", object([("__x", 1.0.into())]).into())]);
        let handed = object([("port", 8080.0.into()), ("o", Object::default().into())]);
        let result =
            object([("port", 8080.0.into()), ("host", "h".into()), ("o", object([("d", true.into())]).into())]);
        let expected = object([
            ("port", "8080".into()),
            ("version", "1".into()),
            ("host", "h".into()),
            ("o", object([("__x", 1.0.into()), ("d", true.into())]).into()),
        ]);
        assert_eq!(as_given(&original, &handed, result), expected);
    }

    #[test]
    fn an_override_may_change_a_value() {
        let original = object([("a", "x".into())]);
        assert_eq!(as_given(&original, &original, object([("a", "y".into())])), object([("a", "y".into())]));
    }
}
