//! What became of a component's requests, for an operator to read.
//!
//! Nothing is configured yet, so what refers to a configuration is as far decided as it can be without. The answer is never better
//! than what holds: what is granted in part says which part, and who else has a say.

mod network;

use std::path::{Path, PathBuf};

use crate::denial::{Denial, Why};
use crate::permissions::Permissions;

/// One request, and whether it can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    /// The request in words, with its reason.
    pub request: String,
    /// Whether it is granted, in words.
    pub verdict: String,
    /// Whose file keeps from the component what is granted, or some of it: the table and the file.
    pub above: Option<String>,
}

/// What became of a request.
struct Found {
    verdict: String,
    above: Option<String>,
}

impl Permissions {
    /// Each request and what became of it. `real` says where a directory really lies.
    pub fn review(&self, real: &dyn Fn(&Path) -> PathBuf) -> Vec<Reviewed> {
        let requests = self.requests();
        let network = requests.network.iter().map(|request| network::found(self, request));
        let environment = requests.environment.iter().map(|request| decided(self.variable(&request.name)));
        let filesystem = self.directories().zip(&requests.filesystem).map(|((_, directory), request)| {
            let allowed = directory.and_then(|directory| {
                self.allow_directory(&directory, &real(&directory.at))?;
                Ok(directory)
            });
            match allowed {
                Ok(directory) if directory.access < request.access => {
                    Found::only(format!("granted only to {}", directory.access))
                }
                decision => decided(decision),
            }
        });
        let packages = requests.packages.iter();
        let packages = packages.map(|request| decided(self.package(&request.package, request.from.as_deref())));
        let limits = requests.limits.iter().map(|_| Found::only("[limits] decides".to_owned()));
        let found = network.chain(environment).chain(filesystem).chain(packages).chain(limits);
        let lines = crate::explain(requests).into_iter();
        lines.zip(found).map(|(request, Found { verdict, above })| Reviewed { request, verdict, above }).collect()
    }
}

impl Found {
    fn only(verdict: String) -> Self {
        Self { verdict, above: None }
    }

    fn denied(why: &Why) -> Self {
        let above = match why {
            Why::Above { file, table } => Some(format!("{table} of {file}")),
            _ => None,
        };
        Self { verdict: format!("not granted: {why}"), above }
    }
}

fn decided<T>(decision: Result<T, Denial>) -> Found {
    decision.map_or_else(|denial| Found::denied(&denial.why), |_| Found::only("granted".to_owned()))
}
