//! Names that are made for resources: how engines ask for them, what is noted of them, and what a replacement does because of them.

use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::check_request::AutonamingOptions;
use bulkhead_proto::provider::check_request::autonaming_options::Mode;
use bulkhead_proto::provider::diff_response::DiffChanges;
use bulkhead_tests::serving::{Serving, object as received, urn, wire};
use bulkhead_value::{Object, Value};

use crate::{behaviours, object};

const NAMED: &str = "behaviours:index:Named";

/// What a check makes of inputs, given those on record, or why it refuses them.
async fn checked(
    serving: &Serving,
    olds: Option<&Object>,
    news: &Object,
    seed: u8,
    wish: Option<(Mode, &str)>,
) -> Result<Object, String> {
    let autonaming = wish.map(|(mode, name)| AutonamingOptions { proposed_name: name.to_owned(), mode: mode as i32 });
    let request = pb::CheckRequest {
        urn: urn(NAMED),
        olds: olds.map(wire),
        news: Some(wire(news)),
        random_seed: vec![seed; 32].into(),
        autonaming,
        ..<_>::default()
    };
    let checked = serving.client.clone().check(request).await.unwrap().into_inner();
    match checked.failures.as_slice() {
        [] => Ok(received(checked.inputs.unwrap())),
        failures => Err(failures.iter().map(|failure| failure.reason.as_str()).collect()),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_made_once_and_as_the_engine_wishes() {
    let serving = behaviours().await;
    let none = Object::new();
    let noted = |inputs: &Object| inputs.get("__defaults").cloned();
    let first = checked(&serving, None, &none, 1, None).await.unwrap();
    assert!(first["name"].as_str().unwrap().starts_with("name-"), "{first:?}");
    assert_eq!(noted(&first), Some(vec![Value::from("name")].into()));
    for wish in [None, Some((Mode::Enforce, "wish")), Some((Mode::Disable, ""))] {
        assert_eq!(checked(&serving, Some(&first), &none, 2, wish).await, Ok(first.clone()), "{wish:?}");
    }
    let another = checked(&serving, None, &none, 2, None).await.unwrap();
    assert_ne!(another["name"], first["name"], "a replacement needs another one");

    for mode in [Mode::Propose, Mode::Enforce] {
        let wished = checked(&serving, None, &none, 1, Some((mode, "wish"))).await.unwrap();
        assert_eq!((&wished["name"], noted(&wished)), (&"wish".into(), noted(&first)), "{mode:?}");
    }
    let long = "longer-than-a-name-may-be";
    let proposed = checked(&serving, None, &none, 1, Some((Mode::Propose, long))).await;
    assert_eq!(proposed, Ok(first.clone()), "what can't be taken needn't be");
    let refused = checked(&serving, None, &none, 1, Some((Mode::Enforce, long))).await.unwrap_err();
    assert!(refused.contains("it has more than 16 characters"), "{refused}");
    let refused = checked(&serving, None, &none, 1, Some((Mode::Disable, ""))).await.unwrap_err();
    assert!(refused.contains("automatic names are disabled"), "{refused}");

    let given = checked(&serving, Some(&first), &object([("name", "mine")]), 1, Some((Mode::Enforce, "wish"))).await;
    let mut mine = object([("name", "mine")]);
    mine.insert("__defaults".to_owned(), Value::List(Vec::new().into()));
    assert_eq!(given, Ok(mine));
    let taken_back = checked(&serving, given.as_ref().ok(), &none, 1, None).await.unwrap();
    assert_eq!(taken_back["name"], first["name"], "a name that was given isn't the provider's to keep");
}

/// `pulumi do` sends none, and refuses what isn't known.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_made_by_chance_for_an_engine_that_sends_no_seed() {
    let serving = behaviours().await;
    let request = pb::CheckRequest { urn: urn(NAMED), news: Some(wire(&Object::new())), ..<_>::default() };
    let made = async || {
        let checked = serving.client.clone().check(request.clone()).await.unwrap().into_inner();
        received(checked.inputs.unwrap())["name"].as_str().map(str::to_owned)
    };
    let [one, other] = [made().await, made().await];
    assert!(one.is_some() && one != other, "{one:?} {other:?}");
}

/// As by a native provider that keeps no notes, or by an import: nobody knows whether the name was given.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_somebody_else_put_on_record_is_kept() {
    let serving = behaviours().await;
    let none = Object::new();
    for name in [Value::from("theirs"), Value::from("theirs").secret()] {
        let olds: Object = [("name".to_owned(), name.clone())].into();
        let news = checked(&serving, Some(&olds), &none, 1, Some((Mode::Enforce, "wish"))).await.unwrap();
        assert_eq!((&news["name"], &news["__defaults"]), (&name, &vec![Value::from("name")].into()));
        let diff = serving.diff(NAMED, olds.clone(), olds, news).await.unwrap();
        assert_eq!(diff.changes(), DiffChanges::DiffNone, "{diff:?}");
    }
    let elsewhere = object([("kind", "theirs")]);
    let news = checked(&serving, Some(&elsewhere), &none, 1, None).await.unwrap();
    assert!(news["name"].as_str().unwrap().starts_with("name-"), "{news:?}");
}

