//! What happens to a resource between an engine's calls, through the same table that a component answers with.

use crate::specimen::{CONNECTIONS, PROVIDER, RECORDS, Record, RecordKind, Repeat, Settings, Zone, count, lookup};
use bulkhead_sdk::testing::{Driver, Recorded};
use bulkhead_sdk::{ErrorKind, Value, fields};

fn driver() -> Driver<Settings> {
    RECORDS.take();
    CONNECTIONS.take();
    Driver::configure(&PROVIDER, fields! { "endpoint": "dns.example" }).unwrap()
}

fn record(driver: &Driver<Settings>) -> Recorded<Record> {
    driver.create(fields! { "name": "www", "values": vec!["10.0.0.1"] }).unwrap()
}

#[test]
fn create_fills_defaults_and_records_what_was_given() {
    let record = record(&driver());
    assert_eq!(record.id, "dns.example/www");
    assert_eq!(record.state.args.kind, RecordKind::Address);
    assert_eq!(record.state.args.ttl, 300);
    insta::assert_debug_snapshot!(record.fields);
}

#[test]
fn secrets_are_read_like_any_value_and_marked_where_the_author_said_so() {
    let driver = driver();
    let inputs = fields! {
        "name": Value::from("www").secret(),
        "values": vec![Value::from("10.0.0.1").secret()],
        "proof": "ours",
    };
    let record: Recorded<Record> = driver.create(inputs).unwrap();
    assert_eq!(record.state.args.name, "www");
    assert!(record.fields["proof"].is_secret());
    assert!(record.fields["signature"].is_secret());
    // What was secret only because of its value is the host's to mark again.
    assert!(!record.fields["name"].is_secret());
    insta::assert_debug_snapshot!((&record.fields["proof"], &record.state.args.proof));
}

#[test]
fn nested_objects_enums_and_blobs_come_and_go() {
    let driver = driver();
    let certificate = bulkhead_sdk::Asset::from("PEM".to_owned());
    let inputs = fields! {
        "name": "www",
        "kind": "CNAME",
        "values": vec!["a.example"],
        "comment": "why",
        "notes": vec![fields! { "text": "one", "notes": vec![fields! { "text": "two", "weight": 1.0 }] }],
        "tags": fields! { "owner": "ops" },
        "repeat": vec![fields! { "text": "often", "weight": 0.25 }],
        "extra": fields! { "deep": vec![Value::Null, true.into()] },
        "policy": "{}",
        "certificate": Value::Asset(certificate.clone()),
        "zone": "zone-1",
    };
    let record: Recorded<Record> = driver.create(inputs.clone()).unwrap();
    let args = &record.state.args;
    let note = &args.notes.as_ref().unwrap()[0];
    assert_eq!(note.weight, 0.5);
    assert_eq!(note.notes.as_ref().unwrap()[0].weight, 1.0);
    assert_eq!(args.kind, RecordKind::Alias);
    assert_eq!(args.certificate, Some(certificate));
    assert_eq!(args.zone.as_ref().unwrap().id_or_urn(), "zone-1");
    assert!(matches!(args.repeat, Some(Repeat::Rules(_))));
    for name in ["kind", "values", "comment", "tags", "repeat", "extra", "policy", "certificate", "zone"] {
        assert_eq!(record.fields[name], inputs[name], "{name}");
    }
}

#[test]
fn inputs_that_dont_fit_are_rejected_with_their_paths() {
    let driver = driver();
    let rejected = |name: &str, value: Value| {
        let mut inputs = fields! { "name": "www", "values": vec!["10.0.0.1"] };
        inputs.insert(name.to_owned(), value);
        let error = driver.create::<Record>(inputs).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Rejected(_)), "{error:?}");
        error.to_string()
    };
    insta::assert_snapshot!(rejected("ttl", 1.5.into()), @"`ttl` must be a whole number");
    insta::assert_snapshot!(rejected("ttl", (-1).into()), @"`ttl` must be between 0 and 9007199254740991");
    insta::assert_snapshot!(rejected("ttl", Value::Unknown), @"`ttl` isn't known yet");
    insta::assert_snapshot!(rejected("kind", "MX".into()), @"`kind` must be one of `A`, `CNAME`, `plainText`");
    insta::assert_snapshot!(rejected("values", vec![Value::from("a"), Value::from(1)].into()), @"`values[1]` must be a string, not a number");
    insta::assert_snapshot!(rejected("tags", fields! { "a.b": true }.into()), @r#"`tags["a.b"]` must be a string, not a boolean"#);
    insta::assert_snapshot!(rejected("notes", vec![fields! { "weight": 1 }].into()), @"`notes[0].text` is required");
}

#[test]
fn announced_before_waiting_and_reported_as_partial_when_cancelled() {
    let driver = driver();
    driver.cancel();
    let error = driver.create::<Record>(fields! { "name": "www", "values": vec!["slow"] }).unwrap_err();
    let ErrorKind::NotInitialised(partial) = error.kind() else { panic!("{error:?}") };
    assert_eq!(partial.id, "dns.example/www");
    assert_eq!(partial.reasons, ["isn't served yet"]);
    assert_eq!(driver.checkpoint().unwrap(), (partial.id.clone(), partial.state.clone()));
    assert_eq!(driver.status(), "waiting for the record to be served");
}

