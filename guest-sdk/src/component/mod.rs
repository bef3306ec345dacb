//! Component resources and methods: programs inside the provider that register other resources.
//!
//! An author writes `impl Component for X` under `#[component(token = "…")]`; `X` is the component's outputs. A method is a function under
//! `#[method(…)]` whose first parameter says what it is a method of. This module does what an author shouldn't have to: it registers the
//! component itself with the options that the program gave, gives inputs the dependencies that the engine names, and says at the end
//! what the outputs are. It may not know the contract's types: [`crate::export`] translates.

mod construct;
mod entry;
mod lifecycle;
mod method;

pub use construct::Construct;
pub use entry::Entry;
pub use lifecycle::Component;
pub use method::{Call, Entry as MethodEntry, Method, MethodDeclaration, ThisProvider};

pub(crate) use construct::{RawConstruct, with_dependencies};
pub(crate) use method::RawCall;
