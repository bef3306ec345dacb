mod addresses;
mod directories;
mod hints;
mod parties;
mod review;

use std::net::IpAddr;

use super::*;
use crate::destination::{Destination, Scheme};
use crate::directory::Directory;
use crate::host::Host;
use crate::operator::OperatorFile;
use crate::request::PackageRequest;

const DIGEST: &str = "1111111111111111111111111111111111111111111111111111111111111111";

fn applicant() -> Applicant {
    Applicant { provider: "dns".into(), digest: DIGEST.into(), component: "dns.wasm".into(), development: false }
}

fn grants(text: &str) -> Vec<Grant> {
    let header = format!("[[providers.dns.grants]]\ndigest = \"sha256:{DIGEST}\"\n");
    OperatorFile::parse(&format!("{header}{text}")).unwrap().grants("dns").to_vec()
}

fn above(text: &str) -> Above {
    let file = OperatorFile::parse(&format!("[allow]\n{text}")).unwrap();
    let (table, ceiling) = file.ceilings("dns").next().unwrap();
    Above { file: "/etc/bulkhead/bulkhead.toml".into(), table, ceiling: ceiling.clone() }
}

fn network(endpoints: &[&str]) -> Requests {
    let network = endpoints.iter().map(|endpoint| {
        serde_json::from_value(serde_json::json!({ "endpoint": endpoint, "reason": "talks" })).unwrap()
    });
    Requests { network: network.collect(), ..Requests::default() }
}

fn permissions(requests: Requests, granted: &str, allowed: &[&str]) -> Permissions {
    let above = allowed.iter().map(|text| above(text)).collect();
    Permissions::new(applicant(), requests, &grants(granted), above, Path::new("/project"))
}

fn to(text: &str) -> Destination {
    let (method, text) = text.split_once(' ').map_or((None, text), |(method, rest)| (Some(method.to_owned()), rest));
    let (scheme, rest) = text.split_once("://").unwrap();
    let scheme = Scheme::parse(scheme).unwrap();
    let (host, port) = match rest.rsplit_once(':').filter(|(_, port)| !port.contains(']')) {
        Some((host, port)) => (host, port.parse().ok()),
        None => (rest, scheme.default_port()),
    };
    Destination { scheme, host: Host::parse(host).unwrap(), port, method }
}

fn denied(permissions: &Permissions, destination: &str) -> String {
    permissions.destination(Phase::Create, &to(destination)).unwrap_err().to_string()
}

fn reach(permissions: &Permissions, destination: &str, address: &str) -> Result<(), String> {
    let reach = permissions.destination(Phase::Create, &to(destination)).unwrap();
    reach.address(address.parse::<IpAddr>().unwrap()).map_err(|denial| denial.to_string())
}

#[test]
fn a_destination_has_to_be_requested_and_granted_and_allowed() {
    let requested = || network(&["https://*.example.com", "https://other.example"]);
    let granted = "network = [\"https://api.example.com\", \"https://www.example.com\", \"https://unasked.example\"]";
    let all = permissions(requested(), granted, &["network = [\"https://api.example.com\"]"]);
    assert!(all.destination(Phase::Create, &to("https://api.example.com")).is_ok());
    assert_eq!(
        denied(&all, "https://www.example.com"),
        "network https://www.example.com is denied: [allow] of /etc/bulkhead/bulkhead.toml doesn't allow it"
    );
    assert_eq!(denied(&all, "https://other.example"), "network https://other.example is denied: nothing grants it");
    assert_eq!(
        denied(&all, "https://unasked.example"),
        "network https://unasked.example is denied: the component's manifest doesn't ask for it"
    );
    let unlimited = permissions(requested(), granted, &[""]);
    assert!(unlimited.destination(Phase::Create, &to("https://www.example.com")).is_ok());
    let none = permissions(requested(), granted, &["network = []"]);
    assert!(denied(&none, "https://api.example.com").ends_with("doesn't allow it"));
}

