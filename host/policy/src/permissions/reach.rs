//! Which addresses a destination may stand for, once its name is permitted.

use std::net::IpAddr;

use crate::address::{AddressRange, Reached};
use crate::denial::{Capability, Denial, Why};
use crate::destination::Destination;

/// Which addresses a permitted destination may stand for.
#[derive(Clone, Debug)]
pub struct Reach {
    pub(super) destination: Destination,
    /// What the grants that mean it add to public addresses, and what each file above them allows.
    pub(super) ranges: Vec<Vec<AddressRange>>,
    /// What would let more addresses pass; empty if nothing would.
    pub(super) remedy: String,
}

impl Reach {
    /// Whether an address that the name stands for may be talked to.
    ///
    /// # Errors
    /// The denial.
    pub fn address(&self, address: IpAddr) -> Result<(), Denial> {
        let reached = Reached::by(address);
        let permitted = match reached {
            Reached::Public => true,
            reached if reached.is_never() => false,
            _ => self.ranges.iter().all(|ranges| ranges.iter().any(|range| range.contains(address))),
        };
        if permitted {
            return Ok(());
        }
        let never = reached.is_never() || self.remedy.is_empty();
        Err(Denial {
            capability: Capability::Network,
            subject: self.destination.to_string(),
            why: Why::Address(address, reached),
            remedy: (!never).then(|| self.remedy.replace("ADDRESS", &address.to_canonical().to_string())),
        })
    }
}
