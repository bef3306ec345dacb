//! Values from what Rust has.

use crate::{Archive, Asset, List, Object, Output, Reference, Secret, Value};

macro_rules! from {
    ($($source:ty => |$name:ident| $value:expr;)*) => {$(
        impl From<$source> for Value {
            fn from($name: $source) -> Self {
                $value
            }
        }
    )*};
}

from! {
    bool => |truth| Self::Bool(truth);
    f64 => |number| Self::Number(number);
    i32 => |number| Self::Number(f64::from(number));
    u32 => |number| Self::Number(f64::from(number));
    &str => |text| Self::String(text.to_owned());
    String => |text| Self::String(text);
    Vec<Value> => |items| Self::List(List::from(items));
    List => |list| Self::List(list);
    Object => |object| Self::Object(object);
    Asset => |asset| Self::Asset(Box::new(asset));
    Archive => |archive| Self::Archive(Box::new(archive));
    Secret => |secret| Self::Secret(secret);
    Output => |output| Self::Output(Box::new(output));
    Reference => |reference| Self::Reference(Box::new(reference));
}

/// The nearest double: beyond 2^53 not every integer is one.
impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number as f64)
    }
}
