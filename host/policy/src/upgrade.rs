//! What of a component's requests is granted already, and what a grant has for whoever comes after the component that it is for.
//!
//! An operator may have granted less than was asked: other methods, one host of many, a directory for reading. The next build
//! asks for as much again, and that is no reason to give more. So what meets a grant and isn't covered by it is told apart
//! from what is new.

use crate::explain::brief;
use crate::grant::{FilesystemGrant, Grant, NetworkGrant};
use crate::package::PackageGrant;
use crate::request::{EnvironmentRequest, FilesystemRequest, NetworkRequest, PackageRequest, Phase, Requests};

/// Requests by what is granted. Those for limits are among none of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Divided {
    /// All of it is granted.
    pub covered: Requests,
    /// Some of it is granted.
    pub narrowed: Requests,
    /// None of it is granted.
    pub new: Requests,
}

impl Requests {
    /// The requests by what a grant says of them.
    #[must_use]
    pub fn divided(&self, grant: &Grant) -> Divided {
        let mut divided = Divided::default();
        let mut meant: Vec<Vec<&NetworkGrant>> = vec![Vec::new(); self.network.len()];
        for granted in &grant.network {
            let indices = self.meant_by(granted).filter(|(_, request)| in_common(granted, request));
            for (index, _) in indices {
                meant.get_mut(index).into_iter().for_each(|entries| entries.push(granted));
            }
        }
        for (request, meant) in self.network.iter().zip(meant) {
            let part = match (covered(&meant, request), meant.is_empty()) {
                (true, _) => &mut divided.covered,
                (false, false) => &mut divided.narrowed,
                (false, true) => &mut divided.new,
            };
            part.network.push(request.clone());
        }
        let named = |request: &EnvironmentRequest| grant.environment.contains(&request.name);
        (divided.covered.environment, divided.new.environment) = self.environment.iter().cloned().partition(named);
        for request in &self.filesystem {
            let granted = grant.filesystem.iter().filter(|granted| granted.is_of(&request.path));
            let part = match granted.map(|granted| granted.access).max() {
                Some(access) if access >= request.access => &mut divided.covered,
                Some(_) => &mut divided.narrowed,
                None => &mut divided.new,
            };
            part.filesystem.push(request.clone());
        }
        for request in &self.packages {
            let (asked, granted) = (PackageGrant::from(request), &grant.packages);
            let part = match granted.iter().any(|granted| granted.covers(&asked)) {
                true => &mut divided.covered,
                false if granted.iter().any(|granted| granted.meets(&asked)) => &mut divided.narrowed,
                false => &mut divided.new,
            };
            part.packages.push(request.clone());
        }
        divided
    }

    /// The requests that an entry was written for: those for the same endpoint. If there are none, those of which it may be a
    /// part, or that may be a part of it. Each with its position.
    pub(crate) fn meant_by<'a>(
        &'a self,
        granted: &'a NetworkGrant,
    ) -> impl Iterator<Item = (usize, &'a NetworkRequest)> {
        let same = |request: &&NetworkRequest| request.endpoint == granted.endpoint;
        let any = self.network.iter().any(|request| same(&request));
        self.network.iter().enumerate().filter(move |(_, request)| match any {
            true => same(request),
            false => request.endpoint.may_meet(&granted.endpoint),
        })
    }

    /// The request that an entry was written for.
    pub(crate) fn of_package(&self, granted: &PackageGrant) -> Option<&PackageRequest> {
        self.packages.iter().find(|request| PackageGrant::from(*request).covers(granted))
    }
}

/// Adds what isn't there yet, each thing once.
pub(crate) fn unite<T: Clone + PartialEq>(all: &mut Vec<T>, more: &[T]) {
    for one in more {
        if !all.contains(one) {
            all.push(one.clone());
        }
    }
}

