//! What JSON can say.

use bulkhead_value::Value;

/// Whether a value is what JSON can say, at every depth: null, a boolean, a number, a string, a list or a map of such. What
/// isn't known may turn out to be.
pub(super) fn is_json(value: &Value) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value.plain() {
            Value::Asset(_) | Value::Archive(_) | Value::Reference(_) => return false,
            Value::List(list) => open.extend(list.iter()),
            Value::Object(object) => open.extend(object.values()),
            _ => {}
        }
    }
    true
}
