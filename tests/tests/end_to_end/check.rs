//! What `bulkhead check` finds: one way to be wrong at a time, and nothing in what is right.
//!
//! Schemas and manifests are sections of a component, so each mistake in them is put into a guest that is fine without it. For
//! mistakes in code there are guests that make them: `liar` does what its input says, and a schema with a constant decides
//! which input that is.

mod interrupted;
mod reaching;

use std::fs;
use std::path::Path;

use bulkhead::component::{Sections, embed};
use bulkhead_tests::{Finished, Guest, Redaction, temporary_directory};
use serde_json::{Value, json};

use crate::powerdns::powerdns;
use crate::{bulkhead, guest, random};

/// A guest with a changed schema and manifest, checked.
struct Changed {
    guest: Guest,
    schema: Value,
    manifest: Value,
    arguments: Vec<String>,
}

impl Changed {
    fn new(name: &str) -> Self {
        let guest = guest(name);
        let sections = Sections::read(&fs::read(&guest.component).unwrap()).unwrap();
        let json = |section: Option<Vec<u8>>| serde_json::from_slice(&section.unwrap()).unwrap();
        Self { guest, schema: json(sections.schema), manifest: json(sections.manifest), arguments: Vec::new() }
    }

    /// Replaces what stands at a JSON pointer; the last step may be new.
    fn schema(mut self, pointer: &str, value: Value) -> Self {
        put(&mut self.schema, pointer, value);
        self
    }

    fn manifest(mut self, pointer: &str, value: Value) -> Self {
        put(&mut self.manifest, pointer, value);
        self
    }

    fn with(mut self, arguments: &[&str]) -> Self {
        self.arguments.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        self
    }

    fn check(&self) -> Finished {
        let bytes = fs::read(&self.guest.component).unwrap();
        let (schema, manifest) = (self.schema.to_string(), self.manifest.to_string());
        check(&embed(&bytes, schema.as_bytes(), manifest.as_bytes()).unwrap(), &self.arguments)
    }

    /// What is found, and whether the exit code is the one for errors.
    fn found(&self) -> String {
        found(&self.check())
    }
}

fn put(json: &mut Value, pointer: &str, value: Value) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = json.pointer_mut(parent).unwrap_or_else(|| panic!("there is no {parent}"));
    parent[name.replace("~1", "/")] = value;
}

fn check(component: &[u8], arguments: &[String]) -> Finished {
    let directory = temporary_directory();
    let path = directory.path().join("x.wasm");
    fs::write(&path, component).unwrap();
    bulkhead().run(["check".as_ref(), path.as_os_str()].into_iter().chain(arguments.iter().map(AsRef::as_ref)))
}

fn found(finished: &Finished) -> String {
    assert_eq!(finished.stderr, "", "{finished}");
    let has_errors = finished.stdout.lines().any(|line| line.starts_with("error "));
    assert_eq!(finished.code, Some(i32::from(has_errors)), "{finished}");
    Redaction::new().apply(&finished.stdout)
}

/// A liar whose only input is this lie.
fn lying(lie: &str) -> Changed {
    Changed::new("liar")
        .schema("/resources/liar:index:Lie/inputProperties", json!({ "lie": { "type": "string", "const": lie } }))
}

fn check_at(component: &Path, arguments: &[&str]) -> Finished {
    let arguments = arguments.iter().map(AsRef::as_ref);
    bulkhead().run(["check".as_ref(), component.as_os_str()].into_iter().chain(arguments))
}

#[test]
fn real_providers_are_clean_for_their_whole_life() {
    let providers = [(random(), 10), (Guest::build(&bulkhead(), "examples/random-string"), 1)];
    for (guest, types) in providers {
        let types = format!("{types} resource type{}", if types == 1 { "" } else { "s" });
        let Guest { name, version, component } = guest;
        let checked = check_at(&component, &[]).succeeded();
        let tried = format!("tried {types}; nothing was created or called: `--lifecycle` does that, for real\n");
        assert_eq!(checked.stdout, format!("{name} {version}: nothing found\n{tried}"));
        for seed in ["0", "1", "2"] {
            let lived = check_at(&component, &["--lifecycle", "--seed", seed]).succeeded();
            let resources = types.replace(" type", "");
            let tried = format!("tried {types}; {resources} created, no functions called\n");
            assert_eq!(lived.stdout, format!("{name} {version}: nothing found\n{tried}"), "seed {seed}");
        }
    }
}

