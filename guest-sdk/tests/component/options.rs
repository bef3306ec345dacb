//! What is said of the component and of its children beside inputs.

use bulkhead_sdk::bindings::wit::options::{Alias, AliasParts, ProviderChoice, ResourceOptions};
use bulkhead_sdk::testing::{Driver, Known, known};
use bulkhead_sdk::{Value, fields};

use crate::construct::driver;
use crate::specimen::{Everything, Settings};

const FIRST: &str = "urn:pulumi:stack::project::web:index:Everything$other:index:First::it-first";
const SECOND: &str = "urn:pulumi:stack::project::web:index:Everything$other:index:Second::second";

fn unsaid() -> ResourceOptions {
    bulkhead_sdk::testing::no_options()
}

fn everything(driver: &Driver<Settings>, what: &str, options: ResourceOptions) -> Known<Value> {
    let everything = driver.construct_with::<Everything>("it", fields! { "what": what }, options).unwrap();
    known(&everything.outputs.result).unwrap()
}

/// COMP-07: all of them reach the engine.
#[test]
fn children_have_the_options_that_are_said() {
    let driver = driver(false);
    everything(&driver, "options", unsaid());
    let third = driver.asked_for("it-third").unwrap();
    insta::assert_debug_snapshot!(third.options);
    assert_eq!(
        third.urn,
        "urn:pulumi:stack::project::web:index:Everything$other:index:First$other:index:Third::it-third"
    );
}

/// COMP-07: the component's own registration has what the program said, as it was said.
#[test]
fn the_component_has_the_options_of_the_program() {
    let driver = driver(false);
    let given = ResourceOptions {
        parent: Some("urn:pulumi:stack::project::pulumi:pulumi:Stack::project-stack".to_owned()),
        depends_on: vec!["urn:d".to_owned()],
        protect: Some(true),
        providers: vec![ProviderChoice { package: "other".to_owned(), provider: "urn:p::id".to_owned() }],
        aliases: vec![
            Alias::Urn("urn:old".to_owned()),
            Alias::Parts(AliasParts {
                name: Some("n".to_owned()),
                token: None,
                stack: None,
                project: None,
                parent: None,
            }),
        ],
        ignore_changes: vec!["a".to_owned()],
        replace_on_changes: vec!["b".to_owned()],
        additional_secret_outputs: vec!["c".to_owned()],
        delete_before_replace: Some(false),
        retain_on_delete: Some(true),
        deleted_with: Some("urn:w".to_owned()),
        replace_with: vec!["urn:r".to_owned()],
        ..unsaid()
    };
    everything(&driver, "options", given.clone());
    let itself = driver.asked_for("it").unwrap();
    assert_eq!(format!("{:?}", itself.options), format!("{given:?}"));
}

/// Children have the component's protection and providers, and nothing else of it, unless something else is said.
#[test]
fn children_inherit_protection_and_providers() {
    let driver = driver(false);
    let provider =
        |package: &str| ProviderChoice { package: package.to_owned(), provider: format!("urn:{package}::id") };
    let given = ResourceOptions {
        protect: Some(true),
        providers: vec![provider("other"), provider("more")],
        depends_on: vec!["urn:d".to_owned()],
        retain_on_delete: Some(true),
        ..unsaid()
    };
    driver.answer_functions(|_, _| Ok(Some(Value::Null)));
    everything(&driver, "providers", given);
    let own = "urn:pulumi:stack::project::web:index:Everything$pulumi:providers:other::it-eu::it-eu-id";
    let options = |name: &str| driver.asked_for(name).unwrap().options;
    assert_eq!(options("it-a").provider.as_deref(), Some(own));
    assert_eq!(options("it-b").provider.as_deref(), Some("urn:other::id"));
    assert_eq!(options("it-c").provider, None);
    let providers: Vec<_> =
        options("it-d").providers.into_iter().map(|choice| (choice.package, choice.provider)).collect();
    let expected = [("other", own), ("more", "urn:more::id")];
    assert_eq!(providers, expected.map(|(package, provider)| (package.to_owned(), provider.to_owned())));
    for name in ["it-a", "it-b", "it-c", "it-d", "it-eu"] {
        let options = options(name);
        assert_eq!(options.protect, Some(true), "{name}");
        assert!(options.depends_on.is_empty() && options.retain_on_delete.is_none(), "{name}");
    }
    assert_eq!(driver.calls(), [("other:index:lookup".to_owned(), fields! { "name": "a" })]);
}

/// In a preview a provider that will be created has an id that stands for one.
#[test]
fn a_provider_that_isnt_there_yet_has_a_reference() {
    let driver = driver(true);
    driver.answer_functions(|_, _| Ok(Some(Value::Null)));
    everything(&driver, "providers", unsaid());
    let provider = driver.asked_for("it-a").unwrap().options.provider.unwrap();
    assert!(provider.ends_with("::it-eu::04da6b54-80e4-46f7-96ec-b56ff0331ba9"), "{provider}");
    assert_eq!(driver.asked_for("it-eu").unwrap().inputs, fields! { "region": "eu" });
}

#[test]
fn groups_are_finished_and_have_children() {
    let driver = driver(false);
    everything(&driver, "group", unsaid());
    let group = driver.asked_for("it-group").unwrap();
    assert!(!group.custom && !group.remote);
    assert_eq!(driver.asked_for("it-inside").unwrap().options.parent, Some(group.urn.clone()));
    assert!(driver.finished().iter().any(|(urn, outputs)| *urn == group.urn && outputs.is_empty()));
}

#[test]
fn what_comes_of_a_child_depends_on_it_and_no_other() {
    let driver = driver(false);
    let result = everything(&driver, "options", unsaid());
    assert_eq!(result.dependencies, [driver.asked_for("it-third").unwrap().urn]);
    let names: Vec<_> = driver.asked().into_iter().map(|asked| asked.urn).take(3).collect();
    assert_eq!(names[1..], [FIRST.to_owned(), SECOND.to_owned()]);
}
