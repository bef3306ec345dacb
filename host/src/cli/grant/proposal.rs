//! What there is to grant to a component, and how much of it is new.
//!
//! An operator may have granted less than was asked. A proposal keeps that: what is granted in part stays as it is, and is
//! granted as asked only on an express word.

use bulkhead_policy::{
    Blocks, Divided, Endpoint, Grant, Granted, NetworkGrant, NetworkRequest, OperatorFile, Requests, Ungrantable,
    explain,
};
use bulkhead_schema::Package;

use crate::component::{Limits, default_of};

/// What could be granted. In words, but for what is to be written.
#[derive(Default)]
pub(super) struct Proposal {
    /// What is to be written, a block each: beside what the component has already, or all that it would have.
    pub(super) grants: Vec<Grant>,
    /// What is granted already, or was to the component before this one.
    pub(super) kept: Vec<String>,
    /// What is granted in part, and stays so.
    pub(super) narrower: Vec<String>,
    /// What is granted in part, and would be granted as asked.
    pub(super) wider: Vec<String>,
    /// What isn't granted at all.
    pub(super) new: Vec<String>,
    /// The component before this one, where there was one, and what this one wouldn't keep.
    pub(super) before: Option<(Granted, Vec<String>)>,
    /// What else was granted to components before, and isn't to this one so far: it would be granted likewise.
    pub(super) inherited: Vec<String>,
    /// Authorities that were named for whatever is developed, and so aren't believed for what isn't.
    pub(super) unvouched: Vec<String>,
    /// What isn't granted, and isn't what somebody means to grant either.
    pub(super) lacking: Vec<String>,
    /// What can't be granted.
    pub(super) never: Vec<String>,
    /// What somebody would grant, and it doesn't ask for.
    pub(super) unasked: Vec<String>,
    /// What of somebody's word means nothing until a user configures just that.
    pub(super) configured: Vec<String>,
    /// Limits that it asks to raise and the file doesn't set, by the words of the file.
    pub(super) limits: Vec<(&'static str, String)>,
    /// Limits that it asks to raise beyond what the file sets.
    pub(super) short: Vec<String>,
}

/// How much of it somebody means to grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// What isn't granted in any part.
    Lacking,
    /// What is granted in part, too.
    Widened,
    /// This, and nothing else.
    Only(Grant),
}

