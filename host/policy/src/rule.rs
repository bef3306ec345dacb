//! The network rules of one party, with what was configured in them.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use crate::address::{AddressRange, Reached};
use crate::denial::Why;
use crate::destination::{Destination, Scheme};
use crate::endpoint::{Endpoint, HostPattern, Pattern};
use crate::grant::{Grant, NetworkGrant};
use crate::host::Host;
use crate::request::Phase;
use crate::template::{Configured, Unbound};

/// The most rules of one party. A manifest has 1,000 requests at most; who configures lists has some more.
const MOST: usize = 10_000;

/// What one party says of the network.
#[derive(Clone, Debug, Default)]
pub(crate) struct NetworkRules {
    rules: Vec<Rule>,
    unbound: Vec<(Unbound, Endpoint)>,
}

#[derive(Clone, Debug)]
struct Rule {
    pattern: Pattern,
    terms: Arc<NetworkGrant>,
    /// The position of the grant that has it. None of what is no grant.
    grant: Option<usize>,
}

/// What the rules say of a destination.
pub(crate) enum Verdict {
    /// It is permitted, and its name may stand for these addresses beside public ones.
    Permitted(Permit),
    /// It isn't.
    Denied(Why),
}

/// How a destination is permitted.
#[derive(Clone, Debug)]
pub(crate) struct Permit {
    /// Addresses that its name may stand for beside public ones.
    pub(crate) ranges: Vec<AddressRange>,
    /// What permits it, and at which port.
    pub(crate) terms: Arc<NetworkGrant>,
    pub(crate) port: Option<u16>,
    /// The positions of the grants that permit it, if grants do. What else stands in them holds for it; what stands in others doesn't.
    pub(crate) grants: Vec<usize>,
}

impl NetworkRules {
    /// Rules, by what was configured.
    pub(crate) fn bind(terms: impl Iterator<Item = NetworkGrant>, configured: &dyn Fn(&str) -> Configured) -> Self {
        Self::bound(terms.map(|terms| (None, terms)), configured)
    }

    /// The rules of grants, by what was configured.
    pub(crate) fn granted(grants: &[Grant], configured: &dyn Fn(&str) -> Configured) -> Self {
        let each = grants.iter().enumerate();
        Self::bound(
            each.flat_map(|(grant, all)| all.network.iter().map(move |terms| (Some(grant), terms.clone()))),
            configured,
        )
    }

    fn bound(
        terms: impl Iterator<Item = (Option<usize>, NetworkGrant)>,
        configured: &dyn Fn(&str) -> Configured,
    ) -> Self {
        let mut rules = Self::default();
        for (grant, terms) in terms {
            match terms.endpoint.bind(configured, MOST.saturating_sub(rules.rules.len())) {
                Ok(patterns) => {
                    let terms = Arc::new(terms);
                    let rule = |pattern| Rule { pattern, terms: Arc::clone(&terms), grant };
                    rules.rules.extend(patterns.into_iter().map(rule));
                }
                Err(unbound) => rules.unbound.push((unbound, terms.endpoint)),
            }
        }
        rules
    }

    /// What was written of a destination, whatever the phase and the method.
    pub(crate) fn meaning(&self, to: &Destination) -> impl Iterator<Item = &NetworkGrant> {
        self.rules.iter().filter(move |rule| rule.pattern.matches(to)).map(|rule| rule.terms.as_ref())
    }

    /// The positions of the grants in which something was written of a destination, whatever the phase and the method.
    pub(crate) fn grants_of(&self, to: &Destination) -> impl Iterator<Item = usize> {
        self.rules.iter().filter(move |rule| rule.pattern.matches(to)).filter_map(|rule| rule.grant)
    }

    /// What was written of anything over a scheme, whatever the phase.
    pub(crate) fn over(&self, scheme: Scheme) -> impl Iterator<Item = &NetworkGrant> {
        self.rules.iter().filter(move |rule| rule.pattern.is_over(scheme)).map(|rule| rule.terms.as_ref())
    }

