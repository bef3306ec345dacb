//! Parameters: a provider that becomes that of another package, or gets others beside its own.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bulkhead::component::Limits;
use bulkhead_policy::Isolation;
use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::parameterize_request::{Parameters, ParametersArgs, ParametersValue};
use bulkhead_tests::in_time;
use bulkhead_tests::serving::{Serving, object as received};
use bulkhead_value::{Object, Value};
use serde_json::Value as Json;
use tonic::{Code, Status};

use crate::{behaviours, guest, object};

const BASE: &str = "parameters:index:Base";
const HELLO: &str = "hello:index:Greeting";

async fn started() -> Serving {
    limited(Limits::default()).await
}

async fn limited(limits: Limits) -> Serving {
    let serving = Serving::start(&guest("parameters"), limits).await;
    serving.handshake(<_>::default()).await;
    serving
}

async fn parameterized(serving: &Serving, parameters: Option<Parameters>) -> Result<(String, String), Status> {
    let made = serving.client.clone().parameterize(pb::ParameterizeRequest { parameters }).await?.into_inner();
    Ok((made.name, made.version))
}

/// Parameterizes as `pulumi package add` does. Arguments are separated by spaces.
async fn with_arguments(serving: &Serving, arguments: &str) -> Result<(String, String), Status> {
    let args = arguments.split(' ').map(str::to_owned).collect();
    parameterized(serving, Some(Parameters::Args(ParametersArgs { args }))).await
}

/// Parameterizes as a deployment does.
async fn with_value(serving: &Serving, name: &str, version: &str, value: &[u8]) -> Result<(String, String), Status> {
    let (name, version, value) = (name.to_owned(), version.to_owned(), value.to_vec().into());
    parameterized(serving, Some(Parameters::Value(ParametersValue { name, version, value }))).await
}

async fn schema(serving: &Serving, name: &str, version: &str) -> Result<Json, Status> {
    let (subpackage_name, subpackage_version) = (name.to_owned(), version.to_owned());
    let request = pb::GetSchemaRequest { subpackage_name, subpackage_version, version: 0 };
    let schema = serving.client.clone().get_schema(request).await?.into_inner().schema;
    Ok(serde_json::from_str(&schema).unwrap())
}

/// What the instance was given that creates a resource.
async fn given(serving: &Serving, token: &str) -> String {
    given_while(serving, token, "").await
}

