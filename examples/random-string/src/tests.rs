use bulkhead_sdk::fields;
use bulkhead_sdk::testing::{Driver, Recorded};

use crate::{PROVIDER, RandomString};

fn create(inputs: bulkhead_sdk::Fields) -> Recorded<RandomString> {
    Driver::new(&PROVIDER, ()).create(inputs).unwrap()
}

#[test]
fn strings_have_the_length_and_the_characters_asked_for() {
    let letters = create(fields! { "length": 500, "upper": false, "digits": false }).state.result;
    assert_eq!(letters.len(), 500);
    assert!(letters.chars().all(|char| char.is_ascii_lowercase()));

    let all = create(fields! { "length": 500 }).state.result;
    assert!(all.contains(|char: char| char.is_ascii_digit()));
    assert!(all.contains(|char: char| char.is_ascii_uppercase()));
}

#[test]
fn strings_differ_and_are_secret() {
    let (one, other) = (create(fields! { "length": 32 }), create(fields! { "length": 32 }));
    assert_ne!(one.state.result, other.state.result);
    assert!(one.fields["result"].is_secret());
}

/// Previews show `true` for what is left out, since the state says so.
#[test]
fn what_is_left_out_is_recorded() {
    assert_eq!(create(fields! { "length": 1 }).fields["upper"], true.into());
}

#[test]
fn describes_itself() {
    let schema = PROVIDER.schema().unwrap();
    assert!(schema.contains(r#""requiredInputs":["length"]"#), "{schema}");
    assert!(PROVIDER.manifest().contains(r#""methods":["create"]"#));
}
