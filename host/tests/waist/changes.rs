//! What has changed of a resource on record, by whatever version of the provider it was recorded, and what is done about it.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use bulkhead::provider::{
    Change, ChangeKind, CheckRequest, Checked, Context, Difference, Filled, Notes, Outcome, Prior, Record, Session,
    Silent,
};
use bulkhead_schema::Package;
use bulkhead_value::{Object, PropertyPath, Value};

use crate::{Nowhere, SCHEMA, Shop, Wall, object, session, sign};

/// Of a resource that wasn't well, an engine asks for an update whether or not anything changed.
#[tokio::test]
async fn whether_a_resource_that_was_not_well_has_changed_is_for_its_provider_to_say() {
    let mut package = Package::parse(SCHEMA.as_bytes()).unwrap();
    let facts = &mut package.resource_mut("shop:index:Sign").unwrap().facts;
    (facts.overrides.diff, facts.methods.update) = (true, false);
    let wall = Arc::new(Wall::default());
    let session = Session::new(Arc::new(package), &Shop(Arc::clone(&wall)), Arc::new(Silent));
    session.configure(&Object::default(), &[]).await.unwrap();
    let state = object([("text", "open".into()), ("size", 3.0.into()), ("place", "door".into())]);
    wall.signs.lock().unwrap().insert("s-1".into(), state.clone());
    let prior = Prior { id: "s-1".into(), state, ..Prior::default() };
    let record = Record { prior, ..Record::default() };
    let inputs = object([("text", "OPEN".into())]);
    assert!(matches!(session.update(&sign(), &record, &inputs, &[]).await, Ok(Outcome::Done(_))));
}

/// A comparison finds no difference in it, for which an engine asks for the update then.
#[tokio::test]
async fn a_resource_that_was_not_well_has_not_changed_by_what_nobody_gave() {
    let mut package = Package::parse(SCHEMA.as_bytes()).unwrap();
    package.resource_mut("shop:index:Sign").unwrap().facts.methods.update = false;
    let wall = Arc::new(Wall::default());
    let session = Session::new(Arc::new(package), &Shop(Arc::clone(&wall)), Arc::new(Silent));
    session.configure(&Object::default(), &[]).await.unwrap();
    let inputs = object([("text", "open".into()), ("size", 3.0.into())]);
    let mut old = inputs.clone();
    old.insert("colour".into(), "red".into());
    let mut state = old.clone();
    state.insert("place".into(), "door".into());
    wall.signs.lock().unwrap().insert("s-1".into(), state.clone());
    let prior = Prior { id: "s-1".into(), state, inputs: Some(old), views: Vec::new() };
    let given = Record { prior, ..Record::default() };
    assert!(session.update(&sign(), &given, &inputs, &[]).await.is_err(), "somebody took its colour back");
    let filled = Filled { names: ["colour".to_owned()].into(), ..Filled::default() };
    let record = Record { filled, ..given };
    let compared = session.diff(&sign(), &record, &inputs, &Notes::default(), &[]).await.unwrap();
    assert_eq!(compared.changes, []);
    assert!(matches!(session.update(&sign(), &record, &inputs, &[]).await, Ok(Outcome::Done(_))));
}

