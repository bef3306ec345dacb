//! Enums that properties are of: strings of several, values of several types.

use crate::value::Property;

/// An enum whose variants are strings: `Large` is `"large"`, unless `#[bulkhead(rename = "…")]` says otherwise.
///
/// `#[derive(Enum)]` implements it.
///
/// ```
/// use bulkhead_sdk::Enum;
///
/// /// How large the machine is.
/// #[derive(Enum)]
/// enum Size {
///     /// One core.
///     Small,
///     /// Sixteen cores.
///     #[bulkhead(rename = "x16")]
///     Large,
/// }
///
/// assert_eq!(Size::Large.text(), "x16");
/// ```
pub trait Enum: Property {
    /// The string that stands for the variant.
    fn text(&self) -> &'static str;
}

/// An enum whose variants hold one value each, of different types.
///
/// `#[derive(Union)]` implements it. A value becomes the first variant whose type it fits, so that narrow types come first.
///
/// ```
/// use bulkhead_sdk::value::Property;
/// use bulkhead_sdk::{Union, Value};
///
/// #[derive(Union, Debug, PartialEq)]
/// enum Port {
///     Number(u16),
///     Name(String),
/// }
///
/// assert_eq!(Port::from_value(Value::from(443)).unwrap(), Port::Number(443));
/// assert_eq!(Port::from_value(Value::from("https")).unwrap(), Port::Name("https".to_owned()));
/// let error = Port::from_value(Value::from(true)).unwrap_err();
/// assert_eq!(error.to_string(), "the value is of none of the types that it may have, but a boolean");
/// ```
pub trait Union: Property {}
