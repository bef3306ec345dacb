//! The export `parameterization`: what a parameter makes, found out on an instance that serves nothing else.
//!
//! The schema of a sub-package is a stranger's document that arrives while calls run: it is bounded, parsed beside them, and held
//! to the component's exports like the component's own.

use std::collections::BTreeMap;
use std::sync::Arc;

use bulkhead_schema::Package;
use serde::Deserialize;

use super::agreement::agree;
use bulkhead_policy::{Permissions, Phase};

use super::call::Ended;
use super::description::{alone, compact, package_schema};
use super::guest::{ComponentGuest, looked};
use super::instance::Instance;
use super::manifest::ResourceEntry;
use super::published::published;
use super::replying::called;
use crate::provider::{Call, Error, ErrorKind, Exports, Parameterized, Parameters, Subpackage};
use crate::wit::bindings::exports::parameterization::ParameterizeRequest;
use crate::wit::bindings::types;
use crate::wit::{parameterize_request, subpackage};

/// The most that the schema of a sub-package may measure, bytes.
const LARGEST_SCHEMA: usize = 64 << 20;

/// A sub-package and its schema, as a guest has them.
type Made = (types::Subpackage, String);

impl ComponentGuest {
    /// Finds out what a parameter makes.
    pub(super) async fn made(&self, call: Call, parameters: &Parameters) -> Result<Parameterized, Error> {
        let request = Arc::new(parameterize_request(parameters, false));
        let ended: Ended<Result<Made, types::Error>> = self
            .call(call, Phase::Configure, move |instance: &mut Instance| {
                // Nobody has accepted yet what it is told.
                instance.retire();
                Box::pin(made(instance, request))
            })
            .await;
        let (made, schema) = looked(ended)?;
        if schema.len() > LARGEST_SCHEMA {
            let (found, most) = (schema.len() >> 20, LARGEST_SCHEMA >> 20);
            let message = format!("the schema of the sub-package has {found} MiB, and may have {most}");
            return Err(Error::new(ErrorKind::Exhausted, message));
        }
        let (made, exports, permissions) = (subpackage(made), self.exports(), self.pool.permissions());
        // A large schema takes longer to parse than other calls should have to wait.
        let described = tokio::task::spawn_blocking(move || described(made, schema, &exports, &permissions)).await;
        described.unwrap_or_else(|_| Err(Error::new(ErrorKind::Failed, "the host failed to read the schema")))
    }
}

async fn made(
    instance: &mut Instance,
    request: Arc<ParameterizeRequest>,
) -> wasmtime::Result<Result<Made, types::Error>> {
    let made: Result<types::Subpackage, types::Error> =
        called(instance, "parameterization", "parameterize", (request,)).await?;
    let made = match made {
        Ok(made) => Arc::new(made),
        Err(error) => return Ok(Err(error)),
    };
    let schema = package_schema(instance, Some(Arc::clone(&made))).await?;
    Ok(schema.map(|schema| (Arc::unwrap_or_clone(made), schema)))
}

/// Facts of resources, which the manifest can't have for types that it doesn't know.
#[derive(Deserialize)]
struct Carried {
    #[serde(default)]
    resources: BTreeMap<String, CarriedResource>,
}

#[derive(Deserialize)]
struct CarriedResource {
    #[serde(default)]
    language: Languages,
}

#[derive(Default, Deserialize)]
struct Languages {
    bulkhead: Option<ResourceEntry>,
}

fn described(
    subpackage: Subpackage,
    schema: String,
    exports: &Exports,
    permissions: &Permissions,
) -> Result<Parameterized, Error> {
    let wrong = |error: &dyn std::fmt::Display| {
        Error::provider_bug(format!(
            "the schema of the sub-package `{}` {} is wrong: {error}",
            subpackage.name, subpackage.version
        ))
    };
    let alone = alone(schema.as_bytes());
    let mut package = Package::parse(schema.as_bytes()).map_err(|error| wrong(&error))?;
    let carried: Carried = serde_json::from_str(&schema).map_err(|error| wrong(&error))?;
    for (token, resource) in carried.resources {
        if let Some(entry) = resource.language.bulkhead {
            let facts = entry.facts(&token).map_err(|error| wrong(&error))?;
            package.apply(&token, facts).map_err(|error| wrong(&error))?;
        }
    }
    agree(&package, exports).map_err(|error| {
        let made = format!("the sub-package `{}` {}", subpackage.name, subpackage.version);
        Error::provider_bug(format!("{made} has what the provider doesn't do: {error}"))
    })?;
    let package = compact(package, schema.as_bytes());
    drop(alone);
    let schema = published(schema.into_bytes().into(), &package, permissions);
    Ok(Parameterized { subpackage, schema, package })
}
