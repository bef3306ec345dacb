//! What becomes of who does exactly what a denial says: it is no denial any more, and nothing else is granted in passing.

mod addresses;
mod authorities;

use std::path::Path;

use bulkhead_policy::{
    Applicant, Configured, Denial, Destination, Grant, Granted, Host, OperatorFile, Permissions, Phase, Requests,
    Scheme,
};
use bulkhead_schema::Package;

use super::file::extended;
use super::proposal::{Extent, Proposal};

const METHODS: &str = "it is granted for other methods";
const LATER: &str = "it is granted, but not in create";
const POST_A: &str = "POST https://a.example";
const DIGEST: &str = "2222222222222222222222222222222222222222222222222222222222222222";

/// A provider in a project, with what it asks for and what is configured.
struct Case {
    asked: &'static str,
    granted: &'static str,
    /// What a user configured `endpoint` to; its default otherwise.
    configured: Option<&'static str>,
}

impl Case {
    fn requests(&self) -> Requests {
        let network: Vec<String> =
            self.asked.lines().map(|line| format!("{{\"reason\":\"r\",{}}}", line.trim())).collect();
        serde_json::from_str(&format!("{{\"network\":[{}]}}", network.join(","))).unwrap()
    }

    fn package() -> Package {
        let schema = br#"{"name":"dns","config":{"variables":{"port":{"type":"integer","default":8443},"other":{"type":"string"},
            "endpoint":{"type":"string","default":"https://api.vendor.example/v1"},"host":{"type":"string","default":"vendor.example"}}}}"#;
        Package::parse(schema).unwrap()
    }

    /// The project's file.
    fn file(&self) -> String {
        let block = |digest: &str| {
            format!("[[providers.dns.grants]]\ndigest = \"sha256:{digest}\"\nnetwork = [{}]\n", self.granted)
        };
        if self.granted.is_empty() { String::new() } else { block(DIGEST) }
    }

    /// What holds with a file for what is deployed.
    fn permissions(&self, file: &str) -> Permissions {
        self.permissions_where(false, file)
    }

    /// The same, of what may be developed there.
    fn permissions_where(&self, development: bool, file: &str) -> Permissions {
        let applicant = Applicant {
            provider: "dns".to_owned(),
            digest: DIGEST.to_owned(),
            component: "/p/dns.wasm".to_owned(),
            development,
        };
        let file = OperatorFile::parse(file).unwrap();
        let permissions = Permissions::new(applicant, self.requests(), file.grants("dns"), Vec::new(), Path::new("/p"));
        permissions.bind(&|name| match (name, self.configured) {
            ("endpoint", Some(configured)) => Configured::Given(vec![configured.to_owned()]),
            ("endpoint", None) => Configured::Default(vec!["https://api.vendor.example/v1".to_owned()]),
            ("host", _) => Configured::Default(vec!["vendor.example".to_owned()]),
            ("port", _) => Configured::Default(vec!["8443".to_owned()]),
            _ => Configured::Absent,
        })
    }

    /// The file, once somebody has run the command of a hint.
    fn after_the_command(&self, hint: &str) -> Option<String> {
        self.with_the_command(&self.file(), hint)
    }

    /// Another file, once somebody has.
    fn with_the_command(&self, before: &str, hint: &str) -> Option<String> {
        let (_, command) = hint.split_once("`bulkhead grant /p/dns.wasm --project /p")?;
        let end = command.split_once('`').unwrap().0;
        let (digest, end) = match end.strip_prefix(" --dev") {
            Some(end) => (Granted::Development, end),
            None => (Granted::Digest(DIGEST.to_owned()), end),
        };
        let known = OperatorFile::parse(before).unwrap();
        let extent = match end.strip_prefix(" --only '").and_then(|line| line.strip_suffix('\'')) {
            Some(line) => Extent::Only(Grant::parse(&digest, line).unwrap()),
            None => Extent::Lacking,
        };
        assert_eq!(end.is_empty(), extent == Extent::Lacking, "{hint}");
        let proposal = Proposal::of(&Self::package(), &self.requests(), &digest, &known, &extent);
        assert_eq!(proposal.unasked, Vec::<String>::new(), "{hint}");
        assert!(!proposal.is_empty(), "{hint} changes nothing of {before}");
        Some(extended(before, "dns", "dns 1.0.0", (&proposal.grants, &proposal.limits)).unwrap())
    }

    /// The file, once somebody has added the block of a hint.
    fn after_the_line(&self, hint: &str) -> Option<String> {
        with_the_line(&self.file(), hint)
    }
}

