//! Parameters and what they make, and lists, to and from the contract's terms.

use super::bindings::exports::lists;
use super::bindings::exports::parameterization::{self, ParameterizeRequest};
use super::bindings::types;
use super::tree::{TreeError, TreeLimits, object_from_tree, tree_from_object};
use crate::provider::{Found, Page, PageRequest, Parameters, Subpackage};

/// A parameterization.
pub(crate) fn parameterize_request(parameters: &Parameters, replay: bool) -> ParameterizeRequest {
    let parameters = match parameters {
        Parameters::Arguments(arguments) => parameterization::Parameters::Arguments(arguments.clone()),
        Parameters::Recorded { subpackage: Subpackage { name, version }, bytes } => {
            let subpackage = types::Subpackage { name: name.clone(), version: version.clone() };
            parameterization::Parameters::Recorded(parameterization::Parameter { subpackage, bytes: bytes.clone() })
        }
    };
    ParameterizeRequest { parameters, replay }
}

/// A sub-package.
pub(crate) fn subpackage(subpackage: types::Subpackage) -> Subpackage {
    Subpackage { name: subpackage.name, version: subpackage.version }
}

/// A page of a list.
pub(crate) fn list_request(token: &str, request: &PageRequest) -> lists::ListRequest {
    lists::ListRequest {
        token: token.to_owned(),
        query: tree_from_object(&request.query),
        limit: request.limit.map(|limit| limit.to_string()),
        page_size: request.page_size,
        continuation: request.continuation.clone(),
    }
}

/// What is on a page.
pub(crate) fn page(page: lists::Page, limits: &TreeLimits) -> Result<Page, TreeError> {
    let found = |item: lists::ListItem| {
        let state = item.state.map(|state| object_from_tree(state, limits)).transpose()?;
        Ok(Found { id: item.id, name: item.name, state })
    };
    let found = page.items.into_iter().map(found).collect::<Result<_, _>>()?;
    Ok(Page { found, continuation: page.continuation })
}
