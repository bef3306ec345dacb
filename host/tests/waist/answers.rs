//! What a provider answers in the host's place, and which of it is its own doing.

use std::sync::Arc;

use bulkhead::provider::{CheckRequest, Context, Prior, Record, Session, Silent};
use bulkhead_schema::Package;
use bulkhead_value::{Object, Value};

use crate::{Shop, Wall, object};

const SHELF: &str = "shop:index:Shelf";

async fn session() -> (Session, Arc<Wall>) {
    let mut package = Package::parse(
        br##"{
          "name": "shop",
          "config": { "variables": { "ports": { "type": "array", "items": { "type": "integer" } },
                                     "retries": { "type": "integer" }, "open": { "type": "boolean" },
                                     "label": { "type": "string", "language": { "bulkhead": { "coerces": true } } } } },
          "types": { "shop:index:Board": {
            "properties": { "kind": { "type": "string", "const": "board" }, "width": { "type": "integer" },
                            "wood": { "type": "string" } },
            "required": ["kind", "width"] } },
          "resources": { "shop:index:Shelf": {
            "inputProperties": { "board": { "$ref": "#/types/shop:index:Board" },
                                 "count": { "type": "integer", "language": { "bulkhead": { "coerces": true } } } },
            "properties": { "board": { "$ref": "#/types/shop:index:Board" } } } } }"##,
    )
    .unwrap();
    package.provider.facts.overrides.check = true;
    let overrides = &mut package.resource_mut(SHELF).unwrap().facts.overrides;
    (overrides.check, overrides.preview) = (true, true);
    let wall = Arc::new(Wall::default());
    let session = Session::new(Arc::new(package), &Shop(Arc::clone(&wall)), Arc::new(Silent));
    session.configure(&Object::default(), &[]).await.unwrap();
    (session, wall)
}

fn shelf() -> Context {
    Context { token: SHELF.into(), ..Context::default() }
}

fn boards<const N: usize>(members: [(&str, Value); N]) -> Object {
    object([("board", object(members).into())])
}

fn bug(what: &str) -> String {
    format!("the provider returned {what}; this is a bug in the provider")
}

/// Configure takes what isn't a string as its JSON, and so engines write it.
#[tokio::test]
async fn a_configuration_may_be_filled_in_as_engines_write_it() {
    let (session, wall) = session().await;
    let check = async |given: Object, answer: Object| {
        *wall.answer.lock().unwrap() = Some(answer);
        session.check_config(None, &given).await.map(|checked| checked.inputs).map_err(|error| error.message)
    };
    let made =
        object([("ports", "[8080]".into()), ("retries", "3".into()), ("open", "true".into()), ("label", 1.0.into())]);
    assert_eq!(check(Object::new(), made.clone()).await, Ok(made));
    for (answer, wrong) in [
        ("[\"a\"]", "an input that its schema doesn't allow, at ports[0]: expected an integer, got a string"),
        ("8080", "an input that its schema doesn't allow, at ports: expected a list, got a number"),
    ] {
        let answer = object([("ports", answer.into())]);
        assert_eq!(check(Object::new(), answer.clone()).await, Err(bug(wrong)));
        assert_eq!(check(answer.clone(), answer.clone()).await, Ok(answer), "it was given so");
    }
}

/// The user left out what is filled in by nobody, and wrote a number as text.
#[tokio::test]
async fn a_check_answers_for_what_it_made_and_not_for_what_stands_beside_it() {
    let (session, wall) = session().await;
    let check = async |given: Object, answer: Object| {
        *wall.answer.lock().unwrap() = Some(answer);
        let request = CheckRequest { context: shelf(), inputs: given, ..CheckRequest::default() };
        session.check(request).await.map(|checked| checked.inputs).map_err(|error| error.message)
    };
    for given in [boards([("width", "5".into())]), boards([])] {
        let mut answer = given.clone();
        let board = answer.get_mut("board").and_then(Value::as_object_mut).unwrap();
        board.insert("wood".to_owned(), "oak".into());
        assert_eq!(check(given, answer.clone()).await, Ok(answer));
    }
    let wrong = "an input that its schema doesn't allow, at board.width: expected an integer, got a string";
    assert_eq!(check(boards([("width", "5".into())]), boards([("width", "6".into())])).await, Err(bug(wrong)));
    let wrong = "an input that its schema doesn't allow, at board.width: missing required property 'width'";
    assert_eq!(check(boards([("width", 5.0.into())]), boards([])).await, Err(bug(wrong)));
    let spelt = object([("count", "5".into())]);
    assert_eq!(check(Object::new(), spelt.clone()).await, Ok(spelt));
}

/// What an older version recorded may be anything, and what is predicted of the rest is no worse for it.
#[tokio::test]
async fn a_preview_answers_for_what_it_predicts_and_not_for_what_is_on_record() {
    let (session, wall) = session().await;
    let preview = async |answer: Object| {
        *wall.answer.lock().unwrap() = Some(answer);
        let prior = Prior { id: "s-1".into(), state: boards([("wood", "oak".into())]), ..Prior::default() };
        let record = Record { prior, ..Record::default() };
        session.preview_update(&shelf(), &record, &Object::new(), &[]).await.map_err(|error| error.message)
    };
    let predicted = boards([("wood", "ash".into())]);
    assert_eq!(preview(predicted.clone()).await.unwrap().state, predicted);
    let wrong = "a prediction that its schema doesn't allow, at board.wood: expected a string, got a number";
    assert_eq!(preview(boards([("wood", 1.0.into())])).await.unwrap_err(), bug(wrong));
}
