//! What a refresh puts on record, of whatever was recorded before.

use std::sync::Arc;

use bulkhead::provider::{ErrorKind, Fault, Notes, Outcome, Partial, Prior, ReadOutcome, Record, Session, Silent};
use bulkhead_schema::Package;
use bulkhead_value::{Object, Value};

use crate::{SCHEMA, Shop, Wall, object, sign};

const KEYED: &str = r##"{
  "name": "shop",
  "types": { "shop:index:Lock": { "type": "object", "properties": { "token": { "type": "string" },
                                                                    "pin": { "type": "integer" } } } },
  "resources": { "shop:index:Sign": {
    "inputProperties": { "lock": { "$ref": "#/types/shop:index:Lock" },
                         "keys": { "type": "array", "items": { "type": "string" } } },
    "properties": { "lock": { "$ref": "#/types/shop:index:Lock" },
                    "keys": { "type": "array", "items": { "type": "string" } } }
  } }
}"##;

async fn configured(package: Package) -> (Session, Arc<Wall>) {
    let wall = Arc::new(Wall::default());
    let session = Session::new(Arc::new(package), &Shop(Arc::clone(&wall)), Arc::new(Silent));
    session.configure(&Object::default(), &[]).await.unwrap();
    (session, wall)
}

/// Engines keep the inputs from before, which don't say so, and something else in the property may be a secret, too.
#[tokio::test]
async fn what_a_failed_update_was_given_as_a_secret_stays_one() {
    let (session, wall) = configured(Package::parse(KEYED.as_bytes()).unwrap()).await;
    let lock = |token: Value, pin: Value| Value::from(object([("token", token), ("pin", pin)]));
    let list = |texts: [&str; 3]| Value::from(texts.map(Value::from).to_vec());
    for (name, given, recorded, read) in [
        (
            "lock",
            lock(Value::from("abc").secret(), 1.0.into()),
            lock(Value::from("abc").secret(), Value::from(4711.0).secret()),
            lock("abc".into(), 4711.0.into()),
        ),
        (
            "lock",
            lock(Value::Null, 1.0.into()),
            lock(Value::Null, Value::from(2.0).secret()),
            lock(Value::Null, 2.0.into()),
        ),
        ("keys", Value::from(vec!["x".into(), "y".into()]), list(["pw1", "y", "z"]).secret(), list(["pw1", "y", "z"])),
    ] {
        let [given, recorded, read] = [given, recorded, read].map(|value| object([(name, value)]));
        wall.signs.lock().unwrap().insert("s-1".into(), read.clone());
        let prior = Prior { id: "s-1".into(), state: recorded, inputs: Some(given.clone()), views: Vec::new() };
        let record = Record { prior, reached: [name.to_owned()].into(), ..Record::default() };
        for told in [None, Some(read.clone())] {
            *wall.given.lock().unwrap() = told.clone();
            let ReadOutcome::Found { inputs, shown, .. } = session.read(&sign(), &record).await.unwrap() else {
                panic!("gone")
            };
            *wall.next.lock().unwrap() = Some(Fault::Partial(Partial {
                id: "s-1".into(),
                state: read.clone(),
                inputs: told,
                reasons: vec!["it fell".into()],
                ..Partial::default()
            }));
            let ReadOutcome::Unwell(left) = session.read(&sign(), &record).await.unwrap() else { panic!("well") };
            for told in [inputs, shown, left.inputs.unwrap(), left.state] {
                assert!(matches!(told[name], Value::Secret(_)), "{name} of {read:?}: {told:?}");
            }
        }
        // What somebody has put back is no secret.
        *wall.given.lock().unwrap() = None;
        wall.signs.lock().unwrap().insert("s-1".into(), given.clone());
        let ReadOutcome::Found { inputs, .. } = session.read(&sign(), &record).await.unwrap() else { panic!("gone") };
        assert_eq!(inputs, given);
    }
}

/// The note of what it reached has the names from before the upgrade.
#[tokio::test]
async fn what_a_failed_update_was_given_as_a_secret_stays_one_under_the_name_that_an_upgrade_gave_it() {
    let (session, wall) = configured(Package::parse(KEYED.as_bytes()).unwrap()).await;
    let lock = |pin: Value| object([("lock", object([("token", "open".into()), ("pin", pin)]).into())]);
    let read = lock(2.0.into());
    wall.signs.lock().unwrap().insert("s-1".into(), read.clone());
    for (reached, conceals) in [("bolt", true), ("keys", false)] {
        let state = lock(Value::from(2.0).secret());
        let prior = Prior { id: "s-1".into(), state, inputs: Some(lock(1.0.into())), views: Vec::new() };
        let record = Record { prior, reached: [reached.to_owned()].into(), ..Record::default() };
        let ReadOutcome::Found { shown, .. } = session.read(&sign(), &record).await.unwrap() else { panic!("gone") };
        assert_eq!(shown.contains_secret(), conceals, "{shown:?}");
        let partial =
            Partial { id: "s-1".into(), state: read.clone(), reasons: vec!["no".into()], ..Partial::default() };
        *wall.next.lock().unwrap() = Some(Fault::Partial(partial));
        let ReadOutcome::Unwell(left) = session.read(&sign(), &record).await.unwrap() else { panic!("well") };
        assert_eq!(left.state.contains_secret(), conceals, "{left:?}");
    }
}

/// Else all that a service filled in would be inputs from then on.
#[tokio::test]
async fn inputs_of_a_newer_version_are_not_refreshed_and_an_update_finds_the_state() {
    let mut package = Package::parse(SCHEMA.as_bytes()).unwrap();
    let facts = &mut package.resource_mut("shop:index:Sign").unwrap().facts;
    (facts.overrides.upgrade, facts.schema_version) = (true, 1);
    let mut alike = package.clone();
    alike.resource_mut("shop:index:Sign").unwrap().facts.same_inputs = true;
    let state = object([("text", "open".into()), ("size", 3.0.into()), ("place", "door".into())]);
    let inputs = object([("text", "open".into()), ("size", 3.0.into())]);
    let prior = Prior { id: "s-1".into(), state: state.clone(), inputs: Some(inputs.clone()), views: Vec::new() };
    let record = Record { prior, schema_version: 1, inputs_version: 2, ..Record::default() };
    for (package, refused) in [(package, true), (alike, false)] {
        let (session, wall) = configured(package).await;
        wall.signs.lock().unwrap().insert("s-1".into(), state.clone());
        match session.read(&sign(), &record).await {
            Err(error) => {
                assert!(refused && matches!(error.kind, ErrorKind::Failed), "{error:?}");
                assert!(error.message.contains("schema version 2, and this provider knows those up to 1"), "{error:?}");
            }
            Ok(read) => assert!(!refused, "{read:?}"),
        }
        let compared = session.diff(&sign(), &record, &inputs, &Notes::default(), &[]).await.unwrap();
        assert_eq!(compared.changes, []);
        assert!(matches!(session.update(&sign(), &record, &inputs, &[]).await, Ok(Outcome::Done(_))));
    }
}
