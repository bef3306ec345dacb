//! `docs/requirements.md` against the tree: every requirement has its row, and every test that a row names is there.
//!
//! Whether a test really shows what its row says, only a reader can tell. That the row still points at a test that runs, after one was
//! renamed, taken out or silenced, is held here.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where something is wrong"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The groups in their order, and how many requirements each has.
const GROUPS: [(&str, usize); 15] = [
    ("HOST", 11),
    ("URN", 9),
    ("VAL", 36),
    ("SCH", 20),
    ("LIFE", 26),
    ("CRUD", 43),
    ("DIFF", 10),
    ("COMP", 16),
    ("FUN", 9),
    ("PROV", 15),
    ("ENG", 40),
    ("DEP", 15),
    ("TYP", 12),
    ("TF", 13),
    ("NEW", 25),
];

/// What stands before the part of a verdict that nothing shows yet.
const OPEN: &str = "open";
/// What stands before the part that the embedded engine will do.
const ENGINE: &str = "engine";

/// A row of a group's table.
struct Row<'a> {
    id: &'a str,
    asks: &'a str,
    verdict: &'a str,
}

/// How much of a requirement is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Shown,
    Partly,
    Open,
    /// Nothing is left to the host.
    Engine,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn cells(line: &str) -> Vec<&str> {
    let line = line.trim().trim_start_matches('|').trim_end_matches('|');
    line.split('|').map(str::trim).collect()
}

/// Whether a cell reads like an id: capitals, a hyphen, digits.
fn is_id(cell: &str) -> bool {
    cell.split_once('-').is_some_and(|(group, number)| {
        let of = |text: &str, kind: fn(&char) -> bool| !text.is_empty() && text.chars().all(|char| kind(&char));
        of(group, char::is_ascii_uppercase) && of(number, char::is_ascii_digit)
    })
}

/// The rows of a page, and what is wrong with lines that look like one.
fn rows(page: &str) -> (Vec<Row<'_>>, Vec<String>) {
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for line in page.lines().filter(|line| line.starts_with('|')) {
        match cells(line)[..] {
            [id, asks, verdict] if is_id(id) => rows.push(Row { id, asks, verdict }),
            [id, ..] if is_id(id) => {
                wrong.push(format!("{id}: a row has three cells: id, what it asks, what shows it"))
            }
            _ => {}
        }
    }
    (rows, wrong)
}

/// Every id, in order.
fn ids() -> Vec<String> {
    GROUPS.iter().flat_map(|(group, count)| (1..=*count).map(move |number| format!("{group}-{number:02}"))).collect()
}

/// Each id once and in order, and nothing else.
fn misplaced(rows: &[Row<'_>]) -> Vec<String> {
    let (expected, found): (Vec<String>, Vec<&str>) = (ids(), rows.iter().map(|row| row.id).collect());
    let count = |id: &str| found.iter().filter(|found| **found == id).count();
    let mut wrong = Vec::new();
    for id in &expected {
        match count(id) {
            0 => wrong.push(format!("{id}: there is no row")),
            1 => {}
            rows => wrong.push(format!("{id}: there are {rows} rows")),
        }
    }
    wrong.extend(
        found
            .iter()
            .filter(|id| !expected.iter().any(|known| known == *id))
            .map(|id| format!("{id}: there is no such requirement")),
    );
    if wrong.is_empty() {
        let first = expected.iter().zip(&found).find(|(expected, found)| expected != *found);
        wrong.extend(first.map(|(expected, found)| format!("{found}: it stands where {expected} should")));
    }
    wrong
}

/// A verdict taken apart: what shows the requirement, what is open of it, and what is the embedded engine's.
struct Verdict<'a> {
    shown: &'a str,
    open: Option<&'a str>,
    engine: Option<&'a str>,
}

fn apart(verdict: &str) -> Verdict<'_> {
    let (rest, engine) = parted(verdict, ENGINE);
    let (shown, open) = parted(rest, OPEN);
    Verdict { shown, open, engine }
}

