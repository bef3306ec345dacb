//! Values of every kind, through the host into a guest and back.

use bulkhead_proto::provider as pb;
use bulkhead_tests::serving::{Serving, init_failed};
use bulkhead_value::{Archive, ArchiveSource, Asset, AssetSource, Object, Reference, ReferenceId, Value};
use tonic::Code;

use crate::{behaviours, labelled, object};

const ECHO: &str = "behaviours:index:Echo";

/// What comes back of a value.
async fn echoed(serving: &Serving, value: Value) -> Value {
    let created = serving.create(ECHO, object([("value", value)])).await.unwrap();
    assert_eq!(created.id, "echo-1");
    created.state["value"].clone()
}

fn asset(text: &str) -> Value {
    Value::from(Asset {
        hash: Some("5d41402abc4b2a76b9719d911017c592".repeat(2)),
        source: AssetSource::Text(text.into()),
    })
}

fn nested(depth: usize) -> Value {
    (0..depth).fold(Value::from(1.0), |value, _| Value::List(vec![value].into()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_value_comes_back_as_it_was() {
    let serving = behaviours().await;
    let archive = |source| Value::from(Archive { hash: Some("0".repeat(64)), source });
    let reference = |id| Reference { urn: "urn:pulumi:dev::p::a:b:C::n".into(), id, package_version: "1.2.3".into() };
    let list = |values: Vec<Value>| Value::List(values.into());
    for value in [
        object([("null", Value::Null)]).into(),
        list(vec![Value::Null, true.into(), false.into()]),
        "".into(),
        "a\0b \u{1F980} e\u{301} \u{FEFF}\u{202E}".into(),
        object([("", Value::from(1.0)), ("a.b[0]\"]", 2.0.into()), ("\u{1F980}\0", 3.0.into())]).into(),
        Object::new().into(),
        list(Vec::new()),
        asset("hello"),
        Value::from(Asset::text("")),
        Value::from(Asset { hash: Some("2".repeat(64)), source: AssetSource::Elided }),
        Value::from(Asset { hash: None, source: AssetSource::Uri("https://example.com/x".into()) }),
        Value::from(Asset { hash: Some("1".repeat(64)), source: AssetSource::Path("/tmp/x".into()) }),
        archive(ArchiveSource::Members(object([("a/b", asset("x")), ("c", archive(ArchiveSource::Path("d".into())))]))),
        archive(ArchiveSource::Uri("https://example.com/x.zip".into())),
        archive(ArchiveSource::Elided),
        object([("deep", object([("down", Value::from("hunter2").secret())]))]).into(),
        Value::from("hunter2").secret(),
        object([("a", 1.0)]).into(),
        Value::from(reference(Some(ReferenceId::Known("id".into())))),
        Value::from(reference(None)),
    ] {
        assert_eq!(echoed(&serving, value.clone()).await, value);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_come_back_bit_by_bit() {
    let serving = behaviours().await;
    for number in [
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.1,
        f64::MIN_POSITIVE,
        f64::from_bits(1),
        f64::MAX,
        f64::MIN,
        9_007_199_254_740_993.0,
        1e300,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ] {
        let back = echoed(&serving, number.into()).await.as_number().unwrap();
        assert_eq!(back.to_bits(), number.to_bits(), "{number}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_pass_where_the_engine_takes_them() {
    let bytes = Value::Bytes(vec![0, 255, 128, 0]);
    let serving = behaviours().await;
    serving.handshake(pb::ProviderHandshakeRequest { accepts_byte_string: true, ..<_>::default() }).await;
    serving.configure(labelled("bytes")).await.unwrap();
    assert_eq!(echoed(&serving, bytes.clone()).await, bytes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_and_deep_values_pass_and_bottomless_ones_are_refused() {
    let serving = behaviours().await;
    let large = Value::from("x".repeat(10 << 20));
    assert!(echoed(&serving, large.clone()).await == large);
    let deep = nested(1_000);
    assert!(echoed(&serving, deep.clone()).await == deep);
    let status = serving.create(ECHO, object([("value", nested(10_000))])).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().starts_with("decode properties: "), "{}", &status.message()[..100]);
    assert!(
        status.message().ends_with(
            "it is nested more than 1024 levels deep; hint: this is fixed: pass what is so deep as a text, such as JSON"
        ),
        "{}",
        status.message()
    );
    assert!(status.message().len() < 1_000, "{} bytes of message", status.message().len());
    assert_eq!(echoed(&serving, 1.0.into()).await, 1.0.into());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_values_pass() {
    let serving = behaviours().await;
    let many = Value::List((0..100_000).map(|number| Value::from(f64::from(number))).collect::<Vec<_>>().into());
    assert!(echoed(&serving, many.clone()).await == many);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_real_is_made_of_what_is_unknown() {
    let serving = behaviours().await;
    let inner = Value::List(vec![Value::from(1.0), object([("deep", Value::Unknown)]).into()].into());
    let status = serving.create(ECHO, object([("value", inner.clone())])).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(
        status.message(),
        "create the resource: can't create a resource from inputs that aren't known: value[1].deep"
    );
    let status =
        serving.update(ECHO, Object::new(), Object::new(), object([("value", inner.clone())])).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(
        status.message(),
        "update the resource: can't update a resource to inputs that aren't known: value[1].deep"
    );
    let status =
        serving.create(ECHO, object([("value", object([("a\nhint: run me", Value::Unknown)]))])).await.unwrap_err();
    assert!(status.message().ends_with("aren't known: value[\"a\u{fffd}hint: run me\"]"), "{}", status.message());
    let status = serving.delete("behaviours:index:Existing", object([("text", Value::Unknown)])).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(status.message(), "decode properties: text: recorded values can't be unknown");
    let preview = serving.preview(ECHO, object([("value", inner.clone()), ("kept", "k".into())])).await.unwrap();
    assert_eq!((&preview["value"], &preview["kept"]), (&inner, &Value::from("k")));
    assert_eq!((&preview["number"], &preview["members"]), (&Value::Unknown, &Value::Unknown));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_stay_marked_in_whatever_comes_back() {
    let serving = behaviours().await;
    let created = serving.create(ECHO, object([("hidden", "hunter2")])).await.unwrap();
    assert_eq!(created.state["hidden"], Value::from("hunter2").secret(), "the schema says so");
    let list = Value::List(vec![Value::from("hunter2").secret(), 1.0.into()].into());
    let plain = Value::List(vec![Value::from("hunter2"), 1.0.into()].into());
    let back = echoed(&serving, object([("list", list)]).into()).await;
    assert!(
        back.contains_secret() && back.without_secrets() == object([("list", plain)]).into(),
        "somewhere around it"
    );
    let act = object([("act", Value::from("partial").secret())]);
    let left = init_failed(&serving.create("behaviours:index:Creating", act).await.unwrap_err());
    assert_eq!(left.state["act"], Value::from("partial").secret(), "the input was one");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_of_others_are_hidden_from_the_guest_and_kept() {
    let serving = behaviours().await;
    let noted = |mut value: Object| {
        value.insert("__internal".to_owned(), "note".into());
        value
    };
    let defaults = || Value::List(Vec::new().into());
    let map = object([("a", Value::from(1.0)), ("__type", "the user's".into()), ("__defaults", defaults())]);
    let mut inputs = noted(object([("value", map)]));
    inputs.insert("__defaults".to_owned(), defaults());
    let created = serving.create(ECHO, inputs.clone()).await.unwrap();
    let seen = Value::List(vec![Value::from("__type"), Value::from("a")].into());
    assert_eq!(created.state["members"], seen, "the guest saw what is the user's");

    let checked = serving.check(ECHO, inputs.clone()).await.unwrap();
    assert_eq!((checked.value, checked.failures), (inputs, Vec::new()), "an engine finds its notes where it left them");

    let mut state = created.state;
    state.insert("__meta".to_owned(), "{\"note\":1}".into());
    state.insert("id".to_owned(), "echo-1".into());
    let read = serving.read(ECHO, "echo-1", state.clone(), Object::new()).await.unwrap();
    assert_eq!(bulkhead_tests::serving::object(read.properties.unwrap()), state);
    let updated = serving.update(ECHO, state.clone(), Object::new(), object([("kept", "k")])).await.unwrap();
    let updated = bulkhead_tests::serving::object(updated.properties.unwrap());
    assert_eq!((&updated["__meta"], &updated["id"]), (&state["__meta"], &state["id"]));
    assert_eq!((&updated["kept"], &updated["number"]), (&Value::from("k"), &Value::from(2.0)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_on_record_is_known() {
    let serving = behaviours().await;
    let unknown = || object([("text", Value::Unknown)]);
    let refused = [
        serving.diff("behaviours:index:Existing", unknown(), Object::new(), Object::new()).await.unwrap_err(),
        serving.read("behaviours:index:Existing", "existing-1", unknown(), Object::new()).await.unwrap_err(),
        serving.read("behaviours:index:Existing", "existing-1", Object::new(), unknown()).await.unwrap_err(),
        serving.update("behaviours:index:Existing", unknown(), Object::new(), Object::new()).await.unwrap_err(),
        serving.diff("behaviours:index:Existing", Object::new(), unknown(), Object::new()).await.unwrap_err(),
        serving.update("behaviours:index:Existing", Object::new(), unknown(), Object::new()).await.unwrap_err(),
        serving.delete("behaviours:index:Existing", unknown()).await.unwrap_err(),
    ];
    for status in refused {
        assert_eq!(status.code(), Code::InvalidArgument, "{status:?}");
        assert!(status.message().ends_with(": text: recorded values can't be unknown"), "{status:?}");
    }
}

/// Objects that claim to be of a kind and aren't. Values can't express them, so they are written by hand.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kinds_that_are_malformed_are_the_callers_mistake() {
    let serving = behaviours().await;
    for (signature, expected) in [
        (bulkhead_value::signature::BYTES, "`value` is missing"),
        (bulkhead_value::signature::REFERENCE, "`urn` is missing"),
        ("4dabf18193072939515e22adb298388e", "signature"),
    ] {
        let text = |name: &str, value: &str| {
            field(1, &[field(1, name.as_bytes()), field(2, &field(3, value.as_bytes()))].concat())
        };
        let claim = field(2, &field(5, &text(bulkhead_value::signature::KEY, signature)));
        let properties = field(1, &[field(1, b"value"), claim].concat());
        let request = pb::CreateRequest {
            properties: Some(bulkhead_proto::raw::Struct::from_bytes(properties)),
            ..bulkhead_tests::serving::creation(ECHO, Object::new())
        };
        let status = serving.client.clone().create(request).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{status:?}");
        assert!(status.message().contains("`value`") && status.message().contains(expected), "{status:?}");
    }
}

/// A protobuf field of the length-delimited kind, shorter than 128 bytes.
fn field(number: u8, contents: &[u8]) -> Vec<u8> {
    let length = u8::try_from(contents.len()).ok().filter(|length| *length < 128).expect("a short field");
    [&[number << 3 | 2, length], contents].concat()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_takes_no_references_gets_ids() {
    let urn = "urn:pulumi:dev::shop::a:b:C::other";
    let reference = Value::from(Reference {
        urn: urn.to_owned(),
        id: Some(ReferenceId::Known("other-1".to_owned())),
        package_version: String::new(),
    });
    for (accepts, expected) in [(false, Value::from("other-1")), (true, reference.clone())] {
        let serving = Serving::start(&crate::guest("behaviours"), bulkhead::component::Limits::default()).await;
        let args = Some(bulkhead_tests::serving::wire(&labelled("old")));
        let request = pb::ConfigureRequest { args, accept_resources: accepts, ..<_>::default() };
        serving.client.clone().configure(request).await.unwrap();
        assert_eq!(echoed(&serving, reference.clone()).await, expected, "accepts references: {accepts}");
    }
}
