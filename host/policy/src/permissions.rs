//! What one configuration of a component may do: requested, granted, and allowed by everybody above.
//!
//! Each question is put to all of them, and all have to agree. There is no list of what is effective that could be computed
//! wrongly: what a wildcard and a request have in common is never spelt out, only whether both mean a destination.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::address::{AddressRange, Reached};
use crate::denial::{Capability, Denial, Why};
use crate::destination::{Destination, Scheme};
use crate::directory::Directory;
use crate::grant::{Ceiling, FilesystemGrant, Grant, Granted, NetworkGrant, quoted};
use crate::host::Host;
use crate::request::Requests;
use crate::rule::{NetworkRules, Verdict};
use crate::template::Configured;
use crate::{Phase, environment};

/// Who asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applicant {
    /// The provider's name.
    pub provider: String,
    /// The component's digest, in hexadecimal digits.
    pub digest: String,
    /// Where the component lies.
    pub component: String,
    /// Whether it is run from where it is developed, so that grants for `dev` count.
    pub development: bool,
}

/// What a file above the project's allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Above {
    /// The file.
    pub file: String,
    /// What it says. Its directories are absolute.
    pub ceiling: Ceiling,
}

/// What one configuration of a component may do.
#[derive(Clone, Debug, Default)]
pub struct Permissions {
    terms: Arc<Terms>,
    /// What requests and grants mean with what was configured.
    requested: NetworkRules,
    granted: NetworkRules,
    above: Vec<(usize, NetworkRules)>,
}

/// What was written down.
#[derive(Debug, Default)]
struct Terms {
    applicant: Applicant,
    requests: Requests,
    grants: Vec<Grant>,
    above: Vec<Above>,
    /// Where relative paths of grants begin.
    project: PathBuf,
}

/// Which addresses a permitted destination may stand for.
#[derive(Clone, Debug)]
pub struct Reach {
    destination: Destination,
    /// What the grants that mean it add to public addresses, and what each file above them allows.
    ranges: Vec<Vec<AddressRange>>,
    remedy: String,
}

impl Permissions {
    /// What a component may do before it is configured. Of the grants count those for its digest.
    pub fn new(applicant: Applicant, requests: Requests, grants: &[Grant], above: Vec<Above>, project: &Path) -> Self {
        let counts = |grant: &&Grant| match &grant.digest {
            Granted::Digest(digest) => *digest == applicant.digest,
            Granted::Development => applicant.development,
        };
        let grants = grants.iter().filter(counts).cloned().collect();
        let terms = Terms { applicant, requests, grants, above, project: project.to_owned() };
        Self { terms: Arc::new(terms), ..Self::default() }.bind(&|_| Configured::Absent)
    }

    /// The same, once it is known what was configured.
    #[must_use]
    pub fn bind(&self, configured: &dyn Fn(&str) -> Configured) -> Self {
        let terms = &self.terms;
        // A default is the component's own word: enough for a request, and nothing that a grant could rest on.
        let with_defaults = |name: &str| match configured(name) {
            Configured::Default(values) => Configured::Given(values),
            other => other,
        };
        let requests = terms.requests.network.iter().map(NetworkGrant::from);
        let above = terms.above.iter().enumerate().filter_map(|(file, above)| {
            let allowed = above.ceiling.network.as_ref()?;
            // What is said of no phase is said of all: it allows, and grants nothing.
            let all = |allowed: &NetworkGrant| match allowed.phases[..] {
                [] => NetworkGrant { phases: Phase::ALL.to_vec(), ..allowed.clone() },
                _ => allowed.clone(),
            };
            Some((file, NetworkRules::bind(allowed.iter().map(all), configured)))
        });
        Self {
            terms: Arc::clone(terms),
            requested: NetworkRules::bind(requests, &with_defaults),
            granted: NetworkRules::bind(
                terms.grants.iter().flat_map(|grant| grant.network.iter().cloned()),
                configured,
            ),
            above: above.collect(),
        }
    }

