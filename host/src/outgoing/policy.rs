//! Whom the connector asks.

use std::net::IpAddr;

use bulkhead_policy::{Denial, Destination, Reach};

/// What one call may reach. Each decision is its own, and is kept on record by whoever makes it.
pub(crate) trait Policy: Send + Sync {
    /// By name, before anything is resolved.
    ///
    /// # Errors
    /// It isn't granted.
    fn destination(&self, to: &Destination) -> Result<Reach, Denial>;

    /// Those of the addresses that the name stands for which may be connected to. All others are one denial.
    ///
    /// # Errors
    /// None is granted.
    fn addresses(&self, reach: &Reach, found: Vec<IpAddr>) -> Result<Vec<IpAddr>, Denial>;

    /// One of them, before it is connected to.
    ///
    /// # Errors
    /// It isn't granted.
    fn address(&self, reach: &Reach, address: IpAddr) -> Result<(), Denial>;
}
