//! Whether a component keeps what it promises: the findings of `bulkhead check`.
//!
//! A provider's mistakes should be found by its author, not by the first user's engine. So everything that can be known of a
//! component is looked at here: its file, its schema and manifest, its exports against both, and then its answers to an
//! engine: this one, which talks to it over real gRPC with inputs generated from the schema (`docs/check.md`).
//!
//! What is found is data. This module prints nothing, decides nothing about exit codes, and changes nothing in the world
//! unless it is asked to live through whole resources.

mod documents;
mod examination;
mod finding;
mod permissions;
mod sizes;
mod trial;
mod unusable;
mod variables;

pub use examination::{Conditions, Decide, Options, Verdict, examine};
pub use finding::{Finding, Level, Stage};
pub use trial::Tried;
