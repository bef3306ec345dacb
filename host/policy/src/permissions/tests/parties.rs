//! Several who grant, and several who allow.

use super::*;

fn asked(text: &str) -> Requests {
    serde_json::from_str(text).unwrap()
}

fn block(digest: &str) -> String {
    format!("[[providers.dns.grants]]\ndigest = \"{digest}\"\n")
}

#[test]
fn each_grant_and_each_entry_of_one_counts_by_itself() {
    let requests = asked(
        r#"{"environment":[{"name":"A","reason":"r"},{"name":"B","reason":"r"}],"network":[{"endpoint":"https://a","reason":"r"}],
            "filesystem":[{"path":"x","access":"read","reason":"r"}]}"#,
    );
    let second = block(&format!("sha256:{DIGEST}"));
    let granted = format!(
        "environment = [\"A\"]\nnetwork = [{{ endpoint = \"https://a\", methods = [\"GET\", \"PUT\"] }}]\n\
         {second}environment = [\"B\"]\nfilesystem = [\"x\"]"
    );
    let mine = permissions(requests, &granted, &["filesystem = [\"/srv\", \"/project\"]"]);
    assert_eq!((mine.variable("A"), mine.variable("B")), (Ok(()), Ok(())));
    for method in ["GET", "PUT"] {
        assert!(mine.destination(Phase::Create, &to(&format!("{method} https://a"))).is_ok(), "{method}");
    }
    let (_, directory) = mine.directories().next().unwrap();
    assert_eq!(mine.allow_directory(&directory.unwrap(), Path::new("/project/x")), Ok(()));
}

#[test]
fn authorities_vouch_for_what_the_grants_that_name_them_permit() {
    let endpoints = network(&["https://*.example", "https://any"]);
    let second = block(&format!("sha256:{DIGEST}"));
    let granted = format!(
        "network = [\"https://a.example\", {{ endpoint = \"https://any\", methods = [\"GET\"] }}]\ncertificates = [\"a.pem\"]\n\
         {second}network = [\"https://b.example\", \"https://any\"]\ncertificates = [\"b.pem\", \"/c.pem\"]\n\
         {second}network = [\"https://public.example\"]\n\
         {second}certificates = [\"of-nothing.pem\"]"
    );
    let mine = permissions(endpoints, &granted, &["network = [\"https://*\"]"]);
    for (destination, expected) in [
        ("GET https://a.example", &["/project/a.pem"][..]),
        ("GET https://b.example", &["/project/b.pem", "/c.pem"]),
        ("GET https://any", &["/project/a.pem", "/project/b.pem", "/c.pem"]),
        ("PUT https://any", &["/project/b.pem", "/c.pem"]),
        ("GET https://public.example", &[]),
    ] {
        let reach = mine.destination(Phase::Create, &to(destination)).unwrap();
        let files: Vec<_> = reach.certificates().map(|file| file.display().to_string()).collect();
        assert_eq!(files, expected, "{destination}");
    }
}

#[test]
fn what_counts_because_it_is_developed_is_told_from_what_is_granted_to_it() {
    let (own, developed) = (block(&format!("sha256:{DIGEST}")), block("dev"));
    for (text, expected) in
        [(own.clone(), false), (developed.clone(), true), (format!("{own}{developed}"), true), (String::new(), false)]
    {
        let grants = OperatorFile::parse(&text).unwrap().grants("dns").to_vec();
        let applicant = Applicant { development: true, ..applicant() };
        let permissions = Permissions::new(applicant, Requests::default(), &grants, Vec::new(), Path::new(""));
        assert_eq!(permissions.is_for_development(), expected, "{text}");
    }
}

#[test]
fn each_value_that_anybody_refers_to_is_named_once() {
    let requested = network(&["${config.a}", "${config.b}"]);
    let mine = permissions(requested, "network = [\"${config.a}\"]", &["network = [\"${config.b}\"]"]);
    assert_eq!(mine.references(), ["a", "b"]);
}

