//! Packages that a parameter made.

use semver::Version;

/// That a package was made by a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameterization {
    /// What became of the package of the provider that took the parameter.
    pub kind: ParameterKind,
    /// The name of that package.
    pub base: String,
    /// Its version, which engines look for.
    pub version: Option<Version>,
    /// The plugin that a parameter made that package of in turn, if it isn't a plugin's own.
    pub plugin: Option<BasePlugin>,
}

/// A plugin, by what engines look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BasePlugin {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: Option<Version>,
}

/// What a parameter does to a provider's package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// Another package stands in its place.
    Replacement,
    /// Another package stands beside it.
    Extension,
}