impl Proposal {
    /// What a component asks for, against what a file grants already. What is granted in part is widened only on demand.
    pub(super) fn of(
        package: &Package,
        requests: &Requests,
        digest: &Granted,
        file: &OperatorFile,
        extent: &Extent,
    ) -> Self {
        let widen = *extent == Extent::Widened;
        let mut requests = requests.clone();
        let defaults = defaults(package, &requests);
        requests.network.extend(defaults);
        let (variables, environment) =
            requests.environment.into_iter().partition(|request| Ungrantable::of(&request.name).is_none());
        let (endpoints, network) = requests.network.into_iter().partition(|request| request.endpoint.never().is_none());
        (requests.environment, requests.network) = (variables, endpoints);
        let never = explain(&Requests { environment, network, ..Requests::default() });

        let existing = file.grants(&package.name);
        let own = Blocks::of(digest, existing);
        if let Extent::Only(only) = extent {
            let (only, gone) = only.asked_for(&requests);
            let unasked = gone.lines(&requests);
            let kept = own.lines(&requests);
            let more = own.more(&only).beyond(&own);
            let new = more.lines(&requests);
            let configured = if_configured(&only, &requests);
            let grants = more.into_grants();
            // Who says what to grant isn't asked about the rest.
            let rest = if grants.is_empty() { requests.divided(&own.together()) } else { Divided::default() };
            let (narrower, lacking) = (explain(&rest.narrowed), explain(&rest.new));
            return Self { grants, kept, narrower, lacking, new, never, unasked, configured, ..Self::default() };
        }
        // Nobody named them for what is no longer developed.
        let mut unvouched = Vec::new();
        let mut given = |blocks: &Blocks, whose: &Granted| {
            if *whose != Granted::Development {
                return blocks.given_to(digest);
            }
            let (without, authorities) = blocks.without_authorities();
            unvouched.extend(authorities);
            without.given_to(digest)
        };
        let has_own = existing.iter().any(|grant| grant.digest == *digest);
        let mut others = others(existing, digest).into_iter();
        let earlier = if has_own { None } else { others.next() };
        // What was said of an earlier component, such as where a directory lies, is what was meant of this one too.
        let (mut has, before) = match earlier {
            Some(earlier) => {
                let (left, gone) = Blocks::of(earlier, existing).left_for(&requests);
                (given(&left, earlier), Some((earlier.clone(), gone.lines(&requests))))
            }
            None => (own, None),
        };
        let kept = has.lines(&requests);
        // A grant for this one, or for the one before, may say nothing of what an operator narrowed earlier.
        let mut inherited = Blocks::none(digest.clone());
        for other in others {
            let new = requests.divided(&has.together()).new;
            let more = given(&Blocks::of(other, existing).written_for(&new, &requests), other);
            inherited.join(&more);
            has.join(&more);
        }
        let known = has.together();
        let divided = requests.divided(&known);
        let mut asked = divided.new.clone();
        if widen {
            asked.network.extend(divided.narrowed.network.iter().cloned());
            asked.packages.extend(divided.narrowed.packages.iter().cloned());
        }
        let mut more = Grant::of(&asked, digest.clone());
        if widen {
            // Where it lies is no less the operator's word than what for.
            more.filesystem.extend(divided.narrowed.filesystem.iter().filter_map(|request| {
                // Of several entries the one that counts, as it does for the component.
                let granted = known.filesystem.iter().filter(|granted| granted.is_of(&request.path));
                let granted = granted.max_by_key(|granted| granted.access)?;
                Some(bulkhead_policy::FilesystemGrant { access: request.access, ..granted.clone() })
            }));
        }
        let (narrowed, new) = (explain(&divided.narrowed), explain(&divided.new));
        let (narrower, wider) = if widen { (Vec::new(), narrowed) } else { (narrowed, Vec::new()) };
        // One that somebody has set, for this provider or for all, is somebody's decision.
        let set = file.limits(&package.name);
        let (already, limits): (Vec<_>, Vec<_>) = requests.limits.iter().partition(|request| set.sets(request.limit));
        // What anybody has needs no line, which would only hold later builds to it.
        let limits = limits.iter().filter(|request| Limits::default().given(request, "").is_some());
        let limits: Vec<_> = limits.map(|request| (request.limit.name(), request.value.clone())).collect();
        let short = already.iter().filter_map(|request| {
            let less = request.falls_short(&set)?;
            Some(format!("{} = {}, where the file says {less}", request.limit.name(), request.value))
        });
        let short = short.collect();
        let lines = inherited.lines(&requests);
        let more = has.more(&more);
        let mut written = if has_own { inherited } else { has };
        written.leave_directories_to(&more.together());
        written.join(&more);
        let (grants, inherited) = (written.into_grants(), lines);
        Self {
            grants,
            kept,
            narrower,
            wider,
            new,
            before,
            inherited,
            unvouched,
            never,
            limits,
            short,
            ..Self::default()
        }
    }

    /// Whether there is nothing to write.
    pub(super) fn is_empty(&self) -> bool {
        self.grants.is_empty() && self.limits.is_empty()
    }
}

/// Whom else a file grants to, the last one first. What is granted to whatever is developed says least of what isn't.
fn others<'f>(existing: &'f [Grant], digest: &Granted) -> Vec<&'f Granted> {
    let mut others: Vec<&Granted> = Vec::new();
    for grant in existing.iter().rev().filter(|grant| grant.digest != *digest) {
        if !others.contains(&&grant.digest) {
            others.push(&grant.digest);
        }
    }
    // Those of builds come before.
    others.sort_by_key(|other| **other == Granted::Development);
    others
}

