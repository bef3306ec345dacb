//! What tells an engine where a component's own package comes from, if its name doesn't.
//!
//! Engines look for a package's plugin by the package's name. One that a parameter made has another plugin, which has to be
//! registered with the monitor before children of the package are. Any other is looked for in some version, and where none is said in
//! whichever the program has, or in the newest that there is, which may be anybody's.

use bulkhead_proto::resource::{Parameterization, RegisterPackageRequest};
use bulkhead_schema::Package;
use bytes::Bytes;

use super::connection::Connection;
use super::operations::Monitor;
use super::refusal::refusal;
use crate::provider::{Error, ResourceOptions, package_of};

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

impl Monitor {
    /// What a request about a type or function says of its package, beside its options, which say the version of the component's own.
    ///
    /// # Errors
    /// A monitor that doesn't take the package.
    pub(super) async fn package(&self, token: &str, options: &mut ResourceOptions) -> Result<String, Error> {
        let package_ref = self.connection.package_ref(token).await?;
        if package_ref.is_empty() {
            say_own_version(&self.own, token, options);
        }
        Ok(package_ref)
    }
}

/// Says the version of a component's own package, as SDKs do, unless it was said who else is meant.
///
/// Nothing is said of a provider's own registration: with a version engines keep the address from it that the program has for the
/// package's plugin, by which others find that.
fn say_own_version(own: &Package, token: &str, options: &mut ResourceOptions) {
    let said = |option: &Option<String>| option.as_ref().is_some_and(|option| !option.is_empty());
    let meant = said(&options.version) || said(&options.plugin_download_url) || said(&options.provider);
    let is_own = token.split_once(':').is_some_and(|(package, _)| package == own.name);
    // Of one that a parameter made engines know no plugin in this version.
    if !meant && is_own && own.parameterization.is_none() {
        options.version = own.version.as_ref().map(ToString::to_string);
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

    #[test]
    fn only_what_is_of_the_own_package_and_nobody_elses_is_of_its_version() {
        let text = |text: &str| Some(text.to_owned());
        let mut own = Package::default();
        (own.name, own.version) = ("site".to_owned(), "1.2.3".parse().ok());
        let of = |own: &Package, token, mut options| {
            say_own_version(own, token, &mut options);
            options.version
        };
        let unsaid = ResourceOptions::default;
        assert_eq!(of(&own, "site:index:Page", unsaid()), text("1.2.3"));
        assert_eq!(of(&own, "site:index:Page", ResourceOptions { version: text(""), ..unsaid() }), text("1.2.3"));
        let parameterization = bulkhead_schema::Parameterization {
            kind: bulkhead_schema::ParameterKind::Extension,
            base: "base".to_owned(),
            version: None,
            plugin: None,
        };
        let [mut made, mut unversioned] = [own.clone(), own.clone()];
        (made.parameterization, unversioned.version) = (Some(parameterization), None);
        for (package, token, options, expected) in [
            (&own, "sites:index:Page", unsaid(), None),
            (&own, "pulumi:providers:site", unsaid(), None),
            (&own, "site:index:Page", ResourceOptions { version: text("2.0.0"), ..unsaid() }, text("2.0.0")),
            (&own, "site:index:Page", ResourceOptions { plugin_download_url: text("https://x"), ..unsaid() }, None),
            (&own, "site:index:Page", ResourceOptions { provider: text("urn::id"), ..unsaid() }, None),
            (&made, "site:index:Page", unsaid(), None),
            (&unversioned, "site:index:Page", unsaid(), None),
        ] {
            assert_eq!(of(package, token, options), expected, "{token}");
        }
    }
}
