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

    /// Whether an address that the name stands for may be talked to, and no word of why not.
    pub fn passes(&self, address: IpAddr) -> bool {
        let reached = Reached::by(address);
        let is_permitted = || self.permits.iter().all(|permitted| lets(permitted, address));
        reached == Reached::Public || (!reached.is_never() && is_permitted())
    }

    /// Whether an address that the name stands for may be talked to.
    ///
    /// # Errors
    /// The denial.
    pub fn address(&self, address: IpAddr) -> Result<(), Denial> {
        if self.passes(address) { Ok(()) } else { Err(self.denied(address, 0)) }
    }

    /// Those of the addresses that the name stands for which may be talked to, and one denial for all others. Whoever answers for a name
    /// has it stand for as many as they like, and who reads of one knows what to do.
    pub fn addresses(&self, found: Vec<IpAddr>) -> (Vec<IpAddr>, Option<Denial>) {
        let (passing, denied): (Vec<_>, Vec<_>) = found.into_iter().partition(|address| self.passes(*address));
        let others = denied.len().saturating_sub(1);
        // Of what is never granted there is nothing to do.
        let grantable = denied.iter().find(|address| !Reached::by(**address).is_never());
        (passing, grantable.or_else(|| denied.first()).map(|address| self.denied(*address, others)))
    }

    /// The denial of an address that doesn't pass, and of so many others.
    fn denied(&self, address: IpAddr, others: usize) -> Denial {
        let reached = Reached::by(address);
        let remedy = match reached.is_never() {
            true => None,
            false => self.remedy(address),
        };
        Denial {
            capability: Capability::Network,
            subject: self.destination.to_string(),
            why: Why::Address(address, reached, others),
            remedy,
        }
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
    fn remedy(&self, address: IpAddr) -> Option<Remedy> {
        let lacking: Vec<_> = self.permits.iter().filter(|permitted| !lets(permitted, address)).collect();
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

/// Whether one of those who permit a destination lets it stand for an address that isn't public.
fn lets((_, permit): &(Option<usize>, Permit), address: IpAddr) -> bool {
    permit.ranges.iter().any(|range| range.contains(address))
}
