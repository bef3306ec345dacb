//! The contract in Rust: generated bindings, and pure conversions between them and the waist's types.
//!
//! Guests and host share no Rust types; `wit/` is all they agree on. Nothing here calls a guest or asks a policy, and a
//! converter never panics: what a guest returns is hostile until it is decoded.

mod answers;
pub(crate) mod bindings;
mod components;
mod decode;
mod defaults;
mod deployment;
mod error;
mod fuzzing;
mod held;
mod made;
mod options;
mod packages;
mod places;
mod reply;
mod request;
mod tree;
mod weight;

pub use fuzzing::decode_tree;

pub(crate) use components::{called, construct_request, constructed, method_request};
pub(crate) use decode::{changes_of, checked, created, difference, snapshot, updated, upgraded};
pub(crate) use defaults::{
    autonaming, autonaming_of, checked_answer, difference_answer, optional_object, paths_of, prior_of,
};
pub(crate) use deployment::{invocation, registered, registration, surroundings};
pub(crate) use error::{Said, answer, error_of, malformed, of_no_effect, refusal, said, said_of};
pub(crate) use held::{Held, Holds};
#[cfg(test)]
pub(crate) use made::Unready;
pub(crate) use made::{Left, Made, Unmade, leaving};
pub(crate) use packages::{list_request, page, parameterize_request, subpackage};
pub(crate) use places::{Places, Told};
pub(crate) use reply::{Reply, Taken, weighing};
pub(crate) use request::{arguments, check_request, context, diff_request, paths, prior};
pub(crate) use tree::{TreeError, TreeLimits, object_from_tree, tree_from_object, tree_from_value, value_from_tree};
pub(crate) use weight::Weigh;
