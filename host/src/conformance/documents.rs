//! Schema and manifest: read to their ends, and looked over.

use std::sync::Arc;

use bulkhead_schema::{Examination, Lint, Package, Problem, Severity, lint};

use super::finding::{Finding, Findings, Level, Stage};
use crate::component::{self, CONTRACT, Loaded, Manifest, ManifestError, Sections};

/// What a component says of itself, as text.
pub(super) struct Documents {
    schema: Arc<[u8]>,
    manifest: Arc<[u8]>,
}

/// The same, understood as far as it can be.
pub(super) struct Read {
    pub(super) schema: Arc<[u8]>,
    pub(super) package: Package,
    pub(super) manifest: Option<Manifest>,
}

impl Documents {
    /// The documents of a component that can be loaded.
    pub(super) async fn of(loaded: &Loaded, findings: &mut Findings) -> Option<Self> {
        match component::documents(loaded).await {
            Ok([schema, manifest]) => Some(Self { schema, manifest }),
            Err(error) => {
                let otherwise = "build with `bulkhead build`, or export `bulkhead:provider/schema`";
                findings.add(
                    Finding::new(Level::Error, Stage::Load, "schema", error.to_string())
                        .hint(error.hint().unwrap_or(otherwise)),
                );
                None
            }
        }
    }

    /// The documents in the sections of a component, if it has both.
    pub(super) fn in_sections(sections: Sections) -> Option<Self> {
        Some(Self { schema: sections.schema?.into(), manifest: sections.manifest?.into() })
    }
}

/// Looks at both documents. None if the schema isn't JSON.
pub(super) fn look(documents: Documents, findings: &mut Findings) -> Option<Read> {
    let Documents { schema, manifest } = documents;
    let manifest = look_at_manifest(&manifest, findings);
    let examination = match Examination::of(&schema) {
        Ok(examination) => examination,
        Err(error) => {
            findings.add(Finding::new(Level::Error, Stage::Schema, "#", format!("failed to {error}")));
            return None;
        }
    };
    let Examination { mut package, problems, notices } = examination;
    problems.into_iter().for_each(|problem| findings.add(found(Level::Error, problem)));
    notices.into_iter().for_each(|notice| findings.add(found(Level::Warning, notice)));
    for (token, error) in manifest.iter().flat_map(|manifest| manifest.apply_all(&mut package)) {
        findings.add(misfit(&format!("/resources/{}", token.replace('~', "~0").replace('/', "~1")), &error));
    }
    for Lint { severity, problem } in lint(&package, &schema) {
        let level = match severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
            Severity::Hint => Level::Hint,
        };
        findings.add(found(level, problem));
    }
    Some(Read { schema, package, manifest })
}

fn found(level: Level, problem: Problem) -> Finding {
    let Problem { location, message, hint } = problem;
    Finding { hint, ..Finding::new(level, Stage::Schema, location, message) }
}

fn look_at_manifest(json: &[u8], findings: &mut Findings) -> Option<Manifest> {
    let manifest = match Manifest::read(json) {
        Ok(manifest) => manifest,
        Err(error) => {
            findings.add(misfit("", &error));
            return None;
        }
    };
    for ((kind, position), error) in manifest.permissions.problems() {
        findings.add(misfit(&format!("/permissions/{kind}/{position}"), &error.into()));
    }
    if manifest.contract != CONTRACT {
        let message = format!("it says that the contract is {}, and the component's is {CONTRACT}", manifest.contract);
        findings
            .add(Finding::new(Level::Warning, Stage::Manifest, "manifest#/contract", message).hint("build it again"));
    }
    Some(manifest)
}

fn misfit(pointer: &str, error: &ManifestError) -> Finding {
    // A hint stands at the end of some messages, for commands that show nothing but the message.
    let text = error.to_string();
    let (message, hint) =
        text.split_once("; hint: ").map_or((text.as_str(), None), |(message, hint)| (message, Some(hint)));
    let finding = Finding::new(Level::Error, Stage::Manifest, format!("manifest#{pointer}"), message);
    finding.hint(hint.unwrap_or("docs/manifest.md has the form of it"))
}
