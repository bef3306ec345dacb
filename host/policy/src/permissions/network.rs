//! The network: which destinations may be talked to, and whether any socket may be opened at all.

use std::collections::HashSet;
use std::sync::Arc;

use super::judged::Refused;
use super::{Above, Believed, Permissions, Reach, Terms, UNREQUESTED, unallowed};
use crate::Phase;
use crate::address::{AddressRange, Reached};
use crate::denial::{Capability, Denial, Remedy, Why};
use crate::destination::{Destination, Scheme};
use crate::endpoint::Endpoint;
use crate::grant::{Granted, NetworkGrant};
use crate::host::Host;
use crate::rule::{NetworkRules, Permit, Verdict};
use crate::upgrade::unite;

/// Names under which machines find what hands out their credentials.
const METADATA: [&str; 4] = ["metadata.google.internal", "metadata.goog", "metadata", "instance-data"];

impl Permissions {
    /// Whether a destination may be talked to, as far as its name says. Each address that the name stands for is to be asked of
    /// what this returns.
    ///
    /// # Errors
    /// The denial.
    pub fn destination(&self, phase: Phase, to: &Destination) -> Result<Reach, Denial> {
        self.judged(phase, to).map_err(|refused| {
            let (why, remedy) = self.explained(phase, to, refused);
            Denial { capability: Capability::Network, subject: to.to_string(), why, remedy }
        })
    }

    /// Why a destination is refused, and what would change that.
    fn explained(&self, phase: Phase, to: &Destination, refused: Refused<'_>) -> (Why, Option<Remedy>) {
        // A name that is only looked up is looked up for the ports that are asked for.
        let meant = |asked: &Permit| Destination { port: asked.port, ..to.clone() };
        let (why, remedy) = match refused {
            Refused::ForAll(why) => return (why, None),
            Refused::Unrequested(why) => self.unrequested(why, phase, Some(to)),
            Refused::Ungranted(Why::NotGranted, asked) => self.ungranted_destination(phase, &meant(&asked), &asked),
            Refused::Ungranted(why, asked) => {
                let meant = meant(&asked);
                let referring = self.by_configuration(phase, &meant).filter(|_| asked.reaches(&meant));
                // Somebody may have granted the server rather than whatever is configured, and have named an authority for that one.
                let is_granted =
                    |endpoint: &Endpoint| self.granted.meaning(&meant).any(|terms| terms.endpoint == *endpoint);
                let endpoint = referring.map(|request| request.endpoint.clone()).filter(is_granted);
                let endpoint = endpoint.unwrap_or_else(|| Endpoint::of(&meant));
                let line = beside(endpoint, phase, &meant, &self.granted).to_string();
                (why, self.granting_more(&line, &meant))
            }
            Refused::Above(narrowing, asked) => {
                let meant = meant(&asked);
                let line = |why: &Why, rules: &NetworkRules| {
                    let endpoint = Endpoint::of(&meant);
                    let line = match why {
                        Why::Phase(_) | Why::Method => beside(endpoint, phase, &meant, rules),
                        _ => NetworkGrant::from(endpoint),
                    };
                    line.to_string()
                };
                let narrowing = narrowing.into_iter().map(|(above, rules, why)| (above, line(&why, rules)));
                return unallowed(narrowing, Capability::Network)
                    .map_or((Why::NotGranted, None), |(why, remedy)| (why, Some(remedy)));
            }
        };
        (why, Some(remedy))
    }

    /// Whether a very host was written down, by who asks for it or by who grants it, rather than a pattern that it falls under or what is
    /// configured.
    pub fn has_written_host(&self, host: &Host) -> bool {
        let Terms { requests, grants, .. } = self.terms.as_ref();
        let requested = requests.network.iter().map(|request| &request.endpoint);
        let granted = grants.iter().flat_map(|grant| &grant.network).map(|granted| &granted.endpoint);
        requested.chain(granted).any(|written| written.only_host().as_ref() == Some(host))
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
        let (mut requested, mut granted) =
            (self.requested.over(Scheme::Tcp).peekable(), self.granted.over(Scheme::Tcp).peekable());
        let (is_requested, is_granted) = (requested.peek().is_some(), granted.peek().is_some());
        let in_time = |terms: &&NetworkGrant| phase.is_among(&terms.phases);
        let Some(asked) = requested.find(in_time) else {
            let why = if is_requested { Why::Phase(phase) } else { Why::NotRequested };
            let (why, remedy) = self.unrequested(why, phase, None);
            return denied(why, remedy);
        };
        if !granted.any(|terms| in_time(&terms)) {
            let why = if is_granted { Why::Phase(phase) } else { self.ungranted() };
            let line = self.is_narrowed(asked).then(|| asked.to_string());
            let only = line.as_deref().map(|line| ("network", line));
            return denied(why, format!("run `{}`", self.terms.command(only, false)).into());
        }
        let narrowing =
            self.rules_above().filter(|(_, _, rules)| !rules.over(Scheme::Tcp).any(|terms| in_time(&terms)));
        let unallowed = unallowed(narrowing.map(|(_, above, _)| (above, "endpoints".to_owned())), Capability::Network);
        unallowed.map_or(Ok(()), |(why, remedy)| denied(why, remedy))
    }

