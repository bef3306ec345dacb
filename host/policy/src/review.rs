//! What became of a component's requests, for an operator to read.

use crate::denial::Denial;
use crate::destination::Destination;
use crate::endpoint::Endpoint;
use crate::grant::NetworkGrant;
use crate::permissions::Permissions;
use crate::request::{NetworkRequest, Phase};

/// One request, and whether it can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    /// The request in words, with its reason.
    pub request: String,
    /// Whether it is granted, in words.
    pub verdict: String,
}

impl Permissions {
    /// Each request and what became of it. What depends on a configuration is as far decided as it can be without one.
    pub fn review(&self) -> Vec<Reviewed> {
        let requests = self.requests();
        let network = requests.network.iter().map(|request| self.of_network(request));
        let environment = requests.environment.iter().map(|request| verdict(self.variable(&request.name)));
        let filesystem = self.directories().map(|(_, directory)| verdict(directory));
        let limits = requests.limits.iter().map(|_| "[limits] decides".to_owned());
        let verdicts = network.chain(environment).chain(filesystem).chain(limits);
        let lines = crate::explain(requests).into_iter();
        lines.zip(verdicts).map(|(request, verdict)| Reviewed { request, verdict }).collect()
    }

    fn of_network(&self, request: &NetworkRequest) -> String {
        if let Some(to) = exact(&request.endpoint, &request.methods) {
            let phase = Phase::ALL.into_iter().find(|phase| phase.is_among(&request.phases)).unwrap_or(Phase::Create);
            return verdict(self.destination(phase, &to));
        }
        let granted = self.grants().flat_map(|grant| &grant.network);
        let same = |granted: &&NetworkGrant| granted.endpoint == request.endpoint;
        match granted.clone().find(same) {
            Some(_) => "granted".to_owned(),
            None if granted.clone().next().is_some() => {
                let granted: Vec<String> = granted.map(ToString::to_string).collect();
                format!("granted as far as it is {}", granted.join(", "))
            }
            None => "not granted".to_owned(),
        }
    }
}

/// The one destination that an endpoint means.
fn exact(endpoint: &Endpoint, methods: &[String]) -> Option<Destination> {
    Some(Destination { method: methods.first().cloned(), ..endpoint.exact()? })
}

fn verdict<T>(decision: Result<T, Denial>) -> String {
    decision.map_or_else(|denial| format!("not granted: {}", denial.why), |_| "granted".to_owned())
}
