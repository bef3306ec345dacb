//! What a user gives in files: a configuration, and inputs.

use std::collections::BTreeMap;
use std::path::Path;

use bulkhead_value::{Object, Value};

use crate::cli::error::CommandError;

/// Reads a configuration: a JSON object.
///
/// # Errors
/// A file that can't be read, or holds something else.
pub(super) fn configuration(path: &Path) -> Result<Object, CommandError> {
    object(path, "the configuration", "write a JSON object: {\"key\": value}")
}

/// Reads inputs: a JSON object of objects, by token.
///
/// # Errors
/// A file that can't be read, or holds something else.
pub(super) fn inputs(path: &Path) -> Result<BTreeMap<String, Object>, CommandError> {
    let hint = "write a JSON object of inputs by token: {\"package:index:Type\": {\"property\": value}}";
    let by_token = object(path, "the inputs", hint)?.into_iter().map(|(token, inputs)| match inputs {
        Value::Object(inputs) => Ok((token, inputs)),
        other => Err(unread("the inputs", path, format!("`{token}` has {}, not an object", other.kind())).hint(hint)),
    });
    by_token.collect()
}

/// That a file can't be read as something, and why.
fn unread(of: &str, path: &Path, what: String) -> CommandError {
    CommandError::new(format!("read {of} in {}: {what}", path.display()))
}

/// Reads a JSON object.
fn object(path: &Path, of: &str, hint: &str) -> Result<Object, CommandError> {
    let failed = |what| unread(of, path, what);
    let text = std::fs::read(path)
        .map_err(|error| failed(error.to_string()).due_to(&error, "name a file that you may read"))?;
    // Some shells and editors begin a file with a mark of how its text is encoded (UTF-8), which is no part of it.
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    // What is wrong with JSON is told by its place: its text may be secret.
    let json: serde_json::Value = serde_json::from_slice(text).map_err(|error| {
        failed(format!("it isn't JSON, at line {}, column {}", error.line(), error.column())).hint(hint)
    })?;
    match value(json) {
        Value::Object(object) => Ok(object),
        other => Err(failed(format!("it holds {}, not an object", other.kind())).hint(hint)),
    }
}

/// The value that JSON stands for. The parser allows a depth of 128.
fn value(json: serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(truth) => truth.into(),
        serde_json::Value::Number(number) => number.as_f64().map_or(Value::Null, Value::from),
        serde_json::Value::String(text) => text.into(),
        serde_json::Value::Array(elements) => Value::from(elements.into_iter().map(value).collect::<Vec<_>>()),
        serde_json::Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, member)| (name, value(member))).collect())
        }
    }
}
