//! What a monitor can do and what it deploys: asked at once of newer ones, feature by feature of older ones.

use std::collections::BTreeSet;

use bulkhead_proto::resource::{DeploymentInfo, ResourceMonitorFeature as Feature, SupportsFeatureRequest};
use bulkhead_value::wire::encode::Capabilities;
use tonic::Code;

use super::connection::Client;
use super::refusal::refusal;
use crate::provider::{ConfigEntry, Error, Surroundings};

/// What older monitors are asked for, by the names that they know. What came later has no name.
const NAMED: [(&str, Feature); 13] = [
    ("secrets", Feature::Secrets),
    ("resourceReferences", Feature::ResourceReferences),
    ("outputValues", Feature::OutputValues),
    ("aliasSpecs", Feature::AliasSpecs),
    ("replacementTrigger", Feature::ReplacementTrigger),
    ("deletedWith", Feature::DeletedWith),
    ("replaceWith", Feature::ReplaceWith),
    ("transforms", Feature::Transforms),
    ("invokeTransforms", Feature::InvokeTransforms),
    ("parameterization", Feature::Parameterization),
    ("resourceHooks", Feature::ResourceHooks),
    ("errorHooks", Feature::ErrorHooks),
    ("sendsOptionsToHooks", Feature::SendsOptionsToHooks),
];

/// What is known of a monitor.
pub(super) struct Known {
    /// What it can do.
    pub(super) features: Features,
    /// What it deploys; older monitors leave that to each request.
    pub(super) surroundings: Option<Surroundings>,
}

/// What a monitor can do.
pub(super) struct Features(BTreeSet<i32>);

impl Features {
    /// Whether it can do this.
    pub(super) fn has(&self, feature: Feature) -> bool {
        self.0.contains(&(feature as i32))
    }

    /// What it takes in values. Whether outputs are among them depends on whom they are for.
    pub(super) fn capabilities(&self, outputs: bool) -> Capabilities {
        Capabilities {
            secrets: self.has(Feature::Secrets),
            resources: self.has(Feature::ResourceReferences),
            outputs: outputs && self.has(Feature::OutputValues),
            byte_strings: self.has(Feature::ByteString),
            // Beside previews there are deployments that go on after a failure, with what nobody knows.
            unknowns: true,
        }
    }
}

/// Asks a monitor.
pub(super) async fn known(mut client: Client) -> Result<Known, Error> {
    const DOING: &str = "ask what the engine can do";
    match client.get_deployment_info(()).await {
        Ok(response) => {
            let info = response.into_inner();
            let features = Features(info.supported_features.iter().copied().collect());
            Ok(Known { features, surroundings: Some(surroundings(info)) })
        }
        Err(status) if status.code() == Code::Unimplemented => {
            let mut features = BTreeSet::new();
            for (name, feature) in NAMED {
                let request = SupportsFeatureRequest { id: name.to_owned() };
                match client.supports_feature(request).await {
                    Ok(response) if response.get_ref().has_support => drop(features.insert(feature as i32)),
                    Ok(_) => {}
                    // Older still.
                    Err(status) if status.code() == Code::Unimplemented => break,
                    Err(status) => return Err(refusal(DOING, status)),
                }
            }
            Ok(Known { features: Features(features), surroundings: None })
        }
        Err(status) => Err(refusal(DOING, status)),
    }
}

fn surroundings(info: DeploymentInfo) -> Surroundings {
    Surroundings {
        organization: info.organization,
        project: info.project,
        stack: info.stack,
        preview: info.dry_run,
        parallel: parallel(info.parallel),
        config: config(info.config, &info.config_secret_keys),
    }
}

/// How many operations run at once: up to 1 means one.
pub(in super::super) fn parallel(said: i32) -> u32 {
    u32::try_from(said).unwrap_or(1).max(1)
}

/// A stack's configuration.
pub(in super::super) fn config(
    values: impl IntoIterator<Item = (String, String)>,
    secret: &[String],
) -> Vec<ConfigEntry> {
    let secret: BTreeSet<&str> = secret.iter().map(String::as_str).collect();
    let entry = |(key, value): (String, String)| ConfigEntry { secret: secret.contains(key.as_str()), key, value };
    values.into_iter().map(entry).collect()
}