/// Between the state that an upgrade takes and a check stands the engine.
#[tokio::test]
async fn a_name_that_was_made_goes_along_when_its_property_is_called_otherwise() {
    let mut package = Package::parse(
        br#"{ "name": "shop", "resources": { "shop:index:Sign": { "inputProperties": {
          "title": { "type": "string", "language": { "bulkhead": { "autoname": {} } } },
          "text": { "type": "string" } } } } }"#,
    )
    .unwrap();
    let check = async |package: &Package, prior: Object, generated: &[&str]| {
        let session = Session::new(Arc::new(package.clone()), &Shop(Arc::default()), Arc::new(Silent));
        session.configure(&Object::default(), &[]).await.unwrap();
        let generated = generated.iter().map(|name| PropertyPath::field(name)).collect();
        let request = CheckRequest {
            context: Context { seed: Some(vec![1; 32]), name: Some("sign".into()), ..sign() },
            prior: Some(prior),
            notes: Notes { generated, ..Notes::default() },
            ..CheckRequest::default()
        };
        session.check(request).await.unwrap()
    };
    let old = object([("name", "sign-1".into()), ("text", "open".into()), ("label", "a".into())]);
    let made = |checked: &Checked| {
        checked.inputs["title"].as_str().unwrap().starts_with("sign-") && checked.inputs["title"] != "sign-1".into()
    };
    assert!(made(&check(&package, old.clone(), &["name"]).await), "nobody upgrades what is on record");

    package.resource_mut("shop:index:Sign").unwrap().facts.overrides.upgrade = true;
    let checked = check(&package, old.clone(), &["name", "text"]).await;
    assert_eq!(checked.inputs, object([("title", "sign-1".into())]));
    assert_eq!(checked.generated, [PropertyPath::field("title")]);
    assert!(made(&check(&package, old.clone(), &[]).await), "it was given");
    assert!(made(&check(&package, old.clone(), &["name", "label"]).await), "it may be either");
    let mut named = old.clone();
    named.insert("title".into(), "mine".into());
    assert!(made(&check(&package, named, &["name"]).await), "the new property had its own");

    package.resource_mut("shop:index:Sign").unwrap().facts.overrides.check = true;
    let wall = Arc::new(Wall::default());
    let session = Session::new(Arc::new(package), &Shop(Arc::clone(&wall)), Arc::new(Silent));
    session.configure(&Object::default(), &[]).await.unwrap();
    let notes = Notes { generated: vec![PropertyPath::field("name")], ..Notes::default() };
    let request = CheckRequest { context: sign(), prior: Some(old), notes, ..CheckRequest::default() };
    session.check(request).await.unwrap();
    let told = wall.made.lock().unwrap().take();
    assert_eq!(
        told,
        Some(("title".to_owned(), Some("sign-1".into()))),
        "a check of the provider's own is told as much"
    );
}

/// Of a build before the name was called otherwise, which upgrades nothing yet.
#[tokio::test]
async fn a_name_that_a_newer_version_made_goes_along_as_well() {
    let package = Package::parse(
        br#"{ "name": "shop", "resources": { "shop:index:Sign": { "inputProperties": {
          "title": { "type": "string", "language": { "bulkhead": { "autoname": {} } } } } } } }"#,
    )
    .unwrap();
    let session = Session::new(Arc::new(package), &Shop(Arc::default()), Arc::new(Silent));
    session.configure(&Object::default(), &[]).await.unwrap();
    for prior_is_newer in [true, false] {
        let request = CheckRequest {
            context: Context { seed: Some(vec![1; 32]), name: Some("sign".into()), ..sign() },
            prior: Some(object([("name", "sign-1".into())])),
            prior_is_newer,
            notes: Notes { generated: vec![PropertyPath::field("name")], ..Notes::default() },
            ..CheckRequest::default()
        };
        let checked = session.check(request).await.unwrap();
        assert_eq!(checked.inputs["title"] == "sign-1".into(), prior_is_newer);
    }
}

/// They stand beside the state of this version where an `up` under the newer one changed nothing. Compared with, they would replace what is as
/// the program says.
#[tokio::test]
async fn inputs_of_a_newer_version_are_not_compared_with_where_nothing_is_upgraded() {
    let (session, wall) = session().await;
    let given = object([("text", "open".into()), ("size", 3.0.into()), ("colour", "red".into())]);
    let mut state = given.clone();
    state.insert("place".into(), "door".into());
    let newer = object([("text", "open".into()), ("colour", "#ff0000".into())]);
    let prior = Prior { id: "s-1".into(), state, inputs: Some(newer), views: Vec::new() };
    let record = Record { prior, inputs_version: 2, ..Record::default() };
    let compared = session.diff(&sign(), &record, &given, &Notes::default(), &[]).await.unwrap();
    assert_eq!(compared.changes, []);
    assert!(matches!(session.update(&sign(), &record, &given, &[]).await, Ok(Outcome::Done(_))));
    assert_eq!(*wall.asked.lock().unwrap(), Object::new(), "nobody knows what was asked for before");
    // What is to be ignored the engine has put there as the newer version recorded it.
    let size = PropertyPath::field("size");
    let put = object([("text", "shut".into()), ("size", 3072.0.into()), ("colour", "red".into())]);
    let preview = session.preview_update(&sign(), &record, &put, std::slice::from_ref(&size)).await.unwrap();
    assert_eq!(preview.state["size"], 3.0.into());
    assert!(matches!(session.update(&sign(), &record, &put, &[size]).await, Ok(Outcome::Done(_))));
    let written = wall.signs.lock().unwrap()["s-1"].clone();
    assert_eq!((&written["size"], &written["text"]), (&3.0.into(), &"shut".into()), "also where it is the default");
    let read = session.read(&sign(), &record).await.unwrap_err();
    assert!(read.message.contains("this provider knows those up to 0"), "{read}");
    let known = Record { inputs_version: 0, ..record };
    assert!(session.diff(&sign(), &known, &given, &Notes::default(), &[]).await.unwrap().replaces());
}

