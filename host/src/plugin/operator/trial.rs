//! What a component may do that somebody tries out by hand: what it may in the project that they stand in.
//!
//! Calls of a trial are calls, and reach whoever was granted. So limits, grants and records hold for them too, those for components
//! that are developed among them.

use std::path::Path;

use bulkhead_policy::{Applicant, Permissions, Requests};

use super::decided::Decided;
use super::error::OperatorError;
use super::places::{Operators, absolute};
use crate::audit::{AuditFile, Auditor};
use crate::component::Limits;

/// The operators' files, as they were when a trial began.
pub struct TrialFiles {
    decided: Decided,
    records: Vec<AuditFile>,
    component: String,
}

impl TrialFiles {
    /// Those that concern the project of a directory, for the component in a file.
    ///
    /// # Errors
    /// A file that is there and can't be followed.
    pub fn of(directory: &Path, component: &Path) -> Result<Self, OperatorError> {
        let decided = Operators::of(directory).developing().read()?;
        let records = decided.audit()?;
        Ok(Self { decided, records, component: absolute(component) })
    }

    /// The limits of a provider.
    pub fn limits(&self, provider: &str) -> Limits {
        self.decided.limits(provider)
    }

    /// What it may do, of what it asks for.
    pub fn permissions(&self, provider: &str, digest: &str, requests: &Requests) -> Permissions {
        let applicant = Applicant {
            provider: provider.to_owned(),
            digest: digest.to_owned(),
            component: self.component.clone(),
            development: self.decided.is_for_development(),
        };
        self.decided.permissions(applicant, requests)
    }

    /// Where it is written down what it does.
    pub fn auditor(&self, provider: &str, digest: &str) -> Auditor {
        Auditor::new(self.records.clone(), None, provider, digest)
    }
}
