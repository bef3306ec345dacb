//! Methods, called for real with generated arguments, on resources that the engine only pretends to have.

use std::sync::Arc;

use bulkhead_schema::{Extent, Resource};
use bulkhead_value::{Object, Reference, ReferenceId, Value};

use super::monitor::Monitor;
use super::run::Trial;
use super::subject::urn;
use crate::conformance::finding::{Finding, Level, Stage};

const STAGE: Stage = Stage::Methods;
/// The argument that says whose method it is.
const SELF: &str = "__self__";
const GENERATED: &str = "the resource and the arguments were generated: what they name may not exist";

/// Calls each method of resources, components and the provider that somebody answers.
pub(super) async fn attempt(trial: &mut Trial<'_>) {
    let package = trial.package;
    let provider = trial.answers_for_provider.then_some(&package.provider);
    for resource in package.resources.values().chain(provider) {
        for token in package.served_methods(resource) {
            if trial.is_interrupted() {
                return;
            }
            called(trial, resource, token).await;
        }
    }
}

async fn called(trial: &mut Trial<'_>, resource: &Resource, token: &str) {
    let monitor = match Monitor::start(Arc::clone(&trial.shared), trial.options.seed, false).await {
        Ok(monitor) => monitor,
        Err(error) => {
            let message = format!("no engine could be served on this machine: {error}");
            trial.findings.add(Finding::new(Level::Skipped, STAGE, token, message));
            return;
        }
    };
    trial.tried.methods += 1;
    let urn = urn(&resource.token);
    let id = if resource.is_component { "" } else { "sample" };
    monitor.knows(&urn, id, trial.sampler(0).object(&resource.outputs, Extent::All).inputs);
    let inputs = trial.package.function(token).and_then(|function| function.inputs.as_ref());
    let mut arguments = inputs.map_or_else(Object::new, |ty| trial.inputs(token, 0, ty, Extent::All).inputs);
    let id = (!resource.is_component).then(|| ReferenceId::Known(id.to_owned()));
    let reference = Reference { urn, id, package_version: String::new() };
    arguments.insert(SELF.to_owned(), Value::from(reference));
    match trial.engine.call(token, &arguments, &monitor).await {
        Ok(failures) => {
            for (property, reason) in failures {
                let message = format!("the method refuses arguments that the schema allows: {reason}");
                trial.findings.add(Finding::new(Level::Skipped, STAGE, token, message).at(property));
            }
        }
        Err(refusal) => trial.refused(STAGE, token, &refusal, GENERATED),
    }
}
