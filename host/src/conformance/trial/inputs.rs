//! Inputs that a provider accepts, found by trying.
//!
//! The schema doesn't say everything: a provider that checks for itself may want a minimum below a maximum. So inputs of
//! several seeds and sizes are offered, the fullest first, until some are accepted.

use bulkhead_schema::Extent;
use bulkhead_value::Object;

use super::engine::Checked;
use super::run::Trial;
use super::subject::Subject;
use crate::conformance::finding::{Finding, Level, Stage};

/// How many are offered to a provider that checks for itself.
const ATTEMPTS: u64 = 12;

/// Inputs that a provider accepted.
pub(super) struct Inputs {
    /// As a program gives them.
    pub(super) given: Object,
    /// As the check returned them.
    pub(super) checked: Object,
}

/// What an engine would send as the seed of randomness.
pub(super) fn seed(trial: &Trial<'_>) -> [u8; 32] {
    let mut seed = [7; 32];
    for (place, byte) in seed.iter_mut().zip(trial.options.seed.to_be_bytes()) {
        *place = byte;
    }
    seed
}

/// Finds inputs of an extent, or tells why there are none.
pub(super) async fn accepted(trial: &mut Trial<'_>, subject: &Subject<'_>, extent: Extent) -> Option<Inputs> {
    let seed = seed(trial);
    let given = trial.options.inputs.contains_key(subject.token());
    let mut refused = Vec::new();
    for attempt in 0..ATTEMPTS {
        // The first is what was asked for; of a large one, parts may be accepted that the whole isn't.
        let extent = if attempt > ATTEMPTS / 2 && extent == Extent::All { Extent::Some } else { extent };
        let sample = trial.inputs(subject.token(), attempt, &subject.resource.inputs, extent);
        if attempt == 0 {
            for gap in &sample.gaps {
                let message = format!("no value could be made that its schema allows: {}", gap.reason);
                let finding = Finding::new(Level::Skipped, Stage::Check, subject.token(), message);
                trial.findings.add(finding.at(gap.path.to_string()));
            }
        }
        match trial.engine.check(&subject.urn, None, &sample.inputs, &seed).await {
            Ok(Checked { inputs, failures }) if failures.is_empty() => {
                return Some(Inputs { given: sample.inputs, checked: inputs });
            }
            Ok(Checked { failures, .. }) => {
                if refused.is_empty() && sample.gaps.is_empty() {
                    refused = failures;
                }
            }
            Err(refusal) => {
                trial.failed(Stage::Check, subject.token(), &refusal);
                return None;
            }
        }
        // What the host checks is decided by the schema alone: other values fare no better.
        if !subject.resource.facts.overrides.check || given {
            break;
        }
    }
    for (property, reason) in refused {
        let overridden = subject.resource.facts.overrides.check;
        let (level, message, hint) = match given {
            true => (
                Level::Skipped,
                "the check refuses the inputs that are given",
                "give others in the file for `--inputs`",
            ),
            false => (
                if overridden { Level::Skipped } else { Level::Error },
                "the check refuses inputs that the schema allows",
                "say it in `validate` where it can be said",
            ),
        };
        let finding = Finding::new(level, Stage::Check, subject.token(), format!("{message}: {reason}"));
        trial.findings.add(finding.at(property).hint(hint));
    }
    None
}
