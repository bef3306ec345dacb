//! Calls that end badly once a resource exists: it is on record with all that can be saved, or the engine is told that nobody
//! knows. Only what certainly changed nothing is told as such.

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::serving::{Serving, creation, detail, init_failed, object as received, urn, wire};
use bulkhead_value::{Object, Value};
use tonic::{Code, Status};

use crate::{guest, object};

const LIE: &str = "liar:index:Lie";
const BUG: &str = "; this is a bug in the provider";
const NAMELESS: &str = "\nhint: a resource may have been created: look for it where the provider makes such things, and import or delete it";

/// Ends of calls that return nothing which can be used: the lie, the code that says what may exist, and what is said.
const ENDS: [(&str, Code, &str); 6] = [
    (
        "trap",
        Code::Aborted,
        "the provider crashed: wasm trap: wasm `unreachable` instruction executed; this is a bug in the provider",
    ),
    ("exit", Code::Aborted, "the provider ended its own process; this is a bug in the provider"),
    ("memory", Code::ResourceExhausted, "the provider needs more memory than its limit allows"),
    ("loop", Code::DeadlineExceeded, "the operation took longer than its deadline"),
    ("large", Code::Unknown, "the provider passed more data to the host than its limit allows"),
    (
        "utf-8",
        Code::Unknown,
        "the provider broke the contract: invalid utf-8 sequence of 1 bytes from index 0; this is a bug in the provider",
    ),
];

/// The liar, under limits that it meets soon.
async fn liar() -> Serving {
    let limits = Limits { memory: 48 << 20, value_bytes: 8 << 20, ..Limits::default() };
    Serving::start(&guest("liar"), limits).await.ready(Object::new()).await
}

fn lie(lie: &str, announced: Option<&str>) -> Object {
    let announced = announced.map(|announced| ("announced".to_owned(), Value::from(announced)));
    [("lie".to_owned(), Value::from(lie))].into_iter().chain(announced).collect()
}

fn on_record() -> Object {
    object([("lie", Value::from("truth")), ("name", "n".into()), ("count", 1.0.into())])
}

/// What the liar announces.
fn announced() -> Object {
    object([("lie", Value::from("announced")), ("name", "n".into()), ("count", 2.0.into())])
}

/// Why a resource isn't ready: what happened, and which limit it was, if it was one.
fn reason(what: &str, said: &str) -> String {
    let limit = match what {
        "memory" => Some("memory"),
        "large" => Some("value"),
        _ => None,
    };
    let most = if what == "memory" { "it may have 48.0 MiB; " } else { "" };
    let raise = limit
        .map(|limit| format!("{most}if the provider should have more, raise the limit `{limit}` in bulkhead.toml"));
    let longer = (what == "loop").then(|| {
        "give it more time with the resource option `customTimeouts`, or where there is none with the limit `wall` in \
         bulkhead.toml"
            .to_owned()
    });
    [said.to_owned()].into_iter().chain(raise).chain(longer).collect::<Vec<_>>().join("; hint: ")
}

/// Seconds, for what wouldn't end. It comes to announce something before, on a busy machine as well.
fn timeout(inputs: &Object) -> f64 {
    if inputs["lie"] == "loop".into() { 2.0 } else { 0.0 }
}

async fn created(serving: &Serving, inputs: Object) -> Status {
    let what = inputs["lie"].clone();
    let request = pb::CreateRequest { timeout: timeout(&inputs), ..creation(LIE, inputs) };
    let status = serving.create_as(request).await.err().unwrap_or_else(|| panic!("{what:?} should fail"));
    serves_on(serving).await;
    status
}

async fn updated(serving: &Serving, inputs: Object) -> Status {
    let what = inputs["lie"].clone();
    let request = pb::UpdateRequest {
        urn: urn(LIE),
        id: "existing-1".to_owned(),
        olds: Some(wire(&on_record())),
        news: Some(wire(&inputs)),
        timeout: timeout(&inputs),
        ..<_>::default()
    };
    let status = serving.client.clone().update(request).await.err().unwrap_or_else(|| panic!("{what:?} should fail"));
    serves_on(serving).await;
    status
}

