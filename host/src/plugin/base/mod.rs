//! Components as packages that are added to a program: `pulumi package add wasm ./x.wasm`, through `pulumi-resource-wasm`.
//!
//! Its parameter says which component it becomes. What is recorded of it lands in the schema, the program's lock file and the
//! state, so it is a reference with a digest, never the component. Once parameterized, everything goes to the component.

mod error;
mod parameter;
mod provider;
mod route;
mod run;
mod schema;
mod source;

pub use run::{BASE, provide_base};
