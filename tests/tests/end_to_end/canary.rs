//! A provider that tells two secrets wherever it can, and all that a user's machine is left with, searched for them.
//!
//! One secret stands in the stack's configuration, the other in the program. The engine's most talkative log shows, in clear, the
//! properties that it sends and gets, whoever the provider is: those lines are its own, and left out.

use std::fs;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use bulkhead::component::embed;
use bulkhead_tests::{Guest, Launch, Project, hostile};

use crate::bulkhead;

/// In the stack's configuration.
const CONFIGURED: &str = "Canary-Of-The-Configuration/7";
/// In the program.
const WRITTEN: &str = "Warbler-Of-The-Program/8";

/// The guest, with its description beside its code as published ones have it.
fn guest(project: &std::path::Path) -> Guest {
    let (schema, manifest) =
        (include_str!("../../guests/hostile/src/schema.json"), include_str!("../../guests/hostile/src/manifest.json"));
    let component = embed(&hostile("secret-everywhere"), schema.as_bytes(), manifest.as_bytes()).unwrap();
    let path = project.join("hostile.wasm");
    fs::write(&path, component).unwrap();
    Guest { name: "hostile".to_owned(), version: "1.2.3".to_owned(), component: path }
}

/// The first spelling of a secret in a text, with what stands around it.
fn found(secret: &str, text: &str) -> Option<String> {
    let folded = |text: &str| -> Vec<(usize, u8)> {
        let kept = text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_alphanumeric());
        kept.map(|(at, byte)| (at, byte.to_ascii_lowercase())).collect()
    };
    let hexadecimal: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    let base64 = BASE64_STANDARD_NO_PAD.encode(secret);
    let letters = folded(text);
    let bytes: Vec<u8> = letters.iter().map(|(_, byte)| *byte).collect();
    [secret, &hexadecimal, &base64[..base64.len() - 2]].into_iter().find_map(|spelt| {
        let spelt: Vec<u8> = folded(spelt).into_iter().map(|(_, byte)| byte).collect();
        let at = bytes.windows(spelt.len()).position(|window| window == spelt)?;
        let (from, to) = (letters[at].0.saturating_sub(300), (letters[at].0 + 200).min(text.len()));
        Some(text[text.floor_char_boundary(from)..text.ceil_char_boundary(to)].to_owned())
    })
}

#[track_caller]
fn assert_kept(where_: &str, text: &str, secrets: &[&str]) {
    assert!(!text.is_empty(), "there should be something to search in {where_}");
    for secret in secrets {
        if let Some(found) = found(secret, text) {
            panic!("{secret} is told in {where_}: … {found} …");
        }
    }
}

/// A program with two resources, each of which knows one secret, and a function that knows one.
fn program(what: &str) -> String {
    format!(
        "
config:
  canary: {{type: string, secret: true}}
resources:
  first: {{type: hostile:Thing, properties: {{what: {what}, key: '${{canary}}'}}}}
  second: {{type: hostile:Thing, properties: {{what: {what}, key: {{'fn::secret': {WRITTEN}}}}}}}
outputs:
  first: ${{first.text}}
  second: ${{second.any}}
"
    )
}

/// Whether a line is one in which the engine shows a property that it sends or gets: a record of its own that begins so. What others
/// say stands in records that begin otherwise, or in none.
fn shows_a_property(line: &str) -> bool {
    let record = serde_json::from_str::<serde_json::Value>(line).unwrap_or_default();
    let said = record["msg"].as_str().unwrap_or_default();
    let own = ["Marshaling property for RPC[", "Unmarshaling property for RPC["];
    record["time"].is_string() && own.iter().any(|beginning| said.starts_with(beginning))
}

/// What a talkative engine prints of what providers say, and not of what it sends them or gets from them.
fn said(log: &str) -> String {
    log.lines().filter(|line| !shows_a_property(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn only_lines_of_the_engines_own_are_left_out() {
    let own = [
        r#"{"time":"2026-11-22T15:24:49Z","level":"INFO","msg":"Marshaling property for RPC[x]: key={y}","v":9}"#,
        r#"{"time":"2026-11-22T15:24:49Z","level":"INFO","msg":"Unmarshaling property for RPC[x]: key={y}","v":9}"#,
    ];
    let others = [
        // A provider's messages, as the engine passes them on and as it prints them.
        r#"{"time":"2026-11-22T15:24:49Z","level":"INFO","msg":"eventSink::Info(Marshaling property for RPC[x]: key=y)","v":9}"#,
        r#"    info: {"msg":"Marshaling property for RPC[x]: key=y"}"#,
        r#"{"msg":"Marshaling property for RPC[x]: key=y"}"#,
        "Unmarshaling property for RPC[x]: key=y",
    ];
    assert_eq!(said(&[&own[..], &others[..]].concat().join("\n")), others.join("\n"));
}

#[test]
fn a_secret_that_a_provider_tells_everywhere_is_found_nowhere() {
    let directory = bulkhead_tests::temporary_directory();
    let project = Project::new(&bulkhead(), &[&guest(directory.path())], Launch::Plugins);
    let audit = project.directory().join("audit.jsonl");
    fs::write(project.directory().join("bulkhead.toml"), "[audit]\nfile = \"audit.jsonl\"\n").unwrap();
    project.pulumi(["config", "set", "--secret", "canary", CONFIGURED]).succeeded();
    project.pulumi(["config", "set", "--secret", "hostile:key", CONFIGURED]).succeeded();
    let spans = project.temporary().join("spans.json");
    let traces = format!("--otel-traces=file://{}", spans.display());

    let mut events = String::new();
    let mut logs = String::new();
    let talkative = ["--logtostderr", "--logflow", "-v=9", "--diff", "--show-sames", traces.as_str()];
    let mut tried = |update: bulkhead_tests::Update| {
        logs.push_str(&update.output());
        events.push_str(&update.events());
    };
    for what in ["fail", "reject", "lose", "break", "panic", "part", "return"] {
        project.program(&program(what));
        let update = project.up(&talkative);
        tried(if what == "return" { update.succeeded() } else { update.failed() });
    }
    tried(project.preview(&talkative).succeeded());
    tried(project.refresh(&talkative).succeeded());
    project.program(&program("other"));
    tried(project.up(&talkative).succeeded());
    let mut shown = project.pulumi(["stack"]).succeeded().output();
    shown += &project.pulumi(["stack", "output", "--json"]).succeeded().output();
    shown += &project.pulumi(["stack", "export"]).succeeded().output();
    tried(project.destroy(&talkative).succeeded());

    assert!(logs.contains("I know [secret], I do"), "the guest should have been heard: {logs}");
    assert!(logs.contains("is denied"), "and what it was denied");
    assert_kept("what providers say", &said(&logs), &[CONFIGURED, WRITTEN]);
    assert_kept("the log of events", &events, &[CONFIGURED, WRITTEN]);
    assert_kept("what is shown of the stack", &shown, &[CONFIGURED, WRITTEN]);
    assert_kept("the audit file", &fs::read_to_string(audit).unwrap(), &[CONFIGURED, WRITTEN]);
    let spans = fs::read_to_string(spans).unwrap();
    assert!(spans.contains("bulkhead:provider/log.log"), "the provider's spans should be among the engine's: {spans}");
    assert_kept("the spans", &spans, &[CONFIGURED, WRITTEN]);
    assert_kept("the state's files", &project.state_files(), &[CONFIGURED, WRITTEN]);
}