/// Nobody gave it, and to take it out would replace what nobody changed.
#[tokio::test]
async fn what_a_service_filled_in_is_not_taken_out_because_inputs_are_of_a_newer_version() {
    let map = r#"{ "type": "object", "additionalProperties": { "type": "string" }, "replaceOnChanges": true }"#;
    let schema = format!(
        r#"{{ "name": "shop", "resources": {{ "shop:index:Sign": {{
          "inputProperties": {{ "tags": {map}, "size": {{ "type": "integer" }} }},
          "properties": {{ "tags": {map}, "size": {{ "type": "integer" }} }} }} }} }}"#
    );
    let mut package = Package::parse(schema.as_bytes()).unwrap();
    for upgrades in [false, true] {
        let facts = &mut package.resource_mut("shop:index:Sign").unwrap().facts;
        (facts.overrides.upgrade, facts.schema_version) = (upgrades, u32::from(upgrades));
        let session = Session::new(Arc::new(package.clone()), &Shop(Arc::default()), Arc::new(Silent));
        session.configure(&Object::default(), &[]).await.unwrap();
        let tags = |names: &[&str]| -> Value {
            names.iter().map(|name| ((*name).to_owned(), Value::from("1"))).collect::<Object>().into()
        };
        let state = object([("tags", tags(&["a", "rev"])), ("size", 1.0.into())]);
        let newer = object([("tags", tags(&["a"])), ("size", 1024.0.into())]);
        let prior = Prior { id: "s-1".into(), state, inputs: Some(newer), views: Vec::new() };
        let record = Record { prior, inputs_version: 2, schema_version: u32::from(upgrades), ..Record::default() };
        for (given, replaces) in [(&["a"], false), (&["rev"], true)] {
            let inputs = object([("tags", tags(given)), ("size", 1.0.into())]);
            let compared = session.diff(&sign(), &record, &inputs, &Notes::default(), &[]).await.unwrap();
            assert_eq!((compared.replaces(), compared.changes.is_empty()), (replaces, !replaces), "{compared:?}");
        }
    }
}

/// Nothing updates a resource that has no update, whoever found what differs.
#[tokio::test]
async fn what_a_type_says_of_replacements_holds_where_it_compares_itself() {
    let changes = async |update, delete_before_replace| {
        let mut package = Package::parse(SCHEMA.as_bytes()).unwrap();
        let facts = &mut package.resource_mut("shop:index:Sign").unwrap().facts;
        (facts.overrides.diff, facts.methods.update) = (true, update);
        facts.delete_before_replace = delete_before_replace;
        let path = PropertyPath::field("text");
        let change = Change { path, kind: ChangeKind::Updated, replaces: false, input_diff: true };
        let found = Difference { changes: vec![change], stable: vec!["size".into()], ..Difference::default() };
        let wall = Arc::new(Wall { difference: Mutex::new(found), ..Wall::default() });
        let session = Session::new(Arc::new(package), &Shop(wall), Arc::new(Silent));
        session.configure(&Object::default(), &[]).await.unwrap();
        session.diff(&sign(), &Record::default(), &Object::new(), &Notes::default(), &[]).await.unwrap()
    };
    let updated = changes(true, false).await;
    assert!(!updated.replaces() && !updated.delete_before_replace && updated.stable == ["size"]);
    let replaced = changes(false, true).await;
    assert!(replaced.replaces() && replaced.delete_before_replace && replaced.stable.is_empty(), "{replaced:?}");
}

