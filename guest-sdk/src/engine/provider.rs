//! Providers as resources: an explicit one for children and functions.

use super::registration::Registration;
use crate::output::{Output, all};

/// What stands for the id of a provider that a preview doesn't know, as engines have it.
const UNKNOWN_ID: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/// A provider with a configuration of its own, which children and functions can be told to use.
///
/// A component gets them from the program ([`Scope::provider`](super::Scope::provider)) or registers them
/// ([`Child::provider_instance`](super::Child::provider_instance)).
#[derive(Clone, Debug)]
pub struct ProviderInstance {
    package: String,
    /// Its URN, `::` and its id.
    reference: Output<String>,
}

impl ProviderInstance {
    /// The provider of `package` that a reference stands for: its URN, `::` and its id.
    pub fn from_reference(package: impl Into<String>, reference: impl Into<String>) -> Self {
        Self { package: package.into(), reference: Output::from(reference.into()) }
    }

    /// The provider of `package` that was registered as a resource of the type `pulumi:providers:PACKAGE`.
    pub fn from_resource(package: impl Into<String>, resource: &Registration) -> Self {
        let (urn, id) = (resource.urn(), resource.id_or_unknown(UNKNOWN_ID));
        let reference = all((urn, id)).map(|(urn, id)| format!("{urn}::{id}"));
        Self { package: package.into(), reference }
    }

    /// The package that it provides.
    pub fn package(&self) -> &str {
        &self.package
    }

    pub(super) fn reference(&self) -> &Output<String> {
        &self.reference
    }
}

/// The package that a token belongs to. Providers belong to the package that they provide.
pub(super) fn package_of(token: &str) -> &str {
    match token.strip_prefix("pulumi:providers:") {
        Some(package) => package,
        None => token.split_once(':').map_or(token, |(package, _)| package),
    }
}
