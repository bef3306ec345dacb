//! Whether a destination may be talked to, before anybody puts in words why not.
//!
//! A component may ask for as much as it likes, and one address may have been found for many names, any of which permits it. To say why
//! something is denied, and which line would change that, takes many times as long as to deny it; so only what somebody reads is put in
//! words (`network.rs`), by the one decision that there is.

use std::sync::Arc;

use super::network::never;
use super::{Above, Permissions, Reach};
use crate::Phase;
use crate::denial::Why;
use crate::destination::Destination;
use crate::rule::{NetworkRules, Permit, Verdict};

/// Who refuses a destination.
pub(super) enum Refused<'p> {
    /// Nobody gets it.
    ForAll(Why),
    /// The component doesn't ask for it.
    Unrequested(Why),
    /// Nobody grants it, though it is asked for.
    Ungranted(Why, Permit),
    /// Some above don't allow it, though it is asked for: these, each for its reason.
    Above(Vec<(&'p Above, &'p NetworkRules, Why)>, Permit),
}

impl Permissions {
    /// Whether a destination may be talked to, as [`Permissions::destination`] has it, and no word of why not.
    pub fn reach(&self, phase: Phase, to: &Destination) -> Option<Reach> {
        self.judged(phase, to).ok()
    }

    /// Asks all who have to agree, in their order.
    pub(super) fn judged(&self, phase: Phase, to: &Destination) -> Result<Reach, Refused<'_>> {
        if let Some(why) = never(&to.host) {
            return Err(Refused::ForAll(why));
        }
        let asked = match self.requested.permit(phase, to) {
            Verdict::Permitted(permit) => permit,
            Verdict::Denied(why) => return Err(Refused::Unrequested(why)),
        };
        let mut permits = match self.granted.permit(phase, to) {
            Verdict::Permitted(permit) => vec![(None, permit)],
            Verdict::Denied(why) => return Err(Refused::Ungranted(why, asked)),
        };
        let mut narrowing = Vec::new();
        for (position, above, rules) in self.rules_above() {
            match rules.permit(phase, to) {
                Verdict::Permitted(permit) => permits.push((Some(position), permit)),
                Verdict::Denied(why) => narrowing.push((above, rules, why)),
            }
        }
        if !narrowing.is_empty() {
            return Err(Refused::Above(narrowing, asked));
        }
        Ok(Reach { destination: to.clone(), terms: Arc::clone(&self.terms), asked: asked.terms, permits })
    }
}
