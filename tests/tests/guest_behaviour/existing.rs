//! What may come of a resource that exists: read, imported, updated, deleted.

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_proto::raw::Struct;
use bulkhead_tests::Guest;
use bulkhead_tests::serving::{Serving, init_failed, object as received, urn, wire};
use bulkhead_value::{Object, Value};
use prost::Message as _;
use prost_types::value::Kind;
use tonic::Code;

use crate::{act, behaviours, bulkhead, object, serves_on};

const EXISTING: &str = "behaviours:index:Existing";
const CREATING: &str = "behaviours:index:Creating";
const CRASHED: &str =
    "the provider crashed: wasm trap: wasm `unreachable` instruction executed; this is a bug in the provider";

const LOOK_AGAIN: &str = "\nhint: `pulumi refresh` shows what became of it";

fn inputs(act: &str, text: &str) -> Object {
    object([("act", act), ("text", text), ("style", "plain")])
}

fn state(act: &str, text: &str) -> Object {
    let mut state = inputs(act, text);
    state.insert("revision".to_owned(), 1.0.into());
    state
}

/// The state and the inputs that a refresh puts on record.
async fn refreshed(serving: &Serving, state: Object, inputs: Object) -> (Object, Object) {
    let read = serving.read(EXISTING, "existing-1", state, inputs).await.unwrap();
    assert_eq!(read.id, "existing-1");
    (received(read.properties.unwrap()), received(read.inputs.unwrap()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refresh_shows_drift_and_hides_what_a_server_always_does() {
    let serving = behaviours().await;
    let unchanged = refreshed(&serving, state("live", "a"), inputs("live", "a")).await;
    assert_eq!(unchanged, (state("live", "a"), inputs("live", "a")));

    let created = serving.create(EXISTING, inputs("normalise", "quiet")).await.unwrap();
    assert_eq!(created.state, state("normalise", "QUIET"));
    let normalised = refreshed(&serving, created.state, inputs("normalise", "quiet")).await;
    assert_eq!(
        normalised,
        (state("normalise", "QUIET"), inputs("normalise", "quiet")),
        "the input stays as it was given"
    );

    let drifted = refreshed(&serving, state("drift", "a"), inputs("drift", "a")).await;
    assert_eq!(drifted, (state("drift", "somebody else was here"), inputs("drift", "somebody else was here")));
}

/// CRUD-09: an engine keeps what was given, and the guest gets what it means.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scalar_in_another_spelling_means_the_same_in_every_operation() {
    let serving = behaviours().await;
    let with = |mut object: Object, count: Value| {
        object.insert("count".to_owned(), count);
        object
    };
    let given = |count: Value| with(inputs("live", "a"), count);
    let recorded = || with(state("live", "a"), 12.0.into());
    let (spelt, meant) = (given("12".into()), given(12.0.into()));

    let checked = serving.check(EXISTING, spelt.clone()).await.unwrap();
    assert_eq!((&checked.value, checked.failures), (&spelt, Vec::new()));
    let failures = serving.check(EXISTING, given("twelve".into())).await.unwrap().failures;
    assert_eq!(failures, [("count".to_owned(), "expected an integer, got a string".to_owned())]);

    assert_eq!(serving.preview(EXISTING, spelt.clone()).await.unwrap()["count"], 12.0.into());
    assert_eq!(serving.create(EXISTING, spelt.clone()).await.unwrap().state, recorded());
    for (old, new) in [(&spelt, &meant), (&meant, &spelt), (&spelt, &spelt)] {
        let diff = serving.diff(EXISTING, recorded(), old.clone(), new.clone()).await.unwrap();
        assert_eq!(diff.diffs, [""; 0], "{old:?} {new:?}");
    }
    let diff = serving.diff(EXISTING, recorded(), spelt.clone(), given("13".into())).await.unwrap();
    assert_eq!(diff.diffs, ["count"]);
    let updated = serving.update(EXISTING, recorded(), spelt.clone(), given("13".into())).await.unwrap();
    assert_eq!(received(updated.properties.unwrap())["count"], 13.0.into());
    assert_eq!(refreshed(&serving, recorded(), spelt.clone()).await, (recorded(), spelt));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resource_that_is_gone_has_no_id_and_no_properties_at_all() {
    let serving = behaviours().await;
    for what in ["vanish", "notFound"] {
        let read = serving.read(EXISTING, "existing-1", state(what, "a"), inputs(what, "a")).await.unwrap();
        assert_eq!((read.id.as_str(), read.properties, read.inputs), ("", None, None), "{what}");
    }
    let read = serving.import(EXISTING, "nowhere").await.unwrap();
    assert_eq!((read.id.as_str(), read.properties, read.inputs), ("", None, None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_needs_the_id_alone_and_gives_inputs_without_defaults() {
    let serving = behaviours().await;
    let read = serving.import(EXISTING, "existing-9").await.unwrap();
    assert_eq!(read.id, "existing-9");
    let properties = received(read.properties.unwrap());
    assert_eq!((&properties["text"], &properties["revision"]), (&Value::from("found"), &Value::from(7.0)));
    assert_eq!(received(read.inputs.unwrap()), object([("act", "live"), ("text", "found")]), "`style` is its default");
}

/// An engine imports nothing that comes without inputs, and says that the provider can't import.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_ill_is_imported_with_inputs_too() {
    let serving = behaviours().await;
    let left = init_failed(&serving.import(EXISTING, "ill").await.unwrap_err());
    assert_eq!((left.id.as_str(), left.reasons), ("ill", vec!["it is ill".to_owned()]));
    assert_eq!(left.state["revision"], Value::from(7.0));
    assert_eq!(left.inputs, Some(object([("act", "live"), ("text", "found")])));
}

/// `.get` with a part of the state, which an engine sends as the state and as the inputs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_program_looks_up_by_more_than_its_id_is_found_by_its_id() {
    let serving = behaviours().await;
    let part = || object([("text", "a")]);
    let read = serving.read(EXISTING, "existing-9", part(), part()).await.unwrap();
    let properties = received(read.properties.unwrap());
    assert_eq!((read.id.as_str(), &properties["text"]), ("existing-9", &Value::from("found")));
    let status = serving.read(EXISTING, "existing-9", part(), Object::new()).await.unwrap_err();
    assert!(status.message().contains("the recorded state can't be used"), "what is on record is whole: {status:?}");
}

/// In a preview, engines leave out what isn't known, and of a secret its contents alone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_program_looks_up_by_may_be_a_secret_that_is_not_known_yet() {
    let serving = behaviours().await;
    let bag = |key: &str, kind| prost_types::Struct {
        fields: [(key.to_owned(), prost_types::Value { kind: Some(kind) })].into(),
    };
    let signature = Kind::StringValue("1b47061264138c4ac30d75fd1eb44270".to_owned());
    let secret = bag("4dabf18193072939515e22adb298388d", signature);
    let part = Some(Struct::from_bytes(bag("text", Kind::StructValue(secret)).encode_to_vec()));
    let request = pb::ReadRequest {
        urn: urn(EXISTING),
        id: "existing-9".to_owned(),
        properties: part.clone(),
        inputs: part.clone(),
        ..<_>::default()
    };
    let read = serving.client.clone().read(request).await.unwrap().into_inner();
    assert_eq!(received(read.properties.unwrap())["text"], "found".into());
    // Nothing real is made of it.
    let request = pb::CreateRequest { urn: urn(EXISTING), properties: part, ..<_>::default() };
    let status = serving.client.clone().create(request).await.unwrap_err();
    assert_eq!(status.message(), "create the resource: can't create a resource from inputs that aren't known: text");
}

/// What was announced of it is its inputs, which is what engines send of a resource that a program looks up.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resource_that_has_nothing_but_its_inputs_yet_is_refreshed_and_its_secrets_stay_so() {
    let serving = behaviours().await;
    let mut given = inputs("unfinished", "a");
    given.insert("text".to_owned(), Value::from("hunter2").secret());
    let left = [
        serving.create(EXISTING, given.clone()).await.map(drop),
        serving.update(EXISTING, state("live", "a"), inputs("live", "a"), given.clone()).await.map(drop),
    ];
    for left in left.map(|left| init_failed(&left.unwrap_err()).noted) {
        let read = serving.read(EXISTING, "existing-1", left, given.clone()).await.unwrap();
        let (found, shown) = (received(read.properties.unwrap()), received(read.inputs.unwrap()));
        assert_eq!((&found["text"], &found["revision"]), (&given["text"], &Value::from(1.0)), "not an import's");
        assert_eq!(shown, given);
        // It is whole now, and the note that it wasn't is no change.
        assert_eq!(serving.diff(EXISTING, found, shown, given.clone()).await.unwrap().diffs, [""; 0]);
    }
    // Nor is what is still unfinished after a refresh.
    let bare = object([("act", "unfinished"), ("style", "plain")]);
    let whole = object([("act", Value::from("unfinished")), ("style", "plain".into()), ("revision", 1.0.into())]);
    let mut recorded = whole;
    for _ in 0..2 {
        let left = init_failed(&serving.read(EXISTING, "existing-1", recorded, bare.clone()).await.unwrap_err());
        assert_eq!((left.id, left.reasons), ("existing-1".to_owned(), vec!["it is unpainted".to_owned()]));
        assert_eq!(left.inputs, Some(bare.clone()));
        recorded = left.noted;
    }
}

/// Bridged providers record defaults that their schemas don't tell of, and note which inputs these are.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_default_that_nobody_gave_is_not_taken_back_by_leaving_it_out() {
    let serving = behaviours().await;
    let noted = |inputs: Object, names: &[&str]| {
        let names: Vec<Value> = names.iter().map(|name| (*name).into()).collect();
        inputs.into_iter().chain([("__defaults".to_owned(), names.into())]).collect::<Object>()
    };
    let news = object([("act", "live"), ("style", "plain")]);
    for (old, expected) in
        [(noted(inputs("live", "a"), &["text"]), &[][..]), (noted(inputs("live", "a"), &[]), &["text".to_owned()][..])]
    {
        let diff = serving.diff(EXISTING, state("live", "a"), old, news.clone()).await.unwrap();
        assert_eq!(diff.diffs, expected);
    }
    // What somebody else changed is to be changed back.
    let (_, shown) = refreshed(&serving, state("drift", "a"), noted(inputs("drift", "a"), &["text"])).await;
    assert_eq!(shown, noted(inputs("drift", "somebody else was here"), &[]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_may_fail_in_each_way() {
    let serving = behaviours().await;
    let left = serving.read(EXISTING, "existing-1", state("partial", "a"), inputs("partial", "a")).await.unwrap_err();
    let left = init_failed(&left);
    assert_eq!((left.id.as_str(), left.reasons), ("existing-1", vec!["it is ill".to_owned()]));
    assert_eq!((left.state, left.inputs), (state("partial", "a"), Some(inputs("partial", "a"))));
    let report = "\nhint: please report it to the provider's author";
    for (what, code, message) in [
        ("panic", Code::Aborted, format!("read the resource: {CRASHED}{report}")),
        (
            "panicAfterCheckpoint",
            Code::Unimplemented,
            "read the resource: checkpoints have a meaning in create and update only".to_owned(),
        ),
        // What a provider says of a failure of its own stands alone.
        ("fail", Code::Aborted, "the door is shut".to_owned()),
        // Nothing was to be changed, so that nothing is left open.
        ("outcomeUnknown", Code::Aborted, "the answer was lost".to_owned()),
        (
            "emptyId",
            Code::Aborted,
            format!(
                "read the resource: the provider read a resource and returned an empty id; this is a bug in the provider{report}"
            ),
        ),
    ] {
        let status = serving.read(EXISTING, "existing-1", state(what, "a"), inputs(what, "a")).await.unwrap_err();
        assert_eq!((status.code(), status.message()), (code, &*message), "{what}");
        serves_on(&serving).await;
    }
    let status = serving.import(EXISTING, "a\nb").await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument, "it is who asks that is wrong");
    assert_eq!(status.message(), "read the resource: what is to be read has an id with control characters");
    let status = serving.import(EXISTING, "").await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(status.message(), "the resource's id is empty: it isn't created yet");
}

/// An engine records what it is told, and keeps what it isn't told of.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn inputs_that_are_too_large_to_be_told_stay_on_record() {
    let serving = behaviours().await;
    let large = "a".repeat(5 << 20);
    let (recorded, given) = (state("partial", &large), inputs("partial", &large));
    let left = init_failed(&serving.read(EXISTING, "existing-1", recorded.clone(), given).await.unwrap_err());
    assert_eq!((left.state == recorded, left.inputs), (true, None));
    assert!(left.reasons[1].contains("more than can be recorded of it now"), "{:?}", left.reasons);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_update_may_succeed_wholly_or_in_part_or_fail() {
    let serving = behaviours().await;
    let update =
        async |what| serving.update(EXISTING, state("live", "a"), inputs("live", "a"), inputs(what, "b")).await;
    let updated = update("live").await.unwrap();
    assert!(updated.refresh_before_update);
    let properties = received(updated.properties.unwrap());
    assert_eq!((&properties["text"], &properties["revision"]), (&Value::from("b"), &Value::from(2.0)));

    let request = pb::UpdateRequest {
        urn: urn(EXISTING),
        id: "existing-1".to_owned(),
        olds: Some(wire(&state("live", "a"))),
        news: Some(wire(&inputs("live", "b"))),
        ..<_>::default()
    };
    let updated = serving.client.clone().update(request).await.expect("an older engine sends no old inputs");
    assert_eq!(received(updated.into_inner().properties.unwrap())["revision"], Value::from(2.0));

    for (what, reason) in [("partial", "it is half painted"), ("panicAfterCheckpoint", CRASHED)] {
        let left = init_failed(&update(what).await.unwrap_err());
        assert_eq!((left.id.as_str(), left.reasons), ("existing-1", vec![reason.to_owned()]), "{what}");
        assert_eq!(left.state["text"], Value::from("b"), "{what}");
        serves_on(&serving).await;
    }
    for (what, code, message) in [
        ("panic", Code::Aborted, &*format!("{CRASHED}\nhint: please report it to the provider's author")),
        ("fail", Code::Aborted, "the paint has run out"),
        ("notFound", Code::NotFound, "it was here a minute ago"),
        ("outcomeUnknown", Code::Unknown, &*format!("the answer was lost{LOOK_AGAIN}")),
    ] {
        let status = update(what).await.unwrap_err();
        assert_eq!(
            (status.code(), status.message()),
            (code, &*crate::said(what, "update the resource", message)),
            "{what}"
        );
        serves_on(&serving).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_update_changes_nothing_that_is_to_be_ignored() {
    let serving = behaviours().await;
    let updated = async |ignored: &[&str], preview| {
        let request = pb::UpdateRequest {
            urn: urn(EXISTING),
            id: "existing-1".to_owned(),
            olds: Some(wire(&state("live", "a"))),
            old_inputs: Some(wire(&inputs("live", "a"))),
            news: Some(wire(&inputs("live", "b"))),
            ignore_changes: ignored.iter().map(|path| (*path).to_owned()).collect(),
            preview,
            ..<_>::default()
        };
        let updated = serving.client.clone().update(request).await.unwrap().into_inner();
        received(updated.properties.unwrap())["text"].clone()
    };
    for preview in [false, true] {
        assert_eq!(updated(&["text"], preview).await, "a".into(), "a check may have changed it after the engine");
        assert_eq!(updated(&["*"], preview).await, "a".into());
        assert_eq!(updated(&["text.deeper", "none", "te[xt", ""], preview).await, "b".into());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deleting_what_is_gone_succeeds_and_any_failure_keeps_the_resource() {
    let serving = behaviours().await;
    for what in ["live", "notFound", "vanish"] {
        serving.delete(EXISTING, state(what, "a")).await.expect(what);
    }
    let report = "\nhint: please report it to the provider's author";
    for (what, code, message) in [
        ("panic", Code::Aborted, format!("{CRASHED}{report}")),
        ("fail", Code::Aborted, "it is bolted to the floor".to_owned()),
        ("outcomeUnknown", Code::Unknown, format!("the answer was lost{LOOK_AGAIN}")),
        (
            "partial",
            Code::Aborted,
            format!(
                "the provider reported a partial resource in a call that neither makes nor changes one; this is a bug in the provider{report}"
            ),
        ),
    ] {
        let status = serving.delete(EXISTING, state(what, "a")).await.unwrap_err();
        assert_eq!(
            (status.code(), status.message()),
            (code, &*crate::said(what, "delete the resource", &message)),
            "{what}"
        );
        serves_on(&serving).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_type_cannot_do_is_answered_without_the_guest() {
    let serving = behaviours().await;
    let mut on_record = act("panic");
    on_record.insert("step".to_owned(), 1.0.into());
    let read = serving.read(CREATING, "made-1", on_record.clone(), act("panic")).await.unwrap();
    assert_eq!(received(read.properties.unwrap()), on_record, "a type without `read` can't drift");
    assert_eq!(received(read.inputs.unwrap()), act("panic"));
    let blank = serving.read("behaviours:index:Talking", "talks", Object::new(), Object::new()).await.unwrap();
    assert_eq!(
        (blank.id.as_str(), received(blank.properties.unwrap())),
        ("talks", Object::new()),
        "nor if it has no properties"
    );
    serving.import("behaviours:index:Talking", "talks").await.expect_err("nothing is on record of it");
    let status = serving.import(CREATING, "made-1").await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
    assert_eq!(
        status.message(),
        "read the resource: `behaviours:index:Creating` can't be read or imported\n\
         hint: the provider has no way to look such a resource up; create it instead"
    );
    serving.delete(CREATING, on_record.clone()).await.expect("a type without `delete` is forgotten");
    let status = serving.update(CREATING, on_record, act("panic"), act("succeed")).await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
    assert_eq!(
        status.message(),
        "update the resource: `behaviours:index:Creating` can't be updated in place\n\
         hint: replace the resource: `pulumi up --replace URN`"
    );
}

/// As natively: nothing that is on record fails a refresh, or is lost in one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refresh_goes_on_with_what_nobody_would_create() {
    let random = Guest::build(&bulkhead(), "providers/random");
    let serving = Serving::start(&random, Limits::default()).await.ready(Object::new()).await;
    let order = "random:index/randomShuffle:RandomShuffle";
    let given = object([("inputs", Value::from(vec![Value::Null, "a".into()]))]);
    let mut state = given.clone();
    state.extend([("id".to_owned(), "-".into()), ("results".to_owned(), vec!["a".into(), Value::Null].into())]);
    let read = serving.read(order, "-", state.clone(), given.clone()).await.unwrap();
    let seen = received(read.properties.unwrap());
    assert_eq!((&seen["inputs"], &seen["results"]), (&state["inputs"], &state["results"]));
    assert_eq!(received(read.inputs.unwrap()), given);
    let mut changed = given.clone();
    changed.insert("keepers".to_owned(), Object::new().into());
    let updated = serving.update(order, state.clone(), given, changed).await.unwrap();
    assert_eq!(received(updated.properties.unwrap())["results"], state["results"]);

    let (uuid, id) = ("random:index/randomUuid:RandomUuid", "9615dfe3-db80-42da-b96f-58c82d07e685");
    let given = object([("keepers", object([("a", "1")]))]);
    let mut state = given.clone();
    state.insert("id".to_owned(), id.into());
    let read = serving.read(uuid, id, state, given.clone()).await.unwrap();
    let seen = received(read.properties.unwrap());
    assert_eq!((&seen["keepers"], &seen["result"]), (&given["keepers"], &id.into()), "the id tells what was lost");
    assert_eq!(received(read.inputs.unwrap()), given);
    let looked_up = serving.read(uuid, id, given.clone(), given).await.unwrap();
    assert!(!received(looked_up.properties.unwrap()).contains_key("keepers"), "a program may say what it likes");
    let part = object([("length", 16.0)]);
    let refusal = serving.read("random:index/randomPassword:RandomPassword", "none", part.clone(), part).await;
    assert_eq!(refusal.unwrap_err().code(), Code::Unimplemented, "the id of all passwords is none of them");
}
