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

    /// One of the addresses that the name stands for.
    ///
    /// # Errors
    /// It isn't granted.
    fn address(&self, reach: &Reach, address: IpAddr) -> Result<(), Denial>;
}
