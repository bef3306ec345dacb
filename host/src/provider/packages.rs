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

/// Where descriptions come from.
#[async_trait]
pub trait PackageSource: fmt::Debug + Send + Sync {
    /// A package's schema, JSON in UTF-8.
    ///
    /// # Errors
    /// The engine offers none, or doesn't know the package.
    async fn schema(&self, package: &PackageReference) -> Result<Vec<u8>, Error>;

    /// The mapping of a provider of another ecosystem, from a package if one is named. Empty if there is none.
    ///
    /// # Errors
    /// The engine offers none, or can't ask for it.
    async fn mapping(&self, provider: &str, package: Option<&PackageReference>) -> Result<Vec<u8>, Error>;
}
