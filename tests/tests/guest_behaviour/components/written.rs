//! A component that was written with the SDK, of which an engine sees what its author meant.

use std::time::Duration;

use bulkhead_proto::alias::{Alias, alias};
use bulkhead_proto::provider as pb;
use bulkhead_proto::resource as rm;
use bulkhead_tests::composing::{calling, construction};
use bulkhead_tests::monitor::{Monitor, Nature, Reaction, urn};
use bulkhead_tests::serving::{Serving, wire};
use bulkhead_value::{Object, Output, Value};
use tonic::{Code, Status};

use crate::{guest, object};

const SITE: &str = "site:index:Site";
const PAGE: &str = "site:index:Page";

async fn site() -> Serving {
    let serving = Serving::start(&guest("site"), Default::default()).await;
    serving.ready(object([("domain", "sites.example")])).await
}

/// What the provider makes of a page.
fn page(request: &rm::RegisterResourceRequest) -> Reaction {
    let inputs = request.object.clone().map(bulkhead_tests::serving::object).unwrap_or_default();
    let path = inputs.get("path").and_then(Value::as_str).unwrap_or_default().to_owned();
    let outputs = inputs.into_map().into_iter().chain([("url".to_owned(), format!("//{path}").into())]);
    Reaction::Says(rm::RegisterResourceResponse {
        urn: urn(&request.parent, &request.r#type, &request.name),
        id: format!("id-{}", request.name),
        object: Some(wire(&outputs.collect())),
        ..<_>::default()
    })
}

async fn printing() -> Monitor {
    let reacts = |request: &rm::RegisterResourceRequest| match request.r#type.as_str() {
        PAGE => page(request),
        _ => Reaction::Answers,
    };
    Monitor::reacting(reacts).await
}

fn child(name: &str) -> String {
    urn(&urn("", SITE, "name"), PAGE, name)
}

fn text(text: &str, pages: u32) -> Object {
    [("text", Value::from(text)), ("pages", f64::from(pages).into())].into_iter().collect()
}

