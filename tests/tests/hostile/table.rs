//! `docs/hostile.md` says of each guest what it attacks, what comes of it, and which test shows that; and of no others.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use bulkhead_tests::repository;

/// A row of the table, without the guest that it is about.
#[derive(Debug)]
struct Row {
    attack: String,
    test: String,
}

/// The rows, by guest.
fn rows() -> BTreeMap<String, Row> {
    let text = fs::read_to_string(repository().join("docs/hostile.md")).unwrap();
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let lines = text.lines().filter(|line| line.starts_with("| `"));
    let mut rows = BTreeMap::new();
    for line in lines {
        let [guest, attack, expected, test] = cells(line).try_into().unwrap_or_else(|_| panic!("four cells: {line}"));
        assert!(!expected.is_empty(), "what comes of it: {line}");
        let guest = guest.trim_matches('`').to_owned();
        let row = Row { attack, test: test.trim_matches('`').to_owned() };
        assert!(rows.insert(guest, row).is_none(), "one row each: {line}");
    }
    rows
}

/// The attacks that are there, by guest: components of their own, and what is assembled here.
fn attacks() -> BTreeMap<String, String> {
    let mut attacks = BTreeMap::new();
    for entry in fs::read_dir(repository().join("tests/guests").join("hostile").join("examples")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if name != "behaved" {
            attacks.insert(name, documented(&fs::read_to_string(&path).unwrap(), "//!", 0));
        }
    }
    for file in ["assembled.rs", "assembled/interfaces.rs"] {
        attacks.extend(assembled(&source(file)));
    }
    attacks
}

/// Those that a file of components puts together.
fn assembled(assembled: &str) -> BTreeMap<String, String> {
    let mut attacks = BTreeMap::new();
    for (at, _) in assembled.match_indices("\npub(crate) fn ") {
        let signature = assembled[at + 1..].lines().next().unwrap();
        if [
            "-> Module {",
            "-> String {",
            "nested(levels: usize) -> Vec<u8> {",
            "passed() -> Vec<u8> {",
            "own_handles(count: i32) -> Vec<u8> {",
            "spelt(guest: &str, encoding: CanonicalOption) -> Vec<u8> {",
            "reexported() -> Vec<u8> {",
            "mistyped() -> Vec<u8> {",
            "_named() -> Vec<u8> {",
            "types_deep(levels: usize) -> Vec<u8> {",
            "type_handed_on(exports: u32, times: u32) -> Vec<u8> {",
            "data_again(bytes: usize, instances: u32) -> Vec<u8> {",
            "calls_in_a_row(calls: u32, bytes: u32) -> Vec<u8> {",
            "described_again(component: &[u8]) -> Vec<u8> {",
        ]
        .iter()
        .any(|end| signature.ends_with(end))
        {
            let name = signature["pub(crate) fn ".len()..].split('(').next().unwrap();
            let above = assembled[..at].lines().rev().take_while(|line| line.starts_with("///")).count();
            let from = assembled[..at].lines().count() - above;
            attacks.insert(format!("assembled::{name}"), documented(assembled, "///", from));
        }
    }
    attacks
}

/// The first paragraph of a comment that begins at a line.
fn documented(source: &str, mark: &str, from: usize) -> String {
    let lines = source.lines().skip(from).take_while(|line| line.starts_with(mark) && line.trim() != mark);
    lines.map(|line| line[mark.len()..].trim()).collect::<Vec<_>>().join(" ")
}

fn source(file: &str) -> String {
    let path: PathBuf = repository().join("tests/tests/hostile").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn each_guest_has_a_row_and_each_row_a_guest() {
    let (rows, attacks) = (rows(), attacks());
    let lacking: Vec<String> = attacks
        .iter()
        .filter(|(guest, attack)| rows.get(*guest).is_none_or(|row| row.attack != **attack))
        .map(|(guest, attack)| format!("| `{guest}` | {attack} |"))
        .collect();
    assert!(lacking.is_empty(), "docs/hostile.md should have these rows:\n{}", lacking.join("\n"));
    let surplus: Vec<&String> = rows.keys().filter(|guest| !attacks.contains_key(*guest)).collect();
    assert!(surplus.is_empty(), "there are no such guests: {surplus:?}");
    assert!(attacks.len() >= 40, "{}", attacks.len());
}

#[test]
fn each_row_names_a_test_that_tries_its_guest() {
    for (guest, Row { test, .. }) in rows() {
        let (file, name) = test.split_once("::").unwrap_or_else(|| panic!("`file.rs::test`: {test}"));
        let source = source(file);
        assert!(source.contains(&format!("async fn {name}()")), "{guest}: there is no test {test}");
        let names = |text: &str| text.contains(&format!("\"{guest}\"")) || text.contains(&format!("{guest}("));
        let (tests, shared) = parted(&source);
        let itself = tests.iter().find(|test| test.contains(&format!("fn {name}()")));
        assert!(
            itself.is_some_and(|test| test.contains("undisturbed(")),
            "while {test} goes on, nobody else is served"
        );
        // What several tests use is named where they share it.
        assert!(itself.is_some_and(|test| names(test)) || names(&shared), "{test} doesn't try {guest}");
    }
}

/// The tests of a file, and what is outside of them.
fn parted(source: &str) -> (Vec<String>, String) {
    let (mut tests, mut shared) = (Vec::new(), String::new());
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("#[tokio::test") || line == "#[test]" {
            tests.push(lines.by_ref().take_while(|line| *line != "}").map(|line| format!("{line}\n")).collect());
        } else {
            shared.push_str(line);
            shared.push('\n');
        }
    }
    (tests, shared)
}

#[test]
fn a_guest_that_another_test_of_the_file_tries_is_not_tried_by_this_one() {
    let source = "#[test]\nasync fn one() {\n    try(\"a\");\n}\n\nconst B: &str = \"b\";\n\n#[test]\nasync fn two() {\n    try(B);\n}\n";
    let (tests, shared) = parted(source);
    assert_eq!(tests, ["async fn one() {\n    try(\"a\");\n", "async fn two() {\n    try(B);\n"]);
    assert!(shared.contains("\"b\"") && !shared.contains("\"a\""), "{shared}");
}
