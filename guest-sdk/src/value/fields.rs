//! Objects written down.

/// [`Fields`](crate::Fields) written down: `fields! { "length": 8, "tags": vec!["a", "b"] }`.
///
/// Values are whatever becomes a [`Value`](crate::Value): strings, booleans, numbers, lists, other fields.
///
/// ```
/// use bulkhead_sdk::{Value, fields};
///
/// let inputs = fields! { "length": 8, "token": Value::from("hunter2").secret(), "nested": fields! { "deep": true } };
/// assert_eq!(inputs["length"].as_number(), Some(8.0));
/// ```
#[macro_export]
macro_rules! fields {
    ($($name:literal: $value:expr),* $(,)?) => {{
        #[allow(unused_mut, reason = "there may be none")]
        let mut fields = $crate::Fields::new();
        $(fields.insert(::std::string::String::from($name), $crate::Value::from($value));)*
        fields
    }};
}