    /// What means nothing for now, and might mean a destination otherwise, of those that are considered.
    pub(crate) fn that_could_mean(&self, to: &Destination, considered: impl Fn(&Endpoint) -> bool) -> Option<&Unbound> {
        let destination = Endpoint::of(to);
        let could = |endpoint: &Endpoint| considered(endpoint) && endpoint.may_meet(&destination);
        self.unbound.iter().find(|(_, endpoint)| could(endpoint)).map(|(unbound, _)| unbound)
    }

    pub(crate) fn permit(&self, phase: Phase, to: &Destination) -> Verdict {
        let meant: Vec<&Rule> = self.rules.iter().filter(|rule| rule.pattern.matches(to)).collect();
        if meant.is_empty() {
            return Verdict::Denied(Why::NotGranted);
        }
        let in_time: Vec<&Rule> = meant.into_iter().filter(|rule| phase.is_among(&rule.terms.phases)).collect();
        if in_time.is_empty() {
            return Verdict::Denied(Why::Phase(phase));
        }
        let by_method = |rule: &&Rule| {
            let methods = &rule.terms.methods;
            let among = |method: &String| methods.iter().any(|permitted| permitted.eq_ignore_ascii_case(method));
            methods.is_empty() || to.method.as_ref().is_some_and(among)
        };
        let permitting: Vec<&Rule> = in_time.into_iter().filter(by_method).collect();
        let Some(first) = permitting.first() else { return Verdict::Denied(Why::Method) };
        let (terms, port) = (Arc::clone(&first.terms), to.port.or(first.pattern.port));
        let mut grants: Vec<usize> = permitting.iter().filter_map(|rule| rule.grant).collect();
        grants.dedup();
        Verdict::Permitted(Permit {
            ranges: permitting.into_iter().flat_map(Rule::ranges).collect(),
            terms,
            port,
            grants,
        })
    }
}

impl Permit {
    /// Whether it lets pass what a destination says of its address. Who may talk to anybody may not talk to this machine.
    pub(crate) fn reaches(&self, to: &Destination) -> bool {
        let said = match &to.host {
            Host::Address(address) => Some(*address).filter(|address| Reached::by(*address) != Reached::Public),
            host => host.is_localhost().then_some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        };
        said.is_none_or(|address| self.ranges.iter().any(|range| range.contains(address)))
    }

    /// What permits an address too, and no more than that: not at other times, nor by other methods. An address that stands for
    /// itself needs no other word.
    pub(crate) fn with(&self, address: IpAddr, to: &Destination) -> NetworkGrant {
        let endpoint = Endpoint::of(&Destination { port: self.port, ..to.clone() });
        let NetworkGrant { methods, phases, .. } = self.terms.as_ref().clone();
        let addresses = match &to.host {
            Host::Address(_) => Vec::new(),
            Host::Name(_) => vec![AddressRange::Network(address.to_canonical().into())],
        };
        NetworkGrant { endpoint, methods, phases, addresses }
    }
}

impl Rule {
    /// Which addresses its host may stand for beside public ones. Who writes an address means it; but the link is too close to
    /// what hands out credentials to be meant by what a stack is configured with.
    fn ranges(&self) -> Vec<AddressRange> {
        let mut ranges = self.terms.addresses.clone();
        match &self.pattern.host {
            HostPattern::One(Host::Address(address)) => {
                let configured = self.terms.endpoint.references().next().is_some();
                if !(configured && Reached::by(*address) == Reached::LinkLocal) {
                    ranges.push(AddressRange::Network((*address).into()));
                }
            }
            HostPattern::One(host) if host.is_localhost() => ranges.push(AddressRange::Kind(Reached::Loopback)),
            HostPattern::One(_) | HostPattern::Below(_) | HostPattern::Any => {}
        }
        ranges
    }
}