/// A file with the block of a hint at its end.
fn with_the_line(file: &str, hint: &str) -> Option<String> {
    let (block, rest) = hint.split_once("add a block ")?.1.split_once(" with ")?;
    let (digest, rest) = rest.split_once(" and ")?;
    let line = rest.strip_suffix(" to /p/bulkhead.toml").unwrap().replace(" and certificates", "\ncertificates");
    Some(format!("{file}{block}\n{digest}\n{line}\n"))
}

fn to(text: &str) -> Destination {
    let (method, text) = text.split_once(' ').map_or((None, text), |(method, rest)| (Some(method.to_owned()), rest));
    let (scheme, rest) = text.split_once("://").unwrap();
    let scheme = Scheme::parse(scheme).unwrap();
    let (host, port) =
        rest.rsplit_once(':').map_or((rest, scheme.default_port()), |(host, port)| (host, port.parse().ok()));
    Destination { scheme, host: Host::parse(host).unwrap(), port, method }
}

/// Whether all of a destination may be talked to, as far as it says which address it has.
fn reached(permissions: &Permissions, phase: Phase, to: &Destination) -> Result<(), Denial> {
    let reach = permissions.destination(phase, to)?;
    match to.host {
        Host::Address(address) => reach.address(address),
        Host::Name(_) => Ok(()),
    }
}

fn told(denial: &Denial) -> String {
    format!("{denial}; {}", denial.hint().unwrap_or_default())
}

