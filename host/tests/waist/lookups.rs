//! What a program looks a resource up by beside its id, which engines send as they send a record.

use std::sync::Arc;

use bulkhead::provider::{Error, ErrorKind, NotUpgraded, Prior, ReadOutcome, Record, Session, Silent};
use bulkhead_schema::Package;
use bulkhead_value::{Object, Value};

use crate::{SCHEMA, Shop, Wall, object, session, sign};

/// SCH-09. An engine sends what a program looks a resource up by as its state, and again as its inputs.
#[tokio::test]
async fn what_a_look_up_is_given_beside_the_id_is_held_to_the_schema() {
    let (session, wall) = session().await;
    wall.signs
        .lock()
        .unwrap()
        .insert("s-1".into(), object([("text", "open".into()), ("size", 3.0.into()), ("place", "door".into())]));
    let look_up = async |given: Object| {
        let prior = Prior { id: "s-1".into(), state: given.clone(), inputs: Some(given), views: Vec::new() };
        session.read(&sign(), &Record { prior, repeats_inputs: true, ..Record::default() }).await
    };
    assert!(matches!(look_up(object([("wall", "north".into())])).await, Ok(ReadOutcome::Found { .. })));
    for (given, wrong) in [
        (object([("wall", 1.0.into())]), "wall: expected a string, got a number; hint: put it in quotes"),
        (object([("wal", "north".into())]), "wal: unknown property 'wal'; did you mean 'wall'?"),
    ] {
        let error = look_up(given).await.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::InvalidRequest), "{error}");
        assert_eq!(error.message, format!("what it is looked up by is wrong: {wrong}"));
    }
    // Whatever has all of its outputs is on record, though all of them are inputs too.
    let whole = object([("text", "open".into()), ("size", 3.0.into()), ("place", "door".into())]);
    assert!(matches!(look_up(whole).await, Ok(ReadOutcome::Found { .. })));
}

/// A version brought `place`, and no upgrade. What is on record of before is all that was given, secrets included.
#[tokio::test]
async fn a_record_that_may_be_a_look_up_keeps_its_secrets_and_its_inputs() {
    let package = Package::parse(SCHEMA.as_bytes()).unwrap();
    let mut by_id_alone = package.clone();
    by_id_alone.resource_mut("shop:index:Sign").unwrap().state_inputs = None;
    for (package, told) in [(package, Some(Object::new())), (by_id_alone, None)] {
        let wall = Arc::new(Wall::default());
        let now = object([("text", "open".into()), ("size", 3.0.into()), ("place", "door".into())]);
        wall.signs.lock().unwrap().insert("s-1".into(), now.clone());
        let session = Session::new(Arc::new(package), &Shop(Arc::clone(&wall)), Arc::new(Silent));
        session.configure(&Object::default(), &[]).await.unwrap();
        let given = object([("text", Value::from("open").secret()), ("size", 3.0.into())]);
        let prior = Prior { id: "s-1".into(), state: given.clone(), inputs: Some(given.clone()), views: Vec::new() };
        let read = session.read(&sign(), &Record { prior, repeats_inputs: true, ..Record::default() }).await.unwrap();
        let ReadOutcome::Found { inputs, raw, .. } = read else { panic!("{read:?}") };
        let mut concealed = now;
        concealed.extend([("text".to_owned(), Value::from("open").secret())]);
        assert_eq!((wall.sought.lock().unwrap().take(), inputs, raw), (told, given, concealed));
    }
}

/// A state of version 0 said `label`.
fn relabelled(state: &Object) -> Result<Object, NotUpgraded> {
    let mut state = state.clone();
    match state.remove("label") {
        Some(label) if label != "lost".into() => {
            state.extend([("text".to_owned(), label), ("place".to_owned(), "door".into())]);
            Ok(state)
        }
        Some(_) if state.contains_key("wall") => {
            Err(NotUpgraded::Failed(Error::new(ErrorKind::Exhausted, "it computed too long")))
        }
        None if state.contains_key("colour") => Err(NotUpgraded::Failed(Error::provider_bug("it fell over"))),
        _ => Err(NotUpgraded::Refused(Error::new(ErrorKind::Failed, "nobody knows what this was"))),
    }
}

/// It is in today's form, and an upgrade would rewrite it or find it broken. Only the upgrade knows of a record that it is one.
#[tokio::test]
async fn what_a_resource_is_looked_up_by_is_no_state_of_an_older_version() {
    let mut package = Package::parse(SCHEMA.as_bytes()).unwrap();
    let sign_type = package.resource_mut("shop:index:Sign").unwrap();
    (sign_type.facts.overrides.upgrade, sign_type.facts.schema_version) = (true, 1);
    let mut by_id_alone = package.clone();
    by_id_alone.resource_mut("shop:index:Sign").unwrap().state_inputs = None;

    let open = || object([("text", "open".into()), ("size", 3.0.into()), ("place", "door".into())]);
    let read = async |package: &Package, said: Object| {
        let wall = Arc::new(Wall { rewrites: Some(relabelled), ..Wall::default() });
        wall.signs.lock().unwrap().insert("s-1".into(), open());
        let session = Session::new(Arc::new(package.clone()), &Shop(Arc::clone(&wall)), Arc::new(Silent));
        session.configure(&Object::default(), &[]).await.unwrap();
        let prior = Prior { id: "s-1".into(), state: said.clone(), inputs: Some(said), views: Vec::new() };
        let read = session.read(&sign(), &Record { prior, repeats_inputs: true, ..Record::default() }).await;
        let sought = wall.sought.lock().unwrap().take();
        read.map(|read| (matches!(read, ReadOutcome::Found { .. }), sought)).map_err(|error| error.to_string())
    };
    let north = object([("wall", "north".into())]);
    assert_eq!(read(&package, north.clone()).await, Ok((true, Some(north))));
    // It may be either.
    let wrong = "nobody knows what this was\nhint: if it is no record, and a program says it, then what it is looked up by is wrong: wal: \
                 unknown property 'wal'; did you mean 'wall'?";
    assert_eq!(read(&package, object([("wal", "north".into())])).await, Err(wrong.to_owned()));
    assert_eq!(read(&by_id_alone, object([("text", "x".into())])).await, Ok((true, None)));
    for package in [&package, &by_id_alone] {
        let recorded = object([("label", "open".into()), ("size", 3.0.into())]);
        assert_eq!(read(package, recorded).await, Ok((true, Some(open()))), "all of it had been given then");
    }
    // Where nothing has to be there, nothing is lacking of what is no record.
    let mut bare = by_id_alone.clone();
    bare.resource_mut("shop:index:Sign").unwrap().outputs.required.clear();
    assert_eq!(read(&bare, object([("text", "x".into())])).await, Ok((true, None)));
    let lost = read(&bare, object([("label", "lost".into())])).await;
    assert_eq!(lost, Err("nobody knows what this was".to_owned()));
    let lost = read(&by_id_alone, object([("label", "lost".into())])).await;
    assert_eq!(lost, Err("nobody knows what this was".to_owned()), "it isn't gone");
    // Nobody knows what an upgrade would have said that didn't come to it.
    for package in [&package, &by_id_alone] {
        let stopped = read(package, object([("label", "lost".into()), ("wall", "north".into())])).await;
        assert_eq!(stopped, Err("it computed too long".to_owned()));
        let fell = read(package, object([("colour", "red".into())])).await.unwrap_err();
        assert!(fell.starts_with("it fell over"), "{fell}");
    }
}
