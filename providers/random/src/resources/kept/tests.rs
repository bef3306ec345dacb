use bulkhead_sdk::testing::Driver;
use bulkhead_sdk::{Fields, Value, fields, record::Record};

use super::{Kept, RESTORE, inputs_of, kept};
use crate::PROVIDER;
use crate::resources::coerced::Coerced;
use crate::resources::{
    RandomBytes, RandomInteger, RandomPassword, RandomPet, RandomShuffle, RandomString, RandomUuid,
};

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

/// The state and inputs as a refresh gives them.
fn refreshed<R: Kept>(state: Fields, names: &[&str]) -> (Fields, Fields) {
    let kept: R = kept("i".to_owned(), state, RESTORE).unwrap();
    let mut fields = Fields::new();
    kept.put(&mut fields).unwrap();
    let inputs = inputs_of(&kept, names).unwrap().recorded;
    fields.retain(|name, _| name != "id" && !name.starts_with("__"));
    (fields, inputs)
}

#[test]
fn what_can_not_be_drawn_here_stays_as_it_is() {
    let large = fields! { "min": 1, "max": 9_007_199_254_740_994.0, "result": 9_007_199_254_740_992.0 };
    let inputs = fields! { "min": 1, "max": 9_007_199_254_740_994.0 };
    assert_eq!(refreshed::<RandomInteger>(large.clone(), &["min", "max"]), (large, inputs));
}

#[test]
fn a_null_in_a_list_stays_where_it_is() {
    let nulls = || vec![Value::Null, "a".into()];
    let state = fields! { "inputs": nulls(), "results": nulls() };
    assert_eq!(refreshed::<RandomShuffle>(state.clone(), &["inputs"]), (state, fields! { "inputs": nulls() }));
}

#[test]
fn a_refresh_gives_of_maps_and_lists_what_the_inputs_have() {
    let driver = driver();
    let keepers = || Value::from(fields! { "a": "1", "b": "2" });
    let mut string = driver.create::<RandomString>(fields! { "length": 8, "keepers": keepers() }).unwrap();
    for (given, told) in [
        (fields! { "a": "1" }.into(), fields! { "a": "1" }.into()),
        (fields! { "a": "0", "gone": "3" }.into(), fields! { "a": "1" }.into()),
        (fields! {}.into(), fields! {}.into()),
        (Value::from(fields! { "b": "2" }).secret(), fields! { "b": "2" }.into()),
        (Value::Null, keepers()),
    ] {
        string.inputs = fields! { "length": 8, "keepers": given.clone() };
        let read = driver.read(&string).unwrap().unwrap();
        assert_eq!(read.inputs, fields! { "length": 8, "keepers": told }, "{given:?}");
        assert_eq!(read.fields["keepers"], keepers(), "the state has them all");
    }
    let mut shuffle = driver.create::<RandomShuffle>(fields! { "inputs": vec!["a", "b"] }).unwrap();
    for (given, told) in [(vec!["a"], vec!["a"]), (vec![], vec![]), (vec!["x", "b", "gone"], vec!["a", "b"])] {
        shuffle.inputs = fields! { "inputs": given };
        assert_eq!(driver.read(&shuffle).unwrap().unwrap().inputs, fields! { "inputs": told });
    }
}

#[test]
fn nothing_is_planned_of_two_words_for_the_same_that_say_otherwise() {
    let driver = driver();
    let string = driver.create::<RandomString>(fields! { "length": 8 }).unwrap();
    let both = |number: bool, numeric: Value| fields! { "length": 8, "number": number, "numeric": numeric };
    let refusals = |inputs: Fields| {
        [
            driver.diff(&string, inputs.clone()).err(),
            driver.update(&string, inputs.clone()).err(),
            driver.preview_update(&string, inputs.clone()).err(),
            driver.preview_create::<RandomString>(inputs).err(),
        ]
        .map(|error| error.map(|error| error.to_string()))
    };
    for refusal in refusals(both(true, false.into())) {
        let refusal = refusal.unwrap();
        assert!(refusal.starts_with("`number` must equal `numeric`"), "{refusal}");
        assert!(refusal.ends_with("number and numeric are both configured with different values"), "{refusal}");
    }
    for agreed in [false.into(), Value::Null] {
        assert_eq!(refusals(both(false, agreed)), [const { None }; 4]);
    }
}

#[test]
fn what_was_drawn_and_lost_is_told_by_the_id_where_it_can_be() {
    let driver = driver();
    let given = fields! { "keepers": fields! { "a": "1" } };
    let uuid = driver.create::<RandomUuid>(given.clone()).unwrap();
    for lost in [given.clone(), fields! { "keepers": fields! { "a": "1" }, "result": Value::Null }] {
        let mut damaged = driver.create::<RandomUuid>(given.clone()).unwrap();
        (damaged.id, damaged.fields) = (uuid.id.clone(), lost);
        let read = driver.read(&damaged).unwrap().unwrap();
        assert_eq!(read.fields["result"], uuid.id.clone().into());
        assert_eq!(read.fields["keepers"], given["keepers"]);
        assert_eq!(read.inputs, given);
    }
    let mut damaged = driver.create::<RandomInteger>(fields! { "min": 1, "max": 9 }).unwrap();
    damaged.fields.remove("result");
    let refusal = driver.read(&damaged).unwrap_err().to_string();
    assert!(refusal.contains("damaged") && refusal.contains("`result`"), "{refusal}");
}

#[test]
fn a_state_without_its_result_is_told_to_be_damaged() {
    for damaged in [fields! { "length": 3 }, fields! { "length": 3, "result": Value::Null }] {
        let refusal = kept::<RandomString>("i".to_owned(), damaged, RESTORE).map(|_| ()).unwrap_err().to_string();
        assert!(refusal.contains("damaged") && refusal.contains("`result`"), "{refusal}");
    }
}

#[test]
fn an_update_goes_on_with_what_can_not_be_drawn_here() {
    let state = fields! { "keepers": fields! {}, "min": 1, "max": 9_007_199_254_740_994.0 };
    let recorded = Coerced::<<RandomInteger as Kept>::Given>::take(&mut state.clone()).unwrap().recorded;
    assert_eq!(recorded, state);
}

#[test]
fn a_program_that_looks_up_by_id_needs_no_state() {
    let driver = driver();
    let mut known = driver.create::<RandomString>(fields! { "length": 3 }).unwrap();
    (known.id, known.fields, known.inputs) = ("abc".to_owned(), fields! { "length": 3 }, Fields::new());
    assert_eq!(driver.read(&known).unwrap().unwrap().fields["result"], "abc".into());
    let mut known = driver.create::<RandomInteger>(fields! { "min": 1, "max": 9 }).unwrap();
    (known.id, known.fields, known.inputs) = ("5".to_owned(), fields! { "min": 1, "max": 9 }, Fields::new());
    let refusal = driver.read(&known).unwrap_err().to_string();
    assert!(refusal.contains("no `result`") && refusal.contains("RESULT,MIN,MAX"), "{refusal}");
    let mut known = driver.create::<RandomPassword>(fields! { "length": 3 }).unwrap();
    (known.fields, known.inputs) = (fields! { "length": 3 }, Fields::new());
    assert!(driver.read(&known).is_err(), "`none` is no password");
    assert!(
        driver.import::<RandomPassword>("none").is_err(),
        "hosts ask so for what is looked up by a part of its state"
    );
}