impl Grant {
    /// What several grants give together, each thing once. None without any.
    pub fn together<'a>(grants: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        let mut grants = grants.into_iter().peekable();
        let mut all = Self::of(&Requests::default(), grants.peek()?.digest.clone());
        grants.for_each(|grant| all.add(grant));
        Some(all)
    }

    /// Adds what another one gives and this one doesn't say.
    pub fn add(&mut self, other: &Self) {
        unite(&mut self.network, &other.network);
        unite(&mut self.environment, &other.environment);
        unite(&mut self.filesystem, &other.filesystem);
        unite(&mut self.certificates, &other.certificates);
        unite(&mut self.packages, &other.packages);
    }

    /// What of it is left for a component that asks for this, and what isn't.
    #[must_use]
    pub fn left_for(&self, requests: &Requests) -> (Self, Self) {
        let (mut left, mut gone) = (self.clone(), self.clone());
        let meant = |granted: &NetworkGrant| requests.meant_by(granted).next().is_some();
        let named = |name: &String| requests.environment.iter().any(|request| request.name == *name);
        let used = |granted: &FilesystemGrant| requests.filesystem.iter().any(|request| granted.is_of(&request.path));
        (left.network, gone.network) = self.network.iter().cloned().partition(meant);
        (left.environment, gone.environment) = self.environment.iter().cloned().partition(named);
        (left.filesystem, gone.filesystem) = self.filesystem.iter().cloned().partition(used);
        (left.packages, gone.packages) =
            self.packages.iter().cloned().partition(|granted| requests.of_package(granted).is_some());
        // They are believed for the endpoints beside them, and say nothing without any.
        (if left.network.is_empty() { &mut left } else { &mut gone }).certificates.clear();
        (left, gone)
    }

    /// Whether it gives nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::of(&Requests::default(), self.digest.clone())
    }

    /// What it gives, one line each, with the reasons of requests as far as they are known.
    pub fn lines(&self, requests: &Requests) -> Vec<String> {
        let because = |reason: Option<&String>| reason.map(|reason| format!(": {}", brief(reason))).unwrap_or_default();
        let network = self.network.iter().map(|granted| {
            let reason = requests.meant_by(granted).map(|(_, request)| &request.reason).next();
            format!("network {granted}{}", because(reason))
        });
        let environment = self.environment.iter().map(|name| {
            let request = requests.environment.iter().find(|request| request.name == *name);
            format!("environment {name}{}", because(request.map(|request| &request.reason)))
        });
        let filesystem = self.filesystem.iter().map(|granted| {
            let request = requests.filesystem.iter().find(|request: &&FilesystemRequest| granted.is_of(&request.path));
            format!("filesystem {granted}{}", because(request.map(|request| &request.reason)))
        });
        let certificates = self.certificates.iter().map(|file| format!("certificates {file}"));
        let packages = self.packages.iter().map(|granted| {
            let request = requests.of_package(granted);
            format!("packages {granted}{}", because(request.map(|request| &request.reason)))
        });
        network.chain(environment).chain(filesystem).chain(certificates).chain(packages).collect()
    }
}

/// Whether entries give all that a request asks for.
fn covered(granted: &[&NetworkGrant], request: &NetworkRequest) -> bool {
    let around: Vec<&&NetworkGrant> =
        granted.iter().filter(|granted| request.endpoint.is_within(&granted.endpoint)).collect();
    let methods: Vec<Option<&str>> = match request.methods.is_empty() {
        true => vec![None],
        false => request.methods.iter().map(|method| Some(method.as_str())).collect(),
    };
    let mut asked = phases(&request.phases).flat_map(|phase| methods.iter().map(move |method| (phase, *method)));
    asked.all(|(phase, method)| around.iter().any(|granted| granted.gives(phase, method)))
}

/// Whether an entry gives anything that a request asks for, wherever.
fn in_common(granted: &NetworkGrant, request: &NetworkRequest) -> bool {
    let methods = request.methods.is_empty()
        || granted.methods.is_empty()
        || request.methods.iter().any(|method| granted.has_method(method));
    methods && phases(&request.phases).any(|phase| phase.is_among(&granted.phases))
}

/// The phases that a list of them means.
pub(crate) fn phases(listed: &[Phase]) -> impl Iterator<Item = Phase> {
    Phase::ALL.into_iter().filter(move |phase| phase.is_among(listed))
}

impl NetworkGrant {
    /// Whether it gives a method in a phase. Without a method, whether it gives any that there may be.
    pub(crate) fn gives(&self, phase: Phase, method: Option<&str>) -> bool {
        let methods = self.methods.is_empty() || method.is_some_and(|method| self.has_method(method));
        methods && phase.is_among(&self.phases)
    }

