//! What operators decided about providers, in files beside and above the project (`docs/operator.md`).
//!
//! `places` knows where they lie, `file` reads one, `decided` has what all of them say together, `trial` what follows for whoever
//! tries a component out.

mod decided;
mod error;
mod file;
mod places;
mod trial;

pub(super) use decided::Decided;
pub use decided::{limits, permissions, permissions_with, review};
pub use error::OperatorError;
pub use file::read;
pub(super) use places::{Operators, project_root};
pub use places::{absolute, is_in_project, project_file};
pub use trial::TrialFiles;
