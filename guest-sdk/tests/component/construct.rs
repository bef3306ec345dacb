//! What a component registers, and with what it depends on.

use bulkhead_sdk::testing::{Constructed, Driver, Event, Known, Told, known};
use bulkhead_sdk::value::{Output as Eventual, ReferenceId};
use bulkhead_sdk::{Fields, Reference, Value, fields};

use crate::specimen::{PROVIDER, Settings, Site};

pub(crate) const SITE: &str = "urn:pulumi:stack::project::web:index:Site::blog";
pub(crate) const FRONT: &str = "urn:pulumi:stack::project::web:index:Site$web:index:Page::blog-front";

/// A driver whose pages have addresses, unless it is a preview.
pub(crate) fn driver(preview: bool) -> Driver<Settings> {
    let driver = Driver::configure(&PROVIDER, fields! {}).unwrap();
    if preview {
        driver.preview();
    }
    driver.answer_resources(move |asked| {
        if asked.token != "web:index:Page" || preview {
            return Ok(None);
        }
        let mut state: Fields =
            asked.inputs.iter().map(|(name, value)| (name.clone(), value.plain().clone())).collect();
        let path = state.get("path").and_then(Value::as_text).unwrap_or("?");
        state.insert("url".to_owned(), format!("//web.example{path}").into());
        let id = asked.read.clone().unwrap_or_else(|| format!("{}-id", asked.name));
        Ok(Some(Told { id: Some(id), state }))
    });
    driver
}

fn output(value: impl Into<Value>, secret: bool, dependencies: &[&str]) -> Value {
    let dependencies = dependencies.iter().map(|urn| (*urn).to_owned()).collect();
    Value::Output(Eventual { value: Some(Box::new(value.into())), secret, dependencies })
}

fn blog(driver: &Driver<Settings>, inputs: Fields) -> Constructed<Site> {
    driver.construct("blog", inputs).unwrap()
}

/// COMP-01, COMP-02: the component first, no custom resource; its children below it.
#[test]
fn a_component_is_registered_and_its_children_below_it() {
    let driver = driver(false);
    let site = blog(&driver, fields! { "text": "hello", "pages": 1 });
    assert_eq!(site.urn, SITE);
    let asked = driver.asked();
    let names: Vec<_> = asked.iter().map(|asked| (asked.name.as_str(), asked.custom, asked.remote)).collect();
    let expected =
        [("blog", false, false), ("blog-front", true, false), ("blog-page0", true, false), ("blog-name", true, false)];
    assert_eq!(names, expected);
    assert_eq!(asked[0].options.parent, None);
    assert!(asked[1..].iter().all(|child| child.options.parent.as_deref() == Some(SITE)));
    assert_eq!(asked[1].urn, FRONT);
    assert_eq!(asked[1].inputs, fields! { "path": "/", "text": "hello", "maxAge": 60 });
}

/// COMP-03: once, at the end, with what is returned.
#[test]
fn outputs_are_said_at_the_end() {
    let driver = driver(false);
    let site = blog(&driver, fields! { "text": "hello" });
    assert_eq!(driver.finished(), [(SITE.to_owned(), site.fields.clone())]);
    let url = known(&site.outputs.url).unwrap();
    assert_eq!(
        url,
        Known { value: Some("//web.example/".to_owned()), secret: false, dependencies: vec![FRONT.to_owned()] }
    );
    // Of what isn't there nothing is said.
    assert!(!site.fields.contains_key("linked"));
}

/// COMP-05, COMP-06: what is said of an input is said of the child's property that it becomes.
#[test]
fn inputs_keep_secrets_and_dependencies() {
    let driver = driver(false);
    let text = output("hello", true, &["urn:a", "urn:b"]);
    let label = output("first", false, &["urn:c"]);
    let inputs = fields! { "text": text.clone(), "pages": 2, "labels": vec![label.clone(), "second".into()] };
    let site = blog(&driver, inputs);
    assert_eq!(driver.asked_for("blog-front").unwrap().inputs["text"], text);
    assert_eq!(driver.asked_for("blog-page0").unwrap().inputs["text"], label);
    assert_eq!(driver.asked_for("blog-page1").unwrap().inputs["text"], Value::from("second"));
    let url = known(&site.outputs.url).unwrap();
    assert!(url.secret);
    assert_eq!(url.dependencies, ["urn:a", "urn:b", FRONT]);
}

/// COMP-10: what isn't known is unknown, and everything is registered all the same.
#[test]
fn a_preview_registers_what_it_knows() {
    let driver = driver(true);
    let site = blog(&driver, fields! { "text": Value::Unknown, "pages": 1 });
    assert_eq!(driver.asked().len(), 4);
    assert_eq!(driver.asked_for("blog-front").unwrap().inputs["text"], Value::Unknown);
    let target = &driver.asked_for("blog-name").unwrap().inputs["target"];
    let unknown = Value::Output(Eventual { value: None, secret: false, dependencies: vec![FRONT.to_owned()] });
    assert_eq!(*target, unknown);
    assert_eq!(site.fields["url"], unknown);
    // A reference is known before the id is.
    let Value::Output(Eventual { value: Some(front), .. }) = &site.fields["front"] else { panic!() };
    let Value::Reference(reference) = &**front else { panic!() };
    assert_eq!((reference.urn.as_str(), &reference.id), (FRONT, &Some(ReferenceId::Unknown)));
}

#[test]
fn resources_that_dont_depend_on_each_other_are_made_at_the_same_time() {
    let driver = driver(false);
    blog(&driver, fields! { "text": "hello", "pages": 2 });
    let events = driver.events();
    let page = |number: u32| format!("urn:pulumi:stack::project::web:index:Site$web:index:Page::blog-page{number}");
    let at = |event: &Event| events.iter().position(|other| other == event).unwrap();
    let first_wait = at(&Event::Waited(FRONT.to_owned()));
    for urn in [FRONT.to_owned(), page(0), page(1)] {
        assert!(at(&Event::Sent(urn)) < first_wait, "{events:?}");
    }
}

/// COMP-05: a reference leads to the resource, whether or not its id is known.
#[test]
fn references_lead_to_resources() {
    let linked = "urn:pulumi:stack::project::web:index:Page::other";
    for id in [ReferenceId::Known("other-id".to_owned()), ReferenceId::Unknown] {
        let driver = driver(false);
        driver.put_resource(linked, Told { id: None, state: fields! { "url": "//other" } });
        let reference = Reference { urn: linked.to_owned(), id: Some(id), package_version: String::new() };
        let site = blog(&driver, fields! { "text": "hello", "link": Value::Reference(reference) });
        let linked_to = known(&site.outputs.linked).unwrap();
        assert_eq!(linked_to.value, Some(Some("//other".to_owned())));
        assert_eq!(linked_to.dependencies, [linked]);
    }
}

#[test]
fn defaults_are_filled_in_where_engines_check_nothing() {
    let driver = driver(false);
    let site = blog(&driver, fields! { "text": "hello" });
    assert!(site.outputs.pages.is_empty());
    let error = driver.construct::<Site>("blog", fields! {}).unwrap_err();
    assert_eq!(error.to_string(), "`text` is required");
}

/// What isn't said to be an output is plain, also in previews.
#[test]
fn plain_inputs_must_be_known() {
    let driver = driver(true);
    let error = driver.construct::<Site>("blog", fields! { "text": "hello", "pages": Value::Unknown }).unwrap_err();
    assert_eq!(error.to_string(), "`pages` isn't known yet");
}