#[test]
fn other_packages_are_used_if_they_are_asked_for_and_granted_and_allowed() {
    let by_name = "packages = [\"shop\"]";
    let line = "{ package = \"shop\", from = \"https://plugins.example.com\" }";
    let from_there = &format!("packages = [{line}]");
    let place = Some("https://plugins.example.com");
    let asked = |from: Option<&str>| {
        let reason = "sells".to_owned();
        let request = PackageRequest { package: "shop".to_owned(), from: from.map(str::to_owned), reason };
        Requests { packages: vec![request], ..Requests::default() }
    };
    let ask = |requests: Requests, granted: &str, allowed: &[&str], package: &str, from: Option<&str>| {
        let decision = permissions(requests, granted, allowed).package(package, from);
        decision.map_err(|denial| format!("{denial}; {}", denial.hint().unwrap()))
    };
    for (granted, allowed, from) in [
        (by_name, &[][..], None),
        (by_name, &[by_name], None),
        (from_there, &["", from_there], None),
        (from_there, &[], place),
        (from_there, &["", from_there], place),
    ] {
        assert_eq!(ask(asked(place), granted, allowed, "shop", from), Ok(()), "{granted} {allowed:?} {from:?}");
    }
    let unasked = "is denied: the component's manifest doesn't ask for it; no grant is wider than what the manifest asks for, which \
                   only the component's author can change";
    for (requests, package, from) in [
        (Requests::default(), "shop", None),
        (asked(None), "shop", place),
        (asked(place), "shop", Some("https://plugins.example.com.evil")),
        (asked(place), "command", None),
    ] {
        let all =
            "packages = [\"shop\", \"command\", { package = \"shop\", from = \"https://plugins.example.com.evil\" }]";
        assert!(ask(requests, all, &[], package, from).unwrap_err().ends_with(unasked), "{package} {from:?}");
    }
    let nothing = |subject: &str, only: &str, line: &str| {
        format!(
            "packages {subject} is denied: nothing grants it; run `bulkhead grant dns.wasm --project /project{only}`, or add a \
             block [[providers.dns.grants]] with digest = \"sha256:{DIGEST}\" and packages = [{line}] to /project/bulkhead.toml"
        )
    };
    let there = "shop from https://plugins.example.com";
    assert_eq!(ask(asked(place), "", &[by_name], "shop", None), Err(nothing("shop", "", "\"shop\"")));
    assert_eq!(ask(asked(place), "", &[from_there], "shop", place), Err(nothing(there, "", line)));
    assert_eq!(
        ask(asked(place), by_name, &[], "shop", place),
        Err(nothing(there, &format!(" --only 'packages = [{line}]'"), line)),
        "that is more"
    );
    let above = |subject: &str, line: &str| {
        format!(
            "packages {subject} is denied: [allow] of /etc/bulkhead/bulkhead.toml doesn't allow it; whoever owns /etc/bulkhead/bulkhead.toml \
             can add {line} to `packages` under its [allow]"
        )
    };
    assert_eq!(ask(asked(place), by_name, &["packages = []"], "shop", None), Err(above("shop", "\"shop\"")));
    assert_eq!(ask(asked(place), from_there, &[by_name], "shop", place), Err(above(there, line)));
}

#[test]
fn nothing_is_granted_to_another_digest() {
    let mut other = applicant();
    other.digest = "2".repeat(64);
    let granted = grants("network = [\"https://a.example\"]");
    let requests = network(&["https://a.example"]);
    let permissions = Permissions::new(other, requests.clone(), &granted, Vec::new(), Path::new(""));
    let denial = permissions.destination(Phase::Create, &to("https://a.example")).unwrap_err();
    assert_eq!(denial.to_string(), "network https://a.example is denied: nothing grants it to this digest");
    assert_eq!(
        denial.hint().unwrap(),
        format!(
            "run `bulkhead grant dns.wasm`, or add a block [[providers.dns.grants]] with digest = \"sha256:{}\" and \
             network = [\"https://a.example\"] to bulkhead.toml",
            "2".repeat(64)
        )
    );
    let developed =
        OperatorFile::parse("[[providers.dns.grants]]\ndigest = \"dev\"\nnetwork = [\"https://a.example\"]").unwrap();
    let permitted = |development| {
        let applicant = Applicant { development, ..applicant() };
        let permissions =
            Permissions::new(applicant, requests.clone(), developed.grants("dns"), Vec::new(), Path::new(""));
        let decision = permissions.destination(Phase::Create, &to("https://a.example")).map(drop);
        (decision.map_err(|denial| denial.why), permissions.is_for_development())
    };
    assert_eq!(permitted(true), (Ok(()), true));
    let (denied, _) = permitted(false);
    let developed = "nothing grants it to this digest, and digest = \"dev\" counts only where a provider is developed";
    assert_eq!(denied.map_err(|why| why.to_string()), Err(developed.to_owned()));
}

