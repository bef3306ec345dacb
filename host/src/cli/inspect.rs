//! `bulkhead inspect`: what a component is and asks for, before anybody runs it.

use std::fmt::Write as _;
use std::path::Path;

use bulkhead_policy::{Applicant, Grant, Granted, Reviewed, beginning};
use serde::Serialize;

use super::component::{here, load};
use super::error::CommandError;
use crate::component::Cache;
use crate::legible::{legible_json, on_one_line};
use crate::plugin::{OperatorError, absolute, permissions, project_file, review};

/// Characters of a name that are shown.
const LONGEST: usize = 300;

/// What is shown.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Inspection {
    package: String,
    version: Option<String>,
    digest: String,
    bytes: u64,
    contract: String,
    sdk: Option<String>,
    resources: usize,
    functions: usize,
    exports: Vec<String>,
    imports: Vec<String>,
    requests: Vec<Request>,
    /// The file that grants here, whether it is there or not.
    granted_in: String,
    /// What reaches furthest of what is asked for.
    widest: Vec<String>,
}

/// One thing that is asked for.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    request: String,
    /// Whether it is granted here, to this very component.
    verdict: String,
}

/// The inspection, for people or as JSON.
///
/// # Errors
/// A file that isn't a usable provider.
pub(super) async fn inspect(path: &Path, json: bool, cache: &Cache) -> Result<Vec<u8>, CommandError> {
    let (loaded, description) = load("inspect", path, here, cache).await?;
    let bytes = std::fs::metadata(path).map(|metadata| metadata.len()).unwrap_or_default();
    let applicant = Applicant {
        provider: description.package.name.clone(),
        digest: loaded.digest().to_owned(),
        component: absolute(path),
        development: false,
    };
    let granted_in = project_file(Path::new(".")).display().to_string();
    let unfollowed =
        |error: OperatorError| CommandError::new(format!("inspect {}: {error}", path.display())).hint(error.hint());
    let limits = here(&applicant.provider).map_err(unfollowed)?;
    let permissions = permissions(Path::new("."), applicant, &description.manifest.permissions).map_err(unfollowed)?;
    let reviewed = review(&permissions, &loaded.withheld(&permissions), &limits).into_iter();
    let requests = reviewed.map(|Reviewed { request, verdict, .. }| Request { request, verdict }).collect();
    let asked = Grant::of(&description.manifest.permissions, Granted::Digest(loaded.digest().to_owned()));
    let inspection = Inspection {
        package: description.package.name.clone(),
        version: description.package.version.as_ref().map(ToString::to_string),
        digest: loaded.digest().to_owned(),
        bytes,
        contract: description.manifest.contract.clone(),
        sdk: description.manifest.sdk.as_ref().map(|sdk| format!("{} {}", sdk.name, sdk.version)),
        resources: description.package.resources.len(),
        functions: description.package.functions.len(),
        exports: loaded.export_names(),
        imports: loaded.import_names().to_vec(),
        requests,
        granted_in,
        widest: asked.wide(),
    };
    if json {
        let text = serde_json::to_vec_pretty(&inspection)
            .map_err(|error| CommandError::new(format!("write the inspection as JSON: {error}")))?;
        let mut text = legible_json(text);
        text.push(b'\n');
        return Ok(text);
    }
    Ok(for_people(&inspection).into_bytes())
}

fn for_people(inspection: &Inspection) -> String {
    let mut text = String::new();
    let version = inspection.version.as_deref().unwrap_or("without a version");
    // Writing to a string can't fail.
    let _ = writeln!(text, "{} {version}", on_one_line(&inspection.package));
    let _ = writeln!(text, "  digest     sha256:{}", inspection.digest);
    let _ = writeln!(text, "  size       {} bytes", inspection.bytes);
    let _ = writeln!(text, "  contract   bulkhead:provider@{}", named(&inspection.contract));
    let sdk = inspection.sdk.as_deref().unwrap_or("an unknown SDK");
    let _ = writeln!(text, "  built with {}", named(sdk));
    let _ = writeln!(text, "  offers     {} resource types, {} functions", inspection.resources, inspection.functions);
    let [exports, imports] = [&inspection.exports, &inspection.imports].map(|names| named_each(names));
    for (title, names) in [("exports", &exports), ("imports", &imports)] {
        if names.is_empty() {
            let _ = writeln!(text, "  {title:<10} nothing");
        }
        for (position, name) in names.iter().enumerate() {
            let title = if position == 0 { title } else { "" };
            let _ = writeln!(text, "  {title:<10} {}", on_one_line(name));
        }
    }
    if inspection.requests.is_empty() {
        let _ = writeln!(text, "  {:<10} nothing", "asks for");
    }
    if !inspection.requests.is_empty() {
        let _ = writeln!(text, "  granted in {}", on_one_line(&inspection.granted_in));
    }
    for (position, Request { request, verdict }) in inspection.requests.iter().enumerate() {
        let title = if position == 0 { "asks for" } else { "" };
        let _ = writeln!(text, "  {title:<10} {}", on_one_line(request));
        // In a line of its own, which a reason, the component's own words, can't begin.
        let _ = writeln!(text, "  {:<10}   {}", "", on_one_line(verdict));
    }
    // Last, where whoever looks it over ends up.
    for (position, line) in inspection.widest.iter().enumerate() {
        let title = if position == 0 { "widest" } else { "" };
        let _ = writeln!(text, "  {title:<10} {}", on_one_line(line));
    }
    text
}

/// A name as far as anybody reads it. Requests aren't cut: they are what is decided about.
fn named(name: &str) -> String {
    beginning(&on_one_line(name), LONGEST)
}

fn named_each(names: &[String]) -> Vec<String> {
    names.iter().map(|name| named(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_that_nobody_has_read_forges_no_line() {
        let steering = "\u{1b}]0;title\u{7}\r\n  fake: granted".to_owned();
        let inspection = Inspection {
            package: steering.clone(),
            version: None,
            digest: "d1".to_owned(),
            bytes: 1,
            contract: steering.clone(),
            sdk: Some(steering.clone()),
            resources: 0,
            functions: 0,
            exports: vec![steering.clone()],
            imports: vec![steering.clone()],
            requests: vec![Request { request: format!("x: y{steering} [granted]"), verdict: "not granted".to_owned() }],
            granted_in: steering.clone(),
            widest: vec![steering],
        };
        let text = for_people(&inspection);
        assert!(named(&"x".repeat(1_000_000)).chars().count() == LONGEST + 1);
        assert!(!text.contains(['\u{1b}', '\u{7}', '\r']), "{text:?}");
        assert!(!text.lines().any(|line| line.trim_start().starts_with("fake")), "{text}");
        assert!(text.contains(" [granted]\n               not granted\n"), "{text}");
    }
}