/// A key with a default from the environment isn't required by the schema, and is all the same where the variable isn't there. So what is
/// configured then is everything, or nothing would be tried.
#[test]
fn keys_that_the_environment_would_give_are_generated() {
    let checked = check_at(&powerdns().component, &[]).succeeded();
    assert!(checked.stdout.contains("required configuration is missing: apiKey"), "{checked}");
    assert!(checked.stdout.contains("\ntried 5 resource types; nothing was created or called"), "{checked}");
}

#[test]
fn files_that_cannot_be_served() {
    let component = fs::read(guest("liar").component).unwrap();
    let newer = replaced(&component, "bulkhead:provider/resources@0.1.0", "bulkhead:provider/resources@0.9.0");
    let silent = embed(&component, b"", b"").unwrap();
    let files: [&[u8]; 5] = [b"", b"\0asm\x01\0\0\0", &component[..component.len() / 2], &newer, &silent];
    let texts: Vec<String> = files.iter().map(|file| found(&check(file, &[]))).collect();
    insta::assert_snapshot!(texts.join("\n"));
}

/// The bytes with one text in place of another of the same length.
fn replaced(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for at in 0..bytes.len() - from.len() {
        if bytes[at..].starts_with(from.as_bytes()) {
            bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        }
    }
    bytes
}

#[test]
fn schemas_that_cannot_be_used_or_are_not_meant() {
    let inputs = "/resources/liar:index:Lie/inputProperties";
    let broken = Changed::new("liar")
        .schema("/pluginDownloadUrl", json!("https://old.example"))
        .schema(&format!("{inputs}/any"), json!({ "$ref": "#/types/liar:index:Gone" }))
        .schema(&format!("{inputs}/count"), json!({ "type": "strnig" }))
        .schema("/resources/liar:index:Lie/requiredInputs", json!(["lie", "lei"]));
    let doubtful = Changed::new("liar")
        .schema(&format!("{inputs}/token"), json!({ "type": "string" }))
        .schema(&format!("{inputs}/lie/default"), json!("truth"))
        .schema(
            &format!("{inputs}/size"),
            json!({ "type": "integer", "language": { "bulkhead": { "validate": { "minimum": 2, "maximum": 1 } } } }),
        );
    insta::assert_snapshot!([broken.found(), doubtful.found()].join("\n"));
}

#[test]
fn manifests_that_do_not_fit() {
    let unknown = Changed::new("liar").manifest(
        "/resources",
        json!({
            "liar:index:Lei": {}, "liar:index:Lie": { "methods": ["read"] },
        }),
    );
    let unreadable = Changed::new("liar").manifest("/grants", json!([]));
    let requests = Changed::new("liar").manifest(
        "/permissions",
        json!({
            "network": [{ "endpoint": "https://a.example", "reason": "talks" }, { "endpoint": "https://b.example", "reason": "" }],
            "environment": [{ "name": "", "reason": "r" }],
        }),
    );
    let undeclared = Changed::new("liar")
        .schema(
            "/config",
            json!({ "variables": { "region": { "type": "string", "defaultInfo": { "environment": ["REGION"] } } } }),
        )
        .manifest("/contract", json!("0.0.9"))
        .manifest("/permissions", json!({ "network": [{ "endpoint": "https://a.example", "reason": "talks" }] }));
    insta::assert_snapshot!([unknown, unreadable, requests, undeclared].map(|changed| changed.found()).join("\n"));
}