#[test]
fn whoever_develops_a_component_is_told_how_to_grant_to_its_next_build() {
    let hint = |development| {
        let applicant = Applicant { development, ..applicant() };
        let permissions = Permissions::new(applicant, network(&["https://a.example"]), &[], Vec::new(), Path::new(""));
        permissions.destination(Phase::Create, &to("https://a.example")).unwrap_err().hint().unwrap()
    };
    assert!(hint(true).starts_with("run `bulkhead grant dns.wasm` (with `--dev` for later builds too), or add "));
    assert!(hint(false).starts_with("run `bulkhead grant dns.wasm`, or add "));
}

#[test]
fn phases_and_methods_have_to_be_granted_too() {
    let requests: Requests = serde_json::from_str(
        r#"{"network":[{"endpoint":"https://a","reason":"r"},{"endpoint":"https://c","phases":["check"],"reason":"r"}]}"#,
    )
    .unwrap();
    let granted = "network = [{ endpoint = \"https://a\", methods = [\"GET\"] }, { endpoint = \"https://c\", phases = [\"check\"] }]";
    let permissions = permissions(requests, granted, &["network = [\"https://*\"]"]);
    let ask = |phase, destination: &str| permissions.destination(phase, &to(destination)).map(drop);
    assert!(ask(Phase::Create, "GET https://a").is_ok() && ask(Phase::Check, "GET https://c").is_ok());
    assert!(ask(Phase::Create, "get https://a").is_ok());
    let delete = ask(Phase::Create, "DELETE https://a").unwrap_err();
    assert_eq!(delete.to_string(), "network https://a (DELETE) is denied: it is granted for other methods");
    for phase in [Phase::Check, Phase::Diff, Phase::Preview] {
        let early = ask(phase, "GET https://a").unwrap_err().to_string();
        assert!(early.contains(&format!("the component's manifest doesn't ask for it in {phase}")), "{early}");
    }
    assert!(ask(Phase::Create, "GET https://c").is_err());
    let asked: Requests =
        serde_json::from_str(r#"{"network":[{"endpoint":"https://a","phases":["preview"],"reason":"r"}]}"#).unwrap();
    let unready =
        super::Permissions::new(applicant(), asked, &grants("network = [\"https://a\"]"), Vec::new(), Path::new(""));
    let early = unready.destination(Phase::Preview, &to("https://a")).unwrap_err();
    assert_eq!(early.to_string(), "network https://a is denied: it is granted, but not in preview");
}

#[test]
fn sockets_are_opened_only_where_some_connection_is_granted() {
    let sockets = |requested: &[&str], granted: &str, allowed: &[&str], phase| {
        permissions(network(requested), granted, allowed).sockets(phase).map_err(|denial| denial.to_string())
    };
    let (tcp, granted) = (&["tcp://db.example:5432"][..], "network = [\"tcp://db.example:5432\"]");
    assert_eq!(sockets(tcp, granted, &[], Phase::Create), Ok(()));
    assert_eq!(sockets(tcp, granted, &[granted], Phase::Create), Ok(()));
    let denied = |why: &str| Err(format!("network tcp://* is denied: {why}"));
    let unasked = "the component's manifest doesn't ask for it";
    assert_eq!(sockets(&["https://db.example"], granted, &[], Phase::Create), denied(unasked));
    assert_eq!(sockets(tcp, granted, &[], Phase::Check), denied(&format!("{unasked} in check")), "nor then");
    assert_eq!(sockets(tcp, "network = [\"https://db.example\"]", &[], Phase::Create), denied("nothing grants it"));
    let above = ["network = [\"https://*\"]"];
    assert_eq!(
        sockets(tcp, granted, &above, Phase::Create),
        denied("[allow] of /etc/bulkhead/bulkhead.toml doesn't allow it")
    );
    let later = r#"network = [{ endpoint = "tcp://db.example:5432", phases = ["read"] }]"#;
    assert_eq!(sockets(tcp, later, &[], Phase::Read), Ok(()));
    assert_eq!(sockets(tcp, later, &[], Phase::Create), denied("it is granted, but not in create"));
    assert_eq!(
        sockets(tcp, granted, &[later], Phase::Create),
        denied("[allow] of /etc/bulkhead/bulkhead.toml doesn't allow it")
    );
}

#[test]
fn credentials_of_the_machine_are_out_of_reach_whatever_is_granted() {
    let everything = r#"network = ["http://*:*", "http://169.254.169.254", "http://[fd00:ec2::254]", "http://metadata.google.internal",
        { endpoint = "http://a.example", addresses = ["0.0.0.0/0", "::/0", "link-local", "private"] }]"#;
    let asked = ["http://*:*", "http://169.254.169.254"];
    let mine = permissions(network(&asked), everything, &[]);
    for destination in
        ["http://169.254.169.254", "http://[::ffff:a9fe:a9fe]", "http://2852039166", "http://[fd00:ec2::254]"]
    {
        assert!(
            denied(&mine, destination).ends_with("where the machine's own credentials are handed out"),
            "{destination}"
        );
    }
    assert!(denied(&mine, "http://metadata.google.internal").ends_with("what hands out the machine's own credentials"));
    assert!(
        denied(&mine, "http://METADATA.google.internal.").ends_with("what hands out the machine's own credentials")
    );
    assert!(reach(&mine, "http://a.example", "169.254.169.254").is_err());
    assert!(reach(&mine, "http://a.example", "169.254.1.1").is_ok(), "only what was not granted is");
}