#[test]
fn who_does_what_a_denial_says_is_denied_it_no_more() {
    let endpoint = r#""endpoint":"${config.endpoint}""#;
    let vendor = "POST https://api.vendor.example";
    let mine = Some("https://mine.example");
    let exact_and_any = "\"endpoint\":\"https://a.example\",\"methods\":[\"GET\"]\n\"endpoint\":\"https://*\"";
    let early_and_below =
        "\"endpoint\":\"https://a.example\",\"phases\":[\"preview\"]\n\"endpoint\":\"https://*.example\"";
    let vendor_and_configured =
        "\"endpoint\":\"https://api.vendor.example\",\"methods\":[\"GET\"]\n\"endpoint\":\"${config.endpoint}\"";
    for (asked, granted, configured, phase, destination, why) in [
        (r#""endpoint":"https://a.example""#, "", None, Phase::Create, "GET https://a.example", "nothing grants it"),
        (
            r#""endpoint":"https://a.example","methods":["GET"],"phases":["preview","create"]"#,
            "",
            None,
            Phase::Preview,
            "GET https://a.example",
            "nothing grants it",
        ),
        // Who may talk to anybody may not talk to this machine, nor to the link by way of a configuration.
        (r#""endpoint":"http://*:*""#, "", None, Phase::Create, "GET http://127.0.0.1:8081", "nothing grants it"),
        (endpoint, "", Some("http://169.254.7.7"), Phase::Create, "GET http://169.254.7.7", "nothing grants it"),
        (endpoint, "", Some("http://10.1.2.3:81"), Phase::Create, "GET http://10.1.2.3:81", "nothing grants it"),
        (
            r#""endpoint":"https://*","phases":["check"]"#,
            "",
            None,
            Phase::Check,
            "GET https://a.example",
            "nothing grants it",
        ),
        (
            r#""endpoint":"tcp://db.example:5432""#,
            "",
            None,
            Phase::Create,
            "tcp://db.example:5432",
            "nothing grants it",
        ),
        (r#""endpoint":"tcp://db.example:5432""#, "", None, Phase::Create, "tcp://db.example:any", "nothing grants it"),
        (endpoint, "", mine, Phase::Create, "POST https://mine.example", "nothing grants it"),
        (endpoint, "", None, Phase::Create, vendor, "nothing grants it"),
        (
            endpoint,
            r#""${config.endpoint}""#,
            None,
            Phase::Create,
            vendor,
            "the grant `${config.endpoint}` doesn't count, because `endpoint` is the component's own default",
        ),
        (
            endpoint,
            r#"{ endpoint = "https://api.vendor.example", methods = ["GET"] }"#,
            None,
            Phase::Create,
            vendor,
            "it is granted for other methods",
        ),
        (
            endpoint,
            r#"{ endpoint = "${config.endpoint}", methods = ["GET"] }"#,
            mine,
            Phase::Create,
            "POST https://mine.example",
            "it is granted for other methods",
        ),
        (
            endpoint,
            r#"{ endpoint = "${config.endpoint}", phases = ["read"] }"#,
            mine,
            Phase::Create,
            "POST https://mine.example",
            "it is granted, but not in create",
        ),
        (
            "\"endpoint\":\"https://*.a.example\"",
            r#""https://x.a.example""#,
            None,
            Phase::Create,
            "GET https://y.a.example",
            "nothing grants it",
        ),
        // Both have the same endpoint, and only one of them is granted in part.
        (
            "\"endpoint\":\"https://a.example\",\"phases\":[\"create\"]\n\"endpoint\":\"https://a.example\",\"phases\":[\"preview\"]",
            r#""https://a.example""#,
            None,
            Phase::Preview,
            "GET https://a.example",
            "it is granted, but not in preview",
        ),
        (
            r#""endpoint":"https://${config.host}:${config.port}""#,
            r#""https://${config.host}:${config.port}""#,
            None,
            Phase::Create,
            "GET https://vendor.example:8443",
            "the grant `https://${config.host}:${config.port}` doesn't count, because `host` is the component's own default",
        ),
        (
            "\"endpoint\":\"${config.other}\"\n\"endpoint\":\"https://a.example\"",
            r#""${config.other}""#,
            None,
            Phase::Create,
            "GET https://a.example",
            "nothing grants it",
        ),
        (
            "\"endpoint\":\"https://*\"",
            r#""https://${config.other}""#,
            None,
            Phase::Create,
            "GET https://a.example",
            "the grant `https://${config.other}` means nothing while `other` isn't configured",
        ),
        // The very endpoint is asked for beside what lies around it, and only the latter asks for this.
        (exact_and_any, r#"{ endpoint = "https://*", methods = ["GET"] }"#, None, Phase::Create, POST_A, METHODS),
        (
            exact_and_any,
            r#"{ endpoint = "https://a.example", methods = ["GET"] }"#,
            None,
            Phase::Create,
            POST_A,
            METHODS,
        ),
        (exact_and_any, r#""https://x.example""#, None, Phase::Create, POST_A, "nothing grants it"),
        (exact_and_any, r#""https://x.example""#, None, Phase::Create, "GET https://a.example", "nothing grants it"),
        (exact_and_any, r#"{ endpoint = "https://*", phases = ["read"] }"#, None, Phase::Create, POST_A, LATER),
        (
            early_and_below,
            r#"{ endpoint = "https://*.example", phases = ["read"] }"#,
            None,
            Phase::Create,
            POST_A,
            LATER,
        ),
        (vendor_and_configured, "", None, Phase::Create, vendor, "nothing grants it"),
        (
            vendor_and_configured,
            r#"{ endpoint = "https://api.vendor.example", methods = ["GET"] }"#,
            None,
            Phase::Create,
            vendor,
            METHODS,
        ),
        (
            vendor_and_configured,
            r#"{ endpoint = "https://api.vendor.example", methods = ["GET"] }, "${config.endpoint}""#,
            None,
            Phase::Create,
            vendor,
            METHODS,
        ),
        (
            vendor_and_configured,
            r#"{ endpoint = "https://api.vendor.example", methods = ["GET"] }"#,
            Some("https://api.vendor.example"),
            Phase::Create,
            vendor,
            METHODS,
        ),
        (
            "\"endpoint\":\"http://169.254.7.7\",\"methods\":[\"GET\"]\n\"endpoint\":\"${config.endpoint}\"",
            "",
            Some("http://169.254.7.7"),
            Phase::Create,
            "POST http://169.254.7.7",
            "nothing grants it",
        ),
        (
            "\"endpoint\":\"https://*\"",
            r#""http://${config.other}""#,
            None,
            Phase::Create,
            "GET https://a.example",
            "nothing grants it",
        ),
    ] {
        let case = Case { asked, granted, configured };
        let destination = to(destination);
        let ask = |file: &str| reached(&case.permissions(file), phase, &destination);
        let denial = ask(&case.file()).unwrap_err();
        assert_eq!(denial.why.to_string(), why, "{asked} {granted}");
        let hint = denial.hint().unwrap();
        let files = [case.after_the_command(&hint), case.after_the_line(&hint)];
        assert!(files[1].is_some(), "{hint}");
        for file in files.iter().flatten() {
            let followed = ask(file);
            assert!(followed.is_ok(), "{}\nand then {}\nby {file}", told(&denial), told(&followed.unwrap_err()));
        }
        // Who adds a line grants nothing of anybody else.
        let elsewhere = Destination { host: Host::parse("elsewhere.example").unwrap(), ..destination.clone() };
        let line = case.permissions(files[1].as_ref().unwrap());
        assert!(line.destination(phase, &elsewhere).is_err(), "{hint}");
    }
}

/// Whoever is denied a second thing finds the first one's block in the file.
#[test]
fn who_follows_one_denial_after_the_other_has_a_file_that_can_be_read() {
    let asked =
        "\"endpoint\":\"https://a.example\"\n\"endpoint\":\"https://b.example\"\n\"endpoint\":\"https://c.example\"";
    let case = Case { asked, granted: r#""https://c.example""#, configured: None };
    let all = ["a", "b", "c"].map(|name| to(&format!("GET https://{name}.example")));
    let mut file = case.file();
    for destination in &all[..2] {
        let denial = reached(&case.permissions(&file), Phase::Create, destination).unwrap_err();
        file = with_the_line(&file, &denial.hint().unwrap()).unwrap();
    }
    for destination in &all {
        assert_eq!(reached(&case.permissions(&file), Phase::Create, destination), Ok(()), "{file}");
    }
}

#[test]
fn what_is_granted_in_part_is_widened_by_what_was_denied() {
    let granted = r#"{ endpoint = "${config.endpoint}", methods = ["GET"], addresses = ["10.1.0.0/16"] }"#;
    let case = Case { asked: r#""endpoint":"${config.endpoint}""#, granted, configured: Some("https://mine.example") };
    let post = to("POST https://mine.example");
    let denial = case.permissions(&case.file()).destination(Phase::Create, &post).unwrap_err();
    let line = r#"network = [{ endpoint = "${config.endpoint}", methods = ["POST"], phases = ["create"], addresses = ["10.1.0.0/16"] }] to"#;
    assert!(denial.hint().unwrap().contains(line), "{denial:?}");
    let file = case.after_the_line(&denial.hint().unwrap()).unwrap();
    let after = case.permissions(&file);
    let reach = after.destination(Phase::Create, &post).unwrap();
    assert_eq!(
        (reach.address("10.1.2.3".parse().unwrap()).is_ok(), reach.address("10.2.0.1".parse().unwrap()).is_ok()),
        (true, false)
    );
    for (phase, other) in [(Phase::Read, "POST https://mine.example"), (Phase::Create, "PUT https://mine.example")] {
        assert!(after.destination(phase, &to(other)).is_err(), "{other}");
    }
}

#[test]
fn the_command_grants_in_part_only_what_was_denied() {
    let granted = r#"{ endpoint = "${config.endpoint}", methods = ["GET"] }"#;
    let case = Case { asked: r#""endpoint":"${config.endpoint}""#, granted, configured: Some("https://mine.example") };
    let (post, get) = (to("POST https://mine.example"), to("GET https://mine.example"));
    let denial = case.permissions(&case.file()).destination(Phase::Create, &post).unwrap_err();
    let after = case.permissions(&case.after_the_command(&denial.hint().unwrap()).unwrap());
    assert!(after.destination(Phase::Create, &post).is_ok() && after.destination(Phase::Create, &get).is_ok());
    for (phase, other) in [(Phase::Read, &post), (Phase::Create, &to("PUT https://mine.example"))] {
        assert!(after.destination(phase, other).is_err(), "{other}");
    }
    // Which address a name stands for is nothing that a component asks for.
    let private = "10.1.2.3".parse().unwrap();
    let denial = after.destination(Phase::Create, &get).unwrap().address(private).unwrap_err();
    let file = case.after_the_command(&denial.hint().unwrap()).unwrap();
    let reach = case.permissions(&file).destination(Phase::Create, &get).unwrap();
    assert_eq!(reach.address(private), Ok(()), "{file}");
    assert!(reach.address("10.1.2.4".parse().unwrap()).is_err(), "{file}");
}

#[test]
fn nobody_grants_by_the_way_what_is_not_asked_for() {
    let case = Case { asked: r#""endpoint":"https://a.example""#, granted: "", configured: None };
    let digest = Granted::Digest(DIGEST.to_owned());
    let only = |line: &str| {
        let extent = Extent::Only(Grant::parse(&digest, line).unwrap());
        Proposal::of(&Case::package(), &case.requests(), &digest, &OperatorFile::default(), &extent).unasked
    };
    assert_eq!(only(r#"network = ["https://a.example"]"#), Vec::<String>::new());
    assert_eq!(only(r#"network = ["https://b.example"]"#), [r#"network "https://b.example""#]);
    // Anything may be configured, but what isn't has no effect, and a slip of the pen should be seen.
    let case = Case { asked: r#""endpoint":"${config.endpoint}""#, granted: "", configured: None };
    let configured = |line: &str| {
        let extent = Extent::Only(Grant::parse(&digest, line).unwrap());
        Proposal::of(&Case::package(), &case.requests(), &digest, &OperatorFile::default(), &extent).configured
    };
    let slip = configured(r#"network = ["https://mnie.example"]"#);
    assert_eq!(slip, [r#"network "https://mnie.example", as ${config.endpoint}"#]);
    assert_eq!(
        configured(r#"network = [{ endpoint = "${config.endpoint}", methods = ["GET"] }]"#),
        Vec::<String>::new()
    );
    for wrong in ["", "network", "digest = \"dev\"", "networks = []", "[limits]\nmemory = \"1GiB\""] {
        assert!(Grant::parse(&digest, wrong).is_err(), "{wrong}");
    }
    let told = Grant::parse(&digest, "network = [").unwrap_err().to_string();
    assert!(told.starts_with("TOML parse error at line 1, "), "{told}");
}

#[test]
fn what_nobody_asked_for_is_not_told_as_anybodys_grant() {
    let case = Case {
        asked: "\"endpoint\":\"https://${config.other}\"",
        granted: r#""https://${config.other}""#,
        configured: None,
    };
    let denied = |destination: &str| {
        told(&case.permissions(&case.file()).destination(Phase::Create, &to(destination)).unwrap_err())
    };
    let unasked = "no grant is wider than what the manifest asks for, which only the component's author can change";
    assert_eq!(
        denied("https://a.example"),
        format!(
            "network https://a.example is denied: the component's manifest doesn't ask for it, and its request \
             `https://${{config.other}}` means nothing while `other` isn't configured; configure `other` if that is meant; {unasked}"
        )
    );
    assert_eq!(
        denied("http://a.example"),
        format!("network http://a.example is denied: the component's manifest doesn't ask for it; {unasked}")
    );
}

#[test]
fn sockets_that_are_granted_at_other_times_are_told_so() {
    let asked = r#""endpoint":"tcp://db.example:5432","phases":["create","read"]"#;
    for (granted, why, only) in [
        ("", "nothing grants it", ""),
        (
            r#"{ endpoint = "tcp://db.example:5432", phases = ["read"] }"#,
            "it is granted, but not in create",
            r#" --only 'network = [{ endpoint = "tcp://db.example:5432", phases = ["create", "read"] }]'"#,
        ),
    ] {
        let case = Case { asked, granted, configured: None };
        let denial = case.permissions(&case.file()).sockets(Phase::Create).unwrap_err();
        let command = format!("run `bulkhead grant /p/dns.wasm --project /p{only}`");
        assert_eq!(told(&denial), format!("network tcp://* is denied: {why}; {command}"));
        let file = case.after_the_command(&command).unwrap();
        assert_eq!(case.permissions(&file).sockets(Phase::Create), Ok(()));
        let early = case.permissions(&file).sockets(Phase::Check).unwrap_err().to_string();
        assert_eq!(early, "network tcp://* is denied: the component's manifest doesn't ask for it in check");
    }
}
