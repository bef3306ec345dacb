//! A resource's whole life under the real engine.

use serde_json::json;

use crate::project;

const PAGE: &str = "
resources:
  page:
    type: notes:Page
    properties:
      notebook: plans
      heading: {text: first, level: 1}
      body: hello
outputs:
  id: ${page.id}
  summary: ${page.notebook} by ${page.author}, revision ${page.revision}
";

#[test]
fn a_resource_lives_from_preview_to_destroy() {
    let project = project("notes");
    project.program(PAGE);

    assert_eq!(project.preview(&[]).succeeded().steps(), ["create page"]);
    assert!(project.state().names().is_empty(), "a preview makes nothing");

    assert_eq!(project.up(&[]).succeeded().steps(), ["create page"]);
    assert_eq!(project.outputs(), json!({"id": "plans/first", "summary": "plans by anonymous, revision 1"}));

    let before = project.state();
    let unchanged = project.up(&["--expect-no-changes"]).succeeded();
    assert!(unchanged.steps().is_empty(), "{unchanged}");
    assert_eq!(project.state().resources(), before.resources(), "neither the page nor its provider was touched");

    project.program(&PAGE.replace("hello", "good morning"));
    let preview = project.preview(&[]).succeeded();
    assert_eq!(preview.steps(), ["update page"]);
    assert_eq!(preview.differences("page"), [("body".to_owned(), "update".to_owned())].into());
    assert_eq!(project.up(&[]).succeeded().steps(), ["update page"]);
    assert_eq!(project.outputs(), json!({"id": "plans/first", "summary": "plans by anonymous, revision 2"}));

    project.program(&PAGE.replace("plans", "ideas"));
    let replaced = project.up(&[]).succeeded();
    assert_eq!(replaced.steps(), ["create-replacement page", "replace page", "delete-replaced page"]);
    assert_eq!(replaced.differences("page")["notebook"], "update-replace");
    assert_eq!(project.outputs(), json!({"id": "ideas/first", "summary": "ideas by anonymous, revision 1"}));

    assert_eq!(project.destroy(&[]).succeeded().steps(), ["delete page"]);
    assert!(project.state().names().is_empty());
}

#[test]
fn a_refresh_finds_what_others_did() {
    let project = project("notes");
    let page = |name: &str| {
        format!(
            "  {name}:\n    type: notes:Page\n    properties: {{notebook: {name}, heading: {{text: x, level: 1}}, body: mine}}\n"
        )
    };
    project.program(&format!("resources:\n{}{}{}", page("own"), page("shared"), page("lost")));
    project.up(&[]).succeeded();

    let refreshed = project.refresh(&[]).succeeded();
    let mut steps = refreshed.steps();
    steps.sort();
    assert_eq!(steps, ["delete lost", "update shared"]);
    assert_eq!(refreshed.differences("shared"), [("body".to_owned(), "update".to_owned())].into());
    let state = project.state();
    assert!(!state.has("lost"));
    assert_eq!(state.output("shared", "body"), "somebody else was here");

    let mut steps = project.up(&[]).succeeded().steps();
    steps.sort();
    assert_eq!(steps, ["create lost", "update shared"], "what the program says is brought back");
    assert_eq!(project.state().output("shared", "body"), "mine");
}

#[test]
fn a_resource_that_was_made_elsewhere_is_imported_by_its_id() {
    let project = project("notes");
    let imported = project.import("notes:index:Page", "page", "plans/first").succeeded();
    assert_eq!(imported.steps(), ["import page"]);
    let page = project.state().resource("page").clone();
    assert_eq!(page["inputs"], json!({"notebook": "plans", "heading": {"text": "first", "level": 1}}));
    assert_eq!(page["outputs"]["revision"], 1);

    project.program(&PAGE.replace("      body: hello\n", ""));
    let unchanged = project.preview(&[]).succeeded();
    assert!(unchanged.steps().is_empty(), "a program that says the same changes nothing: {unchanged}");

    let missing = project.import("notes:index:Page", "other", "lost/first").failed();
    assert_eq!(missing.messages("error")[0], "other: resource 'lost/first' does not exist");

    let second = PAGE.replace("page:", "second:").replace("page.", "second.").replace("      body: hello\n", "");
    project.program(&second.replace("outputs:", "    options: {import: plans/first}\noutputs:"));
    let steps = project.up(&[]).succeeded().steps();
    assert_eq!(steps, ["import second", "delete page"]);
}

