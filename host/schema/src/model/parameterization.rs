//! Packages that a parameter made.

/// That a package was made by a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameterization {
    /// What became of the package of the provider that took the parameter.
    pub kind: ParameterKind,
    /// The name of that package.
    pub base: String,
}

/// What a parameter does to a provider's package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// Another package stands in its place.
    Replacement,
    /// Another package stands beside it.
    Extension,
}