fn output(value: impl Into<Value>, secret: bool, dependencies: &[String]) -> Value {
    Value::from(Output { value: Some(Box::new(value.into())), secret, dependencies: dependencies.to_vec() })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn children_have_what_is_said_of_the_inputs_that_they_are_made_of() {
    let (serving, monitor) = (site().await, printing().await);
    let mut request = construction(&monitor, SITE, text("hello", 2));
    let urns = vec!["urn:pulumi:dev::project::a:b:C::c".to_owned()];
    let of = pb::construct_request::PropertyDependencies { urns: urns.clone() };
    request.input_dependencies = [("text".to_owned(), of)].into();
    let constructed = serving.construct(request).await.unwrap();

    let asked = monitor.asked();
    let mut names = asked.names();
    names.sort_unstable();
    assert_eq!(names, ["name", "name-front", "name-page0", "name-page1"], "pages in either order");
    assert_eq!(asked.inputs("name-front"), object([("path", "/"), ("text", "hello")]));
    assert_eq!(asked.dependencies("name-front")["text"], urns);
    assert_eq!(asked.inputs("name-page1")["text"], "page 1 of ///".into());
    let mut both = asked.dependencies("name-page1")["text"].clone();
    both.sort_unstable();
    assert_eq!(both, [urns[0].clone(), child("name-front")]);
    assert_eq!(asked.registration("name-page1").parent, constructed.urn);

    assert_eq!(constructed.state["url"], output("///", false, &[child("name-front")]));
    let pages = [("///0", "name-page0"), ("///1", "name-page1")];
    let pages = pages.map(|(url, name)| output(url, false, &[child(name)]));
    assert_eq!(constructed.state["pages"], Value::List(pages.to_vec().into()));
    assert_eq!(constructed.state["length"], output(5.0, false, &urns));
    assert_eq!(asked.outputs[&constructed.urn]["url"], "///".into());
}

/// A program with an SDK from before the component was renamed says nothing of what it is called now.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_that_is_asked_for_by_its_old_type_is_the_one_on_record() {
    let (serving, monitor) = (site().await, printing().await);
    let spec = |name: &str, token: &str| {
        let spec = alias::Spec { name: name.to_owned(), r#type: token.to_owned(), ..<_>::default() };
        Alias { alias: Some(alias::Alias::Spec(spec)) }
    };
    // What the program called it before, it called so by the older type.
    let mut request = construction(&monitor, "site:index:Homepage", text("hello", 0));
    request.aliases = vec![spec("renamed", "")];
    let constructed = serving.construct(request).await.unwrap();
    let asked = monitor.asked();
    let own = asked.registration("name");
    assert_eq!((constructed.urn, own.r#type.as_str()), (urn("", SITE, "name"), SITE));
    let older = "site:index:Homepage";
    assert_eq!(own.aliases, [spec("renamed", ""), spec("renamed", older), spec("", older)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_is_told_which_children_a_function_is_asked_about() {
    let (serving, monitor) = (site().await, printing().await);
    let inputs = text("hello", 0).into_map().into_iter().chain([("finder".to_owned(), "site:index:find".into())]);
    serving.construct(construction(&monitor, SITE, inputs.collect())).await.unwrap();
    assert_eq!(monitor.asked().invokes[0].depends_on, [child("name-front")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn children_are_made_at_the_same_time() {
    let monitor = Monitor::reacting(|request| match request.name.as_str() {
        "name-front" => page(request),
        "name" => Reaction::Answers,
        _ => Reaction::Waits(Duration::from_secs(3)),
    });
    let (serving, monitor) = (site().await, monitor.await);
    // Their addresses aren't there, which nobody needs to know to make them.
    let error = serving.construct(construction(&monitor, SITE, text("hello", 4))).await.unwrap_err();
    assert!(error.message().contains("has no output `url`"), "{error:?}");
    assert_eq!(monitor.asked().at_once, 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_preview_registers_everything_and_knows_what_can_be_known() {
    let (serving, monitor) = (site().await, Monitor::preview().await);
    let request = pb::ConstructRequest { dry_run: true, ..construction(&monitor, SITE, text("hello", 1)) };
    let constructed = serving.construct(request).await.unwrap();
    let asked = monitor.asked();
    assert_eq!(asked.names(), ["name", "name-front", "name-page0"]);
    assert_eq!(asked.inputs("name-page0")["text"], Value::Unknown);
    let unknown = Value::from(Output { value: None, secret: false, dependencies: vec![child("name-front")] });
    assert_eq!(constructed.state["url"], unknown);
    assert_eq!(constructed.state["length"], 5.0.into());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_stay_secret_through_computations() {
    let (serving, monitor) = (site().await, printing().await);
    let inputs = [("text", Value::from("hunter2").secret())].into_iter().collect();
    let constructed = serving.construct(construction(&monitor, SITE, inputs)).await.unwrap();
    assert!(monitor.asked().inputs("name-front")["text"].contains_secret());
    let length = &constructed.state["length"];
    assert!(length.contains_secret(), "{length:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_inputs_are_rejected_with_their_place() {
    let (serving, monitor) = (site().await, printing().await);
    let error = serving.construct(construction(&monitor, SITE, text("hello", 10))).await.unwrap_err();
    assert_eq!(error.code(), Code::InvalidArgument);
    let details = String::from_utf8_lossy(error.details()).into_owned();
    assert!(details.contains("pages") && details.contains("must be 9 at most"), "{details}");
    assert!(monitor.asked().outputs.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_child_that_fails_ends_the_component() {
    let monitor = Monitor::of(Nature {
        reacts: Box::new(|request| match request.name.as_str() {
            "name-front" => Reaction::Refuses(Status::unknown("the page can't be printed")),
            _ => Reaction::Answers,
        }),
        ..Nature::default()
    });
    let (serving, monitor) = (site().await, monitor.await);
    let error = serving.construct(construction(&monitor, SITE, text("hello", 1))).await.unwrap_err();
    assert!(error.message().contains("the page can't be printed"), "{error:?}");
    let asked = monitor.asked();
    assert_eq!(asked.names(), ["name", "name-front"], "what depends on it isn't registered");
    assert!(asked.outputs.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn methods_see_the_resource_that_they_are_called_on() {
    let (serving, monitor) = (site().await, printing().await);
    let constructed = serving.construct(construction(&monitor, SITE, text("hello", 0))).await.unwrap();
    let this: Object =
        [("__self__", Value::from(constructed.urn.as_str())), ("path", "/a".into())].into_iter().collect();
    // An SDK from before the component was renamed knows the method by the older type.
    for token in ["site:index:Site/link", "site:index:Homepage/link"] {
        let called = serving.call(calling(&monitor, token, Object::clone(&this))).await.unwrap();
        assert_eq!(called.value["url"], output("////a", false, std::slice::from_ref(&constructed.urn)), "{token}");
    }
    let unknown = serving.call(calling(&monitor, "site:index:Homepage/lin", this)).await.unwrap_err();
    assert!(unknown.message().contains("the package `site` has no method `site:index:Homepage/lin`"), "{unknown:?}");

    let provider = "urn:pulumi:dev::project::pulumi:providers:site::default";
    let this = [("__self__", Value::from(provider))].into_iter().collect();
    let called = serving.call(calling(&monitor, "pulumi:providers:site/domain", this)).await.unwrap();
    assert_eq!(called.value, object([("res", "sites.example")]));
}
