//! The protocol's surface: what a malformed request is told, and what isn't there.

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::serving::{Serving, creation, urn};
use bulkhead_value::{Object, Output, Value};
use tonic::{Code, Status};

use crate::{act, behaviours, guest, object, serves_on};

const CREATING: &str = "behaviours:index:Creating";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_malformed_urn_is_the_callers_mistake() {
    let serving = behaviours().await;
    for (urn, message) in [
        ("", "read the URN: parse a URN: it is empty"),
        ("x", "read the URN: parse a URN: it doesn't start with `urn:pulumi:`"),
        (
            "urn:pulumi:",
            "read the URN: parse a URN: it has 1 of the four parts; hint: a URN reads `urn:pulumi:STACK::PROJECT::TYPE::NAME`",
        ),
        (
            "urn:pulumi:a::b::c",
            "read the URN: parse a URN: it has 3 of the four parts; hint: a URN reads `urn:pulumi:STACK::PROJECT::TYPE::NAME`",
        ),
    ] {
        let client = || serving.client.clone();
        let given = urn.to_owned();
        let id = || "made-1".to_owned();
        let answers: [Status; 6] = [
            client().create(pb::CreateRequest { urn: given.clone(), ..<_>::default() }).await.unwrap_err(),
            client().check(pb::CheckRequest { urn: given.clone(), ..<_>::default() }).await.unwrap_err(),
            client().diff(pb::DiffRequest { urn: given.clone(), id: id(), ..<_>::default() }).await.unwrap_err(),
            client().read(pb::ReadRequest { urn: given.clone(), id: id(), ..<_>::default() }).await.unwrap_err(),
            client().update(pb::UpdateRequest { urn: given.clone(), id: id(), ..<_>::default() }).await.unwrap_err(),
            client().delete(pb::DeleteRequest { urn: given.clone(), id: id(), ..<_>::default() }).await.unwrap_err(),
        ];
        for status in answers {
            assert_eq!((status.code(), status.message()), (Code::InvalidArgument, message), "`{urn}`");
        }
    }
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_and_types_beside_the_urn_have_to_agree_with_it() {
    let serving = behaviours().await;
    let refused = async |name: &str, token: &str| -> [Status; 6] {
        let (client, urn, id) = (|| serving.client.clone(), urn(CREATING), "made-1".to_owned());
        let (name, r#type) = (name.to_owned(), token.to_owned());
        macro_rules! of {
            ($request:ident $($more:tt)*) => {
                pb::$request { urn: urn.clone(), name: name.clone(), r#type: r#type.clone() $($more)*, ..<_>::default() }
            };
        }
        [
            client().create(of!(CreateRequest)).await.unwrap_err(),
            client().check(of!(CheckRequest)).await.unwrap_err(),
            client().diff(of!(DiffRequest, id: id.clone())).await.unwrap_err(),
            client().read(of!(ReadRequest, id: id.clone())).await.unwrap_err(),
            client().update(of!(UpdateRequest, id: id.clone())).await.unwrap_err(),
            client().delete(of!(DeleteRequest, id: id.clone())).await.unwrap_err(),
        ]
    };
    for (name, token, message) in [
        ("other", CREATING, "the URN's name `name` isn't the request's, `other`"),
        (
            "name",
            "behaviours:index:Echo",
            "the URN's type `behaviours:index:Creating` isn't the request's, `behaviours:index:Echo`",
        ),
    ] {
        for status in refused(name, token).await {
            assert_eq!((status.code(), status.message()), (Code::InvalidArgument, message));
        }
    }
    let request = creation(CREATING, act("succeed"));
    let request = pb::CreateRequest { name: "name".to_owned(), r#type: CREATING.to_owned(), ..request };
    assert_eq!(serving.create_as(request).await.unwrap().id, "made-1");
    let nested = "urn:pulumi:dev::project::my:index:Site$behaviours:index:Creating::a::b::c".to_owned();
    let created = serving.create_as(pb::CreateRequest { urn: nested, ..creation(CREATING, act("succeed")) }).await;
    assert_eq!(created.unwrap().id, "made-1", "a name may hold the delimiter, a type its parents");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn timeouts_have_to_be_durations() {
    let serving = behaviours().await;
    for timeout in [-1.0, f64::NAN, f64::INFINITY, 1e300] {
        let request = pb::CreateRequest { timeout, ..creation(CREATING, act("succeed")) };
        let status = serving.create_as(request).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{timeout}");
        assert_eq!(status.message(), "the timeout isn't a positive number of seconds");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_type_leads_to_the_nearest_one() {
    let serving = behaviours().await;
    let status = serving.create("behaviours:index:Creatign", Object::new()).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(
        status.message(),
        "create the resource: the package `behaviours` has no resource type `behaviours:index:Creatign`\n\
         hint: did you mean `behaviours:index:Creating`?"
    );
    let status = serving.check("aws:s3/bucket:Bucket", Object::new()).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(
        status.message(),
        "check the inputs: the package `behaviours` has no resource type `aws:s3/bucket:Bucket`"
    );
    // What is on record had that type in another version of the package.
    let status = serving.delete("behaviours:index:Creatign", Object::new()).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(
        status.message(),
        "delete the resource: the package `behaviours` has no resource type `behaviours:index:Creatign`\n\
         hint: use the version of the provider that it was made with, or take it off the record with \
         `pulumi state delete`, which leaves it in place"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_description_needs_no_configuration() {
    let serving = Serving::start(&guest("behaviours"), Limits::default()).await;
    let mut client = serving.client.clone();
    assert_eq!(client.get_plugin_info(()).await.unwrap().into_inner().version, "1.2.3");
    let schema = client.get_schema(pb::GetSchemaRequest::default()).await.unwrap().into_inner().schema;
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    assert_eq!(schema["name"], "behaviours");
    assert!(schema["resources"][CREATING].is_object());
    let status = client.get_schema(pb::GetSchemaRequest { version: 99, ..<_>::default() }).await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (Code::InvalidArgument, "get the schema: schema format 99 isn't known, only 0 is")
    );
    let request = pb::GetSchemaRequest { subpackage_name: "sub".into(), ..<_>::default() };
    let status = client.get_schema(request).await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (Code::InvalidArgument, "get the schema: there is no sub-package `sub`")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_provider_lacks_is_unimplemented() {
    let serving = behaviours().await;
    let client = || serving.client.clone();
    let parameters = Some(pb::parameterize_request::Parameters::Args(<_>::default()));
    for (what, status) in [
        ("Construct", client().construct(pb::ConstructRequest::default()).await.err()),
        ("Call", client().call(pb::CallRequest::default()).await.err()),
        ("List", client().list(pb::ListRequest::default()).await.err()),
        ("Parameterize", client().parameterize(pb::ParameterizeRequest { parameters }).await.err()),
        ("GetMapping", client().get_mapping(pb::GetMappingRequest::default()).await.err()),
        ("GetMappings", client().get_mappings(pb::GetMappingsRequest::default()).await.err()),
    ] {
        assert_eq!(status.map(|status| status.code()), Some(Code::Unimplemented), "{what}");
    }
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handshake_says_what_the_provider_takes() {
    let serving = Serving::start(&guest("behaviours"), Limits::default()).await;
    let said = serving.handshake(pb::ProviderHandshakeRequest::default()).await;
    assert!(said.accept_secrets && said.accept_resources && said.accepts_byte_string);
    assert!(said.supports_autonaming_configuration && said.accept_outputs);
    let again = serving.configure(object([("label", "a")])).await.unwrap();
    assert!(again.supports_preview);
    assert_eq!(
        (again.accept_secrets, again.accept_resources, again.accept_outputs, again.supports_autonaming_configuration),
        (said.accept_secrets, said.accept_resources, said.accept_outputs, said.supports_autonaming_configuration)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bags_that_are_not_bags_are_refused() {
    let serving = behaviours().await;
    let garbage = Some(bulkhead_proto::raw::Struct::from_bytes(vec![0x0a, 0x7f, 0x01]));
    let request = pb::CreateRequest { properties: garbage, ..creation(CREATING, Object::new()) };
    let status = serving.create_as(request).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument, "nothing changed, and nobody doubts it: {status:?}");
    let request =
        pb::CheckRequest { urn: "urn:pulumi:d::p::behaviours:index:Creating::n".into(), news: None, ..<_>::default() };
    let checked = serving.client.clone().check(request).await.unwrap().into_inner();
    assert_eq!(checked.failures.len(), 1, "an absent bag is empty");
    serves_on(&serving).await;
}

/// A client of an engine that exchanges outputs in Check and Invoke.
async fn exchanging_outputs() -> Serving {
    let serving = Serving::start(&guest("behaviours"), Limits::default()).await;
    let request = pb::ProviderHandshakeRequest {
        accepts_outputs_in_check: true,
        accepts_outputs_in_invoke: true,
        ..<_>::default()
    };
    let answered = serving.handshake(request).await;
    assert!(answered.accepts_outputs_in_check && answered.accepts_outputs_in_invoke);
    serving.configure(object([("label", "test")])).await.expect("the provider should take its configuration");
    serving
}

fn output(value: Option<Value>, secret: bool) -> Value {
    Output { value: value.map(Box::new), secret, dependencies: vec!["urn:a".to_owned(), "urn:b".to_owned()] }.into()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn checked_outputs_keep_what_they_depend_on() {
    let serving = exchanging_outputs().await;
    for text in [output(Some("a".into()), false), output(Some("a".into()), true), output(None, false)] {
        let given = object([("act", output(Some("live".into()), false)), ("text", text.clone())]);
        let checked = serving.check("behaviours:index:Existing", given.clone()).await.unwrap();
        let mut expected = given;
        expected.insert("style".into(), "plain".into());
        assert_eq!((checked.value, checked.failures), (expected, Vec::new()));
    }
    let wrong = object([("act", output(Some(1.0.into()), false))]);
    let checked = serving.check("behaviours:index:Existing", wrong).await.unwrap();
    assert_eq!(checked.failures.len(), 1, "the type of what is inside counts: {checked:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_of_functions_depend_on_what_their_arguments_depend_on() {
    let serving = exchanging_outputs().await;
    let invoked = serving.invoke("behaviours:index:blob", object([("text", output(Some("abc".into()), false))])).await;
    let expected = object([("text", output(Some("abc".into()), false)), ("length", output(Some(3.0.into()), false))]);
    assert_eq!(invoked.unwrap().value, expected);
    let invoked = serving.invoke("behaviours:index:blob", object([("text", "abc")])).await.unwrap();
    assert_eq!(invoked.value, object([("text", Value::from("abc")), ("length", 3.0.into())]));
    let status = serving.invoke("behaviours:index:blob", object([("text", output(None, false))])).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument, "functions take nothing that isn't known: {status:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn engines_that_exchange_no_outputs_get_none() {
    let serving = behaviours().await;
    let checked =
        serving.check("behaviours:index:Existing", object([("act", output(Some("live".into()), true))])).await;
    assert_eq!(checked.unwrap().value["act"], Value::from("live").secret());
    let invoked = serving.invoke("behaviours:index:blob", object([("text", output(Some("abc".into()), false))])).await;
    assert_eq!(invoked.unwrap().value["text"], "abc".into());
}
