//! Two versions of one provider, installed side by side: a program goes on with the newer one by naming it, and back.

use bulkhead_tests::Project;
use serde_json::json;

use super::{install, plugin, project};
use crate::guest;

/// A project whose CLI has both versions of a provider.
fn installed() -> Project {
    let project = project();
    for name in ["ledger", "ledger-next"] {
        let guest = guest(name);
        install(&project, ["resource", &guest.name, &guest.version], &plugin(&project, &guest));
    }
    project
}

/// A program with one resource, by a version of the provider.
fn program(kind: &str, version: &str, properties: &str, options: &str) -> String {
    format!(
        "resources:\n  it:\n    type: ledger:{kind}\n    properties: {{{properties}}}\n    options: {{version: {version}{options}}}\n"
    )
}

#[test]
fn a_stack_goes_on_with_the_next_version_and_the_last_one_refuses_what_that_recorded() {
    let project = installed();
    let entry = |version: &str, text: &str| project.program(&program("Entry", version, &format!("text: {text}"), ""));
    entry("1.0.0", "a");
    assert_eq!(project.up(&[]).succeeded().steps(), ["create it"]);
    assert_eq!(project.state().output("it", "count"), 1);

    // An engine that finds no change records none. So there is a way back.
    for version in ["2.0.0", "1.0.0", "2.0.0"] {
        entry(version, "a");
        for done in [project.preview(&[]).succeeded(), project.up(&[]).succeeded()] {
            assert!(done.steps().is_empty(), "{version}: {done}");
        }
        assert_eq!(project.state().output("it", "count"), 1, "{version}");
    }
    project.refresh(&[]).succeeded();
    let state = project.state();
    assert_eq!((state.output("it", "total"), state.output("it", "origin")), (&json!(1), &json!("the first")));
    assert_eq!(state.resource("it")["outputs"].get("count"), None);
    assert!(project.up(&[]).succeeded().steps().is_empty());

    entry("2.0.0", "b");
    for done in [project.preview(&[]).succeeded(), project.up(&[]).succeeded()] {
        assert_eq!(done.steps(), ["update it"]);
        assert_eq!(done.differences("it"), [("text".to_owned(), "update".to_owned())].into());
    }
    assert_eq!(project.state().output("it", "total"), 2);

    entry("1.0.0", "c");
    let refused = "use the recorded state of `ledger:index:Entry`: it has schema version 1, and this provider knows those up to 0\n\
                   hint: a newer version of the provider recorded it: use that one or a later one";
    for failed in [project.preview(&[]).failed(), project.up(&[]).failed()] {
        assert!(failed.messages("error").iter().any(|message| message.contains(refused)), "{failed}");
    }
    let state = project.state();
    assert_eq!((state.output("it", "text"), state.output("it", "total")), (&json!("b"), &json!(2)));

    entry("2.0.0", "c");
    assert_eq!(project.up(&[]).succeeded().steps(), ["update it"]);
    assert_eq!(project.destroy(&[]).succeeded().steps(), ["delete it"]);
}

/// As `docs/authors.md` has it: without the refresh engines go on with outputs as they are on record.
#[test]
fn the_first_deployment_under_the_next_version_may_use_an_output_by_its_new_name() {
    let project = installed();
    project.program(&program("Entry", "1.0.0", "text: a", ""));
    project.up(&[]).succeeded();
    let outputs = "outputs: {total: '${it.total}', origin: '${it.origin}'}\n";
    project.program(&(program("Entry", "2.0.0", "text: a", "") + outputs));
    project.up(&["--refresh", "--run-program"]).succeeded();
    assert_eq!(project.outputs(), json!({"total": 1, "origin": "the first"}));

    // What is updated is told as the newer version has it in any case.
    let project = installed();
    project.program(&program("Entry", "1.0.0", "text: a", ""));
    project.up(&[]).succeeded();
    project.program(&(program("Entry", "2.0.0", "text: b", "") + outputs));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update it"]);
    assert_eq!(project.outputs(), json!({"total": 2, "origin": "the first"}));
}

/// The record has the names of the version that it failed under.
#[test]
fn what_an_update_reached_that_failed_is_taken_back_under_the_next_version() {
    let project = installed();
    let mark = |version: &str, properties: &str| project.program(&program("Mark", version, properties, ""));
    mark("1.0.0", "title: t, note: n");
    project.up(&[]).succeeded();
    mark("1.0.0", "title: u, note: half");
    project.up(&[]).failed();
    assert_eq!(project.state().output("it", "title"), "u");

    mark("2.0.0", "label: t, note: n");
    project.refresh(&["--run-program"]).succeeded();
    let state = project.state();
    assert_eq!((&state.resource("it")["inputs"]["label"], state.output("it", "label")), (&json!("u"), &json!("u")));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update it"]);
    assert_eq!(project.state().output("it", "label"), "t");
    project.refresh(&[]).succeeded();
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());
}

/// Engines record what is ignored as it was before, and say nothing of it to a check.
#[test]
fn what_is_ignored_stays_as_it_is_though_the_next_version_calls_and_measures_it_otherwise() {
    for refreshes in [false, true] {
        let project = installed();
        let marks = |version: &str, properties: &str, options: &str, notes: [&str; 2]| {
            let mark = |name: &str, note: &str| {
                let properties = format!("{properties}, note: {note}");
                program("Mark", version, &properties, options).replacen("  it:", &format!("  {name}:"), 1)
            };
            let [still, changed] = [mark("still", notes[0]), mark("changed", notes[1])];
            project.program(&(still + changed.trim_start_matches("resources:\n")));
        };
        marks("1.0.0", "title: t, size: 1", "", ["n"; 2]);
        project.up(&[]).succeeded();
        let next = |options: &str, notes: [&str; 2]| marks("2.0.0", "label: other, size: 4096", options, notes);
        let ignoring = ", ignoreChanges: [label, size]";
        next(ignoring, ["n", "m"]);
        assert_eq!(project.up(&[]).succeeded().steps(), ["update changed"]);
        if refreshes {
            project.refresh(&[]).succeeded();
        }
        for note in ["o", "p"] {
            next(ignoring, [note; 2]);
            project.up(&[]).succeeded();
            let state = project.state();
            for name in ["still", "changed"] {
                let outputs = ["label", "size", "note"].map(|output| state.output(name, output).clone());
                assert_eq!(outputs, [json!("t"), json!(1024), json!(note)], "{name}, refreshes: {refreshes}");
            }
        }
        next("", ["p"; 2]);
        project.up(&[]).succeeded();
        let state = project.state();
        for name in ["still", "changed"] {
            assert_eq!([state.output(name, "label"), state.output(name, "size")], [&json!("other"), &json!(4096)]);
        }
        assert!(!state.resources().to_string().contains("displaced"), "nothing is left of it: {state}");
    }
}