#[test]
fn read_sees_drift_and_what_is_gone() {
    let driver = driver();
    let made = record(&driver);
    RECORDS.with_borrow_mut(|records| records.insert(made.id.clone(), "10.0.0.2".to_owned()));
    let found = driver.read(&made).unwrap().unwrap();
    assert_eq!(found.state.args.values, ["10.0.0.2"]);
    assert_eq!(found.inputs["values"], Value::from(vec!["10.0.0.2"]));
    driver.delete(&found).unwrap();
    assert!(driver.read(&found).unwrap().is_none());
    assert_eq!(driver.messages().last().unwrap().1, "deleted dns.example/www");
}

#[test]
fn import_knows_the_id_alone() {
    let driver = driver();
    RECORDS.with_borrow_mut(|records| records.insert("dns.example/old".to_owned(), "10.0.0.9".to_owned()));
    let found = driver.import::<Record>("dns.example/old").unwrap().unwrap();
    assert_eq!(found.state.args.name, "old");
    assert_eq!(found.state.args.values, ["10.0.0.9"]);
}

#[test]
fn update_sees_what_was_before() {
    let driver = driver();
    let made = record(&driver);
    let updated = driver.update(&made, fields! { "name": "www", "values": vec!["10.0.0.3"], "ttl": 60 }).unwrap();
    assert_eq!(updated.state.created, made.state.created);
    assert_eq!(updated.state.args.ttl, 60);
}

#[test]
fn state_that_doesnt_fit_fails_only_who_asks_for_it() {
    let driver = driver();
    let mut made = record(&driver);
    made.fields.remove("created");
    let error = driver.update(&made, fields! { "name": "www", "values": vec!["x"] }).unwrap_err();
    insta::assert_snapshot!(error, @"the recorded state can't be used: `created` is required");
    driver.delete(&made).unwrap();
}

#[test]
fn methods_that_arent_written_arent_there() {
    let driver = driver();
    let zone = driver.create::<Zone>(fields! {}).unwrap();
    insta::assert_snapshot!(driver.delete(&zone).unwrap_err(), @"the resource has no `delete`");
    insta::assert_snapshot!(driver.read(&zone).unwrap_err(), @"the resource has no `read`");
}

#[test]
fn overrides_see_what_is_unknown() {
    let driver = driver();
    let inputs = fields! { "name": Value::Unknown, "values": vec!["", "b"] };
    let checked = driver.check::<Record>(inputs.clone()).unwrap();
    assert_eq!(checked.inputs, inputs);
    insta::assert_snapshot!(checked.failures[0], @"`values` must not hold an empty string");
}

#[test]
fn overrides_ask_the_host() {
    let driver = driver();
    let inputs = fields! { "name": "www" };
    insta::assert_snapshot!(driver.preview_create::<Record>(inputs.clone()).unwrap_err(), @"a native test has no host to say what it would do: say it with `Driver::host_previews`");
    driver.host_previews(|inputs| Ok(inputs.clone()));
    let predicted = driver.preview_create::<Record>(inputs.clone()).unwrap();
    assert_eq!(predicted, fields! { "name": "www", "created": Value::Unknown });
    // Whoever overrides one of both predictions answers for both.
    assert_eq!(driver.preview_update(&record(&driver), inputs.clone()).unwrap(), inputs);
}

#[test]
fn state_of_older_versions_is_rewritten() {
    let upgraded = driver().upgrade::<Record>(1, fields! { "value": "10.0.0.1" }, None).unwrap();
    assert_eq!(upgraded.state, fields! { "values": vec!["10.0.0.1"] });
}

#[test]
fn functions_see_configuration_and_arguments() {
    let driver = driver();
    record(&driver);
    let found = driver.invoke::<lookup>(fields! { "name": "www" }).unwrap();
    assert_eq!(found, Value::from(fields! { "values": vec!["10.0.0.1"] }));
    assert_eq!(driver.invoke::<count>(fields! {}).unwrap(), Value::from(1));
    let error = driver.invoke::<lookup>(fields! { "name": "other" }).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotFound(_)));
    // A function under `#[function]` is still a function.
    assert_eq!(count().unwrap(), 1);
}

#[test]
fn connects_once_and_again_after_a_failure() {
    let driver = driver();
    record(&driver);
    record(&driver);
    assert_eq!(CONNECTIONS.with_borrow(|count| *count), 1);

    let unreachable = Driver::configure(&PROVIDER, fields! { "endpoint": "unreachable" }).unwrap();
    for _ in 0..2 {
        let error = unreachable.create::<Record>(fields! { "name": "www", "values": vec!["a"] }).unwrap_err();
        assert_eq!(error.to_string(), "the service can't be reached");
    }
}

#[test]
fn configuration_that_is_missing_is_named_with_what_it_is_for() {
    let error = Driver::configure(&PROVIDER, fields! { "retries": 1 }).err().unwrap();
    let ErrorKind::MissingConfiguration(keys) = error.kind() else { panic!("{error:?}") };
    assert_eq!(keys.len(), 1);
    assert_eq!((keys[0].name.as_str(), keys[0].description.as_str()), ("endpoint", "Where the service is."));
}
