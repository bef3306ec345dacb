//! Values: what an engine and a provider say about a resource.
//!
//! Most authors never see [`Value`]: their structs hold `String`, `bool`, `Vec<u32>` and the like, and [`Property`] turns those
//! into values and back, letting secrets through silently. Overrides of check, diff and preview, and fields of any
//! type, do see it: there secrets and unknowns are as visible as everything else.
//!
//! Nothing in here may panic on what the host sends, or print what is secret.

mod asset;
mod container;
mod fields;
mod json;
mod kind;
mod misfit;
mod model;
mod number;
mod property;
mod reference;
mod scalar;
mod secret;
#[cfg(feature = "serde")]
mod serde;
mod tree;
mod tuple;

pub use asset::{Archive, ArchiveSource, Asset, AssetSource};
pub use json::Json;
pub use kind::{
    Emptiable, Numeric, Scalars, Several, Text, assert_emptiable, assert_numeric, assert_scalars, assert_several,
    assert_text,
};
pub use misfit::Misfit;
pub use model::{Fields, Kind, Output, Value};
pub use property::{FromLiteral, Property, type_spec};
pub use reference::{Ref, Reference, ReferenceId};
pub use secret::Secret;

pub(crate) use tree::{decode, decode_fields, encode, encode_fields, write_asset};
