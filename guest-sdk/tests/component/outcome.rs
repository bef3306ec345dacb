//! What a component computes, asks and fails with.

use bulkhead_sdk::testing::{Driver, Known, known};
use bulkhead_sdk::{Error, ErrorKind, Value, fields};

use crate::construct::driver;
use crate::specimen::{Everything, Settings, Site};

const FIRST: &str = "urn:pulumi:stack::project::web:index:Everything$other:index:First::it-first";

fn everything(driver: &Driver<Settings>, what: &str) -> bulkhead_sdk::Result<Known<Value>> {
    known(&driver.construct::<Everything>("it", fields! { "what": what })?.outputs.result)
}

/// COMP-04: with the place, for `InputPropertiesError`.
#[test]
fn wrong_inputs_are_rejected_with_their_place() {
    let driver = driver(false);
    for (inputs, message) in [
        (fields! { "text": "hello", "pages": 10 }, "`pages` must be 9 at most"),
        (fields! { "text": "hello", "labels": vec!["a"] }, "`labels[0]` labels a page that there isn't"),
        (fields! { "text": 1 }, "`text` must be a string, not a number"),
        (fields! { "text": "hello", "pages": 1, "labels": vec![1] }, "`labels[0]` must be a string, not a number"),
        (
            fields! { "text": "hello", "theme": fields! { "colour": true } },
            "`theme.colour` must be a string, not a boolean",
        ),
    ] {
        let error = driver.construct::<Site>("blog", inputs).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Rejected(_)), "{error}");
        assert_eq!(error.to_string(), message);
    }
    assert!(driver.finished().is_empty());
}

/// TYP-03: nobody looks at what failed, and it ends the call all the same.
#[test]
fn a_failing_computation_ends_the_call() {
    let driver = driver(false);
    let error = everything(&driver, "failing").unwrap_err();
    assert_eq!(error.to_string(), "the computation failed");
    assert!(driver.finished().is_empty());
}

/// TYP-03: nothing that depends on it is registered, and its own error is what the engine gets.
#[test]
fn a_failing_registration_ends_the_call() {
    let driver = driver(false);
    driver.answer_resources(|asked| match asked.token.as_str() {
        "other:index:Failing" => Err(Error::failed("the disk is full")),
        _ => Ok(None),
    });
    let error = everything(&driver, "swallowed").unwrap_err();
    assert_eq!(error.to_string(), "the disk is full");
    assert!(matches!(error.kind(), ErrorKind::Failed(_)));
    assert!(driver.asked_for("it-after").is_none());
    assert!(driver.finished().is_empty());
}

/// As each engine does, which ends the deployment.
#[test]
fn two_resources_of_one_name_are_refused() {
    let driver = driver(false);
    let error = everything(&driver, "twins").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Bug(_)), "{error:?}");
    let twin = "urn:pulumi:stack::project::web:index:Everything$other:index:Thing::it-twin";
    let message = format!(
        "an engine takes no second resource with the urn `{twin}`\nhint: give each `other:index:Thing` a name of its own"
    );
    assert_eq!(error.to_string(), message);
    // The next deployment is another.
    for _ in 0..2 {
        everything(&driver, "functionless").unwrap_err();
        driver.construct::<Site>("blog", fields! { "text": "hello" }).unwrap();
    }
}

/// TYP-05: a preview doesn't know ids.
#[test]
fn computations_dont_run_on_what_isnt_known() {
    let driver = driver(true);
    let result = everything(&driver, "computed").unwrap();
    assert_eq!(result, Known { value: None, secret: false, dependencies: vec![FIRST.to_owned()] });
}

/// What comes of functions is as secret and as dependent as their arguments, which they get bare; methods get what is said too.
#[test]
fn functions_and_methods_are_called() {
    let driver = driver(false);
    driver.answer_functions(|token, arguments| {
        Ok(Some(match token {
            "other:index:lookup" => format!("found {:?}", arguments["size"]).into(),
            _ => Value::from(arguments["__self__"].plain() != &Value::Null),
        }))
    });
    let result = everything(&driver, "functions").unwrap();
    assert_eq!(result.value, Some(Value::from(vec![Value::from("found 1.0"), true.into()])));
    assert_eq!((result.secret, result.dependencies), (true, vec![FIRST.to_owned()]));
    let calls = driver.calls();
    assert_eq!(calls[0].1, fields! { "size": 1 });
    assert!(matches!(calls[1].1["__self__"].plain(), Value::Reference(reference) if reference.urn == FIRST));
}

#[test]
fn functions_arent_called_with_what_isnt_known() {
    let driver = driver(true);
    driver.answer_resources(|_| Ok(Some(bulkhead_sdk::testing::Told::default())));
    driver.answer_functions(|_, _| Ok(Some(true.into())));
    let result = everything(&driver, "functions").unwrap();
    assert_eq!(result.value, None);
    assert!(result.secret);
    assert_eq!(driver.calls().len(), 1, "only the method is called");
}

#[test]
fn resources_of_others_are_read() {
    let driver = driver(false);
    let result = everything(&driver, "read").unwrap();
    assert_eq!(result.value, Some(fields! { "a": 1 }.into()));
    assert_eq!(driver.asked_for("it-known").unwrap().read.as_deref(), Some("page-7"));
    assert_eq!(driver.asked_for("it-other").unwrap().read.as_deref(), Some("page-7"));
}

/// COMP-11.
#[test]
fn the_deployment_and_its_configuration_are_known() {
    let driver = driver(false);
    driver.configure_stack("project:size", "3");
    driver.configure_stack_secret("project:token", "t");
    let result = everything(&driver, "deployment").unwrap();
    assert_eq!(result, Known { value: Some("stack 3 t".into()), secret: true, dependencies: vec![] });
}

#[test]
fn configuration_that_is_missing_or_wrong_is_told() {
    let driver = driver(false);
    let error = everything(&driver, "deployment").unwrap_err();
    insta::assert_snapshot!(error, @"`project:size` is not configured: set it with `pulumi config set project:size`");
    driver.configure_stack("project:size", "-3");
    let error = everything(&driver, "deployment").unwrap_err();
    insta::assert_snapshot!(error, @"the configuration `project:size` isn't an integer in its range");
}

/// A component of this package as a child is constructed by its provider, which is this one again.
#[test]
fn components_are_children_too() {
    let driver = driver(false);
    driver.answer_resources(|asked| match asked.token.as_str() {
        "web:index:Site" => Ok(Some(bulkhead_sdk::testing::Told { id: None, state: fields! { "url": "//nested" } })),
        _ => Ok(None),
    });
    let result = everything(&driver, "nested").unwrap();
    assert_eq!(result.value, Some("//nested".into()));
    let site = driver.asked_for("it-site").unwrap();
    assert!(site.remote && !site.custom);
    assert_eq!(site.inputs, fields! { "text": "nested", "pages": 1 });
}

/// What waits for the same resource is sent before any of it is waited for.
#[test]
fn what_becomes_possible_together_is_made_together() {
    use bulkhead_sdk::testing::Event;

    let driver = driver(false);
    let result = everything(&driver, "late").unwrap();
    assert_eq!(result.value, Some(Value::from(vec!["//web.example/", "//web.example/"])));
    let page = |name: &str| format!("urn:pulumi:stack::project::web:index:Everything$web:index:Page::it-{name}");
    let events = driver.events();
    let at = |event: &Event| events.iter().position(|other| other == event).unwrap();
    assert!(at(&Event::Sent(page("b"))) < at(&Event::Waited(page("a"))), "{events:?}");
}