/// Two resources can't have a name at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resource_is_deleted_before_another_is_given_its_name() {
    let serving = behaviours().await;
    let made = checked(&serving, None, &Object::new(), 1, None).await.unwrap();
    let name = made["name"].clone();
    let explicit = object([("name", name.clone())]);
    let other = object([("name", "other")]);
    for (olds, given, expected) in [
        (&made, Object::new(), false),
        (&explicit, object([("name", name.clone())]), true),
        (&explicit, Object::new(), false),
        (&explicit, other.clone(), false),
        // A program that says the name which was made for it keeps it.
        (&made, object([("name", name.clone())]), true),
        (&made, other.clone(), false),
    ] {
        let mut given = given;
        given.insert("kind".to_owned(), "another".into());
        let news = checked(&serving, Some(olds), &given, 2, None).await.unwrap();
        let diff = serving.diff(NAMED, olds.clone(), olds.clone(), news).await.unwrap();
        assert!(diff.replaces.contains(&"kind".to_owned()), "{diff:?}");
        assert_eq!(diff.delete_before_replace, expected, "{olds:?} {given:?}");
    }

    // An engine has put the old name in the place of an ignored one, and asks for another one when it replaces.
    let request = pb::DiffRequest {
        urn: urn(NAMED),
        id: "named-1".to_owned(),
        olds: Some(wire(&made)),
        old_inputs: Some(wire(&made)),
        news: Some(wire(&object([("name", name), ("kind", "another".into())]))),
        ignore_changes: vec!["name".to_owned()],
        ..<_>::default()
    };
    let diff = serving.client.clone().diff(request).await.unwrap().into_inner();
    assert_eq!((diff.replaces, diff.delete_before_replace), (vec!["kind".to_owned()], false));
}

/// An `up` that changes nothing records what was checked, in which the engine had put the old name in the place of the ignored one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_was_made_stays_one_through_deployments_that_ignore_it() {
    let serving = behaviours().await;
    let made = checked(&serving, None, &Object::new(), 1, None).await.unwrap();
    let named: Object = [("name", made["name"].clone())].into();
    let mut recorded = made.clone();
    for _ in 0..2 {
        recorded = checked(&serving, Some(&recorded), &named, 1, None).await.unwrap();
        let mut given = named.clone();
        given.insert("kind".to_owned(), "another".into());
        for (ignored, delete_first) in [(vec!["name".to_owned()], false), (vec!["*".to_owned()], false), (vec![], true)]
        {
            let news = checked(&serving, Some(&recorded), &given, 1, None).await.unwrap();
            let request = pb::DiffRequest {
                urn: urn(NAMED),
                id: "named-1".to_owned(),
                olds: Some(wire(&recorded)),
                old_inputs: Some(wire(&recorded)),
                news: Some(wire(&news)),
                ignore_changes: ignored.clone(),
                ..<_>::default()
            };
            let diff = serving.client.clone().diff(request).await.unwrap().into_inner();
            assert_eq!(diff.delete_before_replace, delete_first, "{ignored:?}");
        }
        // No longer ignored, it is as it was.
        assert_eq!(checked(&serving, Some(&recorded), &Object::new(), 2, None).await, Ok(made.clone()));
    }
    // With all that is on record in its place.
    assert_eq!(checked(&serving, Some(&recorded), &recorded, 1, None).await, Ok(recorded.clone()));
    let other = checked(&serving, Some(&recorded), &object([("name", "mine")]), 1, None).await.unwrap();
    assert_eq!(other.get("__meta"), None, "nobody made that");
}