#[test]
fn what_was_configured_is_granted_and_nothing_else() {
    let asked = ["${config.endpoint}"];
    let granted = "network = [\"${config.endpoint}\"]";
    let unbound = permissions(network(&asked), granted, &[]);
    assert_eq!(unbound.references(), ["endpoint"]);
    let given = |value: &str| {
        let value = value.to_owned();
        unbound.bind(&move |name| match name {
            "endpoint" => Configured::Given(vec![value.clone()]),
            _ => Configured::Absent,
        })
    };
    let bound = given("http://127.0.0.1:8081/api");
    assert!(reach(&bound, "http://127.0.0.1:8081", "127.0.0.1").is_ok(), "who configures an address means it");
    assert!(denied(&bound, "http://127.0.0.1:8082").ends_with("the component's manifest doesn't ask for it"));
    let named = given("https://dns.internal");
    assert!(reach(&named, "https://dns.internal", "10.0.0.1").is_err(), "a name is whatever its resolver says");
    let link = given("http://169.254.7.7");
    assert!(reach(&link, "http://169.254.7.7", "169.254.7.7").is_err());
    assert!(denied(&given("http://169.254.169.254"), "http://169.254.169.254").contains("credentials"));
    let ungranted =
        permissions(network(&asked), "", &[]).bind(&|_| Configured::Given(vec!["https://a.example".into()]));
    let hint = ungranted.destination(Phase::Create, &to("https://a.example")).unwrap_err();
    assert!(
        hint.hint().unwrap().contains(" and network = [\"${config.endpoint}\"] to /project/bulkhead.toml"),
        "{hint:?}"
    );
    assert_eq!(
        denied(&unbound, "https://dns.internal"),
        "network https://dns.internal is denied: the component's manifest doesn't ask for it, and its request `${config.endpoint}` \
         means nothing while `endpoint` isn't configured"
    );
}

