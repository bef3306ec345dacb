//! What operators decided about providers, in files beside and above the project (`docs/operator.md`).
//!
//! `places` knows where they lie, `file` reads one, `decided` has what all of them say together.

mod decided;
mod error;
mod file;
mod places;

pub use decided::review;
pub use error::OperatorError;
pub use file::read;
pub use places::project_file;
pub(super) use places::{Operators, project_root};
