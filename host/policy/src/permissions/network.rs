//! Destinations: whether a name may be talked to, and whether any socket may be opened at all.

use std::sync::Arc;

use super::{Above, Permissions, Reach, UNREQUESTED, asking_above};
use crate::Phase;
use crate::address::Reached;
use crate::denial::{Capability, Denial, Why};
use crate::destination::{Destination, Scheme};
use crate::endpoint::Endpoint;
use crate::grant::{NetworkGrant, quoted};
use crate::host::Host;
use crate::rule::{NetworkRules, Verdict};

/// Names under which machines find what hands out their credentials.
const METADATA: [&str; 4] = ["metadata.google.internal", "metadata.goog", "metadata", "instance-data"];

impl Permissions {
    /// Whether a destination may be talked to, as far as its name says. Each address that the name stands for is to be asked of
    /// what this returns.
    ///
    /// # Errors
    /// The denial.
    pub fn destination(&self, phase: Phase, to: &Destination) -> Result<Reach, Denial> {
        // The least that would do, or what stays right when the configuration changes.
        let by_configuration = |request: &&NetworkGrant| request.endpoint.references().next().is_some();
        let request = self.requested.meaning(to);
        let denied = |why: Why, remedy: Option<String>| {
            let subject = to.to_string();
            Denial { capability: Capability::Network, subject, why, remedy }
        };
        if let Some(why) = never(&to.host) {
            return Err(denied(why, None));
        }
        let mut permits = Vec::new();
        match self.requested.permit(phase, to) {
            Verdict::Permitted(_) => {}
            Verdict::Denied(Why::NotGranted) => {
                return Err(denied(Why::NotRequested, Some(UNREQUESTED.to_owned())));
            }
            Verdict::Denied(Why::Phase(_) | Why::Method) => {
                let why = format!("the component's manifest doesn't ask for it in {phase} or with this method");
                return Err(denied(Why::Other(why), Some(UNREQUESTED.to_owned())));
            }
            Verdict::Denied(why) => return Err(denied(why, None)),
        }
        match self.granted.permit(phase, to) {
            Verdict::Permitted(permit) => permits.push((None, permit)),
            Verdict::Denied(why) => {
                let line = match (&why, request.filter(by_configuration)) {
                    // What the component itself filled in can be granted only as what it is.
                    (Why::Unbound(_), _) => quoted(&to.endpoint()),
                    (_, Some(request)) => request.to_string(),
                    (Why::Phase(_) | Why::Method, None) => beside(to, phase),
                    (_, None) => quoted(&to.endpoint()),
                };
                let widening = !matches!(why, Why::Unbound(_)) && self.is_narrowed(request);
                return Err(denied(why, Some(self.remedy("network", &line, widening))));
            }
        }
        for (position, above, rules) in self.rules_above() {
            match rules.permit(phase, to) {
                Verdict::Permitted(permit) => permits.push((Some(position), permit)),
                Verdict::Denied(why) => {
                    let line = match why {
                        Why::Phase(_) | Why::Method => beside(to, phase),
                        _ => quoted(&to.endpoint()),
                    };
                    let hint = asking_above(above, &line, Capability::Network);
                    return Err(denied(above.why(), Some(hint)));
                }
            }
        }
        Ok(Reach { destination: to.clone(), terms: Arc::clone(&self.terms), permits })
    }

    /// Whether there is any destination that a TCP connection may be made to. Without one, no socket is opened.
    ///
    /// # Errors
    /// The denial.
    pub fn sockets(&self, phase: Phase) -> Result<(), Denial> {
        let denied = |why, remedy| {
            let subject = "tcp://*".to_owned();
            Err(Denial { capability: Capability::Network, subject, why, remedy: Some(remedy) })
        };
        if !self.requested.has(Scheme::Tcp, phase) {
            return denied(Why::NotRequested, UNREQUESTED.to_owned());
        }
        if !self.granted.has(Scheme::Tcp, phase) {
            return denied(Why::NotGranted, format!("run {}", self.command(false)));
        }
        for (_, above, rules) in self.rules_above() {
            if !rules.has(Scheme::Tcp, phase) {
                let hint = asking_above(above, "endpoints", Capability::Network);
                return denied(above.why(), hint);
            }
        }
        Ok(())
    }

    /// What those say of the network who say anything of it, each with its position among those above.
    fn rules_above(&self) -> impl Iterator<Item = (usize, &Above, &NetworkRules)> {
        let all = self.terms.above.iter().zip(&self.above).enumerate();
        all.filter_map(|(position, (above, rules))| Some((position, above, rules.as_ref()?)))
    }
}

/// Why nobody gets a destination, where nobody does.
fn never(host: &Host) -> Option<Why> {
    match host {
        Host::Address(address) => {
            Some(Reached::by(*address)).filter(Reached::is_never).map(|reached| Why::Address(*address, reached))
        }
        Host::Name(name) => {
            METADATA.contains(&name.as_str()).then_some(Why::Never("what hands out the machine's own credentials"))
        }
    }
}

impl Endpoint {
    /// Why nobody is granted it, where nobody is.
    pub fn never(&self) -> Option<Why> {
        self.only_host().as_ref().and_then(never)
    }
}

/// The least that permits a destination in a phase, where something else of it is granted.
fn beside(to: &Destination, phase: Phase) -> String {
    let endpoint = quoted(&to.endpoint());
    let mut terms = format!("endpoint = {endpoint}");
    if let Some(method) = &to.method {
        terms.push_str(&format!(", methods = [{}]", quoted(method)));
    }
    format!("{{ {terms}, phases = [\"{phase}\"] }}")
}
