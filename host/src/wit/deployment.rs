//! What a guest asks a deployment, and what it is told.

use super::bindings::engine as wit;
use super::bindings::options as given;
use super::bindings::values::{ArchiveSource, AssetSource, Field, Node, Tree};
use super::options::{self, options_of};
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

/// About how many bytes a value and options take in the host.
pub(crate) fn weight(tree: &Tree, given: &given::ResourceOptions) -> usize {
    let trigger = given.replacement_trigger.as_ref().map_or(0, tree_weight);
    tree_weight(tree).saturating_add(trigger).saturating_add(options::weight(given))
}

/// About how many bytes a value takes in the host.
pub(crate) fn tree_weight(tree: &Tree) -> usize {
    const NODE: usize = 64;
    let members = |fields: &[Field]| fields.iter().map(|field| field.name.len().saturating_add(NODE)).sum();
    let contents = |node: &Node| match node {
        Node::Text(text) => text.len(),
        Node::Bytes(bytes) => bytes.len(),
        Node::Fields(fields) => members(fields),
        Node::Asset(asset) => match &asset.source {
            AssetSource::Text(text) | AssetSource::Path(text) | AssetSource::Uri(text) => text.len(),
            AssetSource::Elided => 0,
        },
        Node::Archive(archive) => match &archive.source {
            ArchiveSource::Members(fields) => members(fields),
            ArchiveSource::Path(text) | ArchiveSource::Uri(text) => text.len(),
            ArchiveSource::Elided => 0,
        },
        Node::Output(output) => output.dependencies.iter().map(|urn| urn.len().saturating_add(NODE)).sum(),
        Node::Reference(reference) => reference.urn.len(),
        _ => 0,
    };
    tree.nodes.iter().map(|node| contents(node).saturating_add(NODE)).fold(0, usize::saturating_add)
}
