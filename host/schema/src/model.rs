//! The package schema as data: what a provider's resources, functions and configuration look like.
//!
//! Named types are kept by token and resolved when they are needed, so a type may contain itself. Nothing here decides
//! anything about a value: see `check`, `diff` and their siblings.

mod ascii;
mod facts;
mod function;
mod module;
mod object;
mod offers;
mod package;
mod parameterization;
mod pattern;
mod resource;
mod section;
mod source;
mod types;

pub use facts::{Autoname, Methods, Overrides, PropertyFacts, ResourceFacts, Validation};
pub use function::{Function, Returns};
pub use module::ModuleFormat;
pub use object::{DefaultInfo, ObjectType, Property};
pub use offers::Offers;
pub(crate) use offers::Remembered;
pub use package::{Package, UnknownToken};
pub use parameterization::{BasePlugin, ParameterKind, Parameterization};
pub use pattern::{Pattern, PatternError};
pub use resource::{Filler, Resource, Role};
pub use section::Section;
pub use source::PluginSource;
pub use types::{Definition, Discriminator, EnumType, EnumValue, Primitive, Type, Union};
