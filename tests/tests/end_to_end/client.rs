//! The client that upstream's engine has of providers, against plugins: what an engine understands of every call is what is meant.

use std::fs;

use bulkhead::component::Sections;
use bulkhead_proto::resource as rm;
use bulkhead_tests::monitor::{Monitor, Reaction, urn};
use bulkhead_tests::serving::{object, wire};
use bulkhead_tests::{Client, Guest, temporary_directory};
use bulkhead_value::Value;

use crate::{bulkhead, guest, random};

/// A monitor that knows where pages of sites are.
async fn monitor() -> Monitor {
    let page = |request: &rm::RegisterResourceRequest| {
        let inputs = request.object.clone().map(object).unwrap_or_default();
        let path = inputs.get("path").and_then(Value::as_str).unwrap_or_default().to_owned();
        let outputs = inputs.into_map().into_iter().chain([("url".to_owned(), format!("//{path}").into())]);
        Reaction::Says(rm::RegisterResourceResponse {
            urn: urn(&request.parent, &request.r#type, &request.name),
            id: format!("id-{}", request.name),
            object: Some(wire(&outputs.collect())),
            ..<_>::default()
        })
    };
    Monitor::reacting(move |request| if request.custom { page(request) } else { Reaction::Answers }).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn upstreams_client_understands_every_answer() {
    let plugins = temporary_directory();
    for name in ["notes", "behaviours", "catalogue", "greeter", "site"] {
        guest(name).bundle(&bulkhead(), &plugins.path().join(name));
    }
    let (client, monitor) = (Client::build(), monitor().await);
    let walked = client.walk(plugins.path(), &monitor.endpoint()).succeeded();
    insta::assert_snapshot!(walked.stdout);

    let asked = monitor.asked();
    let site = asked.registration("site-false");
    let timeouts = site.custom_timeouts.as_ref().expect("the component has the program's options");
    assert_eq!((site.protect, timeouts.create.as_str()), (Some(true), "1h30m"));
    assert_eq!(asked.registration("site-false-page1").parent, urn("", "site:index:Site", "site-false"));
}

/// SCH-01, SCH-05, TF-12.
#[test]
fn schemas_that_the_sdk_derives_fit_upstreams_metaschema() {
    let directory = temporary_directory();
    let mut guests: Vec<Guest> =
        ["asking", "behaviours", "errors", "extending", "greeter", "notes", "overriding", "shapes", "site"]
            .map(guest)
            .into();
    let built = ["providers/powerdns", "examples/random-string"].map(|path| Guest::build(&bulkhead(), path));
    guests.extend([random()].into_iter().chain(built));
    let mut files = Vec::new();
    for guest in &guests {
        let sections = Sections::read(&fs::read(&guest.component).unwrap()).unwrap();
        let file = directory.path().join(format!("{}.json", guest.component.file_stem().unwrap().to_string_lossy()));
        fs::write(&file, sections.schema.unwrap()).unwrap();
        files.push(file);
    }
    let wrong = directory.path().join("wrong.json");
    fs::write(&wrong, r#"{"name": "wrong", "resources": {"wrong:index:R": {"inputProperties": []}}}"#).unwrap();
    let said = Client::build().schemas(&[files.as_slice(), &[wrong]].concat()).succeeded().stdout;
    let (fit, others): (Vec<&str>, Vec<&str>) = said.lines().partition(|line| line.ends_with(".json: fits"));
    assert_eq!(fit.len(), guests.len(), "{said}");
    assert!(others.first().is_some_and(|line| line.starts_with("wrong.json: failed: ")), "{said}");
}
