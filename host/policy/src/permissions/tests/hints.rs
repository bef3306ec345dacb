//! What a denial says to do: no less than what helps, and no more than was denied.

use super::*;

fn hint(permissions: &Permissions, destination: &str) -> String {
    let denial = permissions.destination(Phase::Create, &to(destination)).unwrap_err();
    denial.hint().unwrap().to_owned()
}

/// What is added by hand, which is a block of its own: who is denied something else adds another.
fn by_hand(line: &str) -> String {
    format!(
        "add a block [[providers.dns.grants]] with digest = \"sha256:{DIGEST}\" and network = [{line}] to /project/bulkhead.toml"
    )
}

/// Whether a command grants its line alone.
fn is_narrow(hint: &str) -> bool {
    hint.starts_with("run `bulkhead grant") && hint.contains(" --only ")
}

#[test]
fn a_grant_that_means_nothing_yet_is_mended_where_it_can_be() {
    let granted = "network = [\"${config.endpoint}\"]";
    let by_hand = &by_hand(r#""https://a.example.com""#);
    let told = |asked: &str, value: Configured| {
        let mine = permissions(network(&[asked]), granted, &[]).bind(&move |_| value.clone());
        hint(&mine, "https://a.example.com")
    };
    let below = "https://*.example.com";
    for value in [Configured::Absent, Configured::Given(vec!["nowhere".to_owned()])] {
        assert!(told(below, value).starts_with(&format!("configure `endpoint`, or {by_hand}")));
    }
    for value in [Configured::Unknown, Configured::Given(vec!["https://b".to_owned(); 10_001])] {
        assert!(told(below, value).starts_with(by_hand), "configuring it isn't for the user now");
    }
    let default = || Configured::Default(vec!["https://a.example.com".to_owned()]);
    for (asked, narrow) in [(below, true), ("${config.endpoint}", false)] {
        let told = told(asked, default());
        assert!(told.starts_with("run `bulkhead grant") && told.contains(by_hand), "{told}");
        assert_eq!(is_narrow(&told), narrow, "{told}");
    }
}

#[test]
fn sockets_are_granted_by_what_asks_for_them_and_no_more_than_that_where_some_of_it_is() {
    let told = |granted: &str| {
        let mine = permissions(network(&["tcp://db.example:5432"]), granted, &[]);
        mine.sockets(Phase::Create).unwrap_err().hint().unwrap()
    };
    assert_eq!(told(""), "run `bulkhead grant dns.wasm --project /project`");
    let later = r#"network = [{ endpoint = "tcp://db.example:5432", phases = ["read"] }]"#;
    let only = "run `bulkhead grant dns.wasm --project /project --only 'network = [\"tcp://db.example:5432\"]'`";
    assert_eq!(told(later), only);
}

#[test]
fn a_request_that_means_nothing_yet_is_configured_where_it_can_be() {
    let told = |value: Configured| {
        let mine = permissions(network(&["${config.endpoint}"]), "", &[]).bind(&move |_| value.clone());
        hint(&mine, "https://a.example.com")
    };
    assert!(told(Configured::Absent).starts_with("configure `endpoint` if that is meant; no grant is wider"));
    assert!(told(Configured::Unknown).starts_with("no grant is wider"), "whoever configures it has done so");
}

#[test]
fn a_line_alone_is_granted_where_more_would_come_along_or_all_would_not_do() {
    for (asked, granted, destination, narrow) in [
        ("https://*.b.example", "", "https://x.b.example", false),
        ("https://*.b.example", r#""https://y.b.example""#, "https://x.b.example", true),
        ("https://a.example", r#""https://y.b.example""#, "https://a.example", false),
        ("https://*", "", "https://93.184.216.34", false),
        ("https://*", "", "https://10.0.0.1", true),
        ("https://*", "", "https://localhost", true),
        ("https://10.0.0.1", "", "https://10.0.0.1", false),
        ("https://localhost", "", "https://localhost", false),
    ] {
        let mine = permissions(network(&["https://*.b.example", asked]), &format!("network = [{granted}]"), &[]);
        let told = hint(&mine, destination);
        assert_eq!(is_narrow(&told), narrow, "{asked} {granted} {destination}: {told}");
    }
    let packages = r#"{"packages":[{"package":"shop","reason":"r"},{"package":"random","reason":"r"}]}"#;
    let mine = permissions(serde_json::from_str(packages).unwrap(), "packages = [\"random\"]", &[]);
    let denial = mine.package("shop", None).unwrap_err();
    assert!(!is_narrow(&denial.hint().unwrap()), "{denial:?}");
}

#[test]
fn a_line_says_when_and_which_addresses_and_no_more() {
    let granted = r#"network = [{ endpoint = "https://a.example", methods = ["GET"], addresses = ["private"] },
        { endpoint = "https://a.example", methods = ["HEAD"], addresses = ["private", "loopback"] },
        { endpoint = "https://b.example", methods = ["GET"], addresses = ["link-local"] }]"#;
    let asked = ["https://a.example", "https://b.example"];
    let told = hint(&permissions(network(&asked), granted, &[]), "PUT https://a.example");
    let line = r#"[{ endpoint = "https://a.example", methods = ["PUT"], phases = ["create"], addresses = ["private", "loopback"] }] to"#;
    assert!(told.contains(line), "{told}");
    let asked = r#"{"network":[{"endpoint":"https://*.example","phases":["check","create"],"reason":"r"}]}"#;
    let mine = permissions(serde_json::from_str(asked).unwrap(), "", &[]);
    assert!(hint(&mine, "https://a.example").contains(&by_hand("\"https://a.example\"")));
    let early = mine.destination(Phase::Check, &to("https://a.example")).unwrap_err();
    let line = by_hand(r#"{ endpoint = "https://a.example", phases = ["check", "create"] }"#);
    assert!(early.hint().unwrap().contains(&line), "{early:?}");
}

#[test]
fn a_link_local_address_is_spelt_out_where_a_reference_would_not_do() {
    let granted = r#"network = [{ endpoint = "${config.endpoint}", methods = ["GET"] }]"#;
    for (value, line) in [("http://10.1.2.3", "${config.endpoint}"), ("http://169.254.7.7", "http://169.254.7.7")] {
        let mine = permissions(network(&["${config.endpoint}"]), granted, &[]);
        let mine = mine.bind(&|_| Configured::Given(vec![value.to_owned()]));
        let told = hint(&mine, &format!("PUT {value}"));
        assert!(told.contains(&format!(" and network = [{{ endpoint = \"{line}\", methods = [\"PUT\"]")), "{told}");
    }
}

#[test]
fn what_is_around_a_component_is_granted_with_all_else_that_it_asks_for() {
    let requests =
        r#"{"environment":[{"name":"A","reason":"r"}],"filesystem":[{"path":"x","access":"write","reason":"r"}]}"#;
    let requests: Requests = serde_json::from_str(requests).unwrap();
    let none = permissions(requests.clone(), "", &[]);
    let (variable, directory) = (none.variable("A").unwrap_err(), none.directories().next().unwrap().1.unwrap_err());
    for denial in [&variable, &directory] {
        assert!(
            denial.hint().unwrap().starts_with("run `bulkhead grant dns.wasm --project /project`, or add a block [["),
            "{denial:?}"
        );
    }
    let unasked = none.variable("B").unwrap_err();
    assert!(unasked.hint().unwrap().ends_with("which only the component's author can change"), "{unasked:?}");
    let granted = r#"filesystem = [{ path = "y", at = "/elsewhere" }, { path = "x", at = "/old" }, { path = "x", at = "/srv/x" }]"#;
    let twice = permissions(requests, granted, &[]);
    let (_, directory) = twice.directories().next().unwrap();
    assert_eq!(directory.map(|directory| directory.at), Ok("/srv/x".into()));
    let line = r#"{ path = "x", at = "/srv/x", access = "write" }"#;
    assert!(twice.widening("x").to_string().contains(line), "it stays where it lies: {}", twice.widening("x"));
}

#[test]
fn a_path_is_one_word_of_a_command_and_itself() {
    for (path, spelt) in [("", "''"), (r"a\b c", r"'a\b c'"), ("a'b", r"'a'\''b'")] {
        assert_eq!(word(path), spelt);
    }
}

#[test]
fn a_name_that_is_only_looked_up_is_told_so() {
    let resolving = Destination { port: None, ..to("tcp://db.example:5432") };
    let denial = Permissions::default().destination(Phase::Create, &resolving).unwrap_err();
    assert_eq!(denial.subject, "tcp://db.example:*");
}
