//! What became of a component's requests, for an operator to read.
//!
//! Nothing is configured yet, so what refers to a configuration is as far decided as it can be without. The answer is never better
//! than what holds: what is granted in part says which part, and who else has a say.

mod network;

use std::io;
use std::path::{Path, PathBuf};

use crate::denial::{Denial, Why};
use crate::permissions::Permissions;
use crate::request::LimitRequest;

/// One request, and whether it can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    /// The request in words, with its reason.
    pub request: String,
    /// Whether it is granted, in words.
    pub verdict: String,
    /// Whose files keep from the component what is granted, or some of it.
    pub above: Vec<String>,
}

/// What there is of a limit, and whose file above keeps the rest from the component.
type Less = (String, Option<String>);

/// What became of a request.
struct Found {
    verdict: String,
    above: Vec<String>,
}

impl Permissions {
    /// Each request and what became of it. `real` says where a directory really lies, and `withheld` is what nobody is given of directories
    /// that are granted; `given` is what there is of a limit, where that is less, and whose file above keeps the rest.
    pub fn review(
        &self,
        real: &dyn Fn(&Path) -> io::Result<PathBuf>,
        withheld: &[Denial],
        given: &dyn Fn(&LimitRequest) -> Option<Less>,
    ) -> Vec<Reviewed> {
        let requests = self.requests();
        let network = requests.network.iter().map(|request| network::found(self, request));
        let environment = requests.environment.iter().map(|request| decided(self.variable(&request.name)));
        let filesystem = self.directories().zip(&requests.filesystem).map(|((name, directory), request)| {
            let directory = match directory {
                Ok(directory) => directory,
                Err(denial) => return Found::denied(&denial.why),
            };
            let real = real(&directory.at);
            let place = real.as_deref().unwrap_or(&directory.at);
            let mut found = decided(self.allow_directory(&directory, place));
            let called = directory.called(&name);
            if let Some(denial) = withheld.iter().find(|denial| denial.subject == called) {
                found.verdict = format!("not granted: {}", denial.why);
            } else if found.above.is_empty() {
                if directory.access < request.access {
                    found.verdict = format!("granted only to {}", directory.access);
                }
                // It may be there by the time that it is used.
                if let Err(error) = &real {
                    found.verdict.push_str(&format!(", but {} can't be used: {error}", directory.at.display()));
                }
            }
            found
        });
        let packages = requests.packages.iter();
        let packages = packages.map(|request| decided(self.package(&request.package, request.from.as_deref())));
        let limits = requests.limits.iter().map(|request| match given(request) {
            None => Found::only("granted".to_owned()),
            Some((less, above)) => {
                Found { verdict: format!("granted only up to {less}"), above: above.into_iter().collect() }
            }
        });
        let found = network.chain(environment).chain(filesystem).chain(packages).chain(limits);
        let lines = crate::explain(requests).into_iter();
        lines.zip(found).map(|(request, Found { verdict, above })| Reviewed { request, verdict, above }).collect()
    }
}

impl Found {
    fn only(verdict: String) -> Self {
        Self { verdict, above: Vec::new() }
    }

    fn denied(why: &Why) -> Self {
        let above = match why {
            Why::Above(tables) => tables.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        };
        Self { verdict: format!("not granted: {why}"), above }
    }
}

fn decided<T>(decision: Result<T, Denial>) -> Found {
    decision.map_or_else(|denial| Found::denied(&denial.why), |_| Found::only("granted".to_owned()))
}
