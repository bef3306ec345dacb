//! Record sets as operators have them: in part switched off, written in ways that the server spells otherwise, and very long.

use bulkhead_tests::PowerDns;
use serde_json::{Value, json};

use super::{granted, records, sorted};

/// What the server has of a name and type, with what is switched off.
fn all(server: &PowerDns, name: &str, kind: &str) -> Vec<(String, bool)> {
    let (_, zone) = server.ask("GET", "/zones/example.org.", None);
    let sets = zone["rrsets"].as_array().cloned().unwrap_or_default();
    let set = sets.into_iter().find(|set| set["name"] == name && set["type"] == kind).unwrap_or_default();
    let read = |record: &Value| (record["content"].as_str().unwrap().to_owned(), record["disabled"] == true);
    let mut found: Vec<_> = set["records"].as_array().into_iter().flatten().map(read).collect();
    found.sort();
    found
}

fn put(server: &PowerDns, name: &str, kind: &str, contents: &[(&str, bool)]) {
    let records: Vec<_> =
        contents.iter().map(|(content, disabled)| json!({"content": content, "disabled": disabled})).collect();
    let set = json!({"name": name, "type": kind, "ttl": 3600, "changetype": "REPLACE", "records": records});
    assert_eq!(server.ask("PATCH", "/zones/example.org.", Some(&json!({"rrsets": [set]}))).0, 204);
}

#[test]
fn what_others_switched_off_is_kept_found_and_not_overwritten() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    let program = |address: &str, more: &str| {
        format!(
            "
resources:
  zone: {{type: powerdns:Zone, properties: {{name: example.org, nameservers: [ns1.example.net]}}}}
  www: {{type: powerdns:RecordSet, properties: {{zone: '${{zone.name}}', name: www, type: A, records: [{address}, 192.0.2.2]}}}}
{more}
"
        )
    };
    project.program(&program("192.0.2.1", ""));
    project.up(&[]).succeeded();
    put(&server, "www.example.org.", "A", &[("192.0.2.1", false), ("192.0.2.2", false), ("192.0.2.9", true)]);
    put(&server, "*.example.org.", "A", &[("192.0.2.7", true)]);
    let refreshed = project.refresh(&[]).succeeded().steps();
    assert!(!refreshed.iter().any(|step| step.ends_with("www")), "{refreshed:?}");

    let looked_up = "
outputs: {off: '${found.disabled}'}
variables: {found: {fn::invoke: {function: powerdns:getRecordSet, arguments: {zone: '${www.zone}', name: www, type: A}}}}
";
    project.program(&program("192.0.2.3", looked_up));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update www"]);
    let expected = [("192.0.2.2".to_owned(), false), ("192.0.2.3".to_owned(), false), ("192.0.2.9".to_owned(), true)];
    assert_eq!(all(&server, "www.example.org.", "A"), expected);
    assert_eq!(project.outputs()["off"], json!(["192.0.2.9"]));

    let wildcard = "  any: {type: powerdns:RecordSet, properties: {zone: '${zone.name}', name: '*', type: A, records: [192.0.2.8]}}";
    project.program(&program("192.0.2.3", wildcard));
    let refused = project.up(&[]).failed();
    assert!(refused.output().contains("hint: import it with the id `example.org.:*.example.org.:A`"), "{refused}");
    assert_eq!(all(&server, "*.example.org.", "A"), [("192.0.2.7".to_owned(), true)]);
}

