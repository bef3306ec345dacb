//! Eventual values: what a component knows of its inputs and of the resources that it registers.
//!
//! A component runs in previews too, where much isn't known yet, and what it hands from one resource to another must keep the secret and
//! the dependencies. [`Output`] carries all three, and its operations keep them: an author can't lose a dependency or compute
//! with what isn't known.
//!
//! [`Output::new`], or `into`, makes one of what an author knows already.
//!
//! # Waiting
//!
//! There is no `async`. Registering a resource only starts it; its outputs are waited for when something needs them: registering
//! what depends on them, or the end of the call. So resources that don't depend on each other are made at the same time. An operation on an
//! output that isn't there yet runs once it is, at the latest at the end of the call.
//!
//! # Composites
//!
//! An output is of the whole of a list, an object or a tuple, and knows what is said about each part: [`Output::index`], [`Output::get`],
//! [`Output::field`] and [`Output::parts`] lead to outputs of parts, which are known where they alone are. In the other direction a child
//! can be given outputs at any depth of its inputs ([`Fits`](crate::engine::Fits)), and [`all`] makes one output of many.
//!
//! # Failing
//!
//! A registration that fails, or a closure in [`Output::try_map`] that does, ends the call with its error: nothing that depends on
//! it runs any more, and nothing is registered after it. The author's code can't catch that, since whatever `construct`
//! returns, that error is what the engine gets.
//!
//! This module knows no engine: who resolves an output is [`crate::engine`]'s business.

mod algebra;
mod all;
mod dependencies;
mod given;
mod lifted;
mod marks;
mod model;
mod parts;
mod wire;

pub(crate) mod stop;

pub use all::{All, all};
pub use dependencies::Dependencies;
pub use given::Input;
pub use model::Output;
pub use parts::Parts;
pub use wire::gather;

pub(crate) use all::assemble;
pub(crate) use marks::{Marks, bare, wrap};
pub(crate) use model::Resolved;

#[cfg(test)]
mod laws;
