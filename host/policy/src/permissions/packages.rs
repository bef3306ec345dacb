//! Other packages: whether an engine may be asked to use one, and where it may be told that its plugin is.

use super::{Permissions, Terms, asking_above};
use crate::denial::{Capability, Denial, Why};
use crate::package::PackageGrant;

impl Permissions {
    /// Whether a component may have its engine use a package that isn't its own: by its name wherever no file says which it may,
    /// from an address only where that is granted.
    ///
    /// # Errors
    /// The denial.
    pub fn package(&self, package: &str, from: Option<&str>) -> Result<(), Denial> {
        let line = PackageGrant { package: package.to_owned(), from: from.map(str::to_owned) };
        let denied = |why, remedy| {
            let subject = from.map_or_else(|| package.to_owned(), |from| format!("{package} from {from}"));
            Err(Denial { capability: Capability::Packages, subject, why, remedy: Some(remedy) })
        };
        let covered = |granted: &[PackageGrant]| granted.iter().any(|granted| granted.covers(package, from));
        let Terms { applicant, grants, above, .. } = self.terms.as_ref();
        if from.is_some() && !grants.iter().any(|grant| covered(&grant.packages)) {
            return denied(Why::NotGranted, applicant.file_line(&format!("packages = [{line}]")));
        }
        let above = above.iter().find(|above| above.ceiling.packages.as_deref().is_some_and(|all| !covered(all)));
        above.map_or(Ok(()), |above| {
            let hint = asking_above(above, &line.to_string(), Capability::Packages);
            denied(above.why(), hint)
        })
    }
}
