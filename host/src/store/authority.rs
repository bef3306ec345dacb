//! What the call being served may do, and what it was denied.
//!
//! Each import that reaches out of the sandbox asks here first. A denial goes to the guest as whatever its interface has for
//! that, which rarely says enough, so it is kept for the call's own error. This may not touch what it decides about.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use bulkhead_policy::{Denial, Destination, Permissions, Phase, Reach};

/// Denials that are kept of one call.
const MOST_KEPT: usize = 8;

/// The authority of one call.
#[derive(Debug)]
pub(crate) struct Authority {
    permissions: Arc<Permissions>,
    phase: Phase,
    denials: Mutex<Vec<Denial>>,
}

impl Authority {
    pub(crate) fn new(permissions: Arc<Permissions>, phase: Phase) -> Self {
        Self { permissions, phase, denials: Mutex::default() }
    }

    /// Whether a destination may be talked to, by its name. Each address has to be asked for too.
    ///
    /// # Errors
    /// The denial, which the call's error will tell.
    pub(crate) fn destination(&self, to: &Destination) -> Result<Reach, Denial> {
        self.decided(self.permissions.destination(self.phase, to))
    }

    /// Whether one of the addresses that a destination's name stands for may be talked to.
    ///
    /// # Errors
    /// The denial, which the call's error will tell.
    pub(crate) fn address(&self, reach: &Reach, address: IpAddr) -> Result<(), Denial> {
        self.decided(reach.address(address))
    }

    /// Whether an address may be connected to as one of these destinations. Of those that may not, the first is told.
    ///
    /// # Errors
    /// The denial, which the call's error will tell.
    pub(crate) fn connection(
        &self,
        first: &Destination,
        others: &[Destination],
        address: IpAddr,
    ) -> Result<(), Denial> {
        let ask = |to| self.permissions.destination(self.phase, to)?.address(address);
        let decision = ask(first);
        self.decided(
            decision.or_else(|denial| if others.iter().any(|to| ask(to).is_ok()) { Ok(()) } else { Err(denial) }),
        )
    }

    /// Whether sockets may be opened at all.
    ///
    /// # Errors
    /// The denial, which the call's error will tell.
    pub(crate) fn sockets(&self) -> Result<(), Denial> {
        self.decided(self.permissions.sockets(self.phase))
    }

    /// What the configuration may do, in every phase.
    pub(crate) fn permissions(&self) -> &Permissions {
        &self.permissions
    }

    /// Keeps a denial that was found elsewhere.
    pub(crate) fn decided<T>(&self, decision: Result<T, Denial>) -> Result<T, Denial> {
        decision.inspect_err(|denial| {
            let mut denials = self.denials.lock().unwrap_or_else(PoisonError::into_inner);
            if denials.len() < MOST_KEPT && !denials.contains(denial) {
                denials.push(denial.clone());
            }
        })
    }

    /// What was denied so far.
    pub(crate) fn denials(&self) -> Vec<Denial> {
        self.denials.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Of a call that isn't under way: nothing is permitted.
impl Default for Authority {
    fn default() -> Self {
        Self::new(Arc::default(), Phase::Check)
    }
}