#[test]
fn wrong_inputs_are_all_told_with_their_places() {
    let project = project("notes");
    project.program(&PAGE.replace("plans", "Plans 1").replace("first", "''").replace("level: 1", "level: 9"));
    let failed = project.up(&[]).failed();
    insta::assert_snapshot!(failed.messages("error").join("\n"), @r"
    page: notes:index:Page resource 'page': property heading.level value {<nil>} has a problem: expected at most 6
    page: notes:index:Page resource 'page': property heading.text value {<nil>} has a problem: expected at least 1 character
    page: notes:index:Page resource 'page': property notebook value {Plans 1} has a problem: expected a string that matches ^[a-z]+$
    ");
    assert!(project.state().names().is_empty());
}

#[test]
fn a_create_that_fails_changes_nothing_and_says_why() {
    let project = project("notes");
    project.program(&PAGE.replace("plans", "locked"));
    let failed = project.up(&[]).failed();
    assert_eq!(failed.steps(), ["failed page"]);
    insta::assert_snapshot!(failed.messages("error").join("\n"), @r"
    page: the notebook is locked, and no passphrase is configured
    update failed
    ");
    assert!(project.state().names().is_empty());

    project.pulumi(["config", "set", "--secret", "notes:passphrase", "open sesame"]).succeeded();
    assert_eq!(project.up(&[]).succeeded().steps(), ["create page"]);
}

#[test]
fn many_resources_are_made_at_once() {
    let project = project("notes");
    let names: Vec<String> = (0..80).map(|number| format!("page{number}")).collect();
    let page = |name: &String| {
        format!(
            "  {name}: {{type: notes:Page, properties: {{notebook: plans, heading: {{text: {name}, level: 1}}}}}}\n"
        )
    };
    project.program(&format!("resources:\n{}", names.iter().map(page).collect::<String>()));
    assert_eq!(project.up(&["--parallel", "80"]).succeeded().steps().len(), names.len());
    let state = project.state();
    for name in &names {
        assert_eq!(state.resource(name)["id"], format!("plans/{name}"));
    }
    assert_eq!(project.destroy(&["--parallel", "80"]).succeeded().steps().len(), names.len());
}

#[test]
fn what_is_not_ready_is_looked_at_again_until_it_is() {
    let project = project("errors");
    project.program(
        "resources:\n  it: {type: errors:Ended, properties: {ending: notInitialised, announce: false, refresh: false}}\n",
    );
    let again = "run `pulumi up` again once it is ready, or replace it: `pulumi up --replace URN`";
    for reasons in [json!(["it is cold"]), json!([format!("it is still cold; hint: {again}")])] {
        let failed = project.up(&[]).failed();
        let state = project.state();
        assert_eq!((&state.resource("it")["id"], &state.resource("it")["initErrors"]), (&json!("ended-1"), &reasons));
        assert!(
            reasons.as_array().unwrap().iter().all(|said| failed.output().contains(said.as_str().unwrap())),
            "{failed}"
        );
    }
    project.pulumi(["config", "set", "errors:ready", "true"]).succeeded();
    assert!(project.up(&[]).succeeded().steps().contains(&"update it".to_owned()));
    assert_eq!(project.state().resource("it")["initErrors"], json!(null));
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());
}

/// An engine that is told that it is well forgets that it isn't.
#[test]
fn what_was_made_in_part_and_cannot_be_read_stays_so_through_refreshes() {
    let project = project("behaviours");
    project.pulumi(["config", "set", "behaviours:label", "a"]).succeeded();
    project.program("resources:\n  it: {type: behaviours:Creating, properties: {act: partial}}\n");
    project.up(&[]).failed();
    let refreshed = project.refresh(&[]).succeeded();
    assert!(refreshed.output().contains("the provider can't read what became of it"), "{refreshed}");
    assert!(project.state().resource("it")["initErrors"].is_array(), "{}", project.state());
    let failed = project.up(&["--refresh"]).failed();
    assert!(failed.output().contains("replace the resource"), "{failed}");
}

/// A program with a resource whose name and tags can't be changed at once.
fn tagged(name: &str, tag: &str) -> String {
    format!("resources:\n  it: {{type: errors:Tagged, properties: {{name: {name}, tags: [{tag}]}}}}\n")
}

/// TF-11: what was done is on record, what wasn't is as it was, and the next deployment does the rest.
#[test]
fn an_update_that_fails_half_way_is_finished_by_the_next() {
    let project = project("errors");
    project.program(&tagged("old", "one"));
    project.up(&[]).succeeded();
    project.program(&tagged("new", "two"));
    let failed = project.up(&[]).failed();
    assert!(failed.output().contains("the name can't be changed yet"), "{failed}");
    let state = project.state();
    assert_eq!((state.output("it", "name"), state.output("it", "tags")), (&json!("old"), &json!(["two"])));

    assert_eq!(project.up(&[]).succeeded().steps(), ["update it"]);
    assert_eq!(project.state().output("it", "name"), "new");
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());
}