#[test]
fn a_default_of_the_component_grants_nothing() {
    let asked = network(&["${config.endpoint}"]);
    let filled = |permissions: &Permissions| {
        permissions.bind(&|_| Configured::Default(vec!["https://api.vendor.example".to_owned()]))
    };
    let permissions = permissions(asked.clone(), "network = [\"${config.endpoint}\"]", &[]);
    let denial = filled(&permissions).destination(Phase::Create, &to("https://api.vendor.example")).unwrap_err();
    assert!(
        denial
            .to_string()
            .ends_with("`${config.endpoint}` doesn't count, because `endpoint` is the component's own default")
    );
    assert!(denial.hint().unwrap().contains("network = [\"https://api.vendor.example\"]"), "{denial:?}");
    let said = super::Permissions::new(
        applicant(),
        asked,
        &grants("network = [\"https://api.vendor.example\"]"),
        Vec::new(),
        Path::new(""),
    );
    assert!(filled(&said).destination(Phase::Create, &to("https://api.vendor.example")).is_ok());
}

#[test]
fn variables_have_to_be_requested_and_granted_and_allowed() {
    let requests: Requests = serde_json::from_str(
        r#"{"environment":[{"name":"A","reason":"r"},{"name":"B","reason":"r"},{"name":"PULUMI_ACCESS_TOKEN","reason":"r"}]}"#,
    )
    .unwrap();
    let granted = "environment = [\"A\", \"B\", \"C\"]";
    let mine = permissions(requests.clone(), granted, &["environment = [\"A\"]"]);
    let ask = |name: &str| mine.variable(name).map_err(|denial| denial.to_string());
    assert_eq!(ask("A"), Ok(()));
    assert_eq!(
        ask("B").unwrap_err(),
        "environment B is denied: [allow] of /etc/bulkhead/bulkhead.toml doesn't allow it"
    );
    assert_eq!(ask("C").unwrap_err(), "environment C is denied: the component's manifest doesn't ask for it");
    assert_eq!(
        ask("PULUMI_ACCESS_TOKEN").unwrap_err(),
        "environment PULUMI_ACCESS_TOKEN is denied: no grant allows the engine's own variables"
    );
    let none = permissions(requests, "", &[]);
    assert!(
        none.variable("A")
            .unwrap_err()
            .hint()
            .unwrap()
            .contains(" and environment = [\"A\"] to /project/bulkhead.toml")
    );
}

