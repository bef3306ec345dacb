//! What one configuration of a component may do: requested, granted, and allowed by everybody above.
//!
//! Each question is put to all of them, and all have to agree. There is no list of what is effective that could be computed
//! wrongly: what a wildcard and a request have in common is never spelt out, only whether both mean a destination.

mod judged;
mod network;
mod packages;
mod reach;
mod surroundings;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

pub use self::reach::Reach;
use crate::Phase;
use crate::denial::{Capability, Granting, Narrowing, Others, Remedy, Why};
use crate::grant::{Ceiling, Grant, Granted, NetworkGrant, is_plain, quoted};
use crate::request::{NetworkRequest, Requests};
use crate::rule::NetworkRules;
use crate::template::Configured;

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
    /// The table in it.
    pub table: String,
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
    /// The requests that refer to what a user configured: grants may refer to the same.
    referring: NetworkRules,
    /// As many as there are files above; none of one that says nothing of the network.
    above: Vec<Option<NetworkRules>>,
    /// Under whose name else something is granted to this very component.
    named: Option<Arc<str>>,
    /// The files in which it is written down what components do.
    records: Arc<[PathBuf]>,
    /// The directories that any component of the project may write to.
    writable: Arc<[PathBuf]>,
}

/// What was written down.
#[derive(Debug, Default)]
struct Terms {
    applicant: Applicant,
    requests: Requests,
    grants: Vec<Grant>,
    /// For whom else of this name there are grants, which don't count for this component.
    others: Option<Others>,
    above: Vec<Above>,
    /// Where relative paths of grants begin.
    project: PathBuf,
    /// The requests that are granted in part.
    narrowed: OnceLock<Vec<NetworkRequest>>,
}

/// The authorities that are believed for a server, by grants for one component or for whatever is developed. Whom they were named for is
/// who is granted more beside them.
#[derive(Default)]
struct Believed {
    development: bool,
    files: Vec<String>,
}

impl Believed {
    fn to(&self, digest: &str) -> Granted {
        if self.development { Granted::Development } else { Granted::Digest(digest.to_owned()) }
    }
}

impl Permissions {
    /// What a component may do before it is configured. Of the grants count those for its digest.
    pub fn new(applicant: Applicant, requests: Requests, grants: &[Grant], above: Vec<Above>, project: &Path) -> Self {
        let counts = |grant: &&Grant| match &grant.digest {
            Granted::Digest(digest) => *digest == applicant.digest,
            Granted::Development => applicant.development,
        };
        let development = |grant: &&Grant| grant.digest == Granted::Development;
        let (grants, others): (Vec<&Grant>, Vec<&Grant>) = grants.iter().partition(counts);
        let others = match others.iter().any(development) {
            true => Some(Others::Development),
            false => (!others.is_empty()).then_some(Others::Digests),
        };
        let (grants, project) = (grants.into_iter().cloned().collect(), project.to_owned());
        let terms = Terms { applicant, requests, grants, others, above, project, narrowed: OnceLock::new() };
        Self { terms: Arc::new(terms), ..Self::default() }.bind(&|_| Configured::Absent)
    }

    /// The same, of somebody whose digest has grants under another provider's name, where they count for nobody.
    #[must_use]
    pub fn named(self, other: Option<&str>) -> Self {
        Self { named: other.map(Arc::from), ..self }
    }

    /// The same, of somebody about whom records are kept in these files. No grant gives them away.
    #[must_use]
    pub fn recorded_in(self, records: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { records: records.into_iter().collect(), ..self }
    }

    /// The files in which it is written down what components do.
    pub fn records(&self) -> &[PathBuf] {
        &self.records
    }

    /// The same, beside components that may write to these directories: what lies there may be their doing.
    #[must_use]
    pub fn beside(self, writable: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { writable: writable.into_iter().collect(), ..self }
    }

