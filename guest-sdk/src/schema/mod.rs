//! The package schema: what programs and SDK generators know of a provider, written from the author's types.
//!
//! The document follows Pulumi's metaschema (`pkg/codegen/schema/pulumi.json` of pulumi/pulumi). What it has no word for goes to a
//! property's `language.bulkhead`, as the host's `docs/manifest.md` lists. Only `package` knows the whole document.

mod base64;
mod facts;
mod json;
mod literal;
mod package;
mod properties;
mod spec;
mod subpackage;
mod types;

pub use facts::{Autoname, Facts, Validation};
pub use literal::{Literal, ToJson};
pub use properties::PropertySet;
pub use spec::TypeSpec;
pub use types::{Types, Variant};

pub(crate) use json::{List, Members};
pub(crate) use package::package;
pub(crate) use properties::{ObjectSpec, Side};
pub(crate) use subpackage::subpackage;
