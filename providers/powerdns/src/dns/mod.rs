//! DNS as people write it: names, and the contents of records of every type.
//!
//! The server takes contents in one spelling only and refuses all others, without a place; people write many. So what is given is
//! checked here, in previews too, brought into the server's spelling, and compared in it. Nothing here knows the API or the SDK.

mod address;
mod content;
mod field;
mod gateway;
mod grammar;
mod location;
mod name;
mod networks;
mod numbers;
mod service;
mod text;

pub use content::{canonical, is_same, keeps_strings, key, not_older, refusal, settled_key};
pub use name::{Name, NameError};
pub use numbers::{is_same_type, type_name};

#[cfg(test)]
mod tests;
