//! The command line of `bulkhead`.
//!
//! Each command is a file that does one thing and returns an error that says what to do; this module may not be used by
//! anything below it.

mod arguments;
mod build;
mod bundle;
mod cargo;
mod check;
mod component;
mod error;
mod grant;
mod inspect;
mod new;
mod schema;
mod serve;
mod whole;

pub(crate) use arguments::{is_command, run, said};
pub use build::build;
pub use bundle::bundle;
pub use error::{CommandError, report};