#[tokio::test]
async fn an_update_has_a_place_for_views_and_the_upgrade_before_it_has_none() {
    let mut package = Package::parse(SCHEMA.as_bytes()).unwrap();
    let facts = &mut package.resource_mut("shop:index:Sign").unwrap().facts;
    (facts.overrides.upgrade, facts.schema_version) = (true, 1);
    let wall = Arc::new(Wall::default());
    let session = Session::new(Arc::new(package), &Shop(Arc::clone(&wall)), Arc::new(Silent));
    session.configure(&Object::default(), &[]).await.unwrap();
    let context = Context { views: Some(Arc::new(Nowhere)), ..sign() };
    let state = object([("text", "open".into()), ("size", 3.0.into()), ("place", "door".into())]);
    let prior = Prior { id: "s-1".into(), state, inputs: None, views: Vec::new() };
    let inputs = object([("text", "closed".into())]);
    let record = Record { prior, ..Record::default() };
    assert!(matches!(session.update(&context, &record, &inputs, &[]).await, Ok(Outcome::Done(_))));
    assert!(wall.shown.load(Ordering::Relaxed));
}

/// What engines have on record of it is from before an upgrade, or nothing.
#[tokio::test]
async fn what_was_displaced_and_is_to_be_ignored_is_as_the_state_has_it() {
    let (session, _) = session().await;
    let state = [("text", "open".into()), ("size", 3072.0.into()), ("colour", "red".into()), ("place", "door".into())];
    let recorded = object([("text", "open".into()), ("size", 3.0.into())]);
    let prior = Prior { id: "s-1".into(), state: object(state), inputs: Some(recorded), ..Prior::default() };
    let displaced = ["size".to_owned(), "colour".to_owned()].into();
    let put = object([("text", "shut".into()), ("size", 3.0.into())]);
    let ignored = ["size", "colour"].map(PropertyPath::field);
    for (displaced, size, colour) in [(displaced, 3072.0, Some("red")), (BTreeSet::new(), 3.0, None)] {
        let record = Record { prior: prior.clone(), displaced, ..Record::default() };
        let told = session.preview_update(&sign(), &record, &put, &ignored).await.unwrap().state;
        assert_eq!((&told["text"], &told["size"]), (&"shut".into(), &size.into()));
        assert_eq!(told.get("colour").and_then(Value::as_str), colour);
    }
}

/// As engines record it: the state is new, and the inputs are those from before, which the program wants again.
#[tokio::test]
async fn what_a_failed_update_added_or_took_away_has_been_asked_for() {
    let (session, wall) = session().await;
    let colourless = object([("text", "open".into()), ("size", 3.0.into())]);
    let mut red = colourless.clone();
    red.insert("colour".to_owned(), "red".into());
    let mut null = colourless.clone();
    null.insert("colour".to_owned(), Value::Null);
    for (reached, inputs, wanted) in [(&red, &colourless, &red), (&colourless, &red, &colourless), (&red, &null, &red)]
    {
        let mut state = reached.clone();
        state.insert("place".to_owned(), "here".into());
        for (names, wanted) in [(vec!["colour".to_owned()], wanted), (vec![], inputs)] {
            let prior =
                Prior { id: "s-1".to_owned(), state: state.clone(), inputs: Some(inputs.clone()), ..Prior::default() };
            let record = Record { prior, reached: names.into_iter().collect(), ..Record::default() };
            session.update(&sign(), &record, inputs, &[]).await.unwrap();
            assert_eq!(*wall.asked.lock().unwrap(), *wanted, "{:?}", record.reached);
        }
    }
    let part = object([("size", 3.0.into())]);
    let prior = Prior { id: "s-1".to_owned(), state: part, inputs: Some(colourless.clone()), ..Prior::default() };
    let record = Record { prior, reached: ["text".to_owned()].into(), ..Record::default() };
    session.update(&sign(), &record, &colourless, &[]).await.unwrap();
    assert_eq!(*wall.asked.lock().unwrap(), colourless, "a state that lacks what is required is a part");
}
