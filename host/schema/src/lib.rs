//! What the package schema says, done by the host.
//!
//! A provider's author knows four things that nobody else does: how to create, read, update and delete. Everything else
//! that an engine asks follows from the package schema, and is the same for every provider in every language: whether
//! inputs are right and what they default to ([`check()`]), what changed ([`diff()`]), what an operation would return
//! ([`preview_create`], [`preview_update`]), what is secret ([`secrets`]), whether a result is what was promised
//! ([`conform()`]), and what a refresh shows ([`read`]).
//!
//! All of it is a function of a schema and of values: no input or output, no clock, no environment but what the caller
//! passes. Values come from users and guests, so nothing recurses by their depth, nothing panics, and no message shows
//! one: it may be secret.
//!
//! ```
//! use bulkhead_schema::{CheckRequest, Package, check};
//!
//! let schema = br#"{
//!     "name": "lab",
//!     "resources": { "lab:index:Thing": {
//!         "inputProperties": { "size": { "type": "integer" }, "colour": { "type": "string", "default": "red" } },
//!         "requiredInputs": ["size"]
//!     } }
//! }"#;
//! let package = Package::parse(schema)?;
//! let inputs = [("szie", 3)].into();
//! let thing = package.resource("lab:index:Thing").unwrap();
//! let checked = check(&package, CheckRequest::of(&thing.inputs, &inputs));
//!
//! let told: Vec<String> = checked.failures.into_iter().map(|failure| failure.reason).collect();
//! assert_eq!(told, ["unknown property 'szie'; did you mean 'size'?", "missing required property 'size'"]);
//! assert_eq!(checked.inputs["colour"], "red".into());
//! # Ok::<(), bulkhead_schema::SchemaError>(())
//! ```

pub mod check;
pub mod configuration;
pub mod conform;
pub mod diff;
mod failure;
pub mod index;
mod labour;
mod lint;
mod model;
mod nearest;
mod number;
mod parse;
pub mod preview;
pub mod read;
pub mod sample;
pub mod secrets;
mod spelling;
mod walk;

pub use check::{Autonaming, AutonamingMode, CheckRequest, Checked, Findings, check, findings};
pub use conform::{conform, conform_checked, conform_predicted, conform_preview, conform_return, conform_within};
pub use diff::{Change, ChangeKind, Comparison, Difference, as_given, diff, diff_configuration};
pub use failure::{Failure, FailureKind};
pub use lint::{Lint, Severity, lint, sounds_secret};
pub use model::{
    Autoname, BasePlugin, DefaultInfo, Definition, Discriminator, EnumType, EnumValue, Filler, Function, Methods,
    ModuleFormat, ObjectType, Offers, Overrides, Package, ParameterKind, Parameterization, Pattern, PatternError,
    PluginSource, Primitive, Property, PropertyFacts, Resource, ResourceFacts, Returns, Role, Section, Type, Union,
    UnknownToken, Validation,
};
pub use parse::{Examination, Problem, SchemaError, package_version};
pub use preview::{Origin, Origins, Preview, preview_create, preview_update};
pub use sample::{Extent, Sample, Sampler};
pub use spelling::typed;
pub use walk::Steps;

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod fixture;
