//! Previews of create: of known inputs, and of inputs that nothing is known of.

use bulkhead_value::{Object, Value};

use super::inputs::{Inputs, seed};
use super::run::Trial;
use super::subject::Subject;
use crate::conformance::finding::{Finding, Level, Stage};

/// Tries previews of a resource type.
pub(super) async fn attempt(trial: &mut Trial<'_>, subject: &Subject<'_>, inputs: &Inputs) {
    if let Err(refusal) = trial.engine.preview_create(&subject.urn, &inputs.checked).await {
        trial.failed(Stage::Preview, subject.token(), &refusal);
    }
    let unknown: Object = inputs.given.keys().map(|name| (name.clone(), Value::Unknown)).collect();
    let seed = seed(trial);
    match trial.engine.check(&subject.urn, None, &unknown, &seed).await {
        Ok(checked) if checked.failures.is_empty() => {
            if let Err(refusal) = trial.engine.preview_create(&subject.urn, &checked.inputs).await {
                trial.failed(Stage::Preview, subject.token(), &refusal);
            }
        }
        Ok(checked) => {
            for (property, reason) in checked.failures {
                let message = format!("the check refuses an input that isn't known yet: {reason}");
                let finding = Finding::new(Level::Error, Stage::Check, subject.token(), message).at(property);
                trial.findings.add(finding.hint("what isn't known is right until it is known"));
            }
        }
        Err(refusal) => trial.failed(Stage::Check, subject.token(), &refusal),
    }
}
