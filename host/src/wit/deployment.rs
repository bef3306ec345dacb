//! What a guest asks a deployment, and what it is told.

use super::bindings::engine as wit;
use super::bindings::options as given;
use super::bindings::values::Tree;
use super::options::options_of;
use super::tree::{TreeError, TreeLimits, object_from_tree, tree_from_value};
use crate::provider::{Invocation, Registered, Registration, Surroundings};

/// What is being deployed.
pub(crate) fn surroundings(surroundings: Surroundings) -> wit::Deployment {
    let entries = surroundings.config.into_iter();
    wit::Deployment {
        organization: surroundings.organization,
        project: surroundings.project,
        stack: surroundings.stack,
        preview: surroundings.preview,
        parallel: surroundings.parallel,
        config: entries
            .map(|entry| wit::ConfigEntry { key: entry.key, value: entry.value, secret: entry.secret })
            .collect(),
    }
}

/// What to register.
///
/// # Errors
/// Inputs or a replacement trigger that break the contract.
pub(crate) fn registration(registration: wit::Registration, limits: &TreeLimits) -> Result<Registration, TreeError> {
    Ok(Registration {
        token: registration.token,
        name: registration.name,
        custom: registration.custom,
        remote: registration.remote,
        inputs: object_from_tree(registration.inputs, limits)?,
        options: options_of(registration.options, limits)?,
    })
}

/// A call of a function or a method.
///
/// # Errors
/// Arguments that break the contract.
pub(crate) fn invocation(
    token: String,
    arguments: Tree,
    options: given::ResourceOptions,
    limits: &TreeLimits,
) -> Result<Invocation, TreeError> {
    Ok(Invocation { token, arguments: object_from_tree(arguments, limits)?, options: options_of(options, limits)? })
}

/// A registered resource.
pub(crate) fn registered(registered: Registered) -> wit::Registered {
    wit::Registered { urn: registered.urn, id: registered.id, state: tree_from_value(&registered.state) }
}
