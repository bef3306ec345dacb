//! Findings, written down.

use std::fmt::Write as _;

use serde::Serialize;

use crate::conformance::{Finding, Level, Tried, Verdict};
use crate::legible::{legible_json, on_one_line};

/// The form of the JSON. Whatever a script relies on stays as it is within a number.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Report<'v> {
    format: u32,
    digest: &'v str,
    package: Option<&'v str>,
    version: Option<&'v str>,
    summary: Summary,
    tried: Tried,
    findings: &'v [Finding],
}

#[derive(Clone, Copy, Serialize)]
struct Summary {
    errors: usize,
    warnings: usize,
    hints: usize,
    skipped: usize,
}

impl Summary {
    fn of(findings: &[Finding]) -> Self {
        let count = |level| findings.iter().filter(|finding| finding.level == level).count();
        Self {
            errors: count(Level::Error),
            warnings: count(Level::Warning),
            hints: count(Level::Hint),
            skipped: count(Level::Skipped),
        }
    }
}

/// The verdict as JSON, `docs/check.md`.
pub(super) fn as_json(verdict: &Verdict) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec_pretty(&Report {
        format: FORMAT,
        digest: &verdict.digest,
        package: verdict.package.as_deref(),
        version: verdict.version.as_deref(),
        summary: Summary::of(&verdict.findings),
        tried: verdict.tried,
        findings: &verdict.findings,
    })
    .map(legible_json)
}

/// The verdict for people: a line or two for each finding, the worst first, and the sum at the end.
pub(super) fn for_people(verdict: &Verdict, lifecycle: bool) -> String {
    let mut text = String::new();
    // Writing to a string can't fail.
    for finding in &verdict.findings {
        let Finding { level, stage, location, path, message, hint } = finding;
        let path = path.as_deref().filter(|path| !path.is_empty()).map(|path| format!(", {path}")).unwrap_or_default();
        let _ = writeln!(
            text,
            "{:<7}  {:<13}  {}{}: {}",
            level.name(),
            stage.name(),
            on_one_line(location),
            on_one_line(&path),
            on_one_line(message)
        );
        if let Some(hint) = hint {
            let _ = writeln!(text, "         hint: {}", on_one_line(hint));
        }
    }
    let name = verdict.package.as_deref().unwrap_or("component");
    let version = verdict.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
    let Summary { errors, warnings, hints, skipped } = Summary::of(&verdict.findings);
    let counts = [
        counted(errors, "error", "errors"),
        counted(warnings, "warning", "warnings"),
        counted(hints, "hint", "hints"),
        (skipped > 0).then(|| format!("{skipped} skipped")),
    ];
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    let found = if counts.is_empty() { "nothing found".to_owned() } else { counts.join(", ") };
    let _ = writeln!(text, "{name}{version}: {found}");
    if let Some(tried) = tried(verdict.tried, lifecycle) {
        let _ = writeln!(text, "tried {tried}");
    }
    text
}

/// What was tried, if anything was. What most providers don't have is told of only where it is there.
fn tried(tried: Tried, lifecycle: bool) -> Option<String> {
    let Tried { resources, created, functions, components, methods, lists, parameters } = tried;
    if resources + functions + components + methods + lists + parameters == 0 {
        return None;
    }
    let of = |count, one, many| counted(count, one, many).unwrap_or_else(|| format!("no {many}"));
    let mut text = of(resources, "resource type", "resource types");
    for more in [counted(components, "component", "components"), counted(parameters, "parameter", "parameters")] {
        text.extend(more.map(|more| format!(", {more}")));
    }
    if !lifecycle {
        text.push_str("; nothing was created or called: `--lifecycle` does that, for real");
        return Some(text);
    }
    let created = of(created, "resource", "resources");
    let functions = of(functions, "function", "functions");
    let _ = write!(text, "; {created} created, {functions} called");
    for more in [
        counted(methods, "method called", "methods called"),
        counted(lists, "resource type listed", "resource types listed"),
    ] {
        text.extend(more.map(|more| format!(", {more}")));
    }
    Some(text)
}

fn counted(count: usize, one: &str, many: &str) -> Option<String> {
    (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { many }))
}