async fn serves_on(serving: &Serving) {
    let created = serving.create(LIE, lie("truth", None)).await.expect("the next call should succeed");
    assert_eq!((created.id.as_str(), created.state), ("lie-1", on_record()));
}

#[track_caller]
fn assert_nothing_left(status: &Status) {
    assert!(detail::<pb::ErrorResourceInitFailed>(status).is_none(), "{status:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_announced_is_on_record_however_the_call_ends() {
    let serving = liar().await;
    for (what, _, said) in ENDS {
        for (status, id) in [
            (created(&serving, lie(what, Some("well"))).await, "lie-1"),
            (updated(&serving, lie(what, Some("well"))).await, "existing-1"),
        ] {
            let left = init_failed(&status);
            assert_eq!((left.id.as_str(), left.state), (id, announced()), "{what}");
            assert_eq!(left.reasons, [reason(what, said)], "{what}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_an_announcement_as_much_is_on_record_as_could_be_read() {
    let serving = liar().await;
    for (what, code, said) in ENDS {
        for (status, doing, id, state) in [
            (created(&serving, lie(what, None)).await, "create", "lie-1", Object::new()),
            (updated(&serving, lie(what, None)).await, "update", "existing-1", on_record()),
        ] {
            // It came to its end, so it did something.
            if code == Code::Unknown {
                let left = init_failed(&status);
                assert_eq!((left.id.as_str(), left.state), (id, state), "{what}");
                assert_eq!(left.reasons, [reason(what, said)], "{what}");
            } else {
                assert_eq!(status.code(), code, "{what}: {status:?}");
                assert_nothing_left(&status);
                assert!(status.message().starts_with(&format!("{doing} the resource: {said}")), "{what}: {status:?}");
            }
            // It may have come to something by then.
            if code == Code::DeadlineExceeded {
                let left = match doing {
                    "create" => NAMELESS.trim_start_matches("\nhint: "),
                    _ => "`pulumi refresh` shows what became of it",
                };
                assert!(status.message().ends_with(&format!("; {left}")), "{what}: {status:?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_and_functions_end_in_the_same_ways_and_change_nothing() {
    let serving = liar().await;
    for (what, code, said) in ENDS {
        let code = match (what, code) {
            ("large", _) => Code::ResourceExhausted,
            (_, Code::Unknown) => Code::Aborted,
            (_, code) => code,
        };
        let properties = Some(wire(&lie(what, None)));
        let id = "lie-1".to_owned();
        let timeout = timeout(&lie(what, None));
        let read = pb::ReadRequest { urn: urn(LIE), id, properties, timeout, ..<_>::default() };
        let status = serving.client.clone().read(read).await.unwrap_err();
        assert_eq!(status.code(), code, "{what}: {status:?}");
        assert!(status.message().starts_with(&format!("read the resource: {said}")), "{what}: {status:?}");
        serves_on(&serving).await;
        if what != "loop" {
            let status = serving.invoke("liar:index:tell", lie(what, None)).await.unwrap_err();
            assert_eq!(status.code(), code, "{what}: {status:?}");
            assert!(status.message().starts_with(&format!("call the function: {said}")), "{what}: {status:?}");
            serves_on(&serving).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_poor_announcement_is_an_announcement() {
    let serving = liar().await;
    for (how, saved, reasons) in [("malformed", Object::new(), 1), ("unknown", Object::new(), 2)] {
        let left = init_failed(&created(&serving, lie("trap", Some(how))).await);
        assert_eq!((left.id.as_str(), left.reasons.len()), ("lie-1", reasons), "{how}: {:?}", left.reasons);
        for (name, value) in saved.iter() {
            assert_eq!(left.state.get(name), Some(value), "{how}");
        }
        assert_eq!(left.state.first_unknown(), None, "{how}");
    }
    let left = init_failed(&updated(&serving, lie("trap", Some("malformed"))).await);
    assert_eq!((left.id.as_str(), left.state), ("existing-1", on_record()), "the last usable state");
    // An announcement that is larger than anything may be can't even be heard.
    let status = created(&serving, lie("trap", Some("large"))).await;
    assert_eq!(status.code(), Code::Unknown, "{status:?}");
    assert!(status.message().contains(NAMELESS), "{status:?}");
    let left = init_failed(&updated(&serving, lie("trap", Some("large"))).await);
    assert_eq!((left.id.as_str(), left.state), ("existing-1", on_record()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_explicit_failure_is_believed_and_a_partial_one_keeps_its_id() {
    let serving = liar().await;
    for announcement in [None, Some("well")] {
        for status in
            [created(&serving, lie("failed", announcement)).await, updated(&serving, lie("failed", announcement)).await]
        {
            assert_eq!(status.code(), Code::Aborted);
            assert_nothing_left(&status);
        }
    }
    let left = init_failed(&created(&serving, lie("partial-unknown", None)).await);
    assert_eq!((left.id.as_str(), &left.state["count"]), ("lie-1", &1.0.into()));
    assert_eq!((left.state.first_unknown(), left.reasons.len()), (None, 2), "{:?}", left.reasons);
    let left = init_failed(&updated(&serving, lie("partial-unknown", None)).await);
    assert_eq!((left.state.first_unknown(), left.reasons.len()), (None, 2), "{:?}", left.reasons);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_update_keeps_what_it_announced() {
    let serving = liar().await;
    let cancel = async {
        serving.said("begun").await;
        serving.cancel().await;
    };
    let inputs = lie("wait", Some("well"));
    let (outcome, ()) = tokio::join!(serving.update(LIE, on_record(), lie("truth", None), inputs), cancel);
    let left = init_failed(&outcome.unwrap_err());
    assert_eq!((left.id.as_str(), left.state), ("existing-1", announced()));
    assert_eq!(left.reasons, ["the operation was cancelled"]);
}

/// Ids are the provider's own business, but for those that mean something else to an engine, are longer than 64 KiB, or break what
/// they are put into (`tests/tests/hostile/identities.rs`).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ids_come_back_byte_for_byte() {
    let serving = Serving::start(&guest("liar"), Limits::default()).await.ready(Object::new()).await;
    let long = "x".repeat(64 << 10);
    for id in [" ", "a/b c,d::e$f", "é e\u{301} \u{1F980}\u{FEFF}", "\"'\\", "{}", &long] {
        let shown: String = id.chars().take(20).collect();
        let created = serving.create(LIE, object([("lie", "truth"), ("id", id)])).await.expect(&shown);
        assert!(created.id == id, "{shown}");
        let read = serving.read(LIE, id, on_record(), lie("truth", None)).await.expect(&shown);
        assert!(read.id == id, "{shown}");
        let seen: String = format!("{} bytes: {}", id.len(), id.escape_unicode()).chars().take(16_384).collect();
        let update = pb::UpdateRequest {
            urn: urn(LIE),
            id: id.to_owned(),
            olds: Some(wire(&on_record())),
            news: Some(wire(&lie("id-seen", None))),
            ..<_>::default()
        };
        let mut state = on_record();
        state.insert("lie".to_owned(), "id-seen".into());
        let delete =
            pb::DeleteRequest { urn: urn(LIE), id: id.to_owned(), properties: Some(wire(&state)), ..<_>::default() };
        for status in [
            serving.client.clone().update(update).await.expect_err(&shown),
            serving.client.clone().delete(delete).await.expect_err(&shown),
        ] {
            assert!(status.message().starts_with(&seen), "{shown}: {status:?}");
        }
    }
    let status = serving.create(LIE, object([("lie", "truth"), ("id", "")])).await.unwrap_err();
    assert_eq!(status.code(), Code::Unknown);
    let sentinel = bulkhead_value::signature::UNKNOWN;
    let left = init_failed(&serving.create(LIE, lie("unknown-id", None)).await.unwrap_err());
    assert_eq!((left.id.as_str(), &left.state["name"]), (sentinel, &"n".into()));
    assert_eq!(left.reasons, [format!("the provider returned an id that stands for a value that isn't known{BUG}")]);
    let status = serving.import(LIE, sentinel).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::InvalidArgument, "the resource's id isn't known yet"));
}

/// CRUD-40: the state and, where the engine has them, the inputs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delete_is_told_what_is_on_record() {
    let serving = liar().await;
    let mut state = on_record();
    state.insert("lie".to_owned(), "inputs-seen".into());
    for (old_inputs, seen) in [(Some(lie("as given", None)), "as given"), (None, "none")] {
        let request = pb::DeleteRequest {
            urn: urn(LIE),
            id: "lie-1".to_owned(),
            properties: Some(wire(&state)),
            old_inputs: old_inputs.as_ref().map(wire),
            ..<_>::default()
        };
        assert_eq!(serving.client.clone().delete(request).await.unwrap_err().message(), seen);
    }
}

/// Errors travel in headers, which engines bound: without a bound of ours, what is too long would lose the id beside it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn errors_that_are_too_long_arrive_all_the_same() {
    let serving = Serving::start(&guest("liar"), Limits::default()).await.ready(Object::new()).await;
    let create = async |inputs| serving.create(LIE, inputs).await.unwrap_err();

    let left = init_failed(&create(lie("partial-large", None)).await);
    let expected = object([("lie", Value::from("large")), ("name", "n".into()), ("count", 1.0.into())]);
    assert_eq!((left.id.as_str(), left.state), ("lie-1", expected), "what fits is saved");
    assert_eq!(left.reasons[1], "the result has 9216 KiB, more than can be recorded of it now");

    let status = create(lie("many-reasons", None)).await;
    let left: pb::ErrorResourceInitFailed = detail(&status).unwrap();
    assert_eq!((left.id.as_str(), left.reasons.len()), ("lie-1", 101));
    assert_eq!(left.reasons[0], format!("{} … (10000 bytes in all)", "x".repeat(4_096)));
    assert_eq!(left.reasons[100], "and 900 further reasons");
    assert!(status.message().len() < 20_000);

    let status = create(lie("failed-at-length", None)).await;
    assert_eq!(status.code(), Code::Aborted);
    let said = status.message();
    assert!(said.starts_with('x') && said.ends_with(" … (10485760 bytes in all)"), "{} bytes", said.len());
    assert!(said.len() < 20_000, "{} bytes", said.len());

    let status = create(lie("missing-at-length", None)).await;
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().starts_with("create the resource: required configuration is missing: key0, key1, "));

    let id = "x".repeat(11 << 20);
    let status = create(object([("lie", "missing"), ("id", &*id)])).await;
    assert_eq!(
        (status.code(), status.message()),
        (
            Code::Unknown,
            "create the resource: the provider created a resource and returned an id of 11534336 bytes, and 65536 are the \
             most; this is a bug in the provider\nhint: a resource may have been created: look for it where the provider makes \
             such things, and import or delete it"
        )
    );
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_read_finds_has_to_be_known() {
    let serving = liar().await;
    let status = serving.import(LIE, "unknown-inputs").await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted);
    assert_eq!(
        status.message(),
        format!(
            "read the resource: the provider returned inputs that aren't known, at lie{BUG}\n\
             hint: please report it to the provider's author"
        )
    );
    // A read may be told of no inputs, or of empty ones; a guest can tell them apart.
    for (inputs, seen) in [(None, false), (Some(Object::new()), true)] {
        let request = pb::ReadRequest {
            urn: urn(LIE),
            id: "lie-1".to_owned(),
            properties: Some(wire(&lie("inputs-seen", None))),
            inputs: inputs.as_ref().map(wire),
            ..<_>::default()
        };
        let read = serving.client.clone().read(request).await.unwrap().into_inner();
        assert_eq!(received(read.properties.unwrap())["any"], seen.into());
    }
}
