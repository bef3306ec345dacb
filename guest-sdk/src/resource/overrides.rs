//! What overrides are given and return. Here nothing is typed, since in a preview anything may be unknown.

use super::{Context, Prior, Resource};
use crate::error::{Failure, Result};
use crate::host::defaults;
use crate::path::Path;
use crate::value::Fields;

/// What to check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Check {
    /// Which resource.
    pub context: Context,
    /// The inputs that the last check returned; absent for a new resource and for a replacement.
    pub prior_inputs: Option<Fields>,
    /// The state as it was last recorded; absent for a new resource, and with engines that don't send it.
    pub prior_state: Option<Fields>,
    /// What the user gave; members may be unknown or secret.
    pub inputs: Fields,
    /// 32 bytes, equal for equal resources of a deployment, from which all randomness must come.
    pub seed: Option<Vec<u8>>,
    /// How to name the resource.
    pub autonaming: Option<Autonaming>,
}

/// An engine's wish for a generated name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Autonaming {
    /// How binding it is.
    pub mode: AutonamingMode,
    /// The name; empty if names are disabled.
    pub proposed_name: String,
}

/// How generated names are to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutonamingMode {
    /// The proposed name may be adapted.
    Propose,
    /// The proposed name is used as it is, or the check fails.
    Enforce,
    /// No name is generated: without an explicit one the check fails.
    Disable,
}

/// The verdict of a check.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The inputs, given values unchanged, defaults added.
    pub inputs: Fields,
    /// All that is wrong with them.
    pub failures: Vec<Failure>,
}

impl Checked {
    /// Adds what is wrong with the input at `path`.
    pub fn reject(&mut self, path: impl Into<Path>, reason: impl Into<String>) {
        self.failures.push(Failure { path: path.into(), reason: reason.into() });
    }
}

impl Check {
    /// What the host would say.
    pub fn defaults(&self) -> Result<Checked> {
        defaults::check(self)
    }
}

/// What to compare.
#[derive(Debug)]
#[non_exhaustive]
pub struct Diff<R> {
    /// Which resource.
    pub context: Context,
    /// The resource as recorded.
    pub prior: Prior<R>,
    /// New checked inputs; members may be unknown, which means that they may change.
    pub inputs: Fields,
    /// What to treat as unchanged. Steps may be `*`.
    pub ignore_changes: Vec<Path>,
}

impl<R: Resource> Diff<R> {
    /// What the host would say.
    pub fn defaults(&self) -> Result<Difference> {
        defaults::diff(&self.context, self.prior.to_raw(), &self.inputs, &self.ignore_changes)
    }
}

impl Diff<()> {
    /// The same, knowing the resource.
    pub(super) fn of<R>(self) -> Diff<R> {
        let Self { context, prior, inputs, ignore_changes } = self;
        Diff { context, prior: Prior::new(prior.into_raw()), inputs, ignore_changes }
    }
}

/// All changes.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    /// The changes; none means equal. At most one for a path.
    pub changes: Vec<Change>,
    /// Whether a replacement deletes the old resource first.
    pub delete_before_replace: bool,
    /// Outputs at the top that keep their value.
    pub stable: Vec<String>,
}

/// A change of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which.
    pub path: Path,
    /// What happens.
    pub kind: ChangeKind,
    /// Whether the resource must be replaced because of it.
    pub replaces: bool,
    /// Whether the old value is one of the inputs; of the state otherwise.
    pub input_diff: bool,
}

/// What happens to a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It appears.
    Added,
    /// It disappears.
    Deleted,
    /// It changes.
    Updated,
}

/// A create to predict.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PreviewCreate {
    /// Which resource.
    pub context: Context,
    /// Checked inputs; members may be unknown.
    pub inputs: Fields,
}

impl PreviewCreate {
    /// What the host would predict.
    pub fn defaults(&self) -> Result<Fields> {
        defaults::preview_create(&self.context, &self.inputs)
    }
}

/// An update to predict.
#[derive(Debug)]
#[non_exhaustive]
pub struct PreviewUpdate<R> {
    /// Which resource.
    pub context: Context,
    /// The resource before.
    pub prior: Prior<R>,
    /// Checked inputs; members may be unknown.
    pub inputs: Fields,
}

impl<R: Resource> PreviewUpdate<R> {
    /// What the host would predict.
    pub fn defaults(&self) -> Result<Fields> {
        defaults::preview_update(&self.context, self.prior.to_raw(), &self.inputs)
    }
}

/// State of an older version.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Upgrade {
    /// The `schema_version` that the state was written under; 0 if none was recorded.
    pub from_version: u32,
    /// The state. Of inputs that are older than the state beside them it is those inputs.
    pub state: Fields,
    /// The inputs of this version, where the engine keeps them.
    pub inputs: Option<Fields>,
}

/// The same resource in terms of the present version.
#[derive(Clone, Debug)]
pub struct Upgraded {
    /// The state.
    pub state: Fields,
    /// The inputs; absent if none were given.
    pub inputs: Option<Fields>,
}