    /// Why something isn't asked for, or not for this, and what would change that.
    fn unrequested(&self, why: Why, phase: Phase, to: Option<&Destination>) -> (Why, Remedy) {
        let unasked = |when: String| (Why::Other(format!("{}{when}", Why::NotRequested)), UNREQUESTED.into());
        match (why, to.and_then(|to| self.requested.that_could_mean(to, |_| true))) {
            (Why::Phase(_), _) => unasked(format!(" in {phase}")),
            (Why::Method, _) => unasked(format!(" with this method in {phase}")),
            (_, Some(unbound)) => {
                let (why, remedy) = unasked(format!(", and its request {unbound}"));
                match unbound.is_for_the_user() {
                    true => (why, format!("configure `{}` if that is meant; {remedy}", unbound.name).into()),
                    false => (why, remedy),
                }
            }
            (_, None) => (Why::NotRequested, UNREQUESTED.into()),
        }
    }

    /// Why nothing grants what is asked for in a phase, and what would.
    fn ungranted_destination(&self, phase: Phase, to: &Destination, asked: &Permit) -> (Why, Remedy) {
        // An entry that repeats a request was written for that one, and says nothing of others.
        let all: HashSet<&str> = self.terms.requests.network.iter().map(|request| request.endpoint.as_str()).collect();
        let meant: HashSet<&str> = self.requested.meaning(to).map(|request| request.endpoint.as_str()).collect();
        let is_meant = |granted: &Endpoint| meant.contains(granted.as_str()) || !all.contains(granted.as_str());
        // Those who ask what would be have only what names them.
        let phases = if phase.is_among(&[]) { Vec::new() } else { asked.terms.phases.clone() };
        let exactly = NetworkGrant { phases, ..Endpoint::of(to).into() };
        let Some(unbound) = self.granted.that_could_mean(to, is_meant) else {
            // What a user configured stays right when it changes.
            let referring = self.by_configuration(phase, to).filter(|_| asked.reaches(to));
            let line = referring.map_or_else(|| exactly.to_string(), |request| request.to_string());
            let only = !asked.reaches(to) || self.is_narrowed(&asked.terms);
            return (self.ungranted(), self.remedy("network", &line, only));
        };
        // What the component itself filled in can be granted only as what it is.
        let (line, name) = (exactly.to_string(), &unbound.name);
        let widening = unbound.text != asked.terms.endpoint.as_str() && self.is_narrowed(&asked.terms);
        let by_hand = || format!("add {}", self.terms.entry("network", &line));
        let remedy = match () {
            () if unbound.is_a_default() => self.remedy("network", &line, widening),
            () if unbound.is_for_the_user() => format!("configure `{name}`, or {}", by_hand()).into(),
            () => by_hand().into(),
        };
        (Why::Unbound(Box::new(unbound.clone())), remedy)
    }

    /// What grants more of a destination of which something is granted: a line, and nothing beside it. To grant what else is asked for
    /// would change nothing where that is granted already, or is asked for by what a user configures and nobody has.
    fn granting_more(&self, line: &str, to: &Destination) -> Remedy {
        let of = |development: bool| {
            let grants = self.granted.grants_of(to).filter_map(|grant| self.terms.grants.get(grant));
            let whose = grants.filter(move |grant| (grant.digest == Granted::Development) == development);
            let mut files = Vec::new();
            whose.for_each(|grant| unite(&mut files, &grant.certificates));
            Believed { development, files }
        };
        // What is deployed believes no authority of what is developed.
        let (own, developed) = (of(false), of(true));
        let believed = if own.files.is_empty() && !developed.files.is_empty() { developed } else { own };
        self.terms.remedy_beside("network", line, true, &believed)
    }

    /// The request that means a destination by what a user configured.
    fn by_configuration(&self, phase: Phase, to: &Destination) -> Option<Arc<NetworkGrant>> {
        match self.referring.permit(phase, to) {
            Verdict::Permitted(permit) => Some(permit.terms),
            Verdict::Denied(_) => None,
        }
    }

    /// What those say of the network who say anything of it, each with its position among those above.
    pub(super) fn rules_above(&self) -> impl Iterator<Item = (usize, &Above, &NetworkRules)> {
        let all = self.terms.above.iter().zip(&self.above).enumerate();
        all.filter_map(|(position, (above, rules))| Some((position, above, rules.as_ref()?)))
    }
}

/// Why nobody gets a destination, where nobody does.
pub(super) fn never(host: &Host) -> Option<Why> {
    match host {
        Host::Address(address) => {
            Some(Reached::by(*address)).filter(Reached::is_never).map(|reached| Why::Address(*address, reached, 0))
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

/// The least that permits a destination in a phase, where somebody permits something else of it. Which addresses it may stand for has
/// been said already.
fn beside(endpoint: Endpoint, phase: Phase, to: &Destination, rules: &NetworkRules) -> NetworkGrant {
    let mut addresses: Vec<AddressRange> = Vec::new();
    for range in rules.meaning(to).flat_map(|terms| &terms.addresses) {
        if !addresses.contains(range) {
            addresses.push(*range);
        }
    }
    NetworkGrant { endpoint, methods: to.method.iter().cloned().collect(), phases: vec![phase], addresses }
}
