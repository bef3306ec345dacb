//! Which addresses a destination may stand for, once its name is permitted.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Terms, asking_above};
use crate::address::Reached;
use crate::denial::{Capability, Denial, Remedy, Why};
use crate::destination::Destination;
use crate::rule::Permit;

/// Which addresses a permitted destination may stand for.
#[derive(Clone, Debug)]
pub struct Reach {
    pub(super) destination: Destination,
    pub(super) terms: Arc<Terms>,
    /// What the grants that mean it say, and then each file above them, by its position.
    pub(super) permits: Vec<(Option<usize>, Permit)>,
}

impl Reach {
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
                let Some((position, permit)) = self.permits.iter().find(without) else { return Ok(()) };
                self.remedy(*position, permit, address)
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

    /// What whoever doesn't let an address pass can add, so that it does.
    fn remedy(&self, position: Option<usize>, permit: &Permit, address: IpAddr) -> Option<Remedy> {
        let line = permit.with(address, &self.destination).to_string();
        match position {
            // No request says which addresses a name stands for, so that granting all that is asked for would change nothing.
            None => Some(self.terms.remedy("network", &line, true)),
            Some(position) => Some(asking_above(self.terms.above.get(position)?, &line, Capability::Network)),
        }
    }
}