/// Endpoints that are asked for by what a user configures and by nothing else: of any endpoint it may be said that somebody could configure it.
fn if_configured(grant: &Grant, requests: &Requests) -> Vec<String> {
    let fixed = |endpoint: &Endpoint| endpoint.references().next().is_none();
    let meant = |granted: &NetworkGrant| {
        let requests = requests.network.iter().filter(|request| request.endpoint.may_meet(&granted.endpoint));
        let (by_name, by_configuration): (Vec<_>, Vec<_>) = requests.partition(|request| fixed(&request.endpoint));
        by_configuration.first().filter(|_| by_name.is_empty() && fixed(&granted.endpoint)).copied()
    };
    let line = |granted| meant(granted).map(|request| format!("network {granted}, as {}", request.endpoint));
    grant.network.iter().filter_map(line).collect()
}

/// The most of what defaults are written out to: as many as a component may ask for.
const MOST: usize = 1_000;

/// What requests mean where nobody configures some of what they refer to, or any of it: the component's own word, so that it has to be
/// granted as what it is.
fn defaults(package: &Package, requests: &Requests) -> Vec<NetworkRequest> {
    let mut found: Vec<NetworkRequest> = Vec::new();
    for request in &requests.network {
        let default = NetworkGrant::from(request);
        let mut names: Vec<&str> =
            request.endpoint.references().filter(|name| !default_of(package, name).is_empty()).collect();
        names.sort_unstable();
        names.dedup();
        let each = names.iter().map(|name| vec![*name]);
        for left_out in each.chain((names.len() > 1).then(|| names.clone())) {
            let value = |name: &str| left_out.contains(&name).then(|| default_of(package, name));
            for endpoint in request.endpoint.filled(&value, MOST.saturating_sub(found.len())) {
                let is_asked = |known: &NetworkRequest| {
                    known.endpoint == endpoint && NetworkGrant::from(known).is_as_much_as(&default)
                };
                if !requests.network.iter().chain(&found).any(is_asked) {
                    let reason = format!("the component's default of `{}`", left_out.join("` and `"));
                    found.push(NetworkRequest { endpoint, reason, ..request.clone() });
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "1111111111111111111111111111111111111111111111111111111111111111";
    const ENDPOINT: &str = r#"{"network":[{"endpoint":"${config.endpoint}","reason":"the API"}]}"#;

    fn digest(digit: &str) -> Granted {
        Granted::Digest(digit.repeat(64))
    }

    /// The proposal to the component of a digest, by what a file grants to `1111…`.
    fn proposal(asked: &str, to: &Granted, granted: &str, widen: bool) -> Proposal {
        let package =
            Package::parse(br#"{"name":"dns","config":{"variables":{"endpoint":{"type":"string"}}}}"#).unwrap();
        let blocks = granted.split("---").filter(|block| !block.is_empty());
        let blocks = blocks.map(|block| format!("[[providers.dns.grants]]\ndigest = \"sha256:{OLD}\"\n{block}\n"));
        let file = OperatorFile::parse(&blocks.collect::<String>()).unwrap();
        let extent = if widen { Extent::Widened } else { Extent::Lacking };
        Proposal::of(&package, &serde_json::from_str(asked).unwrap(), to, &file, &extent)
    }

    /// All that is written.
    fn written(proposal: &Proposal) -> Grant {
        Grant::together(&proposal.grants).unwrap()
    }

    fn network(proposal: &Proposal) -> Vec<String> {
        proposal.grants.iter().flat_map(|grant| &grant.network).map(ToString::to_string).collect()
    }

    const NARROW: &str = r#"{ endpoint = "${config.endpoint}", methods = ["GET"], addresses = ["10.1.0.0/16"] }"#;

    #[test]
    fn what_an_operator_narrowed_stays_narrow_for_the_next_build() {
        let granted = format!("network = [{NARROW}]\ncertificates = [\"ca.pem\"]\npackages = [\"shop\"]");
        let kept = proposal(ENDPOINT, &digest("2"), &granted, false);
        assert_eq!(network(&kept), [NARROW]);
        assert_eq!(kept.kept, [format!("network {NARROW}: the API"), "certificates ca.pem".to_owned()]);
        assert_eq!(kept.narrower, ["network ${config.endpoint} (any method): the API"]);
        assert!(kept.new.is_empty() && kept.wider.is_empty(), "{:?} {:?}", kept.new, kept.wider);
        assert_eq!(
            kept.before,
            Some((digest("1"), vec!["packages \"shop\"".to_owned()])),
            "it isn't asked for any more"
        );

        let widened = proposal(ENDPOINT, &digest("2"), &granted, true);
        assert_eq!(network(&widened), [NARROW, r#""${config.endpoint}""#]);
        assert_eq!((widened.wider, widened.narrower.is_empty()), (kept.narrower, true));
    }

    /// What is proposed to the component `2222…` by a file that grants to it, too.
    fn beside_its_own(asked: &str, file: &str, extent: &Extent) -> Proposal {
        let package = Package::parse(br#"{"name":"dns"}"#).unwrap();
        let file = OperatorFile::parse(&file.replace("OLD", OLD).replace("NEW", &"2".repeat(64))).unwrap();
        Proposal::of(&package, &serde_json::from_str(asked).unwrap(), &digest("2"), &file, extent)
    }

    /// Who has followed a denial of a new build by its line has a grant for it, which says nothing of all the rest.
    #[test]
    fn what_an_operator_narrowed_stays_narrow_though_the_next_build_has_a_grant_already() {
        let asked = r#"{"network":[{"endpoint":"https://a","reason":"r"},{"endpoint":"https://c","reason":"r"},
            {"endpoint":"https://d","reason":"r"}],"filesystem":[{"path":"out","access":"write","reason":"r"}]}"#;
        for before in ["sha256:OLD", "dev"] {
            let file = format!(
                "[[providers.dns.grants]]\ndigest = \"{before}\"\nnetwork = [{{ endpoint = \"https://a\", methods = [\"GET\"] }}]\n\
                 filesystem = [\"out\"]\n[[providers.dns.grants]]\ndigest = \"sha256:NEW\"\nnetwork = [\"https://c\"]\n"
            );
            let proposal = beside_its_own(asked, &file, &Extent::Lacking);
            assert_eq!(network(&proposal), [r#"{ endpoint = "https://a", methods = ["GET"] }"#, r#""https://d""#]);
            assert_eq!(proposal.new, ["network https://d (any method): r"]);
            let inherited = [r#"network { endpoint = "https://a", methods = ["GET"] }: r"#, r#"filesystem "out": r"#];
            assert_eq!(
                (&proposal.kept, &proposal.inherited),
                (&vec![r#"network "https://c": r"#.to_owned()], &inherited.map(str::to_owned).to_vec())
            );
            assert_eq!(proposal.narrower, ["network https://a (any method): r", "filesystem out (write): r"]);
            let directories: Vec<_> = written(&proposal).filesystem.iter().map(ToString::to_string).collect();
            assert_eq!(directories, [r#""out""#]);
            let widened = written(&beside_its_own(asked, &file, &Extent::Widened));
            let directories: Vec<_> = widened.filesystem.iter().map(ToString::to_string).collect();
            assert_eq!(directories, [r#"{ path = "out", access = "write" }"#]);
        }
    }

    #[test]
    fn what_an_operator_narrowed_stays_narrow_though_the_build_in_between_was_granted_something_else() {
        let asked = r#"{"network":[{"endpoint":"https://a","reason":"r"},{"endpoint":"https://c","reason":"r"}]}"#;
        let file = format!(
            "[[providers.dns.grants]]\ndigest = \"sha256:OLD\"\nnetwork = [{{ endpoint = \"https://a\", methods = [\"GET\"] }}]\n\
             [[providers.dns.grants]]\ndigest = \"sha256:{}\"\nnetwork = [\"https://c\"]\n",
            "3".repeat(64)
        );
        let proposal = beside_its_own(asked, &file, &Extent::Lacking);
        assert_eq!(network(&proposal), [r#""https://c""#, r#"{ endpoint = "https://a", methods = ["GET"] }"#]);
        assert!(proposal.new.is_empty(), "{:?}", proposal.new);
    }

    /// What is written, a row for each block: its endpoints, and the authorities beside them.
    fn believed(proposal: &Proposal) -> Vec<String> {
        let told = |grant: &Grant| {
            let network: Vec<String> = grant.network.iter().map(ToString::to_string).collect();
            format!("{} by {}", network.join(" "), grant.certificates.join(" "))
        };
        proposal.grants.iter().map(told).collect()
    }

    #[test]
    fn what_an_operator_narrowed_is_not_widened_by_an_entry_for_something_else() {
        let asked = r#"{"network":[{"endpoint":"https://a.example.com","reason":"r"},{"endpoint":"https://b.example.com","reason":"r"}]}"#;
        let (narrow, wide) =
            (r#"{ endpoint = "https://a.example.com", methods = ["GET"] }"#, r#""https://*.example.com""#);
        let private = r#"{ endpoint = "https://*.example.com", phases = ["read"], addresses = ["private"] }"#;
        for (present, kept) in [("NEW".to_owned(), &[][..]), ("3".repeat(64), &[narrow][..])] {
            for (entry, b) in [
                (wide, r#""https://b.example.com""#),
                (private, r#"{ endpoint = "https://b.example.com", phases = ["read"], addresses = ["private"] }"#),
            ] {
                let file = format!(
                    "[[providers.dns.grants]]\ndigest = \"sha256:OLD\"\nnetwork = [{entry}]\n\
                     [[providers.dns.grants]]\ndigest = \"sha256:{present}\"\nnetwork = [{narrow}]\n"
                );
                let proposal = beside_its_own(asked, &file, &Extent::Lacking);
                assert_eq!(network(&proposal), [kept, &[b][..]].concat(), "{file}");
                assert_eq!(proposal.inherited, [format!("network {b}: r")]);
                assert_eq!(proposal.narrower[0], "network https://a.example.com (any method): r");
            }
        }
        // What may be configured may be anything, and isn't what that entry was written for either.
        let asked = r#"{"network":[{"endpoint":"https://a.example.com","reason":"r"},{"endpoint":"${config.e}","reason":"r"}]}"#;
        for entry in [wide, private] {
            let file = format!(
                "[[providers.dns.grants]]\ndigest = \"sha256:OLD\"\nnetwork = [{entry}]\n\
                 [[providers.dns.grants]]\ndigest = \"sha256:{}\"\nnetwork = [{narrow}]\n",
                "3".repeat(64)
            );
            let proposal = beside_its_own(asked, &file, &Extent::Lacking);
            assert_eq!(network(&proposal), [narrow, r#""${config.e}""#], "{entry}");
            assert_eq!(proposal.new, ["network ${config.e} (any method): r"]);
        }
    }

    #[test]
    fn an_authority_is_believed_for_no_more_than_the_build_before_had_it_for() {
        let asked = r#"{"network":[{"endpoint":"https://a","reason":"r"},{"endpoint":"https://b","reason":"r"}]}"#;
        let old = "[[providers.dns.grants]]\ndigest = \"sha256:OLD\"\nnetwork = [\"https://a\"]\ncertificates = [\"corp.pem\"]\n";
        let beside = |file: &str| beside_its_own(asked, file, &Extent::Lacking);
        let vouched = r#""https://a" by corp.pem"#;
        let own = format!("{old}[[providers.dns.grants]]\ndigest = \"sha256:NEW\"\nnetwork = [\"https://b\"]\n");
        assert_eq!(believed(&beside(&own)), [vouched]);
        let new = beside(old);
        assert_eq!(believed(&new), [vouched, r#""https://b" by "#], "nor for what nobody granted before");
        assert_eq!(new.kept, [r#"network "https://a": r"#, "certificates corp.pem"]);
        let second = format!("{old}[[providers.dns.grants]]\ndigest = \"sha256:OLD\"\nnetwork = [\"https://b\"]\n");
        assert_eq!(believed(&beside(&second)), [vouched, r#""https://b" by "#], "nor for what another block has");
    }

    #[test]
    fn what_is_granted_of_a_server_is_believed_as_what_was() {
        let asked = r#"{"network":[{"endpoint":"https://a","reason":"r"},{"endpoint":"https://*","reason":"r"}]}"#;
        let file = "[[providers.dns.grants]]\ndigest = \"sha256:NEW\"\nnetwork = [{ endpoint = \"https://a\", methods = [\"GET\"] }]\n\
                    certificates = [\"corp.pem\"]\n";
        let widened = beside_its_own(asked, file, &Extent::Widened);
        assert_eq!(believed(&widened), [r#""https://*" by "#, r#""https://a" by corp.pem"#]);
        let only = |line: &str| beside_its_own(asked, file, &Extent::Only(Grant::parse(&digest("2"), line).unwrap()));
        let post = r#"{ endpoint = "https://a", methods = ["POST"] }"#;
        assert_eq!(believed(&only(&format!("network = [{post}]"))), [format!("{post} by corp.pem")]);
        assert_eq!(believed(&only("network = [\"https://b\"]")), [r#""https://b" by "#]);
    }

    /// Whoever develops a provider believes in authorities that nobody else should.
    #[test]
    fn no_authority_of_what_is_developed_is_believed_for_what_is_deployed() {
        let asked = r#"{"network":[{"endpoint":"https://a","reason":"r"},{"endpoint":"https://b","reason":"r"}]}"#;
        let dev =
            "[[providers.dns.grants]]\ndigest = \"dev\"\nnetwork = [\"https://b\"]\ncertificates = [\"dev.pem\"]\n";
        let old = "[[providers.dns.grants]]\ndigest = \"sha256:OLD\"\nnetwork = [\"https://a\"]\n";
        for file in [dev.to_owned(), format!("{dev}{old}"), format!("{old}{dev}")] {
            let proposal = beside_its_own(asked, &file, &Extent::Lacking);
            let blocks = believed(&proposal);
            assert!(blocks.len() == 1 && blocks[0].ends_with(" by "), "{blocks:?}");
            assert_eq!(proposal.unvouched, [r#"certificates dev.pem, for "https://b""#]);
            assert_eq!(proposal.before.unwrap().0 == Granted::Development, file == dev, "a build comes after a build");
        }
        let package = Package::parse(br#"{"name":"dns"}"#).unwrap();
        let file = OperatorFile::parse(dev).unwrap();
        let asked = serde_json::from_str(asked).unwrap();
        let again = Proposal::of(&package, &asked, &Granted::Development, &file, &Extent::Lacking);
        assert_eq!(believed(&again), [r#""https://a" by "#]);
        assert_eq!(again.kept, [r#"network "https://b": r"#, "certificates dev.pem"]);
    }

    /// Else somebody would be asked about nothing, and an empty grant be written.
    #[test]
    fn a_limit_that_is_set_already_leaves_nothing_to_decide() {
        let asked = r#"{"limits":[{"limit":"memory","value":"4GiB","reason":"zones"}]}"#;
        let file = "[providers.dns.limits]\nmemory = \"2GiB\"\n[[providers.dns.grants]]\ndigest = \"sha256:OLD\"\n";
        let proposal = beside_its_own(asked, file, &Extent::Lacking);
        assert!(proposal.is_empty(), "{:?}", proposal.grants);
        assert_eq!(proposal.short, ["memory = 4GiB, where the file says 2.0 GiB"]);
        let enough = beside_its_own(asked, "[limits]\nmemory = \"8GiB\"", &Extent::Lacking);
        assert!(enough.is_empty() && enough.short.is_empty(), "{:?}", enough.short);
    }

    #[test]
    fn what_is_granted_alone_and_again_leaves_the_rest_ungranted() {
        let asked = r#"{"environment":[{"name":"A","reason":"r"},{"name":"B","reason":"r"}]}"#;
        let file = "[[providers.dns.grants]]\ndigest = \"sha256:NEW\"\nenvironment = [\"A\"]\n";
        let only = |line: &str| Extent::Only(Grant::parse(&digest("2"), line).unwrap());
        let again = beside_its_own(asked, file, &only("environment = [\"A\"]"));
        assert_eq!((again.is_empty(), again.lacking), (true, vec!["environment B: r".to_owned()]));
        let more = beside_its_own(asked, file, &only("environment = [\"B\"]"));
        assert!(!more.is_empty() && more.lacking.is_empty(), "{:?}", more.lacking);
    }

    #[test]
    fn what_a_component_has_is_not_written_again() {
        let granted = r#"network = [{endpoint="${config.endpoint}",methods=["GET"]}]"#;
        let same = proposal(ENDPOINT, &digest("1"), granted, false);
        assert!(same.is_empty() && same.narrower.len() == 1 && same.before.is_none());
        let more = r#"{"network":[{"endpoint":"${config.endpoint}","reason":"the API"},{"endpoint":"https://b","reason":"r"}],
                       "environment":[{"name":"A","reason":"r"},{"name":"B","reason":"r"}]}"#;
        let blocks = format!("{granted}---environment = [\"A\"]");
        let added = proposal(more, &digest("1"), &blocks, false);
        assert_eq!(network(&added), [r#""https://b""#]);
        assert_eq!(written(&added).environment, ["B"], "each block of a digest counts");
        assert_eq!(added.new, ["network https://b (any method): r", "environment B: r"]);
        let upgraded = written(&proposal(more, &digest("2"), &blocks, false));
        assert_eq!((upgraded.network.len(), upgraded.environment.len()), (2, 2), "for who comes after as well");
    }

    #[test]
    fn a_directory_that_is_read_is_written_on_demand_only() {
        let asked = r#"{"filesystem":[{"path":"out","access":"write","reason":"r"}]}"#;
        let granted = r#"filesystem = [{ path = "out", at = "/srv/out", access = "read" }]"#;
        let directories = |widen| {
            let grant = written(&proposal(asked, &digest("2"), granted, widen));
            grant.filesystem.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(directories(false), [r#"{ path = "out", at = "/srv/out", access = "read" }"#]);
        assert_eq!(directories(true), [r#"{ path = "out", at = "/srv/out", access = "write" }"#]);
    }

    #[test]
    fn a_directory_is_written_where_it_was_read() {
        let asked = r#"{"filesystem":[{"path":"out","access":"write","reason":"r"}]}"#;
        let at = |at: &str| format!("{{ path = \"out\", at = \"{at}\" }}");
        for granted in [
            format!("filesystem = [{}, {}]", at("/srv/old"), at("/srv/new")),
            format!("filesystem = [{}]---filesystem = [{}]", at("/srv/old"), at("/srv/new")),
        ] {
            let widened = written(&proposal(asked, &digest("1"), &granted, true));
            let directories: Vec<String> = widened.filesystem.iter().map(ToString::to_string).collect();
            assert_eq!(directories, [r#"{ path = "out", at = "/srv/new", access = "write" }"#], "{granted}");
        }
    }

    #[test]
    fn other_packages_are_granted_as_they_are_asked_for() {
        let place = r#"{ package = "shop", from = "https://plugins.example.com" }"#;
        let asked = r#"{"packages":[{"package":"random","reason":"names"},
                        {"package":"shop","from":"https://plugins.example.com","reason":"sells"}]}"#;
        let granted = |proposal: &Proposal| -> Vec<String> {
            proposal.grants.iter().flat_map(|grant| &grant.packages).map(ToString::to_string).collect()
        };
        let first = proposal(asked, &digest("1"), "", false);
        assert_eq!(granted(&first), [r#""random""#, place]);
        assert_eq!(first.new, ["packages random: names", "packages shop from https://plugins.example.com: sells"]);
        let by_name = r#"packages = ["random", "shop"]"#;
        let kept = proposal(asked, &digest("2"), by_name, false);
        assert_eq!(granted(&kept), [r#""random""#, r#""shop""#]);
        assert_eq!(kept.narrower, ["packages shop from https://plugins.example.com: sells"]);
        let widened = proposal(asked, &digest("2"), by_name, true);
        assert_eq!(granted(&widened), [r#""random""#, r#""shop""#, place]);
    }

    #[test]
    fn what_no_file_can_grant_is_not_proposed() {
        let asked = r#"{"environment":[{"name":"PULUMI_ACCESS_TOKEN","reason":"r"},{"name":"A=B","reason":"r"}]}"#;
        let nothing = proposal(asked, &digest("2"), "", false);
        assert!(nothing.is_empty() && nothing.never.len() == 2);
    }

    #[test]
    fn what_is_denied_always_is_not_proposed_whoever_names_it() {
        let schema = br#"{"name":"dns","config":{"variables":{
            "endpoint":{"type":"string","default":"http://169.254.169.254/latest"}}}}"#;
        let requests = r#"{"network":[{"endpoint":"${config.endpoint}","reason":"the API"},
            {"endpoint":"http://169.254.169.254:*","reason":"it"},{"endpoint":"http://metadata.google.internal","reason":"it"}]}"#;
        let requests = serde_json::from_str(requests).unwrap();
        let package = Package::parse(schema).unwrap();
        let proposal = Proposal::of(&package, &requests, &digest("1"), &OperatorFile::default(), &Extent::Lacking);
        assert_eq!(network(&proposal), [r#""${config.endpoint}""#]);
        assert_eq!(
            proposal.never,
            [
                "network http://169.254.169.254:* (any method): it",
                "network http://metadata.google.internal (any method): it",
                "network http://169.254.169.254 (any method): the component's default of `endpoint`",
            ]
        );
    }

    #[test]
    fn a_limit_is_granted_by_itself_and_not_where_somebody_has_set_one() {
        let asked = r#"{"limits":[{"limit":"memory","value":"2GiB","reason":"zones"},
                        {"limit":"wall","value":"5m","reason":"zones"},
                        {"limit":"compute","value":"1ms","reason":"little is enough"}]}"#;
        let limits = |set: &str| {
            let package = Package::parse(br#"{"name":"dns"}"#).unwrap();
            let requests = serde_json::from_str(asked).unwrap();
            let file = OperatorFile::parse(set).unwrap();
            let proposal = Proposal::of(&package, &requests, &digest("1"), &file, &Extent::Lacking);
            assert!(proposal.grants.is_empty(), "limits are no grant: {:?}", proposal.grants);
            proposal.limits.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(limits(""), ["memory", "wall"]);
        assert_eq!(limits("[limits]\nmemory = \"1GiB\""), ["wall"], "for all providers");
        assert_eq!(limits("[limits]\nmemory = \"1GiB\"\n[providers.dns.limits]\nwall = \"5s\""), [""; 0]);
    }

    #[test]
    fn a_default_of_the_schema_has_to_be_granted_as_what_it_is() {
        let schema = br#"{"name":"dns","config":{"variables":{
            "endpoint":{"type":"string","default":"https://api.vendor.example/v1"},"other":{"type":"string"}}}}"#;
        let package = Package::parse(schema).unwrap();
        let requests: Requests = serde_json::from_str(
            r#"{"network":[{"endpoint":"${config.endpoint}","reason":"the API"},{"endpoint":"https://${config.other}","reason":"more"}],
                "limits":[{"limit":"memory","value":"2GiB","reason":"zones"}]}"#,
        )
        .unwrap();
        let proposal = |file: &OperatorFile| Proposal::of(&package, &requests, &digest("2"), file, &Extent::Lacking);
        let first = proposal(&OperatorFile::default());
        assert_eq!(
            network(&first),
            [r#""${config.endpoint}""#, r#""https://${config.other}""#, r#""https://api.vendor.example""#]
        );
        assert_eq!(
            first.new.last().unwrap(),
            "network https://api.vendor.example (any method): the component's default of `endpoint`"
        );
        assert_eq!(first.limits, [("memory", "2GiB".to_owned())]);
        let file =
            format!("[[providers.dns.grants]]\ndigest = \"sha256:{OLD}\"\nnetwork = [{}]", network(&first).join(", "));
        let next = proposal(&OperatorFile::parse(&file).unwrap());
        assert!(next.new.is_empty() && next.narrower.is_empty(), "{:?} {:?}", next.new, next.narrower);
        assert_eq!(network(&next), network(&first));
    }
}
