//! What the user gave comes back exactly as it was given.
//!
//! Between request and answer, values are hidden from the waist or retyped (configuration arrives as JSON strings). Wherever
//! the waist left a value alone, the original stands in the answer.

use bulkhead_value::{Object, Output, Value};

/// The answer: the result, with originals in place of values that came through unchanged, or as secrets.
pub(super) fn as_given(original: &Object, handed: &Object, result: Object) -> Object {
    let mut answer: Object = result
        .into_map()
        .into_iter()
        .map(|(key, value)| {
            let value = match (original.get(&key), handed.get(&key)) {
                (Some(original), Some(handed)) => value_as_given(original, handed, value),
                _ => value,
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

fn value_as_given(original: &Value, handed: &Value, result: Value) -> Value {
    match (original, handed, result) {
        (original, handed, result) if *handed == result => original.clone(),
        (Value::Object(original), Value::Object(handed), Value::Object(result)) => {
            Value::Object(as_given(original, handed, result))
        }
        (Value::List(original), Value::List(handed), Value::List(result)) if handed.len() == result.len() => {
            let places = original.iter().zip(handed);
            let elements =
                places.zip(result).map(|((original, handed), result)| value_as_given(original, handed, result));
            Value::List(elements.collect())
        }
        (Value::Secret(original), Value::Secret(handed), Value::Secret(result)) => {
            as_secret(value_as_given(original.inner(), handed.inner(), result.into_inner()))
        }
        (original, handed, Value::Secret(result)) => as_secret(value_as_given(original, handed, result.into_inner())),
        (Value::Output(original), handed, result) => in_output(original, handed, result),
        (_, _, result) => result,
    }
}

/// What became of an output's value, as that of the output: it was handed on without what it depends on.
fn in_output(original: &Output, handed: &Value, result: Value) -> Value {
    let value = match (&original.value, handed) {
        (Some(inner), Value::Secret(handed)) => value_as_given(inner, handed.inner(), result),
        (Some(inner), handed) => value_as_given(inner, handed, result),
        (None, _) => result,
    };
    let dependencies = original.dependencies.clone();
    Value::from(Output { value: Some(Box::new(value)), secret: original.secret, dependencies })
}

/// The value, as a secret, with whatever else is said of it.
pub(super) fn as_secret(value: Value) -> Value {
    match value {
        Value::Output(output) => {
            let (value, _, dependencies) = output.into_parts();
            Value::from(Output { value: value.map(Box::new), secret: true, dependencies })
        }
        value => value.secret(),
    }
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
    fn what_the_schema_says_is_secret_comes_back_as_a_secret_and_as_it_was() {
        let depending = |secret| {
            let dependencies = vec!["urn".to_owned()];
            Value::from(Output { value: Some(Box::new("x".into())), secret, dependencies })
        };
        let given =
            |value| object([("list", Value::List(vec![object([("key", value), ("__x", 1.0.into())]).into()].into()))]);
        let handed = |value| object([("list", Value::List(vec![object([("key", value)]).into()].into()))]);
        for (original, settled, expected) in [
            (Value::from("x"), Value::from("x"), Value::from("x").secret()),
            (depending(false), "x".into(), depending(true)),
            (Value::from("x").secret(), Value::from("x").secret(), Value::from("x").secret()),
        ] {
            let answer = as_given(&given(original), &handed(settled), handed(Value::from("x").secret()));
            assert_eq!(answer, given(expected));
        }
    }

    /// As a rule whose port is given by another resource, and whose protocol has a default.
    #[test]
    fn an_output_that_something_is_filled_into_depends_on_what_it_did() {
        let output = |value: Value, secret| {
            Value::from(Output { value: Some(Box::new(value)), secret, dependencies: vec!["urn".to_owned()] })
        };
        let rule = |port: Value| Value::from(object([("port", port)]));
        let filled = |port: Value| Value::from(object([("port", port), ("protocol", "tcp".into())]));
        for (given, handed, result, expected) in [
            (output(rule(1.0.into()), false), rule(1.0.into()), filled(1.0.into()), output(filled(1.0.into()), false)),
            (
                output(rule(1.0.into()), true),
                rule(1.0.into()).secret(),
                filled(1.0.into()).secret(),
                output(filled(1.0.into()), true),
            ),
            (
                output(rule(1.0.into()), false),
                rule(1.0.into()),
                filled(1.0.into()).secret(),
                output(filled(1.0.into()), true),
            ),
            (
                output(rule(output(1.0.into(), true)), false),
                rule(Value::from(1.0).secret()),
                filled(Value::from(1.0).secret()),
                output(filled(output(1.0.into(), true)), false),
            ),
        ] {
            let [given, handed, result, expected] =
                [given, handed, result, expected].map(|rule| object([("rule", rule)]));
            assert_eq!(as_given(&given, &handed, result), expected);
        }
    }

    #[test]
    fn an_override_may_change_a_value() {
        let original = object([("a", "x".into())]);
        assert_eq!(as_given(&original, &original, object([("a", "y".into())])), object([("a", "y".into())]));
    }
}
