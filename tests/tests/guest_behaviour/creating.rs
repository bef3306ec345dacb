//! How a create may end, and what an engine learns of it.

use bulkhead::component::Limits;
use bulkhead_tests::serving::{Serving, detail, init_failed, missing_keys};
use bulkhead_value::{Object, Value};
use tonic::{Code, Status};

use crate::{act, behaviours, guest, object, serves_on};

const CREATING: &str = "behaviours:index:Creating";

async fn failing(serving: &Serving, what: &str) -> Status {
    let status = serving.create(CREATING, act(what)).await.expect_err(what);
    serves_on(serving).await;
    status
}

/// CRUD-24.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_preview_knows_the_resource_has() {
    let behaviours = behaviours().await;
    let notes = Serving::start(&guest("notes"), Limits::default()).await.ready(Object::new()).await;
    let secret = || Value::from("hunter2").secret();
    let heading = || Value::from(object([("text", Value::from("over it")), ("level", 1.0.into())]));
    for (serving, token, inputs) in [
        (&behaviours, CREATING, act("succeed")),
        (&behaviours, "behaviours:index:Existing", object([("act", "live"), ("text", "quiet")])),
        (&behaviours, "behaviours:index:Echo", object([("value", heading()), ("hidden", secret())])),
        (&behaviours, "behaviours:index:Named", object([("kind", "k")])),
        (&behaviours, "behaviours:index:Counter", Object::new()),
        (
            &notes,
            "notes:index:Page",
            object([("notebook", "made".into()), ("heading", heading()), ("remark", secret()), ("body", "it".into())]),
        ),
    ] {
        let inputs = serving.check_with(token, inputs, &[7; 32]).await.unwrap().value;
        let preview = serving.preview(token, inputs.clone()).await.unwrap();
        let created = serving.create(token, inputs.clone()).await.unwrap().state;
        let known = preview.iter().filter(|(_, value)| !value.contains_unknown());
        let known: Vec<_> = known.map(|(name, value)| (name, Some(value))).collect();
        let had: Vec<_> = known.iter().map(|(name, _)| (*name, created.get(name.as_str()))).collect();
        assert_eq!(known, had, "{token}");
    }
}