/// Engines keep the inputs from before of such an update, which are those of the program that is put back: what had been reached stayed, and no
/// command said so.
#[test]
fn what_an_update_reached_that_failed_is_taken_back_with_the_program() {
    let project = project("errors");
    project.program(&tagged("old", "one"));
    project.up(&[]).succeeded();
    project.program(&tagged("new", "two"));
    project.up(&[]).failed();
    project.program(&tagged("old", "one"));
    project.refresh(&[]).succeeded();
    let state = project.state();
    assert_eq!(
        (&state.resource("it")["inputs"]["tags"], state.output("it", "tags")),
        (&json!(["two"]), &json!(["two"]))
    );
    assert_eq!(project.up(&[]).succeeded().steps(), ["update it"]);
    assert_eq!(project.state().output("it", "tags"), &json!(["one"]));
    project.refresh(&[]).succeeded();
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());
    let state = project.state();
    let recorded = &state.resource("it")["outputs"];
    assert!(!recorded.to_string().contains("reached"), "nothing is left of it: {recorded}");
}

/// What is on record of such a create may be all that there has to be, so that nothing tells it from one that came to its end. Or it is a part,
/// which says nothing of what it lacks.
#[test]
fn what_a_create_left_undone_is_done_by_the_next_deployment_refreshed_or_not() {
    for (early, refreshes) in [(false, false), (false, true), (true, false), (true, true)] {
        let case = format!("early: {early}, refreshes: {refreshes}");
        let project = project("errors");
        project.program(&format!(
            "resources:\n  it: {{type: errors:Staged, properties: {{name: a, note: n, early: {early}}}}}\n"
        ));
        project.up(&[]).failed();
        if refreshes {
            project.refresh(&[]).succeeded();
            assert_eq!(project.state().resource("it")["inputs"].get("note"), None, "it isn't there: {case}");
        }
        assert_eq!(project.up(&[]).succeeded().steps(), ["update it"], "{case}");
        assert_eq!(project.state().output("it", "note"), "n", "{case}");
        assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty(), "{case}");
    }
}

/// TF-06. What was announced has an id already.
#[test]
fn without_an_id_nothing_is_on_record() {
    let project = project("behaviours");
    project.pulumi(["config", "set", "behaviours:label", "a"]).succeeded();
    let creating = |act: &str| format!("resources:\n  it: {{type: behaviours:Creating, properties: {{act: {act}}}}}\n");
    project.program(&creating("emptyId"));
    let failed = project.up(&[]).failed();
    assert!(failed.output().contains("the provider created a resource and returned an empty id"), "{failed}");
    assert!(project.state().names().is_empty(), "{}", project.state());
    project.program(&creating("emptyIdAfterCheckpoint"));
    project.up(&[]).failed();
    assert_eq!(project.state().resource("it")["id"], "made-1");
}
