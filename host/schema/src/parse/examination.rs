//! A schema read for its author: everything that can be said of it, whether or not it can be used.

use super::{error::Problem, package::examine};
use crate::{SchemaError, model::Package};

/// What reading a schema brought to light.
#[derive(Debug, Clone, Default)]
pub struct Examination {
    /// The package, as far as it could be read. Whole only if there are no problems.
    pub package: Package,
    /// What is wrong.
    pub problems: Vec<Problem>,
    /// What is accepted, but shouldn't be written any more.
    pub notices: Vec<Problem>,
}

impl Examination {
    /// Reads a package schema from its JSON.
    ///
    /// # Errors
    /// A document that isn't JSON: [`SchemaError::Json`].
    pub fn of(json: &[u8]) -> Result<Self, SchemaError> {
        examine(json)
    }
}
