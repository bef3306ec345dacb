use bulkhead_sdk::testing::Driver;
use bulkhead_sdk::{Fields, Value, fields};

use crate::PROVIDER;
use crate::resources::{RandomBytes, RandomPet, RandomShuffle, RandomString};

fn driver() -> Driver<()> {
    Driver::new(&PROVIDER, ())
}

#[test]
fn inputs_of_other_kinds_are_recorded_in_their_own() {
    let inputs = fields! { "length": "12", "number": false, "keepers": fields! { "version": 1, "none": Value::Null } };
    let state = driver().create::<RandomString>(inputs).unwrap().fields;
    assert_eq!(state["length"], 12.into());
    assert_eq!(state["numeric"], false.into());
    assert_eq!(state["keepers"], fields! { "version": "1", "none": Value::Null }.into());
    let shuffled =
        driver().create::<RandomShuffle>(fields! { "inputs": vec![1, 1], "resultCount": "1" }).unwrap().fields;
    assert_eq!(shuffled["results"], vec!["1"].into());
}

#[test]
fn states_have_the_notes_of_the_native_provider() {
    let string = driver().create::<RandomString>(fields! { "length": 4 }).unwrap();
    assert_eq!(string.fields["id"], string.id.into());
    assert!(string.fields.contains_key("__pulumi_raw_state_delta"));
    let bytes = driver().create::<RandomBytes>(fields! { "length": 4 }).unwrap();
    assert!(!bytes.fields.contains_key("id"), "natively they don't repeat it");
}

#[test]
fn an_update_draws_nothing() {
    let driver = driver();
    let before = driver.create::<RandomPet>(fields! {}).unwrap();
    let after = driver.update(&before, fields! { "keepers": Fields::new() }).unwrap();
    assert_eq!(
        (after.fields["id"].as_text(), &after.fields["keepers"]),
        (Some(before.id.as_str()), &Fields::new().into())
    );
    let before = driver.create::<RandomString>(fields! { "length": 9, "overrideSpecial": "" }).unwrap();
    let after = driver.update(&before, fields! { "length": 9 }).unwrap();
    assert_eq!(after.fields["result"], before.fields["result"]);
    assert!(!after.fields.contains_key("overrideSpecial"));
}
