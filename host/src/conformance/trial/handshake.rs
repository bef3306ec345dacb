//! What an engine asks before any configuration.

use super::run::Trial;
use crate::conformance::finding::{Finding, Level, Stage};

/// Shakes hands, and asks who is there.
pub(super) async fn attempt(trial: &mut Trial<'_>) {
    let error = |message: &str| Finding::new(Level::Error, Stage::Handshake, "component", message);
    if let Err(refusal) = trial.engine.handshake().await {
        trial.failed(Stage::Handshake, "component", &refusal);
    }
    match trial.engine.plugin_info().await {
        Ok(info) => {
            let version = trial.package.version.as_ref().map(ToString::to_string).unwrap_or_default();
            if info.version != version {
                trial.findings.add(error("GetPluginInfo tells another version than the schema"));
            }
        }
        Err(refusal) => trial.failed(Stage::Handshake, "component", &refusal),
    }
    match trial.engine.schema().await {
        Ok(schema) if schema.as_bytes() == trial.schema => {}
        Ok(_) => trial.findings.add(error("GetSchema returns another schema than the component has")),
        Err(refusal) => trial.failed(Stage::Handshake, "component", &refusal),
    }
}
