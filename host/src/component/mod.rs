//! A provider that is a WebAssembly component: loaded once, instantiated as calls need it, never trusted.
//!
//! Whatever a guest does ends here as a value, an [`Error`](crate::provider::Error) or a fault: traps, loops, lies, exhaustion. This
//! module implements `provider::Component` and `provider::Guest`; it may not mention protobuf or tonic, and it decides
//! nothing about grants.

mod agreement;
mod artefact;
mod budget;
mod cache;
mod call;
mod compile;
mod compiler;
mod composing;
mod configured;
mod creating;
mod denied;
mod description;
mod digest;
mod ending;
mod engine;
mod exports;
mod finishing;
mod given;
mod guest;
mod instance;
mod interruption;
mod known;
mod lists;
mod load;
mod load_error;
mod machine;
mod manifest;
mod mappings;
mod pace;
mod parameterization;
mod pool;
mod published;
mod replying;
mod sections;
mod shape;
mod shelf;
mod turns;
mod workers;

pub use crate::assets::AssetLimits;
pub use crate::outgoing::OutgoingLimits;
pub(crate) use crate::store::Variables;
pub use crate::store::{Deciding, Limits, SessionLimits};
pub use agreement::Disagreement;
pub use artefact::Artefact;
pub use bulkhead_policy::Isolation;
pub use cache::Cache;
pub use compiler::Compiler;
pub(crate) use compiler::compile_component;
pub(crate) use configured::default_of;
pub use description::{Description, DescriptionError, documents};
pub use digest::digest;
pub use engine::{Runtime, RuntimeError};
pub(crate) use exports::CONTRACT;
#[cfg(test)]
pub(crate) use exports::nothing;
pub(crate) use known::Identity;
pub use load::{Loaded, LoadedProvider};
pub use load_error::LoadError;
pub use manifest::{Manifest, ManifestError};
pub use published::published;
pub(crate) use sections::package_name;
pub use sections::{Sections, SectionsError, embed};
pub use shape::ShapeError;
pub(crate) use workers::STACK;