#[test]
fn sockets_that_are_allowed_at_other_times_are_not_opened() {
    let requests = network(&["tcp://db.example:5432"]);
    let above = "network = [{ endpoint = \"tcp://*:*\", phases = [\"read\"] }]";
    let mine = permissions(requests, "network = [\"tcp://db.example:5432\"]", &[above]);
    assert_eq!(mine.sockets(Phase::Read), Ok(()));
    let denial = mine.sockets(Phase::Create).unwrap_err().to_string();
    assert_eq!(denial, "network tcp://* is denied: [allow] of /etc/bulkhead/bulkhead.toml doesn't allow it");
}

#[test]
fn lists_of_all_requests_together_make_no_more_endpoints_than_there_may_be() {
    let all = ["https://${config.one}", "https://${config.two}"];
    let granted = format!("network = {all:?}");
    let hosts = |count: usize| Configured::Given((1..=count).map(|host| format!("h{host}.example")).collect());
    let mine = |one, two| {
        permissions(network(&all), &granted, &[]).bind(&move |name| hosts(if name == "one" { one } else { two }))
    };
    let last = to("https://h6000.example");
    assert!(mine(4_000, 6_000).destination(Phase::Create, &last).is_ok());
    let denial = mine(4_001, 6_000).destination(Phase::Create, &last).unwrap_err().to_string();
    assert!(denial.ends_with("because `two` would make too many endpoints of it"), "{denial}");
}

/// Whoever mended one would hear of the next in the next run, and may have to ask somebody else each time.
#[test]
fn all_tables_that_deny_are_named_at_once() {
    let above = |file: &str, text: &str| {
        let parsed = OperatorFile::parse(text).unwrap();
        let above = parsed.ceilings("dns").map(|(table, ceiling)| Above {
            file: file.to_owned(),
            table,
            ceiling: ceiling.clone(),
        });
        above.collect::<Vec<_>>()
    };
    let nothing = "network = []\nenvironment = []\nfilesystem = []\npackages = []\n";
    let ours = above("/p/b", &format!("[allow]\n{nothing}"));
    let theirs = above("/etc/b", &format!("[providers.dns.allow]\n{nothing}"));
    let all: Requests = serde_json::from_str(
        r#"{"network":[{"endpoint":"https://a","reason":"r"},{"endpoint":"tcp://b:1","reason":"r"}],
            "environment":[{"name":"A","reason":"r"}],"filesystem":[{"path":"x","access":"read","reason":"r"}],
            "packages":[{"package":"q","reason":"r"}]}"#,
    )
    .unwrap();
    let granted =
        "network = [\"https://a\", \"tcp://b:1\"]\nenvironment = [\"A\"]\nfilesystem = [\"x\"]\npackages = [\"q\"]";
    let mine = Permissions::new(applicant(), all, &grants(granted), [ours, theirs].concat(), Path::new("/p"));
    let directory = Directory { at: "/p/x".into(), access: crate::Access::Read };
    let denials = [
        (mine.destination(Phase::Create, &to("https://a")).map(drop), "network", "\"https://a\""),
        (mine.sockets(Phase::Create), "network", "endpoints"),
        (mine.variable("A"), "environment", "\"A\""),
        (mine.allow_directory(&directory, Path::new("/p/x")), "filesystem", "\"/p/x\""),
        (mine.package("q", None), "packages", "\"q\""),
    ];
    for (denied, capability, line) in denials {
        let denial = denied.unwrap_err();
        let why = "[allow] of /p/b and [providers.dns.allow] of /etc/b don't allow it";
        assert_eq!(denial.why.to_string(), why, "{denial}");
        let hint = format!(
            "whoever owns /p/b can add {line} to `{capability}` under its [allow], and whoever owns /etc/b can add {line} to \
             `{capability}` under its [providers.dns.allow]"
        );
        assert_eq!(denial.hint(), Some(hint));
    }
    for reviewed in mine.review(&|at| Ok(at.to_owned()), &[], &|_| None) {
        let said = "not granted: [allow] of /p/b and [providers.dns.allow] of /etc/b don't allow it";
        assert_eq!((reviewed.verdict.as_str(), reviewed.above.len()), (said, 2), "{}", reviewed.request);
    }
}
