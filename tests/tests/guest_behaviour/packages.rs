//! Other packages' descriptions: from the engine that offers them, and none without one.

use std::time::{Duration, Instant};

use bulkhead::component::Limits;
use bulkhead_proto::provider::ProviderHandshakeRequest;
use bulkhead_tests::engine::{Engine, SILENT};
use bulkhead_tests::serving::{Serving, init_failed};
use bulkhead_tests::until;
use bulkhead_value::{Object, Value};
use tonic::{Code, Status};

use crate::{guest, object};

const SCHEMA: &[u8] = br#"{"name": "other", "version": "2.0.0"}"#;

/// A provider for an engine that offers what is named.
async fn asking(limits: Limits, loader: Option<&str>, mapper: Option<&str>) -> Serving {
    let serving = Serving::composing(&guest("asking"), limits).await;
    let handshake = ProviderHandshakeRequest {
        loader_target: loader.map(str::to_owned),
        mapper_target: mapper.map(str::to_owned),
        ..<_>::default()
    };
    serving.handshake(handshake).await;
    serving.configure(Object::new()).await.unwrap();
    serving
}

async fn described(serving: &Serving, arguments: Object) -> Result<(String, f64), Status> {
    let said = serving.invoke("asking:index:describe", arguments).await?.value;
    Ok((said["text"].as_str().unwrap().to_owned(), said["length"].as_number().unwrap()))
}

