//! Where a session's requests come from, as far as its front end knows.

use std::path::Path;
use std::sync::Arc;

use super::PackageSource;

/// Where requests come from.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The directory that relative paths in requests start from.
    pub directory: Option<Arc<Path>>,
    /// Where descriptions of other packages come from.
    pub packages: Option<Arc<dyn PackageSource>>,
}