    /// The names in the configuration that requests and grants refer to.
    pub fn references(&self) -> Vec<&str> {
        let Terms { requests, grants, above, .. } = self.terms.as_ref();
        let requested = requests.network.iter().map(|request| &request.endpoint);
        let granted = grants.iter().flat_map(|grant| &grant.network).map(|granted| &granted.endpoint);
        let allowed =
            above.iter().flat_map(|above| above.ceiling.network.iter().flatten()).map(|allowed| &allowed.endpoint);
        let mut all: Vec<&str> =
            requested.chain(granted).chain(allowed).flat_map(|endpoint| endpoint.references()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether a destination may be talked to, as far as its name says. Each address that the name stands for is to be asked of
    /// what this returns.
    ///
    /// # Errors
    /// The denial.
    pub fn destination(&self, phase: Phase, to: &Destination) -> Result<Reach, Denial> {
        // The least that would do, or what stays right when the configuration changes.
        let by_configuration = |request: &&NetworkGrant| request.endpoint.references().next().is_some();
        let request = self.requested.meaning(to).filter(by_configuration);
        let line = request.map_or_else(|| quoted(&to.endpoint()), ToString::to_string);
        let denied = |why: Why, remedy: Option<String>| {
            let subject = to.to_string();
            Denial { capability: Capability::Network, subject, why, remedy }
        };
        let never = match &to.host {
            Host::Address(address) => {
                Some(Reached::by(*address)).filter(Reached::is_never).map(|reached| Why::Address(*address, reached))
            }
            Host::Name(name) => {
                METADATA.contains(&name.as_str()).then_some(Why::Never("what hands out the machine's own credentials"))
            }
        };
        if let Some(why) = never {
            return Err(denied(why, None));
        }
        let mut ranges = Vec::new();
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
            Verdict::Permitted(granted) => ranges.push(granted),
            Verdict::Denied(why) => {
                // What the component itself filled in can be granted only as what it is.
                let line = if matches!(why, Why::Unbound(_)) { quoted(&to.endpoint()) } else { line };
                return Err(denied(why, Some(self.remedy("network", &line))));
            }
        }
        for (file, rules) in &self.above {
            let file = self.terms.above.get(*file).map_or("a file above", |above| &above.file);
            match rules.permit(phase, to) {
                Verdict::Permitted(allowed) => ranges.push(allowed),
                Verdict::Denied(_) => {
                    let hint = format!(
                        "whoever owns {file} can add {} to `network` under its [allow]",
                        quoted(&to.endpoint())
                    );
                    return Err(denied(Why::Above(file.to_owned()), Some(hint)));
                }
            }
        }
        let remedy = match &to.host {
            Host::Address(_) => String::new(),
            Host::Name(_) => self.terms.applicant.file_line(&format!(
                "network = [{{ endpoint = {}, addresses = [\"ADDRESS\"] }}]",
                quoted(&to.endpoint())
            )),
        };
        Ok(Reach { destination: to.clone(), ranges, remedy })
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
            return denied(Why::NotGranted, format!("run `bulkhead grant {}`", self.terms.applicant.component));
        }
        for (file, rules) in &self.above {
            if !rules.has(Scheme::Tcp, phase) {
                let file = self.terms.above.get(*file).map_or("a file above", |above| &above.file);
                let hint = format!("whoever owns {file} can add endpoints to `network` under its [allow]");
                return denied(Why::Above(file.to_owned()), hint);
            }
        }
        Ok(())
    }

    /// Whether an environment variable may be read.
    ///
    /// # Errors
    /// The denial.
    pub fn variable(&self, name: &str) -> Result<(), Denial> {
        let denied =
            |why, remedy| Denial { capability: Capability::Environment, subject: name.to_owned(), why, remedy };
        let Terms { requests, grants, above, .. } = self.terms.as_ref();
        if environment::belongs_to_engine(name) {
            return Err(denied(Why::Never("the engine's own variables"), None));
        }
        if !requests.environment.iter().any(|request| request.name == name) {
            return Err(denied(Why::NotRequested, Some(UNREQUESTED.to_owned())));
        }
        let among = |names: &[String]| names.iter().any(|granted| granted == name);
        if !grants.iter().any(|grant| among(&grant.environment)) {
            return Err(denied(Why::NotGranted, Some(self.remedy("environment", &quoted(name)))));
        }
        let above = above.iter().find(|above| above.ceiling.environment.as_ref().is_some_and(|names| !among(names)));
        above.map_or(Ok(()), |above| {
            let hint =
                format!("whoever owns {} can add {} to `environment` under its [allow]", above.file, quoted(name));
            Err(denied(Why::Above(above.file.clone()), Some(hint)))
        })
    }