    pub(crate) fn has_method(&self, method: &str) -> bool {
        self.methods.iter().any(|granted| granted.eq_ignore_ascii_case(method))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grant::Granted;
    use crate::operator::OperatorFile;

    fn grants(text: &str) -> Vec<Grant> {
        OperatorFile::parse(text).unwrap().grants("p").to_vec()
    }

    fn grant(text: &str) -> Grant {
        grants(&format!("[[providers.p.grants]]\ndigest = \"dev\"\n{text}")).remove(0)
    }

    fn requests(text: &str) -> Requests {
        serde_json::from_str(text).unwrap()
    }

    /// Which parts of requests have something, divided by what is granted.
    fn parts(requests: &Requests, granted: &str, has: impl Fn(&Requests) -> bool) -> Vec<&'static str> {
        let Divided { covered, narrowed, new } = requests.divided(&grant(granted));
        let parts = [("covered", covered), ("narrowed", narrowed), ("new", new)];
        parts.iter().filter(|(_, part)| has(part)).map(|(name, _)| *name).collect()
    }

    #[test]
    fn an_upgrade_is_what_a_grant_leaves_open() {
        let requests = requests(
            r#"{"network":[{"endpoint":"https://a","reason":"r"},{"endpoint":"https://b","methods":["GET"],"phases":["check"],"reason":"r"}],
                "environment":[{"name":"T","reason":"r"}],
                "filesystem":[{"path":"x","access":"write","reason":"r"},{"path":"y","access":"read","reason":"r"}]}"#,
        );
        let all = Grant::of(&requests, Granted::Development);
        let divided = requests.divided(&all);
        assert_eq!((&divided.covered, divided.new.is_empty()), (&requests, true));
        let divided = requests.divided(&grant("network = [\"https://a\", \"https://b\"]\nfilesystem = [\"x\"]"));
        let endpoints =
            |requests: &Requests| requests.network.iter().map(|r| r.endpoint.to_string()).collect::<Vec<_>>();
        assert_eq!(
            (endpoints(&divided.covered), endpoints(&divided.new)),
            (vec!["https://a".into()], vec!["https://b".into()])
        );
        let paths = |requests: &Requests| requests.filesystem.iter().map(|r| r.path.clone()).collect::<Vec<_>>();
        assert_eq!(
            (paths(&divided.narrowed), paths(&divided.new)),
            (vec!["x".into()], vec!["y".into()]),
            "what is read may not be written"
        );
        assert_eq!(divided.new.environment.len(), 1);
        assert!(!divided.new.is_empty());
    }

    #[test]
    fn what_is_granted_in_part_is_neither_covered_nor_new() {
        for (asked, granted, expected) in [
            (r#""endpoint":"${config.e}""#, r#""${config.e}""#, "covered"),
            (
                r#""endpoint":"${config.e}""#,
                r#"{ endpoint = "${config.e}", methods = ["GET"], addresses = ["10.1.0.0/16"] }"#,
                "narrowed",
            ),
            (r#""endpoint":"${config.e}""#, r#"{ endpoint = "${config.e}", addresses = ["10.1.0.0/16"] }"#, "covered"),
            (r#""endpoint":"${config.e}""#, r#"{ endpoint = "${config.e}", phases = ["read"] }"#, "narrowed"),
            (r#""endpoint":"${config.e}""#, r#""https://db.internal""#, "narrowed"),
            (r#""endpoint":"${config.e}","phases":["check"]"#, r#""${config.e}""#, "new"),
            (r#""endpoint":"https://*.a.example""#, r#""https://x.a.example""#, "narrowed"),
            (r#""endpoint":"https://x.a.example""#, r#""https://*.a.example""#, "covered"),
            (r#""endpoint":"https://b.example""#, r#""https://*.a.example""#, "new"),
            (
                r#""endpoint":"https://a","methods":["GET","PUT"]"#,
                r#"{ endpoint = "https://a", methods = ["get"] }, { endpoint = "https://a", methods = ["PUT"] }"#,
                "covered",
            ),
            (
                r#""endpoint":"https://a","methods":["GET","PUT"]"#,
                r#"{ endpoint = "https://a", methods = ["PUT"] }"#,
                "narrowed",
            ),
            (r#""endpoint":"https://a","methods":["GET"]"#, r#"{ endpoint = "https://a", methods = ["PUT"] }"#, "new"),
            (
                r#""endpoint":"https://a","methods":["GET"]"#,
                r#"{ endpoint = "https://a", phases = ["read"] }"#,
                "narrowed",
            ),
            (r#""endpoint":"https://a"},{"reason":"r","endpoint":"https://*""#, r#""https://a""#, "new"),
        ] {
            let requests = requests(&format!(r#"{{"network":[{{"reason":"r",{asked}}}]}}"#));
            let last = requests.network.last().unwrap();
            let found = parts(&requests, &format!("network = [{granted}]"), |part| part.network.contains(last));
            assert_eq!(found, [expected], "{asked} {granted}");
        }
    }

    #[test]
    fn a_directory_is_covered_by_the_most_that_anything_grants_of_it() {
        let both = r#"{ path = "x", access = "write" }, "x""#;
        for (asked, granted, expected) in [
            (r#""path":"x","access":"read""#, r#""x""#, "covered"),
            (r#""path":"x","access":"read""#, both, "covered"),
            (r#""path":"x","access":"write""#, both, "covered"),
            (r#""path":"x","access":"write""#, r#""x", "y""#, "narrowed"),
            (r#""path":"x","access":"write""#, r#"{ path = "y", access = "write" }"#, "new"),
            (r#""path":"x","access":"read""#, r#""./x/""#, "covered"),
        ] {
            let requests = requests(&format!(r#"{{"filesystem":[{{"reason":"r",{asked}}}]}}"#));
            let found = parts(&requests, &format!("filesystem = [{granted}]"), |part| !part.filesystem.is_empty());
            assert_eq!(found, [expected], "{asked} {granted}");
        }
    }

    #[test]
    fn a_package_is_covered_by_its_name_and_from_where_its_plugin_comes() {
        let from = |place: &str| format!(r#"{{ package = "shop", from = "{place}" }}"#);
        for (asked, granted, expected) in [
            (r#""package":"shop""#, r#""shop""#.to_owned(), "covered"),
            (r#""package":"shop""#, r#""*""#.to_owned(), "covered"),
            (r#""package":"shop""#, from("https://a"), "covered"),
            (r#""package":"shop","from":"https://a""#, from("https://a"), "covered"),
            (r#""package":"shop","from":"https://a""#, r#""shop""#.to_owned(), "narrowed"),
            (r#""package":"shop","from":"https://a""#, from("https://b"), "narrowed"),
            (r#""package":"*""#, r#""shop""#.to_owned(), "narrowed"),
            (r#""package":"shop","from":"https://a""#, r#""*""#.to_owned(), "narrowed"),
            (r#""package":"shop""#, r#""other", "shop""#.to_owned(), "covered"),
            (r#""package":"shop","from":"https://a""#, r#""other", "shop""#.to_owned(), "narrowed"),
            (r#""package":"shop""#, r#""other""#.to_owned(), "new"),
        ] {
            let requests = requests(&format!(r#"{{"packages":[{{"reason":"r",{asked}}}]}}"#));
            let found = parts(&requests, &format!("packages = [{granted}]"), |part| !part.packages.is_empty());
            assert_eq!(found, [expected], "{asked} {granted}");
        }
    }

    #[test]
    fn all_blocks_of_a_component_count_and_each_thing_once() {
        let block = "[[providers.p.grants]]\ndigest = \"dev\"\n";
        let all = grants(&format!(
            "{block}network = [\"https://a\", \"https://b\"]\nenvironment = [\"A\"]\n{block}network = [{{endpoint=\"https://a\"}}]\ncertificates = [\"ca.pem\"]\npackages = [\"q\", \"r\"]\nfilesystem = [\"in\", \"out\"]\nenvironment = [\"B\"]\n"
        ));
        let all = Grant::together(&all).unwrap();
        let requests = requests(
            r#"{"network":[{"endpoint":"https://a","reason":"talks"}],"packages":[{"package":"q","reason":"lists"}],
                "filesystem":[{"path":"tmp","access":"write","reason":"tries"},{"path":"out","access":"write","reason":"writes"}],
                "environment":[{"name":"Z","reason":"asks"},{"name":"B","reason":"learns"}]}"#,
        );
        assert_eq!(
            all.lines(&requests),
            [
                r#"network "https://a": talks"#,
                r#"network "https://b""#,
                "environment A",
                "environment B: learns",
                r#"filesystem "in""#,
                r#"filesystem "out": writes"#,
                "certificates ca.pem",
                r#"packages "q": lists"#,
                r#"packages "r""#
            ]
        );
        let (left, gone) = all.left_for(&requests);
        assert_eq!(
            left.lines(&Requests::default()),
            [
                r#"network "https://a""#,
                "environment B",
                r#"filesystem "out""#,
                "certificates ca.pem",
                r#"packages "q""#
            ]
        );
        assert_eq!(
            gone.lines(&Requests::default()),
            [r#"network "https://b""#, "environment A", r#"filesystem "in""#, r#"packages "r""#]
        );
        assert_eq!(Grant::together([]), None);
    }
}
