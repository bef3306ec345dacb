//! Going through a value beside its type.
//!
//! Every rule of this crate looks at values together with their types, and both can be deep: a type may contain itself,
//! and a peer decides how often. So nothing here recurses. [`Walk`] visits places in order and knows where it is,
//! [`Shapes`] tells what a type makes of one value and what types the values below it have, and [`edit`] changes a value
//! at the places that were found.

mod absent;
mod beside;
mod discriminator;
mod edit;
mod fit;
mod foreign;
mod json;
mod place;
mod reach;
mod replacing;
mod seen;
mod shape;
mod steps;
mod trail;
mod union;
mod wrapping;

pub(crate) use absent::is_absent;
pub(crate) use beside::beside;
pub(crate) use discriminator::spelt;
pub(crate) use edit::{Changes, Edit, Edits, Placed};
pub(crate) use foreign::is_foreign;
pub(crate) use place::{Step, Walk, readable, weight};
pub(crate) use reach::{can_hold, is_leaf};
pub(crate) use replacing::{can_replace, must_replace};
pub(crate) use seen::{comes_back_as, is_seen_as, is_seen_in};
pub(crate) use shape::{Reason, Shape, Shapes};
pub use steps::Steps;
pub(crate) use trail::{ROOT, Trail};
pub(crate) use wrapping::rewrapped;
