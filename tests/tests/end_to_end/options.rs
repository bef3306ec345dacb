//! Resource options: the engine acts on them, and needs a provider whose answers fit.

use std::fs;

use crate::project;

/// A page with options, in YAML.
fn page(name: &str, notebook: &str, body: &str, options: &str) -> String {
    format!(
        "  {name}:
    type: notes:Page
    properties: {{notebook: {notebook}, heading: {{text: {name}, level: 1}}, body: {body}}}
    options: {{{options}}}
"
    )
}

#[test]
fn a_protected_resource_stays_until_it_is_unprotected() {
    let project = project("notes");
    project.program(&format!("resources:\n{}", page("kept", "plans", "x", "protect: true")));
    project.up(&[]).succeeded();
    let refused = project.destroy(&[]).failed();
    assert!(refused.output().contains("protect"), "{refused}");
    assert_eq!(project.state().names(), ["kept"]);

    project.program(&format!("resources:\n{}", page("kept", "plans", "x", "")));
    project.up(&[]).succeeded();
    assert_eq!(project.destroy(&[]).succeeded().steps(), ["delete kept"]);
}

#[test]
fn ignored_changes_neither_update_nor_replace() {
    let project = project("notes");
    let ignoring = "ignoreChanges: [notebook, body, heading.level]";
    project.program(&format!("resources:\n{}", page("page", "plans", "x", ignoring)));
    project.up(&[]).succeeded();
    let changed = page("page", "ideas", "y", ignoring).replace("level: 1", "level: 2");
    project.program(&format!("resources:\n{changed}"));
    let unchanged = project.up(&["--expect-no-changes"]).succeeded();
    assert!(unchanged.steps().is_empty(), "{unchanged}");

    project.program(&format!("resources:\n{}", changed.replace(ignoring, "ignoreChanges: [notebook]")));
    let updated = project.up(&[]).succeeded();
    assert_eq!(updated.steps(), ["update page"]);
    let state = project.state();
    assert_eq!(state.output("page", "notebook"), "plans");
    assert_eq!(state.output("page", "body"), "y");
    assert_eq!(state.output("page", "heading")["level"], 2);
}

#[test]
fn a_replacement_deletes_first_if_the_program_says_so() {
    let project = project("notes");
    project.program(&format!("resources:\n{}", page("page", "plans", "x", "deleteBeforeReplace: true")));
    project.up(&[]).succeeded();
    project.program(&format!("resources:\n{}", page("page", "ideas", "x", "deleteBeforeReplace: true")));
    let replaced = project.up(&[]).succeeded();
    assert_eq!(replaced.steps(), ["delete-replaced page", "replace page", "create-replacement page"]);
}

#[test]
fn a_renamed_resource_with_an_alias_is_the_same() {
    let project = project("notes");
    let named = |name: &str, options: &str| page("x", "plans", "x", options).replacen("  x:", &format!("  {name}:"), 1);
    project.program(&format!("resources:\n{}", named("old", "")));
    project.up(&[]).succeeded();
    project.program(&format!("resources:\n{}", named("new", "aliases: [{name: old}]")));
    let renamed = project.up(&[]).succeeded();
    assert!(renamed.steps().is_empty(), "{renamed}");
    assert_eq!(project.state().names(), ["new"]);
}

/// SCH-10. A provider whose plugin is found by its path has no older version that could be asked.
#[test]
fn what_an_older_provider_recorded_by_another_type_lives_on_and_can_be_destroyed() {
    let project = project("overriding");
    let program = |name: &str, options: &str| {
        format!(
            "resources:\n  it: {{type: overriding:Renamed, properties: {{name: {name}}}, options: {{{options}}}}}\n"
        )
    };
    let became_old = || {
        let exported = project.pulumi(["stack", "export"]).succeeded().stdout;
        let file = project.temporary().join("state.json");
        fs::write(&file, exported.replace("overriding:index:Renamed", "overriding:index:Titled")).unwrap();
        project.pulumi(["stack", "import", "--file", file.to_str().unwrap()]).succeeded();
        assert_eq!(project.state().resource("it")["type"], "overriding:index:Titled");
    };
    project.program(&program("a", ""));
    project.up(&[]).succeeded();
    became_old();
    let refreshed = project.refresh(&[]).succeeded();
    assert!(refreshed.steps().is_empty(), "{refreshed}");
    project.program(&program("b", "aliases: [{type: overriding:index:Titled}]"));
    let replaced = project.up(&[]).succeeded();
    assert_eq!(replaced.steps(), ["create-replacement it", "replace it", "delete-replaced it"]);
    became_old();
    assert_eq!(project.destroy(&[]).succeeded().steps(), ["delete it"]);
}

#[test]
fn only_what_is_targeted_is_changed() {
    let project = project("notes");
    let program =
        |body: &str| format!("resources:\n{}{}", page("one", "plans", body, ""), page("two", "plans", body, ""));
    project.program(&program("x"));
    project.up(&[]).succeeded();
    project.program(&program("y"));
    let targeted = project.up(&["--target", "urn:pulumi:dev::test::notes:index:Page::two"]).succeeded();
    assert_eq!(targeted.steps(), ["update two"]);
    let state = project.state();
    assert_eq!((state.output("one", "body"), state.output("two", "body")), (&"x".into(), &"y".into()));

    let replaced = project.up(&["--target-replace", "urn:pulumi:dev::test::notes:index:Page::two"]).succeeded();
    assert_eq!(replaced.steps(), ["create-replacement two", "replace two", "delete-replaced two"]);
}
