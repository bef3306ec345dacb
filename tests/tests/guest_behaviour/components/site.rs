//! A component written with the SDK, and its methods.

use bulkhead_proto::errors::InputPropertiesError;
use bulkhead_proto::resource as rm;
use bulkhead_tests::composing::{calling, construction};
use bulkhead_tests::monitor::{Monitor, Reaction, urn};
use bulkhead_tests::serving::{self, Serving, detail, wire};
use bulkhead_value::{Object, Reference, ReferenceId, Value};
use tonic::Code;

use super::output;
use crate::guest;

const SITE: &str = "site:index:Site";
const PAGE: &str = "site:index:Page";

/// The guest `site`, served and configured.
async fn site() -> Serving {
    Serving::start(&guest("site"), Default::default()).await.ready(Object::new()).await
}

/// An engine whose pages have addresses.
async fn web() -> Monitor {
    Monitor::reacting(|of: &rm::RegisterResourceRequest| {
        if !of.custom {
            return Reaction::Answers;
        }
        let mut state = serving::object(of.object.clone().unwrap());
        let url = format!("https://web.example{}", state["path"].plain().as_str().unwrap());
        state.insert("url".to_owned(), url.as_str().into());
        let urn = urn(&of.parent, &of.r#type, &of.name);
        Reaction::Says(rm::RegisterResourceResponse { urn, id: url, object: Some(wire(&state)), ..<_>::default() })
    })
    .await
}

fn page(name: &str) -> String {
    urn(&urn("", SITE, "name"), PAGE, name)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_of_the_sdk_registers_its_children_and_says_what_its_outputs_depend_on() {
    let (serving, monitor) = (site().await, web().await);
    let text = output(Some("hello".into()), true, &["urn:of:text"]);
    let inputs: Object = [("text", text), ("pages", 2.0.into())].into_iter().collect();
    let constructed = serving.construct(construction(&monitor, SITE, inputs)).await.unwrap();

    assert_eq!(constructed.urn, urn("", SITE, "name"));
    let asked = monitor.asked();
    let mut names = asked.names();
    names.sort_unstable();
    assert_eq!(names, ["name", "name-front", "name-page0", "name-page1"]);
    assert_eq!(asked.inputs("name-front")["text"], Value::from("hello").secret());
    assert_eq!(asked.dependencies("name-front")["text"], ["urn:of:text"]);
    assert_eq!(asked.dependencies("name-page1")["text"], [page("name-front"), "urn:of:text".to_owned()]);

    let front = page("name-front");
    let address = |of: &str| Some(format!("https://web.example{of}").into());
    assert_eq!(constructed.state["url"], output(address("/"), false, &[&front]));
    let pages = constructed.state["pages"].as_list().unwrap();
    assert_eq!(pages[1], output(address("/1"), false, &[&page("name-page1")]));
    assert_eq!(constructed.state["length"], output(Some(5.0.into()), true, &["urn:of:text"]));
    let id = Some(ReferenceId::Known("https://web.example/".to_owned()));
    let Value::Reference(reference) = constructed.state["front"].plain() else { panic!("{constructed:?}") };
    assert_eq!((&reference.urn, &reference.id), (&front, &id));
    assert_eq!(asked.outputs.keys().collect::<Vec<_>>(), [&constructed.urn]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn methods_of_the_sdk_know_what_they_are_called_on() {
    let (serving, monitor) = (site().await, web().await);
    let inputs: Object = [("text", "hello")].into_iter().collect();
    let constructed = serving.construct(construction(&monitor, SITE, inputs)).await.unwrap();
    let own = Value::Reference(Reference { urn: constructed.urn, id: None, package_version: String::new() });

    let arguments = [("__self__", own.clone()), ("path", "about".into())].into_iter().collect();
    let called = serving.call(calling(&monitor, "site:index:Site/link", arguments)).await.unwrap();
    assert_eq!(called.value["url"].plain().as_str(), Some("https://web.example/about"), "{called:?}");

    let arguments = [("__self__", own)].into_iter().collect();
    let called = serving.call(calling(&monitor, "pulumi:providers:site/domain", arguments)).await.unwrap();
    assert_eq!(called.value["res"], "web.example".into());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn inputs_that_the_author_rejects_are_named() {
    let (serving, monitor) = (site().await, web().await);
    let inputs: Object = [("text", Value::from("hello")), ("pages", 10.0.into())].into_iter().collect();
    let status = serving.construct(construction(&monitor, SITE, inputs)).await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (Code::InvalidArgument, "construct the component: an input is wrong")
    );
    let errors = detail::<InputPropertiesError>(&status).unwrap().errors;
    assert_eq!((&*errors[0].property_path, &*errors[0].reason), ("pages", "must be 9 at most"));
}
