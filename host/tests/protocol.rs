//! `docs/protocol.md` against the protocol: every field that a provider is sent or sends has its row, and every test that a row names
//! is there.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where something is wrong"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Messages whose fields are explained with the field that holds them.
const PARTS: [&str; 7] = [
    "ArgumentDependencies",
    "ReturnDependencies",
    "PropertyDependencies",
    "CustomTimeouts",
    "ResourceHooksBinding",
    "Computed",
    "ErrorResourceAwaitFailed",
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The fields of a definition's messages, as `Message.field`, without those that are somebody else's explanation.
fn fields(definition: &str) -> BTreeSet<String> {
    let mut open: Vec<String> = Vec::new();
    let mut found = BTreeSet::new();
    for line in definition.lines().map(str::trim) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["message", name, "{"] => open.push(name.to_owned()),
            // `oneof` and `enum` are parts of their message, a service's methods have no fields.
            [kind @ ("oneof" | "enum" | "service"), .., "{"] => {
                let inside = open.last().filter(|_| kind == "oneof").cloned();
                open.push(inside.unwrap_or_default());
            }
            ["}"] => drop(open.pop()),
            [_, .., name, "=", _, "[deprecated", "=", "true];"] => {
                found.insert(format!("{}.{name}", open.last().unwrap()));
            }
            [_, .., name, "=", number] if number.ends_with(';') || number.starts_with(char::is_numeric) => {
                let message = open.last().map(String::as_str).unwrap_or_default();
                if !message.is_empty() && !PARTS.contains(&message) {
                    found.insert(format!("{message}.{name}"));
                }
            }
            _ => {}
        }
    }
    found
}

/// The rows of the page: a field, what is done with it, what shows it.
fn rows(page: &str) -> Vec<[&str; 3]> {
    page.lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            match cells[..] {
                [field, how, shown] if field.starts_with('`') && field.contains('.') => {
                    Some([field.trim_matches('`'), how, shown.trim_end_matches('|').trim()])
                }
                _ => None,
            }
        })
        .collect()
}

/// What is wrong with what a row says.
fn fault(how: &str, shown: &str) -> Option<String> {
    let kinds = ["read", "filled", "not used"];
    if !kinds.iter().any(|kind| how.starts_with(kind)) {
        return Some(format!("it says neither of {kinds:?}: {how}"));
    }
    if shown == "–" {
        return (!how.starts_with("not used: ")).then(|| "nothing shows it".to_owned());
    }
    shown.split(", ").find_map(|test| {
        let test = test.trim_matches('`');
        let (file, name) = test.split_once("::").unwrap_or((test, ""));
        let Ok(source) = fs::read_to_string(repository().join(file)) else { return Some(format!("no file {file}")) };
        (name.is_empty() || !source.contains(&format!("fn {name}("))).then(|| format!("{file} has no test `{name}`"))
    })
}

#[test]
fn every_field_of_the_protocol_has_its_row_and_every_named_test_is_there() {
    let read = |path: &str| fs::read_to_string(repository().join(path)).unwrap();
    let mut expected = fields(&read("host/proto/proto/pulumi/provider.proto"));
    expected.extend(["PluginInfo.version", "PluginAttach.address"].map(str::to_owned));
    let page = read("docs/protocol.md");
    let rows = rows(&page);
    let said: BTreeSet<String> = rows.iter().map(|[field, ..]| (*field).to_owned()).collect();
    assert_eq!(said.len(), rows.len(), "a field has one row");
    let missing: Vec<&String> = expected.difference(&said).collect();
    let unknown: Vec<&String> = said.difference(&expected).collect();
    assert!(missing.is_empty() && unknown.is_empty(), "without a row: {missing:#?}\nno such field: {unknown:#?}");
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|[field, how, shown]| fault(how, shown).map(|fault| format!("{field}: {fault}")))
        .collect();
    assert!(wrong.is_empty(), "docs/protocol.md:\n{}", wrong.join("\n"));
}

#[test]
fn fields_are_found_wherever_they_stand() {
    let definition = "message A {\n  reserved 4;\n  message B {\n    string x = 1;\n  }\n  enum E {\n    ONE = 0;\n  }\n  oneof o {\n    \
                      B b = 1;\n  }\n  map<string, string> m = 2 [deprecated = true];\n  optional bool c = 3;\n}\n";
    assert_eq!(fields(definition).into_iter().collect::<Vec<_>>(), ["A.b", "A.c", "A.m", "B.x"]);
}