async fn given_while(serving: &Serving, token: &str, word: &str) -> String {
    let created = serving.create(token, object([("word", word)])).await.unwrap();
    created.state["given"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replacement_takes_the_place_of_the_package() {
    let serving = started().await;
    assert_eq!(schema(&serving, "", "").await.unwrap()["name"], "parameters");
    let made = with_arguments(&serving, "replace hello 1.0.0 hi").await.unwrap();
    assert_eq!(made, ("hello".to_owned(), "1.0.0".to_owned()));
    let described = schema(&serving, "hello", "1.0.0").await.unwrap();
    assert_eq!((&described["name"], &described["version"]), (&"hello".into(), &"1.0.0".into()));
    assert_eq!(schema(&serving, "", "").await.unwrap(), described, "the schema is fully replaced");

    // The configuration is the sub-package's, as engines check it: with their own `version`.
    let configuration = object([("tone", "loud"), ("version", "1.0.0")]);
    let checked = serving.check_config(configuration.clone()).await.unwrap();
    assert_eq!((checked.value, checked.failures), (configuration.clone(), vec![]));
    let refused = serving.check_config(object([("label", "l")])).await.unwrap();
    assert_eq!(refused.failures, [(String::new(), "label: unknown property 'label'".to_owned())]);
    serving.configure(configuration).await.unwrap();

    let checked = serving.check(HELLO, Object::new()).await.unwrap();
    assert_eq!((checked.value, checked.failures), (object([("word", "hi")]), vec![]));
    assert_eq!(given(&serving, HELLO).await, "hi again, configuration loud");
    let status = serving.create(BASE, Object::new()).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(
        status.message(),
        "create the resource: the package `hello` has no resource type `parameters:index:Base`"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replacement_comes_once_and_before_the_configuration() {
    let serving = started().await;
    with_arguments(&serving, "replace hello 1.0.0 hi").await.unwrap();
    for arguments in ["replace hello 1.0.0 hi", "replace bye 1.0.0 so-long"] {
        let status = with_arguments(&serving, arguments).await.unwrap_err();
        assert_eq!(
            (status.code(), status.message()),
            (
                Code::FailedPrecondition,
                "take the parameter: the parameter replaces the provider's package, and another one did before"
            )
        );
    }
    serving.configure(object([("tone", "loud")])).await.unwrap();
    let status = with_arguments(&serving, "replace bye 1.0.0 so-long").await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (
            Code::FailedPrecondition,
            "take the parameter: the parameter replaces the provider's package, and the provider is configured already"
        )
    );
    let given = given(&serving, HELLO).await;
    assert_eq!(given, "hi again, configuration loud again", "what was refused isn't given to anybody");

    let serving = started().await;
    with_arguments(&serving, "extend hello 1.0.0 hi").await.unwrap();
    let status = with_arguments(&serving, "replace bye 1.0.0 so-long").await.unwrap_err();
    assert!(status.message().ends_with("and others have extended it"), "{status:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_extension_reaches_every_instance_and_leaves_the_package_as_it_was() {
    let serving = started().await.ready(object([("label", "l")])).await;
    // Two instances at once, both idle afterwards.
    let (one, two) = tokio::join!(given_while(&serving, BASE, "wait"), given_while(&serving, BASE, "wait"));
    let mut before = [one, two];
    before.sort();
    assert_eq!(before, ["configuration l", "configuration l again"]);

    with_arguments(&serving, "extend hello 1.0.0 hi").await.unwrap();
    let (one, two) = tokio::join!(given_while(&serving, HELLO, "wait"), given_while(&serving, HELLO, "wait"));
    let mut after = [one, two];
    after.sort();
    let live = after.iter().filter(|given| given.ends_with("made, hi again")).count();
    assert!(live >= 1 && after.iter().all(|given| given.ends_with("hi again")), "those that were idle too: {after:?}");
    assert_eq!(given(&serving, BASE).await.matches("hi").count(), 1, "and it is given once");

    let base = schema(&serving, "", "").await.unwrap();
    assert_eq!(base["name"], "parameters");
    let checked = serving.check(BASE, object([("hi", 1.0)])).await.unwrap();
    assert_eq!(checked.failures, [("hi".to_owned(), "unknown property 'hi'".to_owned())]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_that_comes_later_is_given_all_in_the_order_in_which_it_came() {
    let serving = started().await;
    with_arguments(&serving, "extend early 1.0.0 good-morning").await.unwrap();
    serving.configure(object([("label", "l")])).await.unwrap();
    with_arguments(&serving, "extend hello 1.0.0 hi").await.unwrap();
    with_arguments(&serving, "extend late 1.0.0 good-night").await.unwrap();
    let all = "good-morning again, configuration l again, hi again, good-night again";
    let status = serving.create(BASE, object([("word", "trap")])).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted);
    for (made, token) in [BASE, HELLO, "early:index:Greeting", "late:index:Greeting"].into_iter().enumerate() {
        assert_eq!(given(&serving, token).await, format!("{all}{}", ", made".repeat(made)), "{token}");
    }

    let serving = limited(Limits { isolation: Isolation::Call, ..Limits::default() }).await.ready(Object::new()).await;
    with_arguments(&serving, "extend hello 1.0.0 hi").await.unwrap();
    for _ in 0..2 {
        assert_eq!(given(&serving, HELLO).await, "configuration  again, hi again");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn extensions_are_many_and_may_be_of_one_name_in_several_versions() {
    let serving = started().await.ready(Object::new()).await;
    for arguments in
        ["extend hello 1.0.0 hi", "extend hello 2.0.0 howdy", "extend bye 1.0.0 so-long", "extend hello 1.9.0 hey"]
    {
        with_arguments(&serving, arguments).await.unwrap();
    }
    for (name, version, word) in
        [("hello", "1.0.0", "hi"), ("hello", "2.0.0", "howdy"), ("hello", "", "howdy"), ("bye", "1.0.0", "so-long")]
    {
        let described = schema(&serving, name, version).await.unwrap();
        assert_eq!(described["name"], name);
        assert!(version.is_empty() || described["version"] == version, "{described}");
        let greeting = &described["resources"][format!("{name}:index:Greeting")];
        assert_eq!(greeting["inputProperties"]["word"]["default"], word);
    }
    let default = async |token| serving.check(token, Object::new()).await.unwrap().value["word"].clone();
    assert_eq!(default(HELLO).await, Value::from("howdy"), "a token names no version: the highest has it");
    assert_eq!(default("bye:index:Greeting").await, Value::from("so-long"));

    // The same once more changes nothing, whichever came last.
    with_arguments(&serving, "extend hello 1.0.0 hi").await.unwrap();
    assert_eq!(default(HELLO).await, Value::from("howdy"));
    assert_eq!(schema(&serving, "hello", "").await.unwrap()["version"], "2.0.0");
    assert_eq!(given(&serving, HELLO).await.matches("hi").count(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_schema_records_makes_the_same_package_again() {
    for kind in ["replace", "extend"] {
        let member = if kind == "replace" { "parameterization" } else { "extensionParameterization" };
        let added = started().await;
        with_arguments(&added, &format!("{kind} hello 1.2.3-rc.1+x hi")).await.unwrap();
        let described = schema(&added, "hello", "1.2.3-rc.1+x").await.unwrap();
        assert_eq!(described[member]["baseProvider"], serde_json::json!({"name": "parameters", "version": "1.2.3"}));
        let parameter = STANDARD.decode(described[member]["parameter"].as_str().unwrap()).unwrap();

        let deployed = started().await;
        let made = with_value(&deployed, "hello", "1.2.3-rc.1+x", &parameter).await.unwrap();
        assert_eq!(made, ("hello".to_owned(), "1.2.3-rc.1+x".to_owned()));
        assert_eq!(schema(&deployed, "hello", "1.2.3-rc.1+x").await.unwrap(), described);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn resources_follow_the_schema_of_their_sub_package() {
    let serving = started().await.ready(Object::new()).await;
    with_arguments(&serving, "extend hello 1.0.0 hi").await.unwrap();
    let refused = serving.check(HELLO, object([("hi", Value::from("many")), ("wrod", "x".into())])).await.unwrap();
    assert_eq!(
        refused.failures,
        [
            ("wrod".to_owned(), "unknown property 'wrod'; did you mean 'word'?".to_owned()),
            ("hi".to_owned(), "expected an integer, got a string".to_owned()),
        ]
    );
    // Facts that a manifest can't have stand in the schema: no `update`, so that each change replaces.
    let word = |word: &str| object([("word", word)]);
    let diff = serving.diff(HELLO, word("a"), word("a"), word("b")).await.unwrap();
    assert_eq!(diff.replaces, ["word"]);
    let diff = serving.diff(BASE, word("a"), word("a"), word("b")).await.unwrap();
    assert_eq!((diff.diffs, diff.replaces), (vec!["word".to_owned()], vec![]));
    let preview = serving.preview(HELLO, word("a")).await.unwrap();
    assert_eq!(preview["word"], Value::from("a"));
    let read = serving.read(HELLO, "hello-1", object([("word", "a"), ("given", "g")]), word("a")).await.unwrap();
    assert_eq!(received(read.properties.unwrap())["word"], Value::from("a"));
    let status = serving.create("hello:index:Greetign", Object::new()).await.unwrap_err();
    assert_eq!(
        status.message(),
        "create the resource: the package `hello` has no resource type `hello:index:Greetign`\n\
         hint: did you mean `hello:index:Greeting`?"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sub_package_that_nobody_made_has_no_schema() {
    let serving = started().await;
    with_arguments(&serving, "extend hello 1.0.0 hi").await.unwrap();
    let hint = "\nhint: call Parameterize first, with the parameter that makes it";
    for (name, version, message) in [
        ("hello", "1.0.1", "there is no sub-package `hello` of version 1.0.1"),
        ("bye", "1.0.0", "there is no sub-package `bye` of version 1.0.0"),
        ("parameters", "1.2.3", "there is no sub-package `parameters` of version 1.2.3"),
        ("bye", "", "there is no sub-package `bye`"),
    ] {
        let status = schema(&serving, name, version).await.unwrap_err();
        let expected = format!("get the schema: {message}{hint}");
        assert_eq!((status.code(), status.message()), (Code::InvalidArgument, expected.as_str()));
    }
    // Each conversation has its own.
    serving.handshake(<_>::default()).await;
    assert_eq!(schema(&serving, "hello", "1.0.0").await.unwrap_err().code(), Code::InvalidArgument);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_name_no_package_are_refused() {
    let serving = started().await;
    for (refused, message) in [
        (parameterized(&serving, None).await, "there are neither arguments nor a value"),
        (with_value(&serving, "", "1.0.0", b"x").await, "the parameter's package has no name"),
        (
            with_value(&serving, "hello", "1", b"x").await,
            "the version of the sub-package `hello` 1 isn't a semantic version",
        ),
    ] {
        let status = refused.unwrap_err();
        let expected = format!("take the parameter: {message}");
        assert_eq!((status.code(), status.message()), (Code::InvalidArgument, expected.as_str()));
    }
    let status = with_arguments(&serving, "what").await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Aborted, "write replace|extend NAME VERSION WORD"));
    let status = with_arguments(&behaviours().await, "what").await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (Code::Unimplemented, "take the parameter: the provider `behaviours` takes no parameters")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_parameter_makes_is_held_to_what_was_asked_for() {
    let serving = started().await.ready(Object::new()).await;
    let bug = "; this is a bug in the provider\nhint: please report it to the provider's author";
    for (lie, code, message) in [
        (
            "name",
            Code::Aborted,
            "the schema of the sub-package `hello` 1.0.0 is that of the package `another` of version 1.0.0",
        ),
        (
            "version",
            Code::Aborted,
            "the schema of the sub-package `hello` 1.0.0 is that of the package `hello` of version 9.9.9",
        ),
        (
            "base",
            Code::Aborted,
            "the schema of the sub-package `hello` 1.0.0 says that it is made by `another` 1.2.3, and not by `parameters` 1.2.3",
        ),
        (
            "aged",
            Code::Aborted,
            "the schema of the sub-package `hello` 1.0.0 says that it is made by `parameters` 9.9.9, and not by `parameters` 1.2.3",
        ),
        (
            "plugin",
            Code::Aborted,
            "the schema of the sub-package `hello` 1.0.0 says that it is made by `command` 1.0.0, and not by `parameters` 1.2.3",
        ),
        ("silent", Code::Aborted, "the schema of the sub-package `hello` 1.0.0 doesn't say which parameter made it"),
        ("unversioned", Code::Aborted, "the version of the sub-package `hello` v1.0.0 isn't a semantic version"),
        (
            "functions",
            Code::Aborted,
            "the sub-package `hello` 1.0.0 has what the provider doesn't do: the schema has functions, e.g. \
             `hello:index:greet`, and the component exports no `functions`",
        ),
        (
            "facts",
            Code::Aborted,
            "the schema of the sub-package `hello` 1.0.0 is wrong: the manifest gives `hello:index:Greeting` methods \
             without `create`",
        ),
        ("trap", Code::Aborted, "the provider crashed: wasm trap: wasm `unreachable` instruction executed"),
        ("malformed", Code::Aborted, "malformed"),
        ("large", Code::ResourceExhausted, "the schema of the sub-package has 65 MiB, and may have 64"),
    ] {
        let status = with_arguments(&serving, &format!("extend hello 1.0.0 hi {lie}")).await.unwrap_err();
        assert_eq!(status.code(), code, "{lie}: {status:?}");
        match lie {
            "malformed" => {
                let start = "take the parameter: the schema of the sub-package `hello` 1.0.0 is wrong: ";
                assert!(status.message().starts_with(start) && status.message().ends_with(bug), "{status:?}");
            }
            "large" => assert_eq!(status.message(), format!("take the parameter: {message}")),
            _ => assert_eq!(status.message(), format!("take the parameter: {message}{bug}"), "{lie}"),
        }
        assert_eq!(schema(&serving, "hello", "1.0.0").await.unwrap_err().code(), Code::InvalidArgument);
        assert!(!given(&serving, BASE).await.contains("hi"), "{lie}: nobody is given what was refused");
    }
    let made = with_value(&serving, "hello", "2.0.0", b"extend hello 1.0.0 hi").await;
    let status = made.unwrap_err();
    let message = "the parameter of the sub-package `hello` 2.0.0 gave the sub-package `hello` 1.0.0";
    assert_eq!(
        (status.code(), status.message()),
        (Code::Aborted, format!("take the parameter: {message}{bug}").as_str())
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_that_goes_back_on_what_it_took_fails_the_call_and_says_why() {
    for (lie, message) in [
        ("refused-later", "a parameter that it took before was refused"),
        ("another-later", "a parameter made another sub-package than before"),
    ] {
        let serving = started().await.ready(Object::new()).await;
        with_arguments(&serving, &format!("extend hello 1.0.0 hi {lie}")).await.unwrap();
        let status = serving.create(HELLO, Object::new()).await.unwrap_err();
        assert_eq!(status.code(), Code::Aborted, "nothing was created: {status:?}");
        assert!(status.message().contains(message), "{status:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_parameter_that_takes_for_ever_can_be_cancelled_and_delays_no_other_call() {
    let serving = started().await.ready(Object::new()).await;
    let waiting = with_arguments(&serving, "extend hello 1.0.0 hi wait");
    let others = async {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        assert_eq!(given(&serving, BASE).await, "configuration  again");
        serving.cancel().await;
    };
    let (outcome, ()) = tokio::join!(waiting, others);
    assert_eq!(outcome.unwrap_err().code(), Code::Cancelled);
}

/// The guest `greeter`, written with the SDK, as `hello`.
async fn greeter() -> Serving {
    let serving = Serving::start(&guest("greeter"), Limits::default()).await;
    serving.handshake(<_>::default()).await;
    let made = with_arguments(&serving, "hello Howdy").await.unwrap();
    assert_eq!(made, ("hello".to_owned(), "2.3.4".to_owned()));
    serving
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_author_says_what_a_parameter_brings() {
    let serving = greeter().await;
    let described = schema(&serving, "hello", "2.3.4").await.unwrap();
    let recorded = serde_json::json!({
        "baseProvider": {"name": "greeter", "version": "1.2.3"}, "parameter": STANDARD.encode("Howdy"),
    });
    assert_eq!(described["parameterization"], recorded);
    let facts = &described["resources"]["hello:index:Howdy"]["language"]["bulkhead"];
    assert_eq!(facts["methods"], serde_json::json!(["create", "read", "update"]), "what is written, as in a manifest");
    let again = Serving::start(&guest("greeter"), Limits::default()).await;
    with_value(&again, "hello", "2.3.4", b"Howdy").await.unwrap();
    assert_eq!(schema(&again, "hello", "2.3.4").await.unwrap(), described);

    serving.configure(object([("tone", "loudly")])).await.unwrap();
    let token = "hello:index:Howdy";
    let checked = serving.check(token, object([("name", "Ada")])).await.unwrap();
    assert_eq!(checked.value, object([("name", Value::from("Ada")), ("times", 1.0.into())]));
    let created = serving.create(token, checked.value).await.unwrap();
    assert_eq!(created.state["text"], Value::from("Howdy, Ada, loudly"));
    let said = serving.invoke("hello:index:sayHowdy", object([("name", "Bob")])).await.unwrap();
    assert_eq!(said.value["text"], Value::from("Howdy, Bob, loudly"));

    // Its type was renamed, in each sub-package by the name that it has there.
    let before = "hello:index:OldHowdy";
    assert_eq!(described["resources"][token]["aliases"], serde_json::json!([{"type": before}]));
    let read = serving.import(before, "greeting-Cy").await.unwrap();
    assert_eq!(received(read.properties.unwrap())["text"], "Howdy, Cy, loudly".into());

    let request = pb::ListRequest { token: before.to_owned(), page_size: 3, ..<_>::default() };
    let mut stream = serving.client.clone().list(request).await.unwrap().into_inner();
    let mut listed = Vec::new();
    while let Some(message) = stream.message().await.unwrap() {
        listed.push(match message.response.unwrap() {
            pb::list_response::Response::Result(result) => result.name,
            pb::list_response::Response::Continuation(continuation) => continuation.continuation_token,
            other => panic!("{other:?}"),
        });
    }
    assert_eq!(listed, ["ada", "alan", "barbara", "3:3"]);
    let request = pb::GetMappingsRequest { key: "terraform".to_owned() };
    assert_eq!(serving.client.clone().get_mappings(request).await.unwrap().into_inner().providers, ["greeter"]);
    let request = pb::GetMappingRequest { key: "terraform".to_owned(), ..<_>::default() };
    assert_eq!(serving.client.clone().get_mapping(request).await.unwrap().into_inner().provider, "greeter");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_authors_extensions_are_told_apart() {
    let serving = Serving::start(&guest("extending"), Limits::default()).await.ready(Object::new()).await;
    for arguments in ["hello 10.0.0 howdy", "bye 1.0.0 so-long", "hello 9.0.0 hi"] {
        with_arguments(&serving, arguments).await.unwrap();
    }
    let described = schema(&serving, "bye", "1.0.0").await.unwrap();
    assert_eq!(described["extensionParameterization"]["parameter"], STANDARD.encode("so-long"));
    assert!(described["provider"].is_null() && described["config"].is_null(), "the base has the configuration");
    let named = || object([("name", "Ada")]);
    for (token, text) in [(HELLO, "howdy Ada"), ("bye:index:Greeting", "so-long Ada"), (HELLO, "howdy Ada")] {
        let created = serving.create(token, named()).await.unwrap();
        assert_eq!(created.state["text"], Value::from(text));
        serving.create("extending:index:Silence", named()).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_function_waits_for_the_parameter_that_makes_its_package() {
    let named = || object([("name", "Ada")]);
    let serving = in_time(5, async || {
        let serving = Serving::start(&guest("extending"), Limits::default()).await.ready(Object::new()).await;
        // Engines hold functions back for nothing.
        let (said, made) = tokio::join!(serving.invoke("hello:index:say", named()), async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            with_arguments(&serving, "hello 1.0.0 hi").await
        });
        made.unwrap();
        // It waits for two seconds, and then there is no such function.
        match said {
            Ok(said) => assert_eq!(said.value["text"], "hi Ada".into()),
            Err(status) => {
                assert_eq!(status.code(), Code::InvalidArgument, "{status:?}");
                return None;
            }
        }
        Some(serving)
    })
    .await;
    let status = serving.invoke("bye:index:say", named()).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument, "one that nobody makes is told in the end");
    assert_eq!(status.message(), "call the function: the package `extending` has no function `bye:index:say`");
}
