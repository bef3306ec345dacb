//! Descriptions of other packages, as the engine resolves them. Texts, and no authority: whoever has one can do no more than before.

use std::fmt;

use async_trait::async_trait;

use super::Error;

/// A package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageReference {
    /// Its name.
    pub name: String,
    /// Its version; any, if absent.
    pub version: Option<String>,
}

/// What resolves to a package: a name, a registry's path, a URL or a directory, as users write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageSpec {
    /// What the user wrote.
    pub source: String,
    /// The version; the newest, if absent.
    pub version: Option<String>,
    /// Arguments that make the package out of another.
    pub parameters: Vec<String>,
}

/// A package that was found, and the plugin that provides it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedPackage {
    /// The plugin's name, and the package's, unless a parameter makes another.
    pub name: String,
    /// What kind of plugin it is: `resource`.
    pub kind: String,
    /// The plugin's version.
    pub version: String,
    /// Where the plugin is to be had; none for the usual place.
    pub download_url: Option<String>,
    /// The parameter that makes the package in the place of the plugin's own.
    pub replacement: Option<PackageParameter>,
    /// The parameter that adds the package to the plugin's own.
    pub extension: Option<PackageParameter>,
}

/// What makes a package out of a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageParameter {
    /// The package's name.
    pub name: String,
    /// The package's version.
    pub version: String,
    /// What its schema has recorded.
    pub value: Vec<u8>,
}

/// Where descriptions come from.
#[async_trait]
pub trait PackageSource: fmt::Debug + Send + Sync {
    /// A package's schema, or that of the one that a parameter makes out of its plugin, JSON in UTF-8.
    ///
    /// # Errors
    /// The engine offers none, or doesn't know the package.
    async fn schema(&self, package: &PackageReference, parameter: Option<&PackageParameter>) -> Result<Vec<u8>, Error>;

    /// The mapping of a provider of another ecosystem, from a package if one is named. Empty if there is none.
    ///
    /// # Errors
    /// The engine offers none, or can't ask for it.
    async fn mapping(&self, provider: &str, package: Option<&PackageReference>) -> Result<Vec<u8>, Error>;

    /// The package that a user's words mean. Engines may install its plugin to find out.
    ///
    /// # Errors
    /// The engine resolves none, or not this one.
    async fn resolved(&self, spec: &PackageSpec) -> Result<ResolvedPackage, Error>;
}

/// Inputs of a provider that engines alone write: which plugin it is, what makes the package out of that, what it has to look like, and
/// which variables of the user's it is started with under other names. They read all of them where no `__internal` is.
pub(crate) const WRITTEN_BY_ENGINES: [&str; 4] =
    ["__internal", "envVarMappings", "parameterization", "pluginChecksums"];
/// Inputs of a provider that programs write, and from which engines learn which plugin to run, and from where to install it.
pub(crate) const READ_BY_ENGINES: [&str; 3] = ["name", "pluginDownloadURL", "version"];

/// What types of providers begin with.
pub(crate) const PROVIDERS: &str = "pulumi:providers:";

/// The package that an engine looks for when it meets a token of a type or function: a provider's is the one that it is of, and
/// what the engine has built in is of the package `pulumi`.
pub(crate) fn package_of(token: &str) -> &str {
    token.strip_prefix(PROVIDERS).unwrap_or_else(|| token.split_once(':').map_or(token, |(package, _)| package))
}

/// What of a method's token says whose it is: those of a provider are called after its type. In a type engines cut nothing.
pub(crate) fn owner_of(method: &str) -> &str {
    match method.split_once('/') {
        Some((owner, _)) if owner.starts_with(PROVIDERS) => owner,
        _ => method,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_name_their_package() {
        for (token, package) in [
            ("command:local:Command", "command"),
            ("pulumi:providers:aws", "aws"),
            ("pulumi:providers:aws/x", "aws/x"),
            ("pulumi:pulumi:StackReference", "pulumi"),
            ("pulumi:pulumi:getResource", "pulumi"),
            ("plain", "plain"),
            (":x:y", ""),
        ] {
            assert_eq!(package_of(token), package);
        }
        assert_eq!(package_of(owner_of("pulumi:providers:aws/method")), "aws");
        assert_eq!(owner_of("aws:s3/bucket:Bucket/method"), "aws:s3/bucket:Bucket/method");
    }
}
