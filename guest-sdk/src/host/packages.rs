//! Other packages' descriptions, as the engine resolves them: texts, which give no authority over what they describe.

use super::imports::packages as host;
use crate::bindings::wit::packages::{PackageParameter, PackageReference, PackageSpec};
use crate::error::Result;
use crate::export::read_error;

/// A package.
///
/// ```
/// use bulkhead_sdk::packages::Package;
///
/// let any = Package::of("aws");
/// let one = Package::of("aws").version("7.2.0");
/// assert_ne!(any, one);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    name: String,
    version: Option<String>,
}

impl Package {
    /// The package of a name, in whichever version the engine prefers.
    pub fn of(name: impl Into<String>) -> Self {
        Self { name: name.into(), version: None }
    }

    /// The same in one version.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    fn reference(&self) -> PackageReference {
        PackageReference { name: self.name.clone(), version: self.version.clone() }
    }
}

/// A package's schema, JSON. Unsupported by engines that offer no schemas.
pub fn schema(package: &Package) -> Result<String> {
    host::get_schema(&package.reference()).map_err(read_error)
}

/// The schema of a package that a parameter makes out of a plugin, JSON: of what [`resolve`] found. Unsupported by engines that offer no
/// schemas.
pub fn parameterized_schema(plugin: &Package, made: &Made) -> Result<String> {
    let Made { name, version, value } = made.clone();
    let parameter = PackageParameter { name, version, value };
    host::get_parameterized_schema(&plugin.reference(), &parameter).map_err(read_error)
}

/// The mapping of a provider of another ecosystem, from a package if one is named; empty if there is none. Unsupported by engines
/// that offer no mappings.
pub fn mapping(provider: &str, package: Option<&Package>) -> Result<Vec<u8>> {
    host::get_mapping(provider, package.map(Package::reference).as_ref()).map_err(read_error)
}

/// A package that was found, and the plugin that provides it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resolved {
    /// The plugin's name, and the package's, unless a parameter makes another.
    pub name: String,
    /// What kind of plugin it is: `resource`.
    pub kind: String,
    /// The plugin's version.
    pub version: String,
    /// Where the plugin is to be had; none for the usual place.
    pub download_url: Option<String>,
    /// The parameter that makes the package in the place of the plugin's own.
    pub replacement: Option<Made>,
    /// The parameter that adds the package to the plugin's own.
    pub extension: Option<Made>,
}

/// A package that a parameter makes out of a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Made {
    /// The package's name.
    pub name: String,
    /// The package's version.
    pub version: String,
    /// What the package's schema has recorded.
    pub value: Vec<u8>,
}

/// The package that a user's words mean: a name, a registry's path, a URL or a directory, with arguments that make the package out of
/// another, or none. The engine may install its plugin to find out. Unsupported by engines that resolve no packages.
pub fn resolve(source: &Package, parameters: &[String]) -> Result<Resolved> {
    let Package { name, version } = source.clone();
    let spec = PackageSpec { source: name, version, parameters: parameters.to_vec() };
    let found = host::resolve(&spec).map_err(read_error)?;
    let made = |made: PackageParameter| Made { name: made.name, version: made.version, value: made.value };
    Ok(Resolved {
        name: found.name,
        kind: found.kind,
        version: found.version,
        download_url: found.download_url,
        replacement: found.replacement.map(made),
        extension: found.extension.map(made),
    })
}
