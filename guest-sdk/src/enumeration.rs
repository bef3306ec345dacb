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
///
/// Objects that look alike are told apart by a property of each that has one value only:
///
/// ```
/// use bulkhead_sdk::value::Property;
/// use bulkhead_sdk::{Object, Union, fields};
///
/// #[derive(Object)]
/// struct Circle {
///     #[bulkhead(constant = "circle")]
///     kind: String,
///     radius: f64,
/// }
///
/// #[derive(Object)]
/// struct Square {
///     #[bulkhead(constant = "square")]
///     kind: String,
///     side: f64,
/// }
///
/// #[derive(Union)]
/// #[bulkhead(discriminator = "kind")]
/// enum Shape {
///     Circle(Circle),
///     Square(Square),
/// }
///
/// let square = Shape::from_value(fields! { "kind": "square", "side": 2.0 }.into()).unwrap();
/// assert!(matches!(square, Shape::Square(square) if square.side == 2.0));
/// let error = Shape::from_value(fields! { "kind": "square", "radius": 2.0 }.into()).err().unwrap();
/// assert_eq!(error.to_string(), "`side` is required");
/// ```
pub trait Union: Property {}
