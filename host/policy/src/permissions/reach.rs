//! Which addresses a destination may stand for, once its name is permitted.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Terms, unallowed};
use crate::address::Reached;
use crate::denial::{Capability, Denial, Remedy, Why};
use crate::destination::Destination;
use crate::grant::NetworkGrant;
use crate::request::Phase;
use crate::rule::Permit;

/// Which addresses a permitted destination may stand for.
#[derive(Clone, Debug)]
pub struct Reach {
    pub(super) destination: Destination,
    pub(super) terms: Arc<Terms>,
    /// The request that means it.
    pub(super) asked: Arc<NetworkGrant>,
    /// What the grants that mean it say, and then each file above them, by its position.
    pub(super) permits: Vec<(Option<usize>, Permit)>,
}

impl Reach {
    /// Whose addresses these are.
    pub fn destination(&self) -> &Destination {
        &self.destination
    }

    /// The endpoint by which it is granted, as it is written there.
    pub fn granted(&self) -> &str {
        let granted = self.permits.iter().find(|(above, _)| above.is_none());
        granted.map_or(&self.asked, |(_, permit)| &permit.terms).endpoint.as_str()
    }

    /// Whether an address that the name stands for may be talked to.
    ///
    /// # Errors
    /// The denial.
    pub fn address(&self, address: IpAddr) -> Result<(), Denial> {
        let reached = Reached::by(address);
        if reached == Reached::Public {
            return Ok(());
        }
        let remedy = match reached.is_never() {
            true => None,
            false => {
                let without = |(_, permit): &&(_, Permit)| !permit.ranges.iter().any(|range| range.contains(address));
                let lacking: Vec<&(Option<usize>, Permit)> = self.permits.iter().filter(without).collect();
                if lacking.is_empty() {
                    return Ok(());
                }
                self.remedy(&lacking, address)
            }
        };
        Err(Denial {
            capability: Capability::Network,
            subject: self.destination.to_string(),
            why: Why::Address(address, reached),
            remedy,
        })
    }

    /// PEM files of authorities that are trusted beside the system's: those of the grants that permit it. An authority that was named for
    /// one server would else vouch for any that is granted for other reasons.
    pub fn certificates(&self) -> impl Iterator<Item = PathBuf> {
        let Terms { grants, project, .. } = self.terms.as_ref();
        let permitting = self.permits.iter().flat_map(|(_, permit)| &permit.grants);
        let files = permitting.filter_map(|grant| grants.get(*grant)).flat_map(|grant| &grant.certificates);
        files.map(|path| project.join(path))
    }

    /// What those who don't let an address pass can add, so that they do: those above once it is granted.
    fn remedy(&self, lacking: &[&(Option<usize>, Permit)], address: IpAddr) -> Option<Remedy> {
        let line = |permit: &Permit| permit.with(address, &self.destination);
        if let Some((_, granted)) = lacking.iter().find(|(position, _)| position.is_none()) {
            // It may have been written for a build that asked for more.
            let line = line(granted);
            let line = line.shared(&self.asked.methods, &self.asked.phases).unwrap_or(line);
            // No request says which addresses a name stands for, so that granting all that is asked for would change nothing.
            return Some(self.terms.remedy("network", &line.to_string(), true));
        }
        let allowed = |permit: &Permit| {
            let mut line = line(permit);
            if line.phases == Phase::ALL {
                line.phases.clear();
            }
            line.to_string()
        };
        let above = |(position, permit): &&(Option<usize>, Permit)| {
            Some((self.terms.above.get((*position)?)?, allowed(permit)))
        };
        unallowed(lacking.iter().filter_map(above), Capability::Network).map(|(_, remedy)| remedy)
    }
}
