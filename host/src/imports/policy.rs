//! The authority of a call, as the connector asks it.

use std::net::IpAddr;

use bulkhead_policy::{Denial, Destination, Reach};

use crate::outgoing::Policy;
use crate::store::Authority;

impl Policy for Authority {
    fn destination(&self, to: &Destination) -> Result<Reach, Denial> {
        Self::destination(self, to)
    }

    fn addresses(&self, reach: &Reach, found: Vec<IpAddr>) -> Result<Vec<IpAddr>, Denial> {
        Self::addresses(self, reach, found)
    }

    fn address(&self, reach: &Reach, address: IpAddr) -> Result<(), Denial> {
        Self::address(self, reach, address)
    }
}
