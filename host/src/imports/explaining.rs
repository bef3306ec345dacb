//! What only an operator can mend of an exchange, said to the operator: a guest's error codes have no words for it, and a guest may keep
//! them to itself. Nothing is decided here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::proxies;
use crate::outgoing::{Connector, OutgoingError};
use crate::provider::{Leaks, Log, Message, Severity, shortened};
use crate::scarcity;
use crate::store::{Server, Shortage, Shortages, State};

/// Characters of what is said of a server. It names itself as often as it likes.
const LONGEST_REASON: usize = 300;

/// What sends a call's requests, and what an operator is told of them.
#[derive(Clone)]
pub(super) struct Explaining {
    pub(super) connector: Connector,
    log: Arc<dyn Log>,
    urn: Option<String>,
    pub(super) leaks: Leaks,
    /// Set with each message, so that the call's answer waits until the engine has it.
    told: Arc<AtomicBool>,
    /// Where is kept what is said with the call's error, and only then.
    shortages: Shortages,
}

impl Explaining {
    /// What the call being served has for that.
    pub(super) fn of(state: &State) -> Self {
        Self {
            connector: state.call.outgoing.clone(),
            log: Arc::clone(&state.log),
            urn: state.call.urn.clone(),
            leaks: state.call.leaks.clone(),
            told: Arc::clone(&state.call.told),
            shortages: state.call.shortages.clone(),
        }
    }

    /// A server answered.
    pub(super) fn reached(&self, server: &Server) {
        self.shortages.reached(server);
    }

    /// Says what only the operator can mend, and what a guest's error codes have no words for.
    pub(super) fn explain(&self, server: &Server, error: &OutgoingError) {
        let Server { host, secure, .. } = server;
        short(&self.shortages, error);
        // A server that isn't up yet looks the same, and whoever waits for it has nothing to hear of.
        if proxies::may_be_missed(error) && *secure && proxies::is_for(host) {
            self.shortages.unreached(host);
        }
        if error.may_be_of_the_scheme(*secure) {
            self.shortages.misspoken(server);
        }
        let Some(hint) = remedy(error) else { return };
        if !self.connector.tell(host) {
            return;
        }
        // What is said of a certificate names the host again, and whom its server takes itself for. Half of a secret would pass the mask.
        let why = shortened(self.leaks.name(error.to_string()), LONGEST_REASON);
        self.told.store(true, Ordering::Relaxed);
        self.log.log(Message {
            severity: Severity::Warning,
            text: format!("{host}: {why}\nhint: {hint}"),
            urn: self.urn.clone(),
            ephemeral: false,
        });
    }
}

/// Keeps which limit a failure was about.
pub(super) fn short(shortages: &Shortages, error: &OutgoingError) {
    match error {
        OutgoingError::Connections(most) => shortages.met(Shortage::Connections(*most)),
        OutgoingError::Body(most) => shortages.met(Shortage::Response(*most)),
        OutgoingError::Resolve(error) | OutgoingError::Connect(error) if scarcity::is_of_files(error) => {
            shortages.met(Shortage::Files);
        }
        _ => {}
    }
}

/// What an operator can do about an error, if it is theirs to mend.
fn remedy(error: &OutgoingError) -> Option<&str> {
    match error {
        OutgoingError::Untrusted(untrusted) => Some(untrusted.remedy()),
        OutgoingError::Certificates { .. } => Some("correct `certificates` in bulkhead.toml"),
        OutgoingError::Length => Some("its server, or what stands before it, has to be mended"),
        _ => None,
    }
}

#[cfg(test)]
impl Default for Explaining {
    fn default() -> Self {
        Self {
            connector: Connector::default(),
            log: Arc::new(crate::provider::Silent),
            urn: None,
            leaks: Leaks::default(),
            told: Arc::default(),
            shortages: Shortages::default(),
        }
    }
}
