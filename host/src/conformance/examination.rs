//! The whole examination: stage after stage, each as far as the ones before allow it.

use std::collections::BTreeMap;

use bulkhead_policy::{Permissions, Requests};
use bulkhead_value::Object;
use tokio_util::sync::CancellationToken;

use super::documents::{self, Documents};
use super::finding::{Finding, Findings, Level, Stage};
use super::trial::{Trial, Tried};
use super::{permissions, sizes};
use crate::audit::Auditor;
use crate::component::{Cache, Limits, Loaded, Runtime, Sections, digest, package_name};

/// How to examine.
#[derive(Debug, Default)]
pub struct Options {
    /// Whether to create, read, update and delete resources, and call functions, for real.
    pub lifecycle: bool,
    /// What generated inputs are drawn from.
    pub seed: u64,
    /// The configuration to use instead of generated ones.
    pub configuration: Option<Object>,
    /// By type or function token, the inputs to use instead of generated ones.
    pub inputs: BTreeMap<String, Object>,
    /// By type token, the inputs to update a resource to instead of generated changes.
    pub updates: BTreeMap<String, Object>,
    /// Arguments to parameterize the provider with.
    pub parameters: Vec<String>,
    /// Set once the check should end. What it has created is deleted first.
    pub interrupted: CancellationToken,
}

/// What a component is tried out under.
#[derive(Default)]
pub struct Conditions {
    /// Its limits.
    pub limits: Limits,
    /// What it may do.
    pub permissions: Permissions,
    /// Where it is written down what it does.
    pub auditor: Auditor,
}

/// Decides about a package, by its name, the component's digest, and what it asks for.
pub type Decide<'a> = &'a (dyn Fn(&str, &str, &Requests) -> Conditions + Sync);

/// What came of it.
#[derive(Debug)]
pub struct Verdict {
    /// The component's digest.
    pub digest: String,
    /// The package's name, if it has a readable one.
    pub package: Option<String>,
    /// The package's version.
    pub version: Option<String>,
    /// What was found, the worst first.
    pub findings: Vec<Finding>,
    /// What was tried.
    pub tried: Tried,
    /// Whether it was tried with permissions of whatever is developed under its name.
    pub development: bool,
}

/// Examines a component. Everything is told as findings, of components that can't be loaded too.
pub async fn examine(
    component: &[u8],
    runtime: &Runtime,
    cache: &Cache,
    options: &Options,
    decide: Decide<'_>,
) -> Verdict {
    let mut findings = Findings::default();
    sizes::look(component, &mut findings);
    let loaded = Loaded::from_bytes(runtime, cache, limits(component, decide), component);
    let documents = match &loaded {
        Ok(loaded) => Documents::of(loaded, &mut findings).await,
        Err(error) => {
            findings.add(Finding::new(Level::Error, Stage::Load, "component", error.to_string()).hint(error.hint()));
            // What a component says of itself can be read even if nothing else can be done with it.
            Sections::read(component).ok().and_then(Documents::in_sections)
        }
    };
    let read = documents.and_then(|documents| documents::look(documents, &mut findings));
    let mut tried = Tried::default();
    let mut development = false;
    if let (Ok(loaded), Some(read)) = (&loaded, &read) {
        exports(loaded, read, &mut findings);
        if let Some(manifest) = &read.manifest {
            permissions::look(&read.package, manifest, &loaded.import_names(), &mut findings);
        }
        if findings.any_errors() {
            let message = "no call was tried, since there are errors";
            findings.add(
                Finding::new(Level::Skipped, Stage::Handshake, "component", message).hint("mend the errors first"),
            );
        } else {
            let requests = read.manifest.as_ref().map(|manifest| manifest.permissions.clone()).unwrap_or_default();
            let Conditions { limits, permissions, auditor } = decide(&read.package.name, loaded.digest(), &requests);
            development = permissions.is_for_development();
            let loaded = loaded.under(limits, permissions);
            tried = Trial::run(loaded, auditor, read, options, &mut findings).await;
        }
    }
    let named = read.as_ref().filter(|read| !read.package.name.is_empty());
    Verdict {
        digest: digest(component),
        package: named.map(|read| read.package.name.clone()),
        version: named.and_then(|read| read.package.version.as_ref().map(ToString::to_string)),
        findings: findings.into_sorted(),
        tried,
        development,
    }
}

/// The limits that a component is loaded under: those of the provider that it says it is, before anything else is known of it. Of one
/// that has to be asked, those of all providers.
fn limits(component: &[u8], decide: Decide<'_>) -> Limits {
    let schema = Sections::read(component).ok().and_then(|sections| sections.schema);
    let name = schema.and_then(|schema| package_name(&schema)).unwrap_or_default();
    decide(&name, &digest(component), &Requests::default()).limits
}

/// Exports against schema and manifest.
fn exports(loaded: &Loaded, read: &documents::Read, findings: &mut Findings) {
    for disagreement in loaded.disagreements(&read.package) {
        let finding = Finding::new(Level::Error, Stage::Exports, disagreement.interface(), disagreement.to_string());
        findings.add(finding.hint("export it, or take back the promise"));
    }
    if let Some(token) = loaded.unanswered_method(&read.package) {
        let message = "the component exports no `components`, so nobody answers this method of the provider";
        findings.add(
            Finding::new(Level::Warning, Stage::Exports, token, message)
                .hint("export `components`, or leave the method out of the schema"),
        );
    }
    for interface in loaded.idle_exports(&read.package) {
        let message =
            format!("`{interface}` is exported and never called: neither schema nor manifest has anything for it");
        findings.add(
            Finding::new(Level::Hint, Stage::Exports, interface, message)
                .hint("say in the manifest what it overrides, or leave it out"),
        );
    }
}
