//! What functions return: whatever is a property.

use std::collections::HashMap;

use bulkhead_sdk::testing::Driver;
use bulkhead_sdk::{Result, Value, fields, function, provider};

macro_rules! numbers {
    ($($name:ident: $number:ty, $token:tt;)*) => {
        $(
            #[function(token = $token)]
            fn $name() -> Result<$number> {
                Ok(7 as $number)
            }
        )*

        provider! { name: "returned", functions: [$($name,)* named] }

        #[test]
        fn numbers_of_all_sizes_are_returned() {
            let driver = Driver::new(&PROVIDER, ());
            $(assert_eq!(driver.invoke::<$name>(fields! {}).unwrap(), Value::from(7), $token);)*
        }
    };
}

numbers! {
    byte: u8, "returned:index:byte";
    short: u16, "returned:index:short";
    word: u32, "returned:index:word";
    long: u64, "returned:index:long";
    signed_byte: i8, "returned:index:signedByte";
    signed_short: i16, "returned:index:signedShort";
    signed_word: i32, "returned:index:signedWord";
    signed_long: i64, "returned:index:signedLong";
    float: f32, "returned:index:float";
    double: f64, "returned:index:double";
}

#[function(token = "returned:index:named")]
fn named() -> Result<HashMap<String, u8>> {
    Ok(HashMap::from([("a".to_owned(), 7)]))
}

#[test]
fn maps_of_any_order_are_returned() {
    let driver = Driver::new(&PROVIDER, ());
    assert_eq!(driver.invoke::<named>(fields! {}).unwrap(), fields! { "a": 7 }.into());
}
