//! Components and methods: what a guest is asked, and what it answers.

use super::bindings::exports::components as wit;
use super::options::options;
use super::tree::{TreeError, TreeLimits, object_from_tree, tree_from_object, value_from_tree};
use crate::provider::{Called, ConstructRequest, Constructed, Dependencies, MethodRequest};

/// What to construct.
pub(crate) fn construct_request(request: &ConstructRequest) -> wit::ConstructRequest {
    wit::ConstructRequest {
        token: request.token.clone(),
        name: request.name.clone(),
        inputs: tree_from_object(&request.inputs),
        input_dependencies: dependencies(&request.dependencies),
        options: options(&request.options),
        preview: request.preview,
    }
}

/// What method to call.
pub(crate) fn method_request(request: &MethodRequest) -> wit::CallRequest {
    wit::CallRequest {
        token: request.token.clone(),
        arguments: tree_from_object(&request.arguments),
        argument_dependencies: dependencies(&request.dependencies),
        preview: request.preview,
    }
}

/// A constructed component.
///
/// # Errors
/// A state that breaks the contract.
pub(crate) fn constructed(constructed: wit::Constructed, limits: &TreeLimits) -> Result<Constructed, TreeError> {
    Ok(Constructed {
        urn: constructed.urn,
        state: object_from_tree(constructed.state, limits)?,
        dependencies: dependencies_of(constructed.state_dependencies),
    })
}

/// A method's result.
///
/// # Errors
/// A value that breaks the contract.
pub(crate) fn called(called: wit::Called, limits: &TreeLimits) -> Result<Called<bulkhead_value::Value>, TreeError> {
    Ok(Called { value: value_from_tree(called.value, limits)?, dependencies: dependencies_of(called.dependencies) })
}

fn dependencies(dependencies: &Dependencies) -> Vec<wit::PropertyDependencies> {
    let of =
        |(name, urns): (&String, &Vec<String>)| wit::PropertyDependencies { name: name.clone(), urns: urns.clone() };
    dependencies.iter().map(of).collect()
}

fn dependencies_of(dependencies: Vec<wit::PropertyDependencies>) -> Dependencies {
    let mut of = Dependencies::new();
    for property in dependencies {
        of.entry(property.name).or_default().extend(property.urns);
    }
    of
}
