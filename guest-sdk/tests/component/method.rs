//! Methods of components, of custom resources, and of the provider.

use bulkhead_sdk::testing::Told;
use bulkhead_sdk::value::Output as Eventual;
use bulkhead_sdk::{ErrorKind, Value, fields};

use crate::construct::{FRONT, SITE, driver};
use crate::specimen::{domain, link, text_length};

/// COMP-13: the resource is looked up, and the result depends on it.
#[test]
fn a_method_sees_the_resource() {
    let driver = driver(false);
    driver.put_resource(SITE, Told { id: None, state: fields! { "url": "//blog" } });
    let secret = Value::from("/a").secret();
    let Value::Fields(result) = driver.call::<link>(SITE, fields! { "path": secret }).unwrap() else { panic!() };
    let expected =
        Eventual { value: Some(Box::new("https://blog/a".into())), secret: true, dependencies: vec![SITE.to_owned()] };
    assert_eq!(result["url"], Value::Output(expected));
    assert_eq!(result["domain"], "web.example".into());
}

#[test]
fn resources_and_the_provider_have_methods() {
    let driver = driver(false);
    driver.put_resource(FRONT, Told { id: Some("f".to_owned()), state: fields! { "text": "hello" } });
    let length = driver.call::<text_length>(FRONT, fields! {}).unwrap();
    assert_eq!(length.plain(), &Value::from(5));
    // The provider isn't looked up, since nobody asks.
    let provider = "urn:pulumi:stack::project::pulumi:providers:web::default";
    assert_eq!(driver.call::<domain>(provider, fields! {}).unwrap(), "web.example".into());
}

/// COMP-14: as data, for `failures`.
#[test]
fn wrong_arguments_are_rejected() {
    let driver = driver(false);
    let error = driver.call::<link>(SITE, fields! { "path": 1 }).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Rejected(_)));
    assert_eq!(error.to_string(), "`path` must be a string, not a number");
}

#[test]
fn a_resource_that_isnt_there_ends_the_call() {
    let driver = driver(false);
    let error = driver.call::<link>(SITE, fields! { "path": "/" }).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotFound(_)), "{error}");
}
