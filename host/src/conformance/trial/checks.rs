//! Check: of inputs that are right, of inputs that are wrong, and twice.

use bulkhead_schema::{Extent, sample};

use super::inputs::{Inputs, accepted, seed};
use super::run::Trial;
use super::subject::Subject;
use crate::conformance::finding::{Finding, Level, Stage};

/// Tries the check of a resource type: inputs that it accepts, the fullest that were found.
pub(super) async fn attempt(trial: &mut Trial<'_>, subject: &Subject<'_>) -> Option<Inputs> {
    let all = accepted(trial, subject, Extent::All).await;
    let least = accepted(trial, subject, Extent::Required).await;
    for inputs in all.iter().chain(&least) {
        repeated(trial, subject, inputs).await;
    }
    let inputs = all.or(least)?;
    mistakes(trial, subject, &inputs).await;
    Some(inputs)
}

/// Equal requests have equal answers, and what was checked once needs no completion.
async fn repeated(trial: &mut Trial<'_>, subject: &Subject<'_>, inputs: &Inputs) {
    let seed = seed(trial);
    match trial.engine.check(&subject.urn, None, &inputs.given, &seed).await {
        Ok(again) if again.inputs == inputs.checked => {}
        Ok(_) => {
            let message = "equal inputs and an equal random seed are completed in another way the second time";
            trial.findings.add(
                Finding::new(Level::Error, Stage::Check, subject.token(), message)
                    .hint("an engine checks in the preview and again in the update: draw from the seed, nothing else"),
            );
        }
        Err(refusal) => trial.failed(Stage::Check, subject.token(), &refusal),
    }
    let [first, rest @ ..] = seed;
    let [second, ..] = rest;
    let other = [first.wrapping_add(1), second];
    match trial.engine.check(&subject.urn, Some(&inputs.checked), &inputs.given, &other).await {
        Ok(again) if again.inputs == inputs.checked => {}
        Ok(_) => {
            let message = "unchanged inputs are completed in another way when the resource exists";
            trial.findings.add(
                Finding::new(Level::Error, Stage::Check, subject.token(), message)
                    .hint("take over what was completed before: each update would show a change otherwise"),
            );
        }
        Err(refusal) => trial.failed(Stage::Check, subject.token(), &refusal),
    }
}

async fn mistakes(trial: &mut Trial<'_>, subject: &Subject<'_>, inputs: &Inputs) {
    let seed = seed(trial);
    let overridden = subject.resource.facts.overrides.check;
    for wrong in sample::wrong(subject.package, &subject.resource.inputs, &inputs.given) {
        match trial.engine.check(&subject.urn, None, &wrong.inputs, &seed).await {
            Ok(checked) if checked.failures.is_empty() => {
                let level = if overridden { Level::Warning } else { Level::Error };
                let message = format!("the check accepts inputs {}", wrong.mistake);
                let finding = Finding::new(level, Stage::Check, subject.token(), message).at(wrong.property);
                trial.findings.add(finding.hint("let the override call the host's check first"));
            }
            Ok(_) => {}
            Err(refusal) => trial.failed(Stage::Check, subject.token(), &refusal),
        }
    }
}
