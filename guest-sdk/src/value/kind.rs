//! What may be said about which types: text has a pattern, a number has bounds, a list has a size.

use std::collections::{BTreeMap, HashMap};

use super::Secret;
use crate::output::Output;

/// Types that hold text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no text",
    label = "`autoname`, `min_length`, `max_length` and `pattern` are said about strings"
)]
pub trait Text {}

/// Types that hold a number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no number",
    label = "`minimum` and `maximum` are said about numbers"
)]
pub trait Numeric {}

/// Types that hold several values.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no list and no map",
    label = "`min_items` and `max_items` are said about lists and maps"
)]
pub trait Several {}

/// Types whose values can be empty.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be empty",
    label = "`empty_is_absent` is said about strings, lists and maps"
)]
pub trait Emptiable {}

/// Types that hold scalars: booleans, numbers, strings and enums, or lists and maps of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no scalars",
    label = "`coerces` is said about booleans, numbers, strings and enums, and about lists and maps of them"
)]
pub trait Scalars {}

/// Only for text. For derived code.
pub const fn assert_text<T: Text>() {}

/// Only for numbers. For derived code.
pub const fn assert_numeric<T: Numeric>() {}

/// Only for lists and maps. For derived code.
pub const fn assert_several<T: Several>() {}

/// Only for what can be empty. For derived code.
pub const fn assert_emptiable<T: Emptiable>() {}

/// Only for scalars. For derived code.
pub const fn assert_scalars<T: Scalars>() {}

macro_rules! kinds {
    ($($kind:ident: $($type:ty),*;)*) => {$(
        $(impl $kind for $type {})*
        impl<T: $kind> $kind for Option<T> {}
        impl<T: $kind> $kind for Secret<T> {}
        impl<T: $kind> $kind for Box<T> {}
        impl<T: $kind> $kind for Output<T> {}
    )*};
}

kinds! {
    Text: String;
    Numeric: i8, i16, i32, i64, u8, u16, u32, u64, f32, f64;
    Several: ;
    Emptiable: String;
    Scalars: bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, String;
}

impl<T> Several for Vec<T> {}
impl<T> Several for BTreeMap<String, T> {}
impl<T> Several for HashMap<String, T> {}
impl<T> Emptiable for Vec<T> {}
impl<T> Emptiable for BTreeMap<String, T> {}
impl<T> Emptiable for HashMap<String, T> {}
impl<T: Scalars> Scalars for Vec<T> {}
impl<T: Scalars> Scalars for BTreeMap<String, T> {}
impl<T: Scalars> Scalars for HashMap<String, T> {}
