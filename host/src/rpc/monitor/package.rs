//! What tells an engine where a component's own package comes from, if its name doesn't.
//!
//! Engines look for a package's plugin by the package's name. One that a parameter made has another plugin, which has to be
//! registered with the monitor before children of the package are.

use bulkhead_proto::resource::{Parameterization, RegisterPackageRequest};
use bytes::Bytes;

use super::connection::Connection;
use super::refusal::refusal;
use crate::provider::{Error, package_of};

/// How engines get a package that a parameter made.
#[derive(Clone, Debug)]
pub struct PackageOrigin {
    /// The plugin's name.
    pub plugin: String,
    /// The plugin's version.
    pub plugin_version: String,
    /// The package's name.
    pub name: String,
    /// The package's version.
    pub version: String,
    /// The parameter.
    pub parameter: Bytes,
}

impl PackageOrigin {
    /// Whether a type or function is of the package, or the package's provider.
    fn has(&self, token: &str) -> bool {
        package_of(token) == self.name
    }
}

impl Connection {
    /// What a request about a type or function says of its package. Empty where the name is enough.
    ///
    /// # Errors
    /// A monitor that doesn't take the package.
    pub(super) async fn package_ref(&self, token: &str) -> Result<String, Error> {
        let Some(origin) = self.origin.as_ref().filter(|origin| origin.has(token)) else { return Ok(String::new()) };
        let registered = self.package.get_or_try_init(|| async {
            let request = RegisterPackageRequest {
                name: origin.plugin.clone(),
                version: origin.plugin_version.clone(),
                parameterization: Some(Parameterization {
                    name: origin.name.clone(),
                    version: origin.version.clone(),
                    value: origin.parameter.clone(),
                }),
                ..RegisterPackageRequest::default()
            };
            let response = self.client().register_package(request).await;
            let doing = format!("register the package `{}`", origin.name);
            Ok(response.map_err(|status| refusal(&doing, status))?.into_inner().r#ref)
        });
        registered.await.cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_has_its_types_functions_and_provider() {
        let text = String::from;
        let origin = PackageOrigin {
            plugin: text("wasm"),
            plugin_version: text("0.1.0"),
            name: text("site"),
            version: text("1.0.0"),
            parameter: Bytes::new(),
        };
        for token in ["site:index:Page", "site:Page", "pulumi:providers:site"] {
            assert!(origin.has(token), "{token}");
        }
        for token in ["sites:index:Page", "pulumi:providers:sites", "pulumi:pulumi:Stack", "random:index:Site", ""] {
            assert!(!origin.has(token), "{token}");
        }
    }
}