/// What stands before a word, and what after it.
fn parted<'a>(verdict: &'a str, word: &str) -> (&'a str, Option<&'a str>) {
    let words = |rest: &'a str| rest.strip_prefix(word).filter(|after| after.is_empty() || after.starts_with(": "));
    match words(verdict) {
        Some(after) => ("", Some(after)),
        None => match verdict.split_once(&format!("; {word}: ")) {
            Some((before, after)) => (before, Some(after)),
            None => (verdict, None),
        },
    }
}

/// What stands in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// A reference in backticks: the file and the test.
fn reference(text: &str) -> Option<(&str, &str)> {
    text.split_once("::").filter(|(file, test)| {
        file.ends_with(".rs") && !test.is_empty() && test.chars().all(|char| char.is_alphanumeric() || char == '_')
    })
}

/// Whether the module above says that a file is a part of it, as it has to unless the file is a target of its own: what nobody
/// declares isn't compiled, and no test in it runs.
fn declared(path: &Path) -> bool {
    let (Some(directory), Some(name)) = (path.parent(), path.file_stem()) else { return false };
    if ["main", "lib", "mod"].iter().any(|root| name == *root) {
        return true;
    }
    let declaration = format!("mod {};", name.to_string_lossy());
    let above = ["main.rs", "lib.rs", "mod.rs"].map(|root| directory.join(root));
    let above: Vec<String> = above
        .into_iter()
        .chain([directory.with_extension("rs")])
        .filter_map(|path| fs::read_to_string(path).ok())
        .collect();
    let declares = |line: &str| !line.starts_with("//") && line.ends_with(&declaration);
    above.is_empty() || above.iter().any(|source| source.lines().map(str::trim).any(declares))
}

/// What is wrong with a test that a row names.
fn missing(root: &Path, file: &str, test: &str) -> Option<String> {
    let Ok(source) = fs::read_to_string(root.join(file)) else { return Some(format!("there is no file {file}")) };
    if !declared(&root.join(file)) {
        return Some(format!("{file} isn't compiled: no module declares it"));
    }
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let signature = format!("fn {test}(");
    let begins = |line: &&str| line.strip_prefix("async ").unwrap_or(line).starts_with(&signature);
    let Some(at) = lines.iter().position(begins) else { return Some(format!("{file} has no `fn {test}(`")) };
    let above = lines[..at].iter().rev().take_while(|line| line.starts_with("#[") || line.starts_with("//"));
    let attributes: Vec<&&str> = above.filter(|line| line.starts_with("#[")).collect();
    if !attributes.iter().any(|attribute| attribute.contains("test")) {
        return Some(format!("`{test}` in {file} is no test"));
    }
    attributes
        .iter()
        .any(|attribute| attribute.starts_with("#[ignore"))
        .then(|| format!("`{test}` in {file} is ignored"))
}

/// What is wrong with a row.
fn faults(root: &Path, row: &Row<'_>) -> Vec<String> {
    let mut wrong = Vec::new();
    if row.asks.is_empty() {
        wrong.push("it doesn't say what is asked".to_owned());
    }
    let Verdict { shown, open, engine } = apart(row.verdict);
    for part in shown.split(", ").filter(|part| !part.is_empty()) {
        let quoted = part.strip_prefix('`').and_then(|part| part.strip_suffix('`'));
        if quoted.and_then(reference).is_none() {
            wrong.push(format!("`open`, `engine`, or a test as `path/to/file.rs::name`, instead of: {part}"));
        }
    }
    if shown.is_empty() && open.is_none() && engine.is_none() {
        wrong.push("it names no test, and says neither `open` nor `engine`".to_owned());
    }
    let named = quoted(row.verdict).filter_map(reference);
    wrong.extend(named.filter_map(|(file, test)| missing(root, file, test)));
    wrong.into_iter().map(|fault| format!("{}: {fault}", row.id)).collect()
}

fn standing(row: &Row<'_>) -> Standing {
    match apart(row.verdict) {
        Verdict { shown: "", open: Some(_), .. } | Verdict { shown: "", engine: None, .. } => Standing::Open,
        Verdict { open: Some(_), .. } => Standing::Partly,
        Verdict { engine: Some(_), .. } => Standing::Engine,
        Verdict { .. } => Standing::Shown,
    }
}

