//! Parameters: what they make, and whether what a schema records of one makes the same again.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::parameterize_request::{ParametersArgs, ParametersValue};
use serde_json::Value;

use super::engine::{Engine, Reply};
use super::run::Trial;
use crate::conformance::finding::{Finding, Level, Stage};

const STAGE: Stage = Stage::Parameters;
const LOCATION: &str = "parameters";
const REAL: &str = "`--parameter ARGUMENT`, repeated as needed, gives the arguments that an author knows";

/// What a parameter made.
struct Made {
    name: String,
    version: String,
    schema: String,
}

/// Parameterizes the provider, if it takes parameters, and leaves it as new.
pub(super) async fn attempt(trial: &mut Trial<'_>) {
    let given = trial.options.parameters.clone();
    let is_real = !given.is_empty();
    if !trial.parameterized {
        if is_real {
            let message = "arguments are given, and the provider takes no parameters";
            let finding = Finding::new(Level::Error, STAGE, LOCATION, message);
            trial.findings.add(finding.hint("leave out `--parameter`, or check the provider that takes them"));
        }
        return;
    }
    trial.tried.parameters += 1;
    let parameters = pb::parameterize_request::Parameters::Args(ParametersArgs { args: given });
    let made = match trial.engine.parameterize(parameters).await {
        Ok((name, version)) => described(trial, name, version).await,
        Err(refusal) => {
            match is_real {
                true => trial.failed(STAGE, LOCATION, &refusal),
                false => trial.refused(STAGE, LOCATION, &refusal, REAL),
            }
            None
        }
    };
    if let Some(made) = made {
        repeated(trial, &made).await;
    }
    renewed(trial).await;
}

/// The next engine finds the provider as new.
async fn renewed(trial: &mut Trial<'_>) {
    if let Err(refusal) = trial.engine.handshake().await {
        trial.failed(Stage::Handshake, "component", &refusal);
    }
}

async fn described(trial: &mut Trial<'_>, name: String, version: String) -> Option<Made> {
    match trial.engine.schema_of(&name, &version).await {
        Ok(schema) => Some(Made { name, version, schema }),
        Err(refusal) => {
            trial.failed(STAGE, LOCATION, &refusal);
            None
        }
    }
}

/// Programs are built against the schema, and run with what it records.
async fn repeated(trial: &mut Trial<'_>, made: &Made) {
    let Some(value) = recorded(&made.schema) else {
        let message = format!("the schema of `{}` doesn't record what made it", made.name);
        trial.findings.add(Finding::new(Level::Error, STAGE, LOCATION, message));
        return;
    };
    renewed(trial).await;
    let value = ParametersValue { name: made.name.clone(), version: made.version.clone(), value: value.into() };
    let again = match trial.engine.parameterize(pb::parameterize_request::Parameters::Value(value)).await {
        Ok((name, version)) => described(trial, name, version).await,
        Err(refusal) => {
            trial.failed(STAGE, LOCATION, &refusal);
            None
        }
    };
    if again.is_some_and(|again| again.schema != made.schema) {
        let message = format!("what the schema of `{}` records makes another schema than the arguments did", made.name);
        let finding = Finding::new(Level::Error, STAGE, LOCATION, message);
        trial.findings.add(finding.hint("record all that the schema depends on"));
    }
}

fn recorded(schema: &str) -> Option<Vec<u8>> {
    let schema: Value = serde_json::from_str(schema).ok()?;
    let member = ["parameterization", "extensionParameterization"].into_iter().find_map(|member| schema.get(member))?;
    STANDARD.decode(member.get("parameter")?.as_str()?).ok()
}

impl Engine {
    /// The name and version of what a parameter made.
    async fn parameterize(&self, parameters: pb::parameterize_request::Parameters) -> Reply<(String, String)> {
        let request = pb::ParameterizeRequest { parameters: Some(parameters) };
        let made = self.told(self.client().parameterize(request)).await?;
        Ok((made.name, made.version))
    }

    async fn schema_of(&self, name: &str, version: &str) -> Reply<String> {
        let request = pb::GetSchemaRequest {
            subpackage_name: name.to_owned(),
            subpackage_version: version.to_owned(),
            ..pb::GetSchemaRequest::default()
        };
        Ok(self.told(self.client().get_schema(request)).await?.schema)
    }
}