/// Asserts that the status says nothing of a resource left behind.
#[track_caller]
fn assert_nothing_left(status: &Status) {
    assert!(detail::<bulkhead_proto::provider::ErrorResourceInitFailed>(status).is_none(), "{status:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_is_the_providers_bug_and_one_calls_end() {
    let serving = behaviours().await;
    let status = failing(&serving, "panic").await;
    assert_eq!(status.code(), Code::Aborted);
    assert_eq!(
        status.message(),
        "create the resource: the provider crashed: wasm trap: wasm `unreachable` instruction executed; this is a bug in the provider\n\
         hint: please report it to the provider's author"
    );
    assert_nothing_left(&status);
    let told: Vec<String> = serving.messages().into_iter().map(|message| message.text).collect();
    assert!(told[0].starts_with("the provider panicked at behaviours/src/creating.rs:"), "{told:?}");
    assert_eq!(told[1], "the panic's message: hunter2 fell over");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resource_that_was_announced_before_a_panic_is_recorded() {
    let left = init_failed(&failing(&behaviours().await, "panicAfterCheckpoint").await);
    assert_eq!(left.id, "made-1");
    let expected = object([("act", Value::from("panicAfterCheckpoint")), ("step", 2.0.into())]);
    assert_eq!(left.state, expected, "the last checkpoint counts");
    assert_eq!(
        left.reasons,
        ["the provider crashed: wasm trap: wasm `unreachable` instruction executed; this is a bug in the provider"]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_explicit_failure_after_a_checkpoint_is_believed() {
    let status = failing(&behaviours().await, "failAfterCheckpoint").await;
    assert_eq!(status.code(), Code::Aborted);
    assert_eq!(status.message(), "it was made and taken away again");
    assert_nothing_left(&status);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_id_than_the_announced_one_is_a_bug_that_names_both() {
    let left = init_failed(&failing(&behaviours().await, "otherId").await);
    assert_eq!(left.id, "made-2");
    assert_eq!(
        left.reasons,
        [
            "the provider's result can't be used: it announced the id `made-1` and returned `made-2`; this is a bug in the provider"
        ]
    );
    assert_eq!(left.state["step"], Value::from(1.0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_knows_what_an_empty_id_means() {
    let serving = behaviours().await;
    let status = failing(&serving, "emptyId").await;
    assert_eq!(status.code(), Code::Unknown);
    assert_eq!(
        status.message(),
        "create the resource: the provider created a resource and returned an empty id; this is a bug in the provider\n\
         hint: a resource may have been created: look for it where the provider makes such things, and import or delete it"
    );
    let left = init_failed(&failing(&serving, "emptyIdAfterCheckpoint").await);
    assert_eq!(left.id, "made-1", "the announced id is known");
    assert_eq!(
        left.reasons,
        ["the provider's result can't be used: it returned an empty id; this is a bug in the provider"]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_partial_resource_is_recorded_with_its_reasons() {
    let serving = behaviours().await;
    let status = failing(&serving, "partial").await;
    assert_eq!(status.message(), "create the resource: the resource exists but isn't ready: it is cold; it is dark");
    let left = init_failed(&status);
    assert_eq!((left.id.as_str(), left.reasons.len()), ("made-1", 2));
    assert_eq!(left.state, object([("act", Value::from("partial")), ("step", 1.0.into())]));
    assert_eq!(init_failed(&failing(&serving, "partialWithoutReason").await).reasons, ["the resource isn't ready"]);
}

/// An engine takes what a refresh finds for well.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_made_in_part_and_cannot_be_read_is_not_well_after_a_refresh() {
    let serving = behaviours().await;
    let mut recorded = init_failed(&failing(&serving, "partial").await).noted;
    for _ in 0..2 {
        let read = serving.read(CREATING, "made-1", recorded.clone(), act("partial")).await;
        let left = init_failed(&read.unwrap_err());
        let unfinished = "it came to no end when it was made or changed, and the provider can't read what became of it";
        assert_eq!((left.id.as_str(), left.reasons), ("made-1", vec![unfinished.to_owned()]));
        assert_eq!((&left.noted, left.inputs), (&recorded, Some(act("partial"))), "it is as it was");
        recorded = left.noted;
    }
    let whole = serving.create(CREATING, act("succeed")).await.unwrap().state;
    assert!(!whole.contains_key("__meta"), "nothing is noted of it: {whole:?}");
    // Of what can be read nothing is: a read says how it is.
    let existing = "behaviours:index:Existing";
    let left =
        serving.create(existing, object([("act", "unfinished"), ("text", "a"), ("style", "plain")])).await.unwrap_err();
    assert_eq!(init_failed(&left).noted["__meta"], r#"{"schema_version":"0"}"#.into());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_error_of_the_contract_has_its_code() {
    const LOST: &str = "\nhint: a resource may have been created: look for it where the provider makes such things, and import or delete it";
    let serving = behaviours().await;
    for (what, code, message) in [
        ("fail", Code::Aborted, "there is no room"),
        ("reject", Code::InvalidArgument, "act: must be another"),
        ("outcomeUnknown", Code::Unknown, &format!("the answer was lost{LOST}")),
        ("notFound", Code::NotFound, "there is no such place"),
        ("cancelled", Code::Cancelled, "the operation was cancelled"),
        ("unsupported", Code::Unimplemented, "there is no such thing here"),
        (
            "bug",
            Code::Aborted,
            "two and two made five; this is a bug in the provider\nhint: please report it to the provider's author",
        ),
        ("standardError", Code::Aborted, "invalid digit found in string"),
    ] {
        let status = failing(&serving, what).await;
        // What a provider says of its own failure stands alone.
        let own = ["fail", "standardError"].contains(&what);
        let message = if own { message.to_owned() } else { format!("create the resource: {message}") };
        assert_eq!((status.code(), status.message()), (code, &*message), "{what}");
        assert_nothing_left(&status);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn configuration_that_turns_out_to_be_missing_is_named() {
    let status = failing(&behaviours().await, "missingConfiguration").await;
    assert_eq!(status.message(), "create the resource: required configuration is missing: password");
    assert_eq!(missing_keys(&status), [("password".to_owned(), "What opens the door.".to_owned())].into());
}