#[test]
fn what_the_server_spells_otherwise_is_no_drift() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    let program = |more: &str| {
        format!(
            "
resources:
  zone: {{type: powerdns:Zone, properties: {{name: Example.ORG}}}}
{more}"
        )
    };
    let set = |name: &str, properties: &str| {
        format!("  {name}: {{type: powerdns:RecordSet, properties: {{zone: '${{zone.name}}', {properties}}}}}\n")
    };
    let long = "x".repeat(600);
    let sets = [
        set("hinted", "name: www, type: HTTPS, records: ['1 . ipv6hint=auto alpn=h2,h3 ipv4hint=auto']"),
        set(
            "service",
            "name: _dns, type: svcb, records: ['1 dns.example.org mandatory=port,alpn port=853 alpn=dot key65400=a']",
        ),
        set("text", &format!("name: t, type: TXT, records: ['say \"hi\" \\ grüße', '{long}', '\"a\" \"b\"']")),
        set("authority", "name: '@', type: CAA, records: ['0 Issue letsencrypt.org', '0 iodef mailto:a@example.org']"),
        set("wild", "name: '*.WWW', type: CNAME, records: [www.Example.org]"),
        set("reused", "name: _sip._tcp, type: SRV, records: ['0 5 5060 Sip.example.org.']"),
        set("alias", "name: '@', type: ALIAS, records: [www.example.net]"),
        set("code", "name: lua, type: LUA, records: ['a \"ifportup(443, {''192.0.2.1''})\"']"),
        set("place", "name: loc, type: LOC, records: ['51 30 12.748 N 0 7 39.611 W 0m']"),
        set("tunnel", "name: vpn, type: IPSECKEY, records: ['10 3 2 Gate.example.org AQNR U3mG', '10 0 2 . AQNRU3mH']"),
        set("remote", "name: vpn, type: RKEY, records: ['0 3 8 AQNR U3mG']"),
        set("networks", "name: nets, type: APL, records: ['1:192.0.2.1/24 !2:2001:DB8::1/32']"),
    ];
    project.program(&program(&sets.concat()));
    project.up(&[]).succeeded();
    let refreshed = sorted(project.refresh(&[]).succeeded().steps());
    assert!(refreshed.iter().all(|step| step == "update zone"), "{refreshed:?}");
    assert!(project.preview(&["--expect-no-changes"]).succeeded().steps().is_empty());
    assert_eq!(records(&server, "www.example.org.", "HTTPS"), ["1 . alpn=h2,h3 ipv4hint=auto ipv6hint=auto"]);
    let texts = records(&server, "t.example.org.", "TXT");
    assert!(texts.contains(&r#""say \"hi\" \\ gr\195\188\195\159e""#.to_owned()), "{texts:?}");
}

#[test]
fn a_set_of_thousands_is_one_set() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    let program = |count: u32| {
        let addresses: Vec<String> = (0..count).rev().map(|n| format!("10.0.{}.{}", n / 256, n % 256)).collect();
        format!(
            "
resources:
  zone: {{type: powerdns:Zone, properties: {{name: example.org}}}}
  pool: {{type: powerdns:RecordSet, properties: {{zone: '${{zone.name}}', name: pool, type: A, records: [{}]}}}}
",
            addresses.join(", ")
        )
    };
    project.program(&program(6000));
    project.up(&[]).succeeded();
    let refreshed = project.refresh(&[]).succeeded().steps();
    assert!(!refreshed.contains(&"update pool".to_owned()), "{refreshed:?}");
    project.program(&program(5999));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update pool"]);
    assert_eq!(all(&server, "pool.example.org.", "A").len(), 5999);
}

#[test]
fn of_two_resources_that_are_one_set_the_second_is_told_that_it_exists() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    let set = |name: &str, address: &str| {
        format!(
            "  {name}: {{type: powerdns:RecordSet, properties: {{zone: '${{zone.name}}', name: www, type: A, records: [{address}]}}}}\n"
        )
    };
    project.program(&format!(
        "resources:\n  zone: {{type: powerdns:Zone, properties: {{name: example.org}}}}\n{}{}",
        set("one", "192.0.2.1"),
        set("other", "192.0.2.2")
    ));
    // They are made at once, and each finds none before it.
    let refused = project.up(&[]).failed();
    assert!(refused.output().contains("hint: import it with the id `example.org.:www.example.org.:A`"), "{refused}");
    let state = project.state();
    assert!(state.has("one") != state.has("other"), "{state}");
    let expected = if state.has("one") { "192.0.2.1" } else { "192.0.2.2" };
    assert_eq!(records(&server, "www.example.org.", "A"), [expected]);
}

/// Daily work: a name that had addresses of its own becomes another's, and the reverse. The server takes neither beside the other.
#[test]
fn a_name_becomes_an_alias_and_an_address_again_in_one_update_each() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    for (kind, content) in [("A", "192.0.2.1"), ("CNAME", "web.example.org."), ("A", "192.0.2.2")] {
        project.program(&format!(
            "
resources:
  zone: {{type: powerdns:Zone, properties: {{name: example.org}}}}
  www: {{type: powerdns:RecordSet, properties: {{zone: '${{zone.name}}', name: www, type: {kind}, records: [{content}]}}}}
"
        ));
        project.up(&[]).succeeded();
        for known in ["A", "CNAME"] {
            let expected = if known == kind { vec![content.to_owned()] } else { Vec::new() };
            assert_eq!(records(&server, "www.example.org.", known), expected, "{known} of {kind}");
        }
    }
}

/// Engines ask the provider which of the two goes first where a change replaces, and nobody where they are told to replace.
#[test]
fn a_set_that_is_replaced_by_itself_is_deleted_first() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    let program = |address: &str, option: &str| {
        project.program(&format!(
            "
resources:
  zone: {{type: powerdns:Zone, properties: {{name: example.org}}}}
  www:
    type: powerdns:RecordSet
    properties: {{zone: '${{zone.name}}', name: www, type: A, records: [{address}]}}
    options: {{{option}}}
"
        ));
    };
    let first = ["delete-replaced www", "replace www", "create-replacement www"];
    program("192.0.2.1", "replaceOnChanges: [records]");
    project.up(&[]).succeeded();
    program("192.0.2.2", "replaceOnChanges: [records]");
    assert_eq!(project.up(&[]).succeeded().steps(), first);
    assert_eq!(records(&server, "www.example.org.", "A"), ["192.0.2.2"]);

    let told = ["--replace", "**::www"];
    let refused = project.up(&told).failed();
    assert!(refused.output().contains("say `deleteBeforeReplace: true` in its options"), "{refused}");
    assert_eq!(records(&server, "www.example.org.", "A"), ["192.0.2.2"]);
    program("192.0.2.2", "deleteBeforeReplace: true");
    assert_eq!(project.up(&told).succeeded().steps(), first);
    assert_eq!(records(&server, "www.example.org.", "A"), ["192.0.2.2"]);
}
