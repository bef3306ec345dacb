//! What the schema says is answered without a guest: none is even instantiated.

use std::sync::LazyLock;

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::diff_response::DiffChanges;
use bulkhead_tests::serving::{Serving, load, object as received, urn, wire};
use bulkhead_value::{Object, Value};
use tonic::Code;

use crate::{guest, object};

const WIRE: &str = "tripwire:index:Wire";

/// A component whose exports all trap, and which asks for more memory at its start than any host gives.
static UNINSTANTIABLE: LazyLock<Vec<u8>> = LazyLock::new(|| bulkhead_tests::without_room(&guest("tripwire")));

async fn tripwire() -> Serving {
    let loaded = load(&UNINSTANTIABLE, Limits::default()).expect("a component is loaded without being instantiated");
    Serving::of(loaded).await.ready(object([("label", "a")])).await
}

fn inputs(text: &str, kept: &str) -> Object {
    object([("text", text), ("kept", kept)])
}

fn state(text: &str, kept: &str) -> Object {
    let mut state = inputs(text, kept);
    state.extend([("level".to_owned(), Value::from(3.0)), ("serial".to_owned(), "s-1".into())]);
    state
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn checks_differences_and_previews_make_no_instance() {
    let serving = tripwire().await;
    let checked = serving.check(WIRE, inputs("a", "k")).await.unwrap();
    assert_eq!((&checked.value["level"], checked.failures), (&3.0.into(), Vec::new()));
    assert_eq!(serving.check(WIRE, object([("txet", "a")])).await.unwrap().failures.len(), 2);

    let olds = Some(wire(&inputs("a", "k")));
    let again = pb::CheckRequest { urn: urn(WIRE), olds, news: Some(wire(&inputs("b", "k"))), ..<_>::default() };
    assert!(serving.client.clone().check(again).await.unwrap().into_inner().failures.is_empty());

    let preview = serving.preview(WIRE, inputs("a", "k")).await.unwrap();
    assert_eq!((&preview["text"], &preview["serial"]), (&"a".into(), &Value::Unknown));

    let diff = async |new| serving.diff(WIRE, state("a", "k"), inputs("a", "k"), new).await.unwrap();
    assert_eq!(diff(inputs("a", "k")).await.changes, DiffChanges::DiffNone as i32);
    let changed = diff(inputs("b", "k")).await;
    assert_eq!((changed.diffs, changed.replaces), (vec!["text".to_owned()], vec![]));
    assert_eq!(diff(inputs("a", "l")).await.replaces, ["kept"]);

    let update = pb::UpdateRequest {
        urn: urn(WIRE),
        id: "wire-1".to_owned(),
        olds: Some(wire(&state("a", "k"))),
        old_inputs: Some(wire(&inputs("a", "k"))),
        news: Some(wire(&inputs("b", "k"))),
        preview: true,
        ..<_>::default()
    };
    let preview = serving.client.clone().update(update).await.unwrap().into_inner();
    assert_eq!(received(preview.properties.unwrap())["text"], "b".into());

    assert!(serving.check_config(object([("label", "b")])).await.unwrap().failures.is_empty());
    let changed = serving.diff_config(object([("label", "a")]), object([("label", "b")])).await.unwrap();
    assert_eq!(changed.diffs, ["label"]);

    // A refresh of a type that says it can't be read, though there is an export.
    let read = serving.read(WIRE, "wire-1", state("a", "k"), inputs("a", "k")).await.unwrap();
    assert_eq!(received(read.properties.unwrap()), state("a", "k"));
}

/// The counterpart, without which the test above would show nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_real_needs_an_instance() {
    let serving = tripwire().await;
    let refused = [
        serving.create(WIRE, inputs("a", "k")).await.unwrap_err(),
        serving.update(WIRE, state("a", "k"), inputs("a", "k"), inputs("b", "k")).await.unwrap_err(),
        serving.delete(WIRE, state("a", "k")).await.unwrap_err(),
    ];
    for status in refused {
        assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
        assert!(status.message().contains("needs more memory than its limit allows\nhint: "), "{status:?}");
    }
}
