//! What is allowed in a schema and its facts, and probably not meant.
//!
//! The parser refuses what no host could honour. What is left are contradictions that a host would have to resolve one way or
//! the other, promises that can't be kept, and what users will miss. Only schema and facts are looked at: nothing runs, and
//! nothing here is a reason not to serve a provider.

mod contradictions;
mod descriptions;
mod facts;
mod imports;
mod lints;
mod methods;
mod place;
mod secrets;
mod tokens;
mod unchecked;
mod unseen;
mod validation;

pub use lints::{Lint, Severity, lint};
pub use secrets::sounds_secret;

#[cfg(test)]
mod tests;
