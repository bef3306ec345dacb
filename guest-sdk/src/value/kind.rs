//! What may be said about which types: text has a pattern, a number has bounds, a list has a size.

use std::collections::{BTreeMap, HashMap};

use super::Secret;

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

/// Only for text. For derived code.
pub const fn assert_text<T: Text>() {}

/// Only for numbers. For derived code.
pub const fn assert_numeric<T: Numeric>() {}

/// Only for lists and maps. For derived code.
pub const fn assert_several<T: Several>() {}

macro_rules! kinds {
    ($($kind:ident: $($type:ty),*;)*) => {$(
        $(impl $kind for $type {})*
        impl<T: $kind> $kind for Option<T> {}
        impl<T: $kind> $kind for Secret<T> {}
        impl<T: $kind> $kind for Box<T> {}
    )*};
}

kinds! {
    Text: String;
    Numeric: i8, i16, i32, i64, u8, u16, u32, u64, f32, f64;
    Several: ;
}

impl<T> Several for Vec<T> {}
impl<T> Several for BTreeMap<String, T> {}
impl<T> Several for HashMap<String, T> {}