/// The lines of the overview, as the rows have it: group, shown, partly, open, the engine's.
fn overview(rows: &[Row<'_>]) -> Vec<String> {
    let mut counts: BTreeMap<(&str, Standing), usize> = BTreeMap::new();
    for row in rows {
        let group = row.id.split('-').next().unwrap_or_default();
        *counts.entry((group, standing(row))).or_default() += 1;
        *counts.entry(("all", standing(row))).or_default() += 1;
    }
    let names = GROUPS.iter().map(|(name, _)| *name).chain(["all"]);
    names
        .map(|name| {
            let count = |standing| counts.get(&(name, standing)).copied().unwrap_or_default();
            let all = [Standing::Shown, Standing::Partly, Standing::Open, Standing::Engine].map(count);
            format!("| {name} | {} |", all.map(|count| count.to_string()).join(" | "))
        })
        .collect()
}

#[test]
fn every_requirement_has_its_row_and_every_named_test_is_there() {
    let root = repository();
    let page = fs::read_to_string(root.join("docs/requirements.md")).unwrap();
    let (rows, mut wrong) = rows(&page);
    wrong.extend(misplaced(&rows));
    wrong.extend(rows.iter().flat_map(|row| faults(&root, row)));
    assert!(wrong.is_empty(), "docs/requirements.md:\n{}", wrong.join("\n"));

    let missing: Vec<String> =
        overview(&rows).into_iter().filter(|line| !page.lines().any(|have| have == line)).collect();
    assert!(missing.is_empty(), "the overview of docs/requirements.md should have the lines\n{}", missing.join("\n"));
}

#[test]
fn bad_rows_are_told_by_what_is_wrong_with_them() {
    let own = "host/tests/requirements.rs";
    let page = format!(
        "| id | asks | shown by |\n| --- | --- | --- |\n\
         | HOST-01 | a | `{own}::bad_rows_are_told_by_what_is_wrong_with_them` |\n\
         | HOST-02 | a | `{own}::bad_rows_are_told_by_what_is_wrong_with_them`; open: the rest |\n\
         | HOST-03 | a | open |\n\
         | HOST-04 | a | open: all but `{own}::nothing_like_this` |\n\
         | HOST-05 | a | `{own}::repository` |\n\
         | HOST-06 | a | `host/tests/gone.rs::test`, soon |\n\
         | HOST-07 | | |\n\
         | HOST-08 | a |\n\
         | HOST-09 | a | engine |\n\
         | HOST-11 | a | `{own}::bad_rows_are_told_by_what_is_wrong_with_them`; engine: the rest |\n\
         | HOST-01 | a | `{own}::bad_rows_are_told_by_what_is_wrong_with_them`; open: b; engine: c |\n\
         | HOST-10 | a | open |\n\
         | HOST-10 | a | open |\n\
         | HOST-99 | a | open |\n"
    );
    let (found, wrong) = rows(&page);
    assert_eq!(wrong, ["HOST-08: a row has three cells: id, what it asks, what shows it"]);
    let told: Vec<String> = found.iter().flat_map(|row| faults(&repository(), row)).collect();
    assert_eq!(
        told,
        [
            "HOST-04: host/tests/requirements.rs has no `fn nothing_like_this(`",
            "HOST-05: `repository` in host/tests/requirements.rs is no test",
            "HOST-06: `open`, `engine`, or a test as `path/to/file.rs::name`, instead of: soon",
            "HOST-06: there is no file host/tests/gone.rs",
            "HOST-07: it doesn't say what is asked",
            "HOST-07: it names no test, and says neither `open` nor `engine`",
        ]
    );
    let places = misplaced(&found);
    assert_eq!(
        [places.first(), places.get(1), places.get(2), places.last()].map(|place| place.unwrap().as_str()),
        [
            "HOST-01: there are 2 rows",
            "HOST-08: there is no row",
            "HOST-10: there are 2 rows",
            "HOST-99: there is no such requirement",
        ]
    );
    assert_eq!(overview(&found)[0], "| HOST | 3 | 2 | 6 | 2 |");
}

#[test]
fn rows_in_another_order_are_told() {
    let mut every = ids();
    every.swap(0, 1);
    let found: Vec<Row<'_>> = every.iter().map(|id| Row { id, asks: "a", verdict: OPEN }).collect();
    assert_eq!(misplaced(&found), ["HOST-02: it stands where HOST-01 should"]);
}
