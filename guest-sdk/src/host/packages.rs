//! Other packages' descriptions, as the engine resolves them: texts, which give no authority over what they describe.

use super::imports::packages as host;
use crate::bindings::wit::packages::PackageReference;
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

/// The mapping of a provider of another ecosystem, from a package if one is named; empty if there is none. Unsupported by engines
/// that offer no mappings.
pub fn mapping(provider: &str, package: Option<&Package>) -> Result<Vec<u8>> {
    host::get_mapping(provider, package.map(Package::reference).as_ref()).map_err(read_error)
}