async fn refused(serving: &Serving, arguments: Object) -> (Code, String) {
    let status = described(serving, arguments).await.unwrap_err();
    let message = match status.code() {
        // What fails for the provider stands alone.
        Code::Aborted => status.message(),
        _ => status.message().strip_prefix("call the function: ").unwrap(),
    };
    (status.code(), message.to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn schemas_and_mappings_come_from_the_engine() {
    let engine = Engine::start(&[("other", SCHEMA)]).await;
    let serving = asking(Limits::default(), Some(&engine.address), Some(&engine.address)).await;
    let schema = String::from_utf8_lossy(SCHEMA).into_owned();
    let (text, length) = described(&serving, object([("package", "other")])).await.unwrap();
    assert_eq!((text, length), (schema, SCHEMA.len() as f64));
    described(&serving, object([("package", "other"), ("version", "2.0.0")])).await.unwrap();
    let asked: Vec<_> = engine.asked().into_iter().map(|asked| (asked.package, asked.version)).collect();
    let expected = [("other", ""), ("other", "2.0.0")].map(|(name, version)| (name.to_owned(), version.to_owned()));
    assert_eq!(asked, expected);

    let (text, _) = described(&serving, object([("provider", "azurerm"), ("package", "azure")])).await.unwrap();
    assert_eq!(text, "mapping of azurerm");
    let (_, length) = described(&serving, object([("provider", "unmapped")])).await.unwrap();
    assert_eq!(length, 0.0, "no mapping is no error");
    let mapped: Vec<_> = engine.mapped().into_iter().map(|asked| (asked.provider, asked.pulumi_provider)).collect();
    assert_eq!(mapped[0], ("azurerm".to_owned(), "azure".to_owned()));
    assert_eq!(mapped[1], ("unmapped".to_owned(), String::new()));
}

/// Engines install and run it to find out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_version_of_what_is_its_own_by_name_is_another_package() {
    let engine = Engine::start(&[("asking", SCHEMA)]).await;
    let serving = Serving::start(&guest("asking"), Limits::default()).await;
    let handshake = ProviderHandshakeRequest {
        loader_target: Some(engine.address.clone()),
        mapper_target: Some(engine.address.clone()),
        resolver_target: Some(engine.address.clone()),
        ..<_>::default()
    };
    serving.handshake(handshake).await;
    serving.configure(Object::new()).await.unwrap();
    let other = object([("package", "asking"), ("version", "99.0.0")]);
    let mut mapped = other.clone();
    mapped.insert("provider".to_owned(), "asking".into());
    for arguments in [other, mapped] {
        let (code, message) = refused(&serving, arguments).await;
        assert!(code == Code::Aborted && message.contains("packages asking is denied: "), "{message}");
    }
    let named = object([("source", "asking"), ("version", "99.0.0")]);
    let denied = serving.invoke("asking:index:resolve", named).await.unwrap_err();
    assert!(denied.message().contains("packages asking is denied: "), "{denied:?}");
    assert!(engine.asked().is_empty() && engine.mapped().is_empty(), "{:?}", engine.asked());
    described(&serving, object([("package", "asking")])).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_offers_nothing_is_told_apart() {
    let hint = "\nhint: run the provider under a newer engine, or without attaching to it";
    for target in [None, Some("")] {
        let serving = asking(Limits::default(), target, target).await;
        let expected = (Code::Unimplemented, format!("the engine offers no schemas of other packages{hint}"));
        assert_eq!(refused(&serving, object([("package", "other")])).await, expected);
        let expected = (Code::Unimplemented, format!("the engine offers no mappings of other providers{hint}"));
        assert_eq!(refused(&serving, object([("provider", "azurerm")])).await, expected);
    }
    let old = Serving::composing(&guest("asking"), Limits::default()).await;
    old.configure(Object::new()).await.unwrap();
    let expected = (Code::Unimplemented, "there is no engine to ask for other packages".to_owned());
    assert_eq!(refused(&old, object([("package", "other")])).await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_cant_answer_says_why() {
    let engine = Engine::start(&[("binary", b"\xff"), ("large", &[b' '; 2_000])]).await;
    let limits = Limits { description: 1_000, ..Limits::default() };
    let serving = asking(limits, Some(&engine.address), None).await;
    let unknown = (Code::Aborted, "the engine can't give the schema: there is no plugin missing".to_owned());
    assert_eq!(refused(&serving, object([("package", "missing")])).await, unknown);
    let binary = (Code::Aborted, "the engine's schema isn't UTF-8".to_owned());
    assert_eq!(refused(&serving, object([("package", "binary")])).await, binary);
    let large = (Code::Aborted, "the description has 2000 bytes, and the limit is 1000".to_owned());
    assert_eq!(refused(&serving, object([("package", "large")])).await, large);
    // More than any component is given isn't read to begin with.
    let huge = Engine::start(&[("huge", &vec![b' '; 66 << 20])]).await;
    let serving = asking(Limits::default(), Some(&huge.address), None).await;
    let (code, message) = refused(&serving, object([("package", "huge")])).await;
    assert!(message.starts_with("the engine can't give the schema: "), "{message}");
    assert!(code == Code::Aborted && message.contains("too large"), "{code:?} {message}");
    let gone = asking(Limits::default(), Some("127.0.0.1:1"), None).await;
    let (code, message) = refused(&gone, object([("package", "other")])).await;
    assert!(code == Code::Aborted && message.starts_with("the engine can't give the schema: "), "{code:?} {message}");
}

/// A read and a deletion say by "not found" that the resource is gone, and an author passes on what an import says.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_package_that_isnt_there_makes_no_resource_gone() {
    const VIEWED: &str = "asking:index:Viewed";
    let engine = Engine::start(&[]).await;
    let serving = asking(Limits::default(), Some(&engine.address), None).await;
    let inputs = object([("show", "described"), ("place", "missing")]);
    let mut state = inputs.clone();
    state.insert("known".to_owned(), Value::from(Vec::<Value>::new()));
    let read = serving.read(VIEWED, "existing-1", state.clone(), inputs).await.unwrap_err();
    let deleted = serving.delete(VIEWED, state).await.unwrap_err();
    for status in [read, deleted] {
        let expected = (Code::Aborted, "the engine can't give the schema: there is no plugin missing");
        assert_eq!((status.code(), status.message()), expected);
    }
}

/// Nor does it say that what was made is gone again, which `failed` would.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_package_that_isnt_granted_takes_nothing_back() {
    let serving = Serving::start(&guest("asking"), Limits::default()).await.ready(Object::new()).await;
    let inputs = object([("show", "described"), ("place", "other")]);
    let left = init_failed(&serving.create("asking:index:Viewed", inputs).await.unwrap_err());
    assert_eq!(left.id, "viewed-1");
    assert!(left.reasons[0].contains("other"), "{:?}", left.reasons);
}

/// The host has it for as long as the provider takes to make room for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_description_counts_with_the_memory_of_whoever_asked_for_it() {
    let schema = vec![b'x'; 20 << 20];
    let engine = Engine::start(&[("other", &schema)]).await;
    let within = async |memory_together: usize| {
        let limits = Limits { memory_together, ..Limits::default() };
        let serving = asking(limits, Some(&engine.address), Some(&engine.address)).await;
        described(&serving, object([("package", "other")])).await
    };
    // As it came, and as the provider has it.
    let (_, length) = within(64 << 20).await.unwrap();
    assert_eq!(length, schema.len() as f64);
    let status = within(32 << 20).await.unwrap_err();
    let message = "call the function: the calls of the provider need more memory together than their limit allows\n\
                   hint: if the provider should have more, raise the limit `memory-together` in bulkhead.toml";
    assert_eq!((status.code(), status.message()), (Code::ResourceExhausted, message));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_for_the_engine_ends_with_the_call() {
    let engine = Engine::start(&[]).await;
    let serving = asking(Limits::default(), Some(&engine.address), None).await;
    let cancelling = async {
        until("a request of the engine", || !engine.asked().is_empty()).await;
        serving.cancel().await;
        Instant::now()
    };
    let asked = described(&serving, object([("package", SILENT)]));
    let (status, cancelled) = tokio::join!(asked, cancelling);
    assert_eq!(status.unwrap_err().code(), Code::Cancelled);
    assert!(cancelled.elapsed() < Duration::from_secs(8), "{:?}", cancelled.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_package_that_a_parameter_makes_has_its_schema_too() {
    let engine = Engine::start(&[("other", SCHEMA)]).await;
    let serving = Serving::composing(&guest("asking"), Limits::default()).await;
    let handshake = ProviderHandshakeRequest {
        loader_target: Some(engine.address.clone()),
        resolver_target: Some(engine.address.clone()),
        ..<_>::default()
    };
    serving.handshake(handshake).await;
    serving.configure(Object::new()).await.unwrap();
    for name in ["made", "more"] {
        let parameters = Value::from(vec![Value::from(name), "with".into()]);
        let named = object([("source", "other".into()), ("parameters", parameters)]);
        let said = serving.invoke("asking:index:describeResolved", named).await.unwrap().value;
        assert_eq!(said["text"].as_str().map(str::as_bytes), Some(SCHEMA));
        let asked = engine.asked().pop().unwrap();
        assert_eq!((asked.package.as_str(), asked.version.as_str()), ("other", "2.0.0"));
        let parameter = asked.parameterization.unwrap();
        assert_eq!((parameter.name.as_str(), parameter.version.as_str()), (name, "0.1.0"));
        assert_eq!(parameter.value, format!("{name} with"));
    }
    // Some carry documents, or are packed.
    for length in [30_000, 1_000_000] {
        let parameters = Value::from(vec![Value::from("made"), length.to_string().into()]);
        let named = object([("source", "other".into()), ("parameters", parameters)]);
        serving.invoke("asking:index:describeResolved", named).await.unwrap();
        assert_eq!(engine.asked().pop().unwrap().parameterization.unwrap().value.len(), length);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_user_names_is_resolved_by_the_engine() {
    let engine = Engine::start(&[("other", SCHEMA)]).await;
    let serving = Serving::composing(&guest("asking"), Limits::default()).await;
    let handshake = ProviderHandshakeRequest { resolver_target: Some(engine.address.clone()), ..<_>::default() };
    serving.handshake(handshake).await;
    serving.configure(Object::new()).await.unwrap();
    let named = |version: Option<&str>, parameters: &[&str]| {
        let parameters = parameters.iter().map(|parameter| Value::from(*parameter)).collect();
        let version = version.map(|version| ("version".to_owned(), Value::from(version)));
        let always = [("source", Value::from("other")), ("parameters", Value::List(parameters))];
        object(always).into_map().into_iter().chain(version).collect::<Object>()
    };
    for (arguments, expected) in [
        (named(None, &[]), "resource other 2.0.0 from the usual place, replaced by none, extended by none"),
        (
            named(Some("3.1.4"), &["made", "with", "these"]),
            "resource other 3.1.4 from https://plugins.example, replaced by made 0.1.0 made with these, extended by none",
        ),
        (
            named(None, &["more"]),
            "resource other 2.0.0 from the usual place, replaced by none, extended by more 0.1.0 more",
        ),
    ] {
        let said = serving.invoke("asking:index:resolve", arguments).await.unwrap().value;
        assert_eq!(said["text"].as_str(), Some(expected));
    }
    let asked = engine.resolved();
    assert_eq!((asked[0].source.as_str(), asked[0].version.as_str(), asked[0].parameters.len()), ("other", "", 0));
    assert_eq!(
        (asked[1].version.as_str(), &asked[1].parameters),
        ("3.1.4", &["made", "with", "these"].map(str::to_owned).to_vec())
    );

    let unknown = serving.invoke("asking:index:resolve", object([("source", "nowhere")])).await.unwrap_err();
    let message = "the engine can't give the package: resolving package \"nowhere\": not found";
    assert_eq!((unknown.code(), unknown.message()), (Code::Aborted, message));
    let described = refused(&serving, object([("package", "other")])).await;
    assert_eq!(described.0, Code::Unimplemented, "each service is offered by itself: {}", described.1);
}

/// An engine would fetch what it is told to from wherever that is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_engine_is_asked_for_what_is_not_a_name() {
    let engine = Engine::start(&[("other", SCHEMA)]).await;
    let serving = Serving::composing(&guest("asking"), Limits::default()).await;
    let handshake = ProviderHandshakeRequest { resolver_target: Some(engine.address.clone()), ..<_>::default() };
    serving.handshake(handshake).await;
    serving.configure(Object::new()).await.unwrap();
    let sources =
        ["https://there.example/x", "there.example/x", "git@there:x", "./here", "/here", "..", "a//b", "a\\b", ""];
    for source in sources {
        let status = serving.invoke("asking:index:resolve", object([("source", source)])).await.unwrap_err();
        assert!(status.message().contains("and components ask engines for packages by their names only"), "{status:?}");
    }
    assert!(engine.resolved().is_empty());
    serving.invoke("asking:index:resolve", object([("source", "other")])).await.unwrap();
    assert_eq!(engine.resolved().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_resolves_nothing_is_told_apart() {
    let named = || object([("source", "other")]);
    let old = asking(Limits::default(), None, None).await;
    let status = old.invoke("asking:index:resolve", named()).await.unwrap_err();
    let message = "call the function: the engine offers no resolution of packages\n\
                   hint: run the provider under a newer engine, or without attaching to it";
    assert_eq!((status.code(), status.message()), (Code::Unimplemented, message));
    let engine = Engine::start(&[("other", SCHEMA)]).await;
    let limits = Limits { description: 3, ..Limits::default() };
    let serving = Serving::composing(&guest("asking"), limits).await;
    let handshake = ProviderHandshakeRequest { resolver_target: Some(engine.address.clone()), ..<_>::default() };
    serving.handshake(handshake).await;
    serving.configure(Object::new()).await.unwrap();
    let long = Value::List(vec![Value::from("much")].into());
    let arguments = object([("source", Value::from("other")), ("parameters", long)]);
    let status = serving.invoke("asking:index:resolve", arguments).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Aborted, "the description has 4 bytes, and the limit is 3"));
}