#[test]
fn promises_without_code_and_code_without_promises() {
    let promised = Changed::new("liar").manifest("/configuration", json!({ "overrides": ["check"] })).manifest(
        "/resources",
        json!({ "liar:index:Lie": { "overrides": ["preview", "upgrade"], "schemaVersion": 1 } }),
    );
    let idle = Changed::new("liar").schema("/functions", json!({}));
    insta::assert_snapshot!([promised, idle].map(|changed| changed.found()).join("\n"));
}

#[test]
fn what_nobody_may_have_code_for_is_neither_demanded_nor_tried() {
    let takes_self = json!({ "inputs": { "properties": { "__self__": { "$ref": "pulumi.json#/Any" } } } });
    let chart = json!({ "isOverlay": true, "isComponent": true, "methods": { "m": "notes:index:Chart/m" } });
    let with_method = Changed::new("notes")
        .schema("/resources/notes:index:Chart", chart)
        .schema(
            "/functions",
            json!({
                "notes:index:byHand": { "isOverlay": true, "inputs": { "properties": {} } },
                "notes:index:Chart/m": takes_self,
                "pulumi:providers:notes/terraformConfig": takes_self,
            }),
        )
        .schema("/provider", json!({ "methods": { "terraformConfig": "pulumi:providers:notes/terraformConfig" } }))
        .with(&["--lifecycle"]);
    let told = with_method.found();
    let warning = "the component exports no `components`, so nobody answers this method of the provider";
    assert!(told.contains(warning), "{told}");
    assert!(!told.contains("method called") && !told.contains("methods called"), "{told}");
    // Its pages stay where they are, which is told, and nothing has a description.
    let mut others = told.lines().filter(|line| line.starts_with("error") || line.starts_with("warning"));
    assert!(others.all(|line| line.contains("notes:index:Page") || line.contains(warning)), "{told}");
}

