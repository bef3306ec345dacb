//! Enumerations of strings.

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
