//! Components, constructed with an engine that makes nothing: what they register, and whether it is always the same.

use std::collections::BTreeSet;
use std::sync::Arc;

use bulkhead_schema::Extent;
use bulkhead_value::{Object, Value};

use super::monitor::{Asked, Monitor};
use super::run::Trial;
use super::subject::{NAME, Subject};
use crate::conformance::finding::{Finding, Level, Stage};

const STAGE: Stage = Stage::Components;

/// Constructs a component: in previews, and, where whole lives are asked for, as in a deployment.
pub(super) async fn attempt(trial: &mut Trial<'_>, subject: &Subject<'_>) {
    trial.tried.components += 1;
    let sample = trial.inputs(subject.token(), 0, &subject.resource.inputs, Extent::All);
    for gap in &sample.gaps {
        let message = format!("no value could be made that its schema allows: {}", gap.reason);
        let finding = Finding::new(Level::Skipped, STAGE, subject.token(), message);
        trial.findings.add(finding.at(gap.path.to_string()));
    }
    let known = sample.inputs;
    let Some(registered) = constructed(trial, subject, &known, true).await else { return };
    // What is plain is always known.
    let is_plain = |name: &String| subject.resource.inputs.properties.get(name).is_some_and(|property| property.plain);
    let unknown =
        |(name, value): (&String, &Value)| (name.clone(), if is_plain(name) { value.clone() } else { Value::Unknown });
    let unknown: Object = known.iter().map(unknown).collect();
    if unknown != known {
        constructed(trial, subject, &unknown, true).await;
    }
    if !trial.options.lifecycle {
        return;
    }
    let deployed = constructed(trial, subject, &known, false).await;
    if deployed.is_some_and(|deployed| deployed != registered) {
        let message = "it registers other resources when it is deployed than in a preview of the same inputs";
        trial.findings.add(
            Finding::new(Level::Error, STAGE, subject.token(), message)
                .hint("name children after the component and its inputs, nothing else"),
        );
    }
}

/// Constructs it once. What it registered, if it could be constructed.
async fn constructed(
    trial: &mut Trial<'_>,
    subject: &Subject<'_>,
    inputs: &Object,
    preview: bool,
) -> Option<BTreeSet<Asked>> {
    let monitor = match Monitor::start(Arc::clone(&trial.shared), trial.options.seed, preview).await {
        Ok(monitor) => monitor,
        Err(error) => {
            let message = format!("no engine could be served on this machine: {error}");
            trial.findings.add(Finding::new(Level::Skipped, STAGE, subject.token(), message));
            return None;
        }
    };
    let urn = match trial.engine.construct(subject.token(), inputs, &monitor, preview).await {
        Ok(urn) => urn,
        Err(refusal) => {
            trial.refused(
                STAGE,
                subject.token(),
                &refusal,
                "the inputs were generated, and so were the engine's answers",
            );
            return None;
        }
    };
    let registrations = monitor.registrations();
    judged(trial, subject, &urn, &registrations);
    if !monitor.is_finished(&urn) {
        let message = "it never says its outputs to the engine, which shows it without any";
        let finding = Finding::new(Level::Warning, STAGE, subject.token(), message);
        trial.findings.add(finding.hint("call `register-outputs` at the end, with no outputs if there are none"));
    }
    Some(registrations.into_iter().collect())
}

fn judged(trial: &mut Trial<'_>, subject: &Subject<'_>, own: &str, registrations: &[Asked]) {
    let found = |level, message: String, hint: &str| Finding::new(level, STAGE, subject.token(), message).hint(hint);
    match registrations.iter().find(|asked| asked.urn == own) {
        Some(asked) if asked.token == subject.token() && asked.name == NAME => {}
        _ => {
            let message = "it registers itself under another type or name than it was asked for";
            let hint = "register the component with the token and the name of the request";
            trial.findings.add(found(Level::Error, message.to_owned(), hint));
        }
    }
    let mut urns = BTreeSet::new();
    for asked in registrations {
        if !urns.insert(&asked.urn) {
            let message = format!("it registers two resources of one name: a `{}`", asked.token);
            let hint = "an engine refuses the second: give each a name of its own";
            trial.findings.add(found(Level::Error, message, hint));
        }
        if asked.parent.is_empty() && asked.urn != own {
            let message = format!("it registers a `{}` beside itself", asked.token);
            let hint = "say the component's URN as its parent: options are handed down that way";
            trial.findings.add(found(Level::Warning, message, hint));
        }
        let is_known = trial.package.resource(&asked.token).is_some();
        if asked.custom && asked.token.split(':').next() == Some(&trial.package.name) && !is_known {
            let message = format!("it registers a `{}`, which its package doesn't have", asked.token);
            let hint = "list it among the `resources` of `provider!`, so that engines can have it made";
            trial.findings.add(found(Level::Error, message, hint));
        }
    }
}
