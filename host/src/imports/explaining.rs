//! What only an operator can mend of an exchange, said to the operator: a guest's error codes have no words for it, and a guest may keep
//! them to itself. Nothing is decided here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::outgoing::{Connector, OutgoingError};
use crate::provider::{Leaks, Log, Message, Severity, shortened};
use crate::scarcity;
use crate::store::State;

/// What names a proxy, to programs that use one.
const PROXIES: [&str; 2] = ["HTTPS_PROXY", "https_proxy"];
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
        }
    }

    /// Says what only the operator can mend, and what a guest's error codes have no words for.
    pub(super) fn explain(&self, host: &str, error: &OutgoingError) {
        let proxied = || PROXIES.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
        let Some(hint) = remedy(error, proxied) else { return };
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

/// What an operator can do about an error, if it is theirs to mend.
fn remedy(error: &OutgoingError, proxied: impl Fn() -> bool) -> Option<&'static str> {
    match error {
        OutgoingError::Untrusted(untrusted) => Some(untrusted.remedy()),
        OutgoingError::Certificates { .. } => Some("correct `certificates` in bulkhead.toml"),
        OutgoingError::Length => Some("its server, or what stands before it, has to be mended"),
        OutgoingError::Resolve(error) | OutgoingError::Connect(error) if scarcity::is_of_files(error) => None,
        OutgoingError::Resolve(_) | OutgoingError::Connect(_) | OutgoingError::ConnectTimeout if proxied() => {
            Some("HTTPS_PROXY is set, and providers use no proxy: let this machine reach the server itself")
        }
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
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn who_has_a_proxy_and_reaches_nobody_hears_that_providers_use_none() {
        let failed = [
            OutgoingError::ConnectTimeout,
            OutgoingError::Connect(io::ErrorKind::ConnectionRefused.into()),
            OutgoingError::Resolve(io::ErrorKind::NotFound.into()),
        ];
        for error in &failed {
            assert!(remedy(error, || true).is_some_and(|hint| hint.contains("use no proxy")), "{error}");
            assert_eq!(remedy(error, || false), None, "{error}");
        }
        assert_eq!(remedy(&OutgoingError::FirstByteTimeout, || true), None, "a server that was reached");
    }
}
