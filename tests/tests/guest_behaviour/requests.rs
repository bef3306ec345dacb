//! Requests that are wrong in ways no program writes but a peer may send: each is the caller's mistake, told in words, and no
//! more than one call's end.

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_proto::raw::Struct;
use bulkhead_tests::composing::{calling, construction};
use bulkhead_tests::monitor::Monitor;
use bulkhead_tests::serving::{Serving, creation, object as received, urn, wire};
use bulkhead_value::{Archive, ArchiveSource, Asset, AssetSource, Object, Reference, Value, signature};
use prost::Message as _;
use tonic::{Code, Status};

use crate::{act, behaviours, guest, labelled, object, serves_on};

const CREATING: &str = "behaviours:index:Creating";
const EXISTING: &str = "behaviours:index:Existing";
const ECHO: &str = "behaviours:index:Echo";

/// A call with a message of these bytes.
async fn raw(serving: &Serving, method: &str, message: &[u8]) -> Status {
    serving.raw(method, u32::try_from(message.len()).unwrap(), message).await
}

/// A protobuf field of the length-delimited kind.
fn field(number: u8, contents: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    prost::encode_length_delimiter(contents.len(), &mut bytes).unwrap();
    [bytes, contents.to_vec()].concat()
}

/// A property, as its name's bytes and its value's.
fn property(name: &[u8], value: &[u8]) -> Vec<u8> {
    field(1, &[field(1, name), field(2, value)].concat())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_cannot_be_decoded_is_the_callers_mistake() {
    let serving = behaviours().await;
    // INTERNAL, which is what the transport would say, means to engines that nobody knows what exists now.
    for (message, said) in [
        (&b"\xff\xff\xff"[..], "invalid varint"),
        (b"\x0a\x05ab", "CreateRequest.urn: buffer underflow"),
        (b"\x08\x01", "CreateRequest.urn: invalid wire type: Varint (expected LengthDelimited)"),
        (b"\x0a\x01\xff", "CreateRequest.urn: invalid string value: data is not UTF-8 encoded"),
    ] {
        let status = raw(&serving, "Create", message).await;
        assert_eq!(status.code(), Code::InvalidArgument, "{status:?}");
        assert_eq!(status.message(), format!("read the request: failed to decode Protobuf message: {said}"));
    }
    for method in ["Handshake", "Configure", "CheckConfig", "Check", "Diff", "Read", "Update", "Delete", "Invoke"] {
        let status = raw(&serving, method, b"\xff\xff\xff").await;
        assert_eq!(status.code(), Code::InvalidArgument, "{method}: {status:?}");
    }
    for method in ["Destroy", "StreamInvoke"] {
        let status = raw(&serving, method, b"").await;
        let said = format!(
            "call `pulumirpc.ResourceProvider/{method}`: Bulkhead doesn't have this method\n\
             hint: an engine that can't do without it needs a newer Bulkhead"
        );
        assert_eq!((status.code(), status.message()), (Code::Unimplemented, said.as_str()));
    }
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_is_too_large_is_refused_before_it_is_read() {
    let serving = behaviours().await;
    let status = serving.raw("Create", (400 << 20) + 1, b"").await;
    assert_eq!(
        (status.code(), status.message()),
        (
            Code::ResourceExhausted,
            "read the request: it is larger than 400.0 MiB\nhint: pass large contents as assets, by path or URI"
        )
    );
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_later_protocol_adds_is_ignored_and_the_last_of_two_counts() {
    let serving = behaviours().await;
    let request = creation(CREATING, act("succeed")).encode_to_vec();
    let later = [request, field(15, b"anything")].concat();
    assert_eq!(raw(&serving, "Create", &later).await.code(), Code::Ok);

    let (fail, succeed) = (field(3, b"fail"), field(3, b"succeed"));
    let twice = [property(b"act", &fail), property(b"act", &succeed)].concat();
    let request =
        pb::CreateRequest { properties: Some(Struct::from_bytes(twice)), ..creation(CREATING, Object::new()) };
    assert_eq!(serving.create_as(request).await.unwrap().id, "made-1");
}

/// Fields of these numbers, each in every form that a field may have on the wire.
fn fields(numbers: &[usize]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in numbers {
        for (form, contents) in [(0, &b"\x07"[..]), (1, b"12345678"), (2, b"\x05retro"), (5, b"1234")] {
            prost::encode_length_delimiter(number << 3 | form, &mut bytes).unwrap();
            bytes.extend(contents);
        }
    }
    bytes
}

/// What the protocol once had and no longer means.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fields_that_the_protocol_has_retired_are_ignored() {
    let (behaviours, monitor) = (behaviours().await, Monitor::start().await);
    let composer = Serving::start(&guest("composer"), Limits::default()).await.ready(labelled("test")).await;
    let invoke =
        pb::InvokeRequest { tok: "behaviours:index:run".into(), args: Some(wire(&act("return"))), ..<_>::default() };
    let check = pb::CheckRequest { urn: urn(CREATING), news: Some(wire(&act("succeed"))), ..<_>::default() };
    let own = Reference { urn: urn("composer:index:Composer"), id: None, package_version: String::new() };
    let call = calling(&monitor, "composer:index:Composer/describe", object([("__self__", Value::from(own))]));
    let construct = construction(&monitor, "composer:index:Composer", act("children"));
    for (serving, method, request, retired) in [
        (&behaviours, "Invoke", invoke.encode_to_vec(), &[3, 4, 5, 6][..]),
        (&behaviours, "Check", check.encode_to_vec(), &[4]),
        (&composer, "Call", call.encode_to_vec(), &[4, 5, 13, 15, 16]),
        (&composer, "Construct", construct.encode_to_vec(), &[14]),
    ] {
        let answer = serving.answer(method, &request).await;
        assert!(!answer.is_empty(), "{method}");
        let older = [fields(retired), request, fields(retired)].concat();
        assert_eq!(serving.answer(method, &older).await, answer, "{method}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_that_are_none_are_named_by_their_property() {
    let serving = behaviours().await;
    for (bag, said) in [
        (property(b"value", b""), "property `value`: the value has no kind; hint: null is a kind of its own"),
        (
            property(b"value", &field(3, b"\xff")),
            "property `value`: a string isn't UTF-8; hint: such strings are sent as byte strings",
        ),
        (property(b"\xff", b""), "the value: a string isn't UTF-8; hint: such strings are sent as byte strings"),
        (
            property(b"value", &field(6, b"\x0a\x00")),
            "property `value[0]`: the value has no kind; hint: null is a kind of its own",
        ),
        (property(b"value", b"\x11\x00"), "property `value`: the message is cut short"),
    ] {
        let bag = || Some(Struct::from_bytes(bag.clone()));
        let create = pb::CreateRequest { properties: bag(), ..creation(ECHO, Object::new()) };
        let check = pb::CheckRequest { urn: urn(ECHO), news: bag(), ..<_>::default() };
        let update = pb::UpdateRequest { urn: urn(ECHO), id: "echo-1".into(), news: bag(), ..<_>::default() };
        let invoke = pb::InvokeRequest { tok: "behaviours:index:answer".into(), args: bag(), preview: false };
        for (label, status) in [
            ("properties", serving.client.clone().create(create).await.unwrap_err()),
            ("news", serving.client.clone().check(check).await.unwrap_err()),
            ("news", serving.client.clone().update(update).await.unwrap_err()),
            ("args", serving.client.clone().invoke(invoke).await.unwrap_err()),
        ] {
            assert_eq!(status.code(), Code::InvalidArgument);
            assert_eq!(status.message(), format!("decode {label}: {said}"));
        }
    }
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_names_make_no_long_errors() {
    let serving = behaviours().await;
    let token = format!("behaviours:index:{}", "x".repeat(10 << 20));
    for status in [
        serving.create(&token, Object::new()).await.unwrap_err(),
        serving.check(&token, Object::new()).await.unwrap_err(),
        serving.invoke(&token, Object::new()).await.unwrap_err(),
    ] {
        assert_eq!(status.code(), Code::InvalidArgument);
        assert!(status.message().len() < 20_000, "{} bytes", status.message().len());
        assert!(status.message().contains("the package `behaviours` has no "), "{:.200}", status.message());
    }
    // As a property's name it is told as data, which has room.
    let failures = serving.check(CREATING, object([("act", "fail"), (&token, "x")])).await.unwrap().failures;
    assert_eq!(failures.len(), 1);
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_providers_name_and_type_have_to_agree_with_its_urn() {
    let serving = Serving::start(&guest("behaviours"), Limits::default()).await;
    let news = || Some(wire(&labelled("a")));
    let (urn, other) = ("urn:pulumi:dev::project::pulumi:providers:behaviours::default".to_owned(), "other".to_owned());
    for (name, token, message) in [
        (&other, "", "the URN's name `default` isn't the request's, `other`"),
        (&String::new(), "other", "the URN's type `pulumi:providers:behaviours` isn't the request's, `other`"),
    ] {
        let (name, token) = (name.clone(), token.to_owned());
        let check = pb::CheckRequest {
            urn: urn.clone(),
            name: name.clone(),
            r#type: token.clone(),
            news: news(),
            ..<_>::default()
        };
        let diff = pb::DiffRequest {
            urn: urn.clone(),
            name: name.clone(),
            r#type: token.clone(),
            news: news(),
            ..<_>::default()
        };
        let configure = pb::ConfigureRequest {
            urn: Some(urn.clone()),
            name: Some(name),
            r#type: Some(token),
            args: news(),
            ..<_>::default()
        };
        for status in [
            serving.client.clone().check_config(check).await.unwrap_err(),
            serving.client.clone().diff_config(diff).await.unwrap_err(),
            serving.client.clone().configure(configure).await.unwrap_err(),
        ] {
            assert_eq!((status.code(), status.message()), (Code::InvalidArgument, message));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_providers_urn_is_read_though_it_is_not_needed() {
    let serving = Serving::start(&guest("behaviours"), Limits::default()).await;
    let news = || Some(wire(&labelled("a")));
    for urn in ["", "urn:pulumi:dev::project::pulumi:providers:behaviours::default"] {
        let check = pb::CheckRequest { urn: urn.into(), news: news(), ..<_>::default() };
        serving.client.clone().check_config(check).await.unwrap();
        let diff = pb::DiffRequest { urn: urn.into(), old_inputs: news(), news: news(), ..<_>::default() };
        serving.client.clone().diff_config(diff).await.unwrap();
    }
    let urn = "urn:pulumi:dev::project";
    let check = pb::CheckRequest { urn: urn.into(), news: news(), ..<_>::default() };
    let diff = pb::DiffRequest { urn: urn.into(), news: news(), ..<_>::default() };
    let configure = pb::ConfigureRequest { urn: Some(urn.into()), args: news(), ..<_>::default() };
    for status in [
        serving.client.clone().check_config(check).await.unwrap_err(),
        serving.client.clone().diff_config(diff).await.unwrap_err(),
        serving.client.clone().configure(configure).await.unwrap_err(),
    ] {
        assert_eq!(status.code(), Code::InvalidArgument);
        assert_eq!(
            status.message(),
            "read the URN: parse a URN: it has 2 of the four parts; hint: a URN reads `urn:pulumi:STACK::PROJECT::TYPE::NAME`"
        );
    }
    // As engines send it that were told that the provider takes its URN.
    let configure = pb::ConfigureRequest {
        urn: Some("urn:pulumi:dev::project::pulumi:providers:behaviours::default".into()),
        id: Some("0".into()),
        name: Some("default".into()),
        r#type: Some("pulumi:providers:behaviours".into()),
        args: news(),
        ..<_>::default()
    };
    serving.client.clone().configure(configure).await.unwrap();
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_exists_has_an_id_that_is_known() {
    let serving = behaviours().await;
    for (id, said) in [
        ("", "the resource's id is empty: it isn't created yet"),
        (signature::UNKNOWN, "the resource's id isn't known yet"),
    ] {
        let (id, urn) = (id.to_owned(), urn(EXISTING));
        let client = || serving.client.clone();
        for (what, status) in [
            ("Diff", client().diff(pb::DiffRequest { id: id.clone(), urn: urn.clone(), ..<_>::default() }).await.err()),
            ("Read", client().read(pb::ReadRequest { id: id.clone(), urn: urn.clone(), ..<_>::default() }).await.err()),
            (
                "Update",
                client().update(pb::UpdateRequest { id: id.clone(), urn: urn.clone(), ..<_>::default() }).await.err(),
            ),
            ("Delete", client().delete(pb::DeleteRequest { id, urn, ..<_>::default() }).await.err()),
        ] {
            let status = status.expect(what);
            assert_eq!((status.code(), status.message()), (Code::InvalidArgument, said), "{what}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn checked_before_and_configured_before_is_known() {
    let serving = behaviours().await;
    let unknown = || Some(wire(&object([("label", Value::Unknown)])));
    let check = || pb::CheckRequest { urn: urn(ECHO), olds: unknown(), ..<_>::default() };
    let diff = || pb::DiffRequest { old_inputs: unknown(), ..<_>::default() };
    for (label, status) in [
        ("olds", serving.client.clone().check(check()).await.unwrap_err()),
        ("olds", serving.client.clone().check_config(check()).await.unwrap_err()),
        ("old inputs", serving.client.clone().diff_config(diff()).await.unwrap_err()),
        (
            "olds",
            serving
                .client
                .clone()
                .diff_config(pb::DiffRequest { olds: unknown(), ..<_>::default() })
                .await
                .unwrap_err(),
        ),
    ] {
        assert_eq!(status.code(), Code::InvalidArgument);
        assert_eq!(status.message(), format!("decode {label}: label: recorded values can't be unknown"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_inputs_before_and_empty_ones_are_the_same_to_a_check() {
    let serving = behaviours().await;
    let mut answers = Vec::new();
    for olds in [None, Some(wire(&Object::new()))] {
        let news = Some(wire(&object([("act", "live"), ("text", "t")])));
        let request = pb::CheckRequest { urn: urn(EXISTING), olds, news, ..<_>::default() };
        let checked = serving.client.clone().check(request).await.unwrap().into_inner();
        assert!(checked.failures.is_empty());
        answers.push(received(checked.inputs.unwrap()));
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0]["style"], "plain".into(), "a default is filled in");
}

/// Engines leave the contents of assets out of the state.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn assets_on_record_may_be_a_hash_alone() {
    let serving = behaviours().await;
    let asset = |source| Value::from(Asset { hash: Some("a".repeat(64)), source });
    let archive = |source| Value::from(Archive { hash: Some("b".repeat(64)), source });
    let members = object([("hello.txt", asset(AssetSource::Text("hello".into())))]);
    let inputs = |value: &Value| object([("value", value.clone())]);
    let state = |value: &Value| {
        let mut state = inputs(value);
        state.extend([("members".to_owned(), Value::List(Vec::new().into())), ("number".to_owned(), 1.0.into())]);
        state
    };
    for (elided, whole) in [
        (asset(AssetSource::Elided), asset(AssetSource::Text("hello".into()))),
        (archive(ArchiveSource::Elided), archive(ArchiveSource::Members(members))),
    ] {
        let same = serving.diff(ECHO, state(&elided), inputs(&elided), inputs(&whole)).await.unwrap();
        assert_eq!(same.changes, pb::diff_response::DiffChanges::DiffNone as i32, "{:?}", same.diffs);
        let read = serving.read(ECHO, "echo-1", state(&elided), inputs(&elided)).await.unwrap();
        assert_eq!(received(read.properties.unwrap())["value"], elided);
        let updated = serving.update(ECHO, state(&elided), inputs(&elided), inputs(&whole)).await.unwrap();
        assert_eq!(received(updated.properties.unwrap())["value"], whole);
        serving.delete(ECHO, state(&elided)).await.unwrap();
    }
    // An empty text has contents: none.
    let empty = Value::from(Asset::text(""));
    let created = serving.create(ECHO, inputs(&empty)).await.unwrap();
    assert_eq!(created.state["value"], empty);
}

/// What is secret may be wrong, and what is wrong is told; the secret isn't.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_error_shows_a_secret() {
    const CANARY: &str = "hunter2-the-canary";
    let serving = behaviours().await;
    let secret = || Value::from(CANARY).secret();
    let hidden = || object([("act", secret()), ("text", Value::from(object([(CANARY, secret())])).secret())]);
    let mut told = Vec::new();
    told.extend(serving.check(EXISTING, hidden()).await.unwrap().failures.into_iter().map(|(path, why)| path + &why));
    told.extend(serving.check(CREATING, hidden()).await.unwrap().failures.into_iter().map(|(path, why)| path + &why));
    told.extend(
        serving.invoke("behaviours:index:answer", hidden()).await.unwrap().failures.into_iter().map(|(p, w)| p + &w),
    );
    for status in [
        serving.create(EXISTING, hidden()).await.unwrap_err(),
        serving.create(CREATING, hidden()).await.unwrap_err(),
        serving.update(EXISTING, hidden(), hidden(), hidden()).await.unwrap_err(),
        serving.delete(EXISTING, hidden()).await.unwrap_err(),
        serving.read(EXISTING, "existing-1", hidden(), Object::new()).await.unwrap_err(),
    ] {
        told.push(format!("{status:?}"));
    }
    // A secret that is no value.
    let broken = [
        property(signature::KEY.as_bytes(), &field(3, signature::SECRET.as_bytes())),
        property(b"value", &field(5, &property(CANARY.as_bytes(), b""))),
    ];
    let bag = Struct::from_bytes(property(b"act", &field(5, &broken.concat())));
    let request = pb::CreateRequest { properties: Some(bag), ..creation(CREATING, Object::new()) };
    told.push(format!("{:?}", serving.create_as(request).await.unwrap_err()));
    let fresh = Serving::start(&guest("behaviours"), Limits::default()).await;
    let configuration = object([("label", Value::from("a")), ("retries", secret()), ("place", secret())]);
    told.extend(fresh.check_config(configuration.clone()).await.unwrap().failures.into_iter().map(|(p, w)| p + &w));
    if let Err(status) = fresh.configure(configuration).await {
        told.push(format!("{status:?}"));
    }
    assert!(told.len() >= 10, "{told:#?}");
    for message in &told {
        assert!(!message.contains(CANARY), "{message}");
    }
}
