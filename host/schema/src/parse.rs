//! Reading a package schema.
//!
//! A schema is written by whoever wrote the provider, often by a generator, and what is wrong with it should be found
//! before an engine meets it. So reading goes on after a mistake and collects them all, each with its place in the
//! document. What the metaschema leaves open stays open: unknown members are refused only where it refuses them, and in
//! `language.bulkhead`, which is ours.

mod case;
mod collisions;
mod cycles;
mod error;
mod examination;
mod facts;
mod function;
mod header;
mod json;
mod literal;
mod node;
mod object;
mod package;
mod reference;
mod resource;
mod scope;
mod tokens;
mod types;

pub use error::{Problem, SchemaError};
pub use examination::Examination;
pub(crate) use json::Json;
pub(crate) use literal::value;
pub(crate) use package::package;
pub(crate) use tokens::module;
pub use tokens::version as package_version;

#[cfg(test)]
mod tests;
