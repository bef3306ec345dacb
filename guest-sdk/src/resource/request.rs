//! What the four methods are given.

use std::time::Duration;

use super::{Prior, Resource};

/// The resource that a call is about. Not every engine knows everything.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Context {
    /// The resource's type token.
    pub token: String,
    /// The name that the program gave the resource.
    pub name: Option<String>,
    /// The resource's URN, unique in the deployment.
    pub urn: Option<String>,
    /// How long the operation may take; absent means as long as the provider likes.
    pub timeout: Option<Duration>,
}

impl Context {
    /// How long the operation may take: as long as the program says (`customTimeouts`), or else this.
    pub fn timeout_or(&self, usual: Duration) -> Duration {
        self.timeout.unwrap_or(usual)
    }
}

/// What to create.
#[non_exhaustive]
pub struct Create<'a, R: Resource> {
    /// Checked inputs, defaults filled in.
    pub inputs: R::Inputs,
    /// The provider's configuration.
    pub config: &'a R::Config,
    /// Which resource.
    pub context: Context,
}

/// What to read.
#[non_exhaustive]
pub struct Read<'a, R: Resource> {
    /// The resource's id; not empty.
    pub id: String,
    /// What was recorded; absent when the resource is imported.
    pub prior: Option<Prior<R>>,
    /// The provider's configuration.
    pub config: &'a R::Config,
    /// Which resource.
    pub context: Context,
}

/// What to change.
#[non_exhaustive]
pub struct Update<'a, R: Resource> {
    /// The resource before.
    pub prior: Prior<R>,
    /// Checked inputs, with what the user asked to ignore already set back.
    pub inputs: R::Inputs,
    /// The provider's configuration.
    pub config: &'a R::Config,
    /// Which resource.
    pub context: Context,
}

/// What to delete.
#[non_exhaustive]
pub struct Delete<'a, R: Resource> {
    /// The resource.
    pub prior: Prior<R>,
    /// The provider's configuration.
    pub config: &'a R::Config,
    /// Which resource.
    pub context: Context,
}