    /// The environment variables that are asked for.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.terms.requests.environment.iter().map(|request| request.name.as_str())
    }

    /// The directories that are asked for: where each lies, or why it may not be used.
    pub fn directories(&self) -> impl Iterator<Item = (&str, Result<Directory, Denial>)> {
        let Terms { requests, grants, project, .. } = self.terms.as_ref();
        requests.filesystem.iter().map(move |request| {
            let meant =
                grants.iter().flat_map(|grant| &grant.filesystem).filter(|granted| granted.path == request.path);
            let granted = meant.max_by_key(|granted| granted.access);
            let directory = granted.map(|granted| Directory {
                at: project.join(granted.at.as_deref().unwrap_or(&granted.path)),
                access: granted.access.min(request.access),
            });
            let line = FilesystemGrant { path: request.path.clone(), at: None, access: request.access };
            let denial = || Denial {
                capability: Capability::Filesystem,
                subject: format!("{} ({})", request.path, request.access),
                why: Why::NotGranted,
                remedy: Some(self.remedy("filesystem", &line.to_string())),
            };
            (request.path.as_str(), directory.ok_or_else(denial))
        })
    }

    /// Whether everybody above allows a directory, by where it really lies.
    ///
    /// # Errors
    /// The denial.
    pub fn allow_directory(&self, directory: &Directory, real: &Path) -> Result<(), Denial> {
        for above in &self.terms.above {
            let Some(allowed) = &above.ceiling.filesystem else { continue };
            let holds = |allowed: &FilesystemGrant| {
                real.starts_with(allowed.at.as_ref().unwrap_or(&allowed.path)) && allowed.access >= directory.access
            };
            if !allowed.iter().any(holds) {
                let hint = format!("whoever owns {} can add it to `filesystem` under its [allow]", above.file);
                return Err(Denial {
                    capability: Capability::Filesystem,
                    subject: format!("{} ({})", real.display(), directory.access),
                    why: Why::Above(above.file.clone()),
                    remedy: Some(hint),
                });
            }
        }
        Ok(())
    }

    /// PEM files of authorities that are trusted beside the system's.
    pub fn certificates(&self) -> impl Iterator<Item = PathBuf> {
        let Terms { grants, project, .. } = self.terms.as_ref();
        grants.iter().flat_map(|grant| &grant.certificates).map(|path| project.join(path))
    }

    /// The directory of the project that grants: where relative paths of grants begin.
    pub fn project(&self) -> &Path {
        &self.terms.project
    }

    /// What is asked for.
    pub(crate) fn requests(&self) -> &Requests {
        &self.terms.requests
    }

    /// The grants that count.
    pub(crate) fn grants(&self) -> impl Iterator<Item = &Grant> + Clone {
        self.terms.grants.iter()
    }

    /// Whether anything that counts was granted to whatever is being developed, rather than to this component.
    pub fn is_for_development(&self) -> bool {
        self.terms.grants.iter().any(|grant| grant.digest == Granted::Development)
    }

    /// Who asks.
    pub fn applicant(&self) -> &Applicant {
        &self.terms.applicant
    }

    fn remedy(&self, capability: &str, line: &str) -> String {
        let Applicant { component, .. } = &self.terms.applicant;
        let line = self.terms.applicant.file_line(&format!("{capability} = [{line}]"));
        format!("run `bulkhead grant {component}`, or {line}")
    }
}

impl Applicant {
    /// Where a line belongs.
    fn file_line(&self, line: &str) -> String {
        let Self { provider, digest, .. } = self;
        format!("add {line} in bulkhead.toml under [[providers.{provider}.grants]] with digest = \"sha256:{digest}\"")
    }
}

impl Reach {
    /// Whether an address that the name stands for may be talked to.
    ///
    /// # Errors
    /// The denial.
    pub fn address(&self, address: IpAddr) -> Result<(), Denial> {
        let reached = Reached::by(address);
        let permitted = match reached {
            Reached::Public => true,
            reached if reached.is_never() => false,
            _ => self.ranges.iter().all(|ranges| ranges.iter().any(|range| range.contains(address))),
        };
        if permitted {
            return Ok(());
        }
        let never = reached.is_never() || self.remedy.is_empty();
        Err(Denial {
            capability: Capability::Network,
            subject: self.destination.to_string(),
            why: Why::Address(address, reached),
            remedy: (!never).then(|| self.remedy.replace("ADDRESS", &address.to_canonical().to_string())),
        })
    }
}

/// Names under which machines find what hands out their credentials.
const METADATA: [&str; 4] = ["metadata.google.internal", "metadata.goog", "metadata", "instance-data"];

const UNREQUESTED: &str =
    "no grant is wider than what the manifest asks for, which only the component's author can change";

#[cfg(test)]
mod tests;
