//! Functions, called for real with generated arguments.

use bulkhead_schema::Extent;
use bulkhead_value::Object;

use super::run::Trial;
use crate::conformance::finding::{Finding, Level, Stage};

/// Calls each function that is neither a method nor written by hand in SDKs.
pub(super) async fn attempt(trial: &mut Trial<'_>) {
    let package = trial.package;
    for (token, function) in package.served_functions() {
        if trial.is_interrupted() {
            return;
        }
        trial.tried.functions += 1;
        let arguments = match &function.inputs {
            Some(ty) => trial.inputs(token, 0, ty, Extent::All).inputs,
            None => Object::new(),
        };
        match trial.engine.invoke(token, &arguments).await {
            Ok(failures) => {
                for (property, reason) in failures {
                    let message = format!("the function refuses arguments that the schema allows: {reason}");
                    let finding = Finding::new(Level::Skipped, Stage::Functions, token.clone(), message);
                    trial.findings.add(finding.at(property));
                }
            }
            Err(refusal) => trial.refused(Stage::Functions, token, &refusal, GENERATED),
        }
    }
}

const GENERATED: &str = "the arguments were generated: what they name may not exist";
