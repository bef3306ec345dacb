//! Secrets and outputs around a value.

use bulkhead_value::{Output, Value};

/// A value in the wrappers that another one has at its top: what was secret stays secret, and what depended on something
/// still does.
pub(crate) fn rewrapped(around: &Value, value: Value) -> Value {
    let mut wrappers = Vec::new();
    let mut around = around;
    loop {
        let inner = match around {
            Value::Secret(secret) => secret.inner(),
            Value::Output(output) if let Some(inner) = &output.value => inner,
            _ => break,
        };
        wrappers.push(around);
        around = inner;
    }
    wrappers.into_iter().rev().fold(value, |value, wrapper| match wrapper {
        Value::Output(output) => Value::from(Output {
            value: Some(Box::new(value)),
            secret: output.secret,
            dependencies: output.dependencies.clone(),
        }),
        _ => value.secret(),
    })
}
