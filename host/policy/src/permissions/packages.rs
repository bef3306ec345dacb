//! Other packages: whether an engine may be asked to use one, and where it may be told that its plugin is. Whoever has that name does
//! what it does, a native plugin too, and engines run plugins in previews: so nothing is used that isn't asked for and granted.

use super::{Permissions, Terms, UNREQUESTED, unallowed};
use crate::denial::{Capability, Denial, Why};
use crate::package::PackageGrant;

impl Permissions {
    /// Whether a component may have its engine use a package that isn't its own, from where engines have it or from an address.
    ///
    /// # Errors
    /// The denial.
    pub fn package(&self, package: &str, from: Option<&str>) -> Result<(), Denial> {
        let meant = PackageGrant { package: package.to_owned(), from: from.map(str::to_owned) };
        let denied = |why, remedy| {
            Err(Denial { capability: Capability::Packages, subject: meant.subject(), why, remedy: Some(remedy) })
        };
        let among = |packages: &[PackageGrant]| packages.iter().any(|granted| granted.covers(&meant));
        let Terms { requests, grants, above, .. } = self.terms.as_ref();
        if !requests.ask_for(&meant) {
            return denied(Why::NotRequested, UNREQUESTED.into());
        }
        let mut granted = grants.iter().flat_map(|grant| &grant.packages);
        if !granted.clone().any(|granted| granted.covers(&meant)) {
            let widening = granted.any(|granted| granted.meets(&meant));
            return denied(self.ungranted(), self.remedy("packages", &meant.to_string(), widening));
        }
        let above = above.iter().filter(|above| above.ceiling.packages.as_deref().is_some_and(|all| !among(all)));
        let unallowed = unallowed(above.map(|above| (above, meant.to_string())), Capability::Packages);
        unallowed.map_or(Ok(()), |(why, remedy)| denied(why, remedy))
    }

    /// Whether a package's very name was written down, by who asks for it or by who grants it, rather than a pattern that it falls under.
    pub fn has_written(&self, package: &str) -> bool {
        let Terms { requests, grants, .. } = self.terms.as_ref();
        let requested = requests.packages.iter().map(|request| &request.package);
        let granted = grants.iter().flat_map(|grant| &grant.packages).map(|granted| &granted.package);
        requested.chain(granted).any(|written| written == package)
    }
}