    /// The directories that any component of the project may write to.
    pub fn writable(&self) -> &[PathBuf] {
        &self.writable
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
        let referring = requests.clone().filter(|request| request.endpoint.references().next().is_some());
        let above = terms.above.iter().map(|above| {
            let allowed = above.ceiling.network.as_ref()?;
            // What is said of no phase is said of all: it allows, and grants nothing.
            let all = |allowed: &NetworkGrant| match allowed.phases[..] {
                [] => NetworkGrant { phases: Phase::ALL.to_vec(), ..allowed.clone() },
                _ => allowed.clone(),
            };
            Some(NetworkRules::bind(allowed.iter().map(all), configured))
        });
        Self {
            terms: Arc::clone(terms),
            requested: NetworkRules::bind(requests, &with_defaults),
            granted: NetworkRules::granted(&terms.grants, configured),
            referring: NetworkRules::bind(referring, configured),
            above: above.collect(),
            named: self.named.clone(),
            records: Arc::clone(&self.records),
            writable: Arc::clone(&self.writable),
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

    /// The directory of the project that grants: where relative paths of grants begin.
    pub fn project(&self) -> &Path {
        &self.terms.project
    }

    /// The project's file, as a word of a line.
    pub fn file(&self) -> String {
        self.terms.file()
    }

    /// What is asked for.
    pub(crate) fn requests(&self) -> &Requests {
        &self.terms.requests
    }

    /// What everybody else allows.
    pub(crate) fn above(&self) -> &[Above] {
        &self.terms.above
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

    /// A command and a line that grant something. Where a part of what is asked for is granted already, both grant this and no more.
    fn remedy(&self, capability: &str, line: &str, only: bool) -> Remedy {
        self.terms.remedy(capability, line, only)
    }

    /// Whether a request is granted in part, so that nobody gets more of it in passing.
    fn is_narrowed(&self, request: &NetworkGrant) -> bool {
        let Terms { grants, requests, narrowed, .. } = self.terms.as_ref();
        // Found once: a component may be denied something as often as it likes.
        let narrowed = narrowed.get_or_init(|| {
            Grant::together(grants).map(|grant| requests.divided(&grant).narrowed.network).unwrap_or_default()
        });
        narrowed.iter().any(|narrowed| NetworkGrant::from(narrowed) == *request)
    }

    /// That nothing grants something.
    pub(crate) fn ungranted(&self) -> Why {
        let named = self.named.as_deref().filter(|_| self.terms.grants.is_empty());
        let others = named.map(|name| Others::Name(name.to_owned())).or_else(|| self.terms.others.clone());
        others.map_or(Why::NotGranted, Why::GrantedTo)
    }
}

impl Terms {
    fn remedy(&self, capability: &str, line: &str, only: bool) -> Remedy {
        self.remedy_beside(capability, line, only, &Believed::default())
    }

    /// The same of a server for which authorities are believed. The command knows them; by hand, they have to stand there, too.
    fn remedy_beside(&self, capability: &str, line: &str, only: bool, believed: &Believed) -> Remedy {
        Remedy::Grant(Box::new(Granting {
            command: self.command(only.then_some((capability, line)), believed.development),
            entry: self.entry_beside(capability, line, believed),
            development: self.applicant.development && !believed.development,
        }))
    }

    /// What is granted by hand, after "add": a block of its own, since a list stands in one only once, and who follows a second denial
    /// would write it there again.
    fn entry(&self, capability: &str, line: &str) -> String {
        self.entry_beside(capability, line, &Believed::default())
    }

    fn entry_beside(&self, capability: &str, line: &str, believed: &Believed) -> String {
        let Applicant { provider, digest, .. } = &self.applicant;
        let (file, whom) = (self.file(), believed.to(digest));
        let files: Vec<String> = believed.files.iter().map(|file| quoted(file)).collect();
        let more = if files.is_empty() { String::new() } else { format!(" and certificates = [{}]", files.join(", ")) };
        format!(
            "a block [[providers.{provider}.grants]] with digest = \"{whom}\" and {capability} = [{line}]{more} to {file}"
        )
    }

    fn file(&self) -> String {
        word(&self.project.join("bulkhead.toml").display().to_string())
    }

    /// The command that grants what the component asks for, or a line of it alone, wherever somebody runs it: to the component, or to
    /// whatever is developed.
    fn command(&self, only: Option<(&str, &str)>, development: bool) -> String {
        let Self { applicant, project, .. } = self;
        let mut command = format!("bulkhead grant {}", word(&applicant.component));
        if project.is_absolute() {
            command.push_str(&format!(" --project {}", word(&project.display().to_string())));
        }
        if development {
            command.push_str(" --dev");
        }
        if let Some((capability, line)) = only {
            command.push_str(&format!(" --only {}", word(&format!("{capability} = [{line}]"))));
        }
        command
    }
}

impl Above {
    /// As what doesn't allow something.
    pub(crate) fn narrowing(&self) -> Narrowing {
        Narrowing { file: self.file.clone(), table: self.table.clone() }
    }
}

/// Why those above don't allow something, and what would have them: each with what it has to add. None if there are none.
fn unallowed<'a>(
    narrowing: impl IntoIterator<Item = (&'a Above, String)>,
    capability: Capability,
) -> Option<(Why, Remedy)> {
    let asked = |(above, what): (&'a Above, String)| {
        let Above { file, table, .. } = above;
        (above.narrowing(), format!("whoever owns {file} can add {what} to `{capability}` under its {table}"))
    };
    let (tables, asked): (Vec<Narrowing>, Vec<String>) = narrowing.into_iter().map(asked).unzip();
    (!tables.is_empty()).then(|| (Why::Above(tables), asked.join(", and ").into()))
}

/// A text as one word of a command, without runs of blanks and what nobody sees: a line of a hint shows neither as it is.
pub fn word(text: &str) -> String {
    let bare = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ':' | '@' | '%' | '=' | ',');
    if !text.is_empty() && text.chars().all(bare) {
        return text.to_owned();
    }
    // Only a shell's longer quotes have escapes, so they are left for what needs some.
    let escapes = !text.chars().all(is_plain);
    let mut word = String::from(if escapes { "$'" } else { "'" });
    for c in text.chars() {
        match c {
            '\'' if escapes => word.push_str("\\'"),
            '\'' => word.push_str("'\\''"),
            '\\' if escapes => word.push_str("\\\\"),
            ' ' if word.ends_with(' ') => word.push_str(if escapes { "\\040" } else { "'' " }),
            c if !is_plain(c) => word.extend(c.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("\\{byte:03o}"))),
            c => word.push(c),
        }
    }
    word.push('\'');
    word
}

/// What is said of whatever the component doesn't ask for.
const UNREQUESTED: &str =
    "no grant is wider than what the manifest asks for, which only the component's author can change";

#[cfg(test)]
mod tests;