#[test]
fn configurations_that_a_provider_refuses() {
    let required = |ty: Value| {
        Changed::new("overriding")
            .schema("/config", json!({}))
            .schema("/provider", json!({ "inputProperties": { "endpoint": ty, "token": { "type": "string", "secret": true } }, "requiredInputs": ["endpoint"] }))
    };
    let matching = |pattern: &str| {
        required(json!({ "type": "string", "language": { "bulkhead": { "validate": { "pattern": pattern } } } }))
    };
    let (generated, impossible) = (matching("^forbidden$"), matching("a^b"));
    let directory = temporary_directory();
    let file = directory.path().join("config.json");
    let given = |text: &str| {
        fs::write(&file, text).unwrap();
        Changed::new("overriding").with(&["--config", file.to_str().unwrap()])
    };
    let refused = given(r#"{ "endpoint": "forbidden" }"#).found();
    insta::assert_snapshot!([generated.found(), impossible.found(), refused].join("\n"));

    let accepted = given(r#"{ "endpoint": "https://a.example", "token": "t" }"#).found();
    assert!(accepted.ends_with("nothing was created or called: `--lifecycle` does that, for real\n"), "{accepted}");
    // It is configured with what its check made of that: a text.
    let corrected = given(r#"{ "endpoint": 8080, "token": "t" }"#).found();
    assert_eq!(corrected, accepted);
    // As PowerShell writes files, with a mark at the front.
    let marked = given("\u{feff}{ \"endpoint\": \"https://a.example\", \"token\": \"t\" }").found();
    assert_eq!(marked, accepted);
    for (text, message) in [
        ("[1]", "it holds a list, not an object"),
        ("{ \"endpoint\": hunter2 }", "it isn't JSON, at line 1, column 15"),
    ] {
        let finished = given(text).check();
        let expected = format!(
            "error: failed to read the configuration in {}: {message}\nhint: write a JSON object: {{\"key\": value}}\n",
            file.display()
        );
        assert_eq!(
            (finished.code, finished.stdout.as_str(), finished.stderr.as_str()),
            (Some(1), "", expected.as_str())
        );
    }
}

#[test]
fn inputs_that_are_given_are_tried() {
    let directory = temporary_directory();
    let file = directory.path().join("inputs.json");
    let given = |text: &str| {
        fs::write(&file, text).unwrap();
        Changed::new("liar").with(&["--lifecycle", "--inputs", file.to_str().unwrap()])
    };
    let found = given(r#"{ "liar:index:Lie": { "lie": "failed" }, "liar:index:Truth": {} }"#).found();
    let refused =
        "skipped  lifecycle      liar:index:Lie: the provider says: it was made and taken away again\nliar 1.2.3: ";
    assert!(found.contains(refused), "nothing was generated, so nothing is said of that: {found}");
    let unknown = "warning  check          liar:index:Truth: inputs are given for it, and the package has no such type or function\n";
    assert!(found.contains(unknown), "{found}");
    let found = given(r#"{ "liar:index:Lie": { "lie": 1 } }"#).found();
    let refused =
        "skipped  check          liar:index:Lie, lie: the check refuses the inputs that are given: expected a string";
    assert!(found.contains(refused), "{found}");
    for (text, message) in [
        ("[1]", "it holds a list, not an object"),
        (r#"{ "liar:index:Lie": 1 }"#, "`liar:index:Lie` has a number, not an object"),
    ] {
        let finished = given(text).check();
        let expected = format!("error: failed to read the inputs in {}: {message}\nhint: ", file.display());
        assert_eq!((finished.code, finished.stdout.as_str()), (Some(1), ""));
        assert!(finished.stderr.starts_with(&expected), "{finished}");
    }
}

/// What a server takes of an update is as little in the schema as what it takes of a creation.
#[test]
fn updates_that_are_given_are_tried() {
    let directory = temporary_directory();
    let file = |name: &str, text: &str| {
        let file = directory.path().join(name);
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let inputs = file("inputs.json", r#"{ "liar:index:Lie": { "lie": "truth" } }"#);
    let updated = |text: &str| {
        let updates = file("updates.json", text);
        Changed::new("liar").with(&["--lifecycle", "--inputs", &inputs, "--updates", &updates]).found()
    };
    let found = updated(r#"{ "liar:index:Lie": { "lie": "failed" } }"#);
    let failed = "skipped  lifecycle      liar:index:Lie: asked to update it, the provider says: nothing was changed\n";
    assert!(
        found.contains(&format!("{failed}liar 1.2.3: ")),
        "nothing was generated, so nothing is said of that: {found}"
    );
    let of_given = "skipped  lifecycle      liar:index:Lie: the inputs that are given for an update change nothing\n         hint: give others";
    let found = updated(r#"{ "liar:index:Lie": { "lie": "truth" } }"#);
    assert!(found.contains(of_given), "{found}");
    let found = updated(r#"{ "liar:index:Lie": {}, "liar:index:Truth": {} }"#);
    let refused = "liar:index:Lie, lie: the check refuses the inputs that are given for an update: missing required property 'lie'";
    assert!(found.contains(refused) && found.contains("liar:index:Truth: inputs are given for it"), "{found}");
    let alone = Changed::new("liar").with(&["--updates", &inputs]).check();
    assert_eq!((alone.code, alone.stdout.as_str()), (Some(64), ""), "nothing is updated without a life: {alone}");
}

#[test]
fn resources_that_do_not_live_as_promised() {
    let life = |changed: Changed| changed.with(&["--lifecycle"]).found();
    let crashes = life(lying("trap"));
    let wrong = life(lying("several"));
    let refuses = life(lying("failed"));
    let promise = life(
        lying("truth")
            .schema(
                "/resources/liar:index:Lie/inputProperties/name",
                json!({ "type": "string", "language": { "bulkhead": { "outputDefault": "another" } } }),
            )
            .schema("/functions/liar:index:tell/inputs/properties/lie", json!({ "type": "string", "const": "exit" })),
    );
    insta::assert_snapshot!([crashes, wrong, refuses, promise].join("\n"));
}

/// Each in the words of who says it: the host tells what failed, and a provider's own words stand alone.
#[test]
fn creations_that_fail_are_told_in_the_words_of_their_kind() {
    let ended = |ending: &str| {
        let inputs = "/resources/errors:index:Ended/inputProperties";
        let ended = Changed::new("errors")
            .schema(&format!("{inputs}/ending"), json!({ "type": "string", "const": ending }))
            .schema(&format!("{inputs}/announce"), json!({ "type": "boolean", "const": false }));
        let found = of_stage(&ended.with(&["--lifecycle"]).found(), "lifecycle");
        let of_ended = found.lines().find(|line| line.contains("errors:index:Ended: "));
        of_ended.unwrap_or_default().to_owned()
    };
    let created = "lifecycle      errors:index:Ended: ";
    for (ending, told) in [
        ("failed", "skipped  {}the provider says: there is no room"),
        ("awaitFailed", "skipped  {}failed to create the resource: nobody came"),
        ("rejected", "skipped  {}failed to create the resource: ending: must be another"),
        ("outcomeUnknown", "error    {}failed to create the resource: the answer was lost"),
        ("notInitialised", "error    {}failed to create the resource: the resource exists but isn't ready: it is cold"),
    ] {
        assert_eq!(ended(ending), told.replace("{}", created));
    }
}

/// The findings of a stage, with their hints, and what was tried.
fn of_stage(text: &str, stage: &str) -> String {
    let mut keep = false;
    let lines = text.lines().filter(|line| {
        let is_hint = line.starts_with("         hint: ");
        keep = if is_hint { keep } else { line.get(9..).is_some_and(|rest| rest.starts_with(stage)) };
        keep || line.starts_with("tried ")
    });
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_panic_is_told_with_its_place() {
    let directory = temporary_directory();
    let file = directory.path().join("inputs.json");
    fs::write(&file, r#"{ "sharing:index:hold": { "name": "a", "act": "panic" } }"#).unwrap();
    let found = Changed::new("sharing").with(&["--lifecycle", "--inputs", file.to_str().unwrap()]).found();
    let crash = "functions      sharing:index:hold: failed to call the function: the provider crashed: ";
    let line = found.lines().find(|line| line.contains(crash)).unwrap_or_else(|| panic!("{found}"));
    assert!(line.contains("; its log says: the provider panicked at sharing/src/holding.rs:"), "{line}");
    assert!(line.ends_with("; the panic's message: stumbled"), "{line}");
}

/// A component whose only input is this act.
fn acting(act: &str) -> Changed {
    let input = json!({ "act": { "type": "string", "plain": true, "const": act } });
    Changed::new("composer").schema("/resources/composer:index:Composer/inputProperties", input)
}

#[test]
fn components_that_do_not_keep_to_the_rules() {
    let site = of_stage(&Changed::new("site").with(&["--lifecycle"]).found(), "components");
    assert_eq!(site.lines().count(), 1, "{site}");
    let previewed = [
        "trap",
        "fail",
        "reject",
        "forge",
        "renamed",
        "unregistered",
        "beside",
        "same-name",
        "foreign",
        "silent",
        "wrong",
    ];
    let previewed = previewed.map(|act| format!("{act}:\n{}", of_stage(&acting(act).found(), "components")));
    // In previews it does something else.
    let drifting = of_stage(&acting("drifting").with(&["--lifecycle"]).found(), "components");
    insta::assert_snapshot!([&site, &previewed.concat(), &drifting].map(String::as_str).join("\n"));
}

/// A child's type that the author forgot to list, so that nobody can make the child.
#[test]
fn a_child_that_the_package_does_not_have_is_its_authors_mistake() {
    let mut site = Changed::new("site").with(&["--lifecycle"]);
    for json in [&mut site.schema, &mut site.manifest] {
        if let Some(resources) = json["resources"].as_object_mut() {
            resources.remove("site:index:Page");
        }
    }
    let methods = site.schema["functions"].as_object_mut().unwrap();
    methods.retain(|token, _| !token.starts_with("site:index:Page"));
    let front = "/resources/site:index:Site/properties/front";
    let found = site.schema(front, json!({ "$ref": "pulumi.json#/Any" })).found();
    assert_eq!(
        of_stage(&found, "components").lines().take(2).collect::<Vec<_>>(),
        [
            "error    components     site:index:Site: it registers a `site:index:Page`, which its package doesn't have",
            "         hint: list it among the `resources` of `provider!`, so that engines can have it made"
        ],
        "{found}"
    );
    assert!(!found.contains("the host sent"), "{found}");
}

#[test]
fn methods_that_do_not_keep_to_their_schema() {
    let resizing = |act: &str| {
        let argument = json!({ "type": "string", "plain": true, "const": act });
        Changed::new("composer")
            .schema("/functions/composer:index:Composer~1resize/inputs/properties/act", argument)
            .with(&["--lifecycle"])
            .found()
    };
    let texts =
        ["resize", "fail", "reject", "wrong"].map(|act| format!("{act}:\n{}", of_stage(&resizing(act), "methods")));
    insta::assert_snapshot!(texts.concat());
}

#[test]
fn lists_of_what_is_not_there() {
    let listing = |act: &str| {
        let query = json!({ "properties": { "act": { "type": "string", "const": act } }, "required": ["act"] });
        let changed = Changed::new("catalogue").schema("/resources/catalogue:index:Book/listInputs", query);
        changed.with(&["--lifecycle"]).found()
    };
    let right = Changed::new("catalogue").with(&["--lifecycle"]).found();
    let acts = ["fail", "stumbles", "no-id", "gone", "shuffled", "ends-early", "goes-on", "endless"];
    let texts = acts.map(|act| format!("{act}:\n{}", of_stage(&listing(act), "lists")));
    insta::assert_snapshot!(format!("{}{}", of_stage(&right, "lists"), texts.concat()));
}

#[test]
fn parameters_that_make_something_else_later() {
    let given = |name: &str, arguments: &[&str]| {
        let arguments: Vec<&str> = arguments.iter().flat_map(|argument| ["--parameter", *argument]).collect();
        of_stage(&Changed::new(name).with(&arguments).found(), "parameters")
    };
    let texts = [
        given("greeter", &[]),
        given("greeter", &["hello", "Hello"]),
        given("greeter", &["hello"]),
        given("parameters", &["replace", "made", "1.0.0", "hi"]),
        given("parameters", &["extend", "made", "1.0.0", "hi"]),
        given("parameters", &["replace", "made", "1.0.0", "hi", "forgets"]),
        given("parameters", &["replace", "made", "1.0.0", "hi", "trap"]),
        given("parameters", &["replace", "made", "1.0.0", "hi", "name"]),
        given("parameters", &["replace", "made", "1.0.0", "hi", "silent"]),
        given("parameters", &["replace", "made", "1.0.0", "hi", "unsupported"]),
        given("parameters", &["replace", "made", "1.0.0", "hi", "unsupported-later"]),
    ];
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn arguments_for_a_provider_without_parameters_are_refused() {
    let found = Changed::new("liar").with(&["--parameter", "x"]).found();
    let refused = "error    parameters     parameters: arguments are given, and the provider takes no parameters\n         \
                   hint: leave out `--parameter`, or check the provider that takes them\n";
    assert!(found.starts_with(refused), "{found}");
}

#[test]
fn scripts_get_json_in_the_documented_form() {
    let finished = Changed::new("liar").schema("/functions", json!({})).with(&["--json"]).check();
    assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""), "{finished}");
    insta::assert_snapshot!(Redaction::new().apply(&finished.stdout));
    let unreadable = check(b"", &["--json".to_owned()]);
    let json: Value = serde_json::from_str(&unreadable.stdout).unwrap();
    assert_eq!((unreadable.code, &json["package"], &json["summary"]["errors"]), (Some(1), &Value::Null, &json!(1)));
}

#[test]
fn a_file_that_cannot_be_read_is_no_finding() {
    let directory = temporary_directory();
    let missing = directory.path().join("missing.wasm");
    let finished = check_at(&missing, &["--json"]);
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(1), ""), "{finished}");
    assert!(
        finished.stderr.starts_with(&format!("error: failed to check {}: can't read", missing.display())),
        "{finished}"
    );
    assert!(finished.stderr.ends_with("hint: name an existing .wasm file that you may read\n"), "{finished}");
}
