//! CheckConfig, DiffConfig and Configure: with the user's configuration, or with generated ones.

use bulkhead_schema::{Extent, sample};
use bulkhead_value::{Object, Value};

use super::run::Trial;
use super::subject::urn;
use crate::conformance::finding::{Finding, Level, Stage};

/// Where findings about configuration stand.
const LOCATION: &str = "configuration";
const REAL: &str = "`--config FILE` configures it with real values, from a JSON object";

/// Configures the provider. Whether calls about resources can follow.
pub(super) async fn attempt(trial: &mut Trial<'_>) -> bool {
    let package = trial.package;
    let ty = &package.configuration;
    if let Some(given) = &trial.options.configuration {
        let marked = given.iter().map(|(name, value)| {
            let is_secret = ty.properties.get(name).is_some_and(|property| property.secret);
            (name.clone(), if is_secret { value.clone().secret() } else { value.clone() })
        });
        return configured(trial, &marked.collect(), true).await;
    }
    let least = trial.sampler(0).object(ty, Extent::Required);
    for gap in &least.gaps {
        let message = format!("no value could be made that its schema allows: {}", gap.reason);
        let finding = Finding::new(Level::Skipped, Stage::Configuration, LOCATION, message);
        trial.findings.add(finding.at(gap.path.to_string()).hint(REAL));
    }
    mistakes(trial, &least.inputs).await;
    let all = trial.sampler(0).object(ty, Extent::All);
    if all.inputs == least.inputs {
        return configured(trial, &least.inputs, false).await;
    }
    let works = configured(trial, &all.inputs, false).await;
    anew(trial).await;
    if configured(trial, &least.inputs, false).await {
        return true;
    }
    if !works {
        return false;
    }
    // What a default takes from the environment isn't required, and isn't there. All else can be tried with what was drawn.
    anew(trial).await;
    configured(trial, &all.inputs, false).await
}

/// A provider takes its configuration once. The next engine finds it as new.
async fn anew(trial: &mut Trial<'_>) {
    if let Err(refusal) = trial.engine.handshake().await {
        trial.failed(Stage::Handshake, "component", &refusal);
    }
}

async fn configured(trial: &mut Trial<'_>, configuration: &Object, is_real: bool) -> bool {
    let urn = urn(&trial.package.provider.token);
    let checked = match trial.engine.check_config(&urn, &configuration.clone().without_secrets()).await {
        Ok(checked) => checked,
        Err(refusal) => {
            trial.failed(Stage::Configuration, LOCATION, &refusal);
            return false;
        }
    };
    let level = if is_real { Level::Error } else { Level::Skipped };
    for (property, reason) in &checked.failures {
        let finding = Finding::new(level, Stage::Configuration, LOCATION, format!("CheckConfig refuses it: {reason}"));
        let finding = finding.at(property.clone());
        trial.findings.add(if is_real { finding } else { finding.hint(REAL) });
    }
    if !checked.failures.is_empty() {
        return false;
    }
    match trial.engine.diff_config(&urn, &checked.inputs, &checked.inputs).await {
        Ok(changes) => {
            for change in changes {
                let message = "DiffConfig sees a change between a configuration and itself";
                trial.findings.add(Finding::new(Level::Error, Stage::Configuration, LOCATION, message).at(change));
            }
        }
        Err(refusal) => trial.failed(Stage::Configuration, LOCATION, &refusal),
    }
    // What the check made of it, and what is secret in what was given, as engines remember it.
    let is_secret = |name: &String| configuration.get(name).is_some_and(Value::contains_secret);
    let marked = |(name, value): (String, Value)| (name.clone(), if is_secret(&name) { value.secret() } else { value });
    let completed: Object = checked.inputs.into_iter().map(marked).collect();
    match trial.engine.configure(&completed).await {
        Ok(()) => {
            trial.configuration = completed;
            true
        }
        Err(refusal) if is_real => {
            trial.failed(Stage::Configuration, LOCATION, &refusal);
            false
        }
        Err(refusal) => {
            trial.refused(Stage::Configuration, LOCATION, &refusal, REAL);
            false
        }
    }
}

/// Configurations with a mistake, which a check should find.
async fn mistakes(trial: &mut Trial<'_>, right: &Object) {
    let package = trial.package;
    let urn = urn(&package.provider.token);
    let overridden = package.provider.facts.overrides.check;
    for wrong in sample::wrong(package, &package.configuration, right) {
        match trial.engine.check_config(&urn, &wrong.inputs.without_secrets()).await {
            Ok(checked) if checked.failures.is_empty() => {
                let level = if overridden { Level::Warning } else { Level::Error };
                let message = format!("CheckConfig accepts a configuration {}", wrong.mistake);
                let finding = Finding::new(level, Stage::Configuration, LOCATION, message).at(wrong.property);
                trial.findings.add(finding.hint("let an override call the host's default"));
            }
            Ok(_) => {}
            Err(refusal) => trial.failed(Stage::Configuration, LOCATION, &refusal),
        }
    }
}