#[test]
fn directories_are_what_was_asked_for_where_it_was_granted() {
    let requests: Requests = serde_json::from_str(
        r#"{"filesystem":[{"path":"certs","access":"read","reason":"r"},{"path":"out","access":"write","reason":"r"},
                          {"path":"/etc/x","access":"write","reason":"r"}]}"#,
    )
    .unwrap();
    let granted = r#"filesystem = [{ path = "certs", at = "/etc/dns/certs", access = "write" }, "out"]"#;
    let mine = permissions(requests, granted, &[r#"filesystem = ["/project"]"#]);
    let found: Vec<_> = mine.directories().collect();
    let directory = |at: &str, access| Directory { at: at.into(), access };
    assert_eq!(found[0], ("certs", Ok(directory("/etc/dns/certs", crate::Access::Read))), "no wider than asked for");
    assert_eq!(found[1], ("out", Ok(directory("/project/out", crate::Access::Read))), "no wider than granted");
    let denial = found[2].1.clone().unwrap_err();
    assert_eq!(denial.to_string(), "filesystem /etc/x (write) is denied: nothing grants it");
    let line = r#" and filesystem = [{ path = "/etc/x", access = "write" }] to /project/bulkhead.toml"#;
    assert!(denial.hint().unwrap().contains(line), "{denial:?}");
    assert_eq!(
        mine.widening("out").to_string(),
        format!(
            "run `bulkhead grant dns.wasm --project /project --only 'filesystem = [{{ path = \"out\", access = \"write\" }}]'`, or add a block \
             [[providers.dns.grants]] with digest = \"sha256:{}\" and filesystem = [{{ path = \"out\", access = \"write\" }}] to \
             /project/bulkhead.toml",
            applicant().digest
        )
    );
    assert!(
        mine.widening("certs").to_string().ends_with("which only the component's author can change"),
        "it asks for no more"
    );
    let denial = mine.allow_directory(&directory("/a  b", crate::Access::Write), Path::new("/a  b")).unwrap_err();
    assert_eq!(
        denial.hint().unwrap(),
        r#"whoever owns /etc/bulkhead/bulkhead.toml can add { path = "/a \u0020b", access = "write" } to `filesystem` under its [allow]"#
    );
    let allowed = |at: &str| mine.allow_directory(&directory(at, crate::Access::Read), Path::new(at)).is_ok();
    assert!(allowed("/project/out") && !allowed("/etc/dns/certs") && !allowed("/projects"));
}

#[test]
fn without_grants_nothing_is_permitted() {
    let nothing = Permissions::default();
    assert!(denied(&nothing, "https://a.example").ends_with("doesn't ask for it"));
    assert!(nothing.variable("HOME").is_err() && nothing.directories().next().is_none());
}

#[test]
fn the_command_of_a_denial_works_from_anywhere() {
    let who = |component: &str| Applicant { component: component.into(), ..applicant() };
    let hint = |component: &str, project: &str, requests: Requests, granted: &str, to_: &str| {
        let permissions = Permissions::new(who(component), requests, &grants(granted), Vec::new(), Path::new(project));
        let denial = permissions.destination(Phase::Create, &to(to_)).unwrap_err();
        denial.hint().unwrap().split_once(", or ").unwrap().0.to_owned()
    };
    let asked = || network(&["https://*.example.com"]);
    let (here, there) = ("https://a.example.com", "https://b.example.com");
    assert_eq!(hint("/p/dns.wasm", "/p", asked(), "", here), "run `bulkhead grant /p/dns.wasm --project /p`");
    assert_eq!(
        hint("/it's mine/dns.wasm", "/a b", asked(), "", here),
        r"run `bulkhead grant '/it'\''s mine/dns.wasm' --project '/a b'`"
    );
    assert_eq!(
        hint("/two  blanks, and    four/dns.wasm", "/a\t'b'  c\\\u{3164}", asked(), "", here),
        r"run `bulkhead grant '/two '' blanks, and '' '' '' four/dns.wasm' --project $'/a\011\'b\' \040c\\\343\205\244'`",
        "hints have no runs of blanks, and nothing that can't be seen"
    );
    let granted = format!("network = [\"{here}\"]");
    assert_eq!(
        hint("/p/dns.wasm", "/p", asked(), &granted, there),
        "run `bulkhead grant /p/dns.wasm --project /p --only 'network = [\"https://b.example.com\"]'`",
        "without it nothing more is granted"
    );
    let permissions =
        permissions(asked(), "network = [{ endpoint = \"https://*.example.com\", methods = [\"GET\"] }]", &[]);
    let denial = permissions.destination(Phase::Create, &to("PUT https://a.example.com")).unwrap_err();
    let line = r#" and network = [{ endpoint = "https://a.example.com", methods = ["PUT"], phases = ["create"] }] to /project/"#;
    assert!(denial.hint().unwrap().contains(line), "{denial:?}");
}

#[test]
fn the_table_that_denies_is_the_one_that_is_named() {
    let file = OperatorFile::parse("[allow]\nenvironment = [\"A\"]\n[providers.dns.allow]\nenvironment = []").unwrap();
    let above =
        file.ceilings("dns").map(|(table, ceiling)| Above { file: "/etc/b".into(), table, ceiling: ceiling.clone() });
    let requests: Requests = serde_json::from_str(r#"{"environment":[{"name":"A","reason":"r"}]}"#).unwrap();
    let granted = grants("environment = [\"A\"]");
    let permissions = Permissions::new(applicant(), requests, &granted, above.collect(), Path::new(""));
    let denial = permissions.variable("A").unwrap_err();
    assert_eq!(
        denial.hint().unwrap(),
        "whoever owns /etc/b can add \"A\" to `environment` under its [providers.dns.allow]"
    );
    let reviewed = permissions.review(&|at| Ok(at.to_owned()), &[], &|_| None).remove(0);
    assert_eq!(reviewed.verdict, "not granted: [providers.dns.allow] of /etc/b doesn't allow it");
    assert_eq!(reviewed.above, ["[providers.dns.allow] of /etc/b"]);
}
