//! What can't be had again, and stays whatever a program changes beside it.

use bulkhead_tests::{Gate, PowerDns};
use serde_json::{Value, json};

use super::{granted, put, records, sorted};

fn keys(server: &PowerDns) -> Value {
    server.ask("GET", "/zones/example.org./cryptokeys", None).1
}

#[test]
fn keys_of_which_a_zone_says_nothing_stay() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    let program = |more: &str| {
        format!(
            "
resources:
  zone: {{type: powerdns:Zone, properties: {{name: example.org, {more}}}}}
  key: {{type: powerdns:CryptoKey, properties: {{zone: '${{zone.name}}'}}}}
"
        )
    };
    project.program(&program("account: one"));
    assert_eq!(sorted(project.up(&[]).succeeded().steps()), ["create key", "create zone"]);
    let made = keys(&server);
    assert_eq!(made.as_array().map(Vec::len), Some(1));

    // The key signs the zone, which isn't said of it.
    project.refresh(&[]).succeeded();
    assert!(project.preview(&["--expect-no-changes"]).succeeded().steps().is_empty());
    project.program(&program("account: two"));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update zone"]);
    assert_eq!(keys(&server), made);

    // To be said to be signed, and no more, it needs no other.
    project.program(&program("account: two, dnssec: true, nsec3param: 1 0 0 -"));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update zone"]);
    project.program(&program("account: three"));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update zone"]);
    assert_eq!(keys(&server), made);

    project.program(&program("account: three, dnssec: false"));
    project.up(&[]).succeeded();
    assert_eq!(keys(&server), json!([]));
}

#[test]
fn a_zone_that_is_signed_where_it_is_fetched_to_is_fetched_with_its_key() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    // This server can't order the names of a zone that it hasn't fetched yet.
    project.program(
        "
resources:
  key: {type: powerdns:TsigKey, properties: {name: transfer}}
  zone:
    type: powerdns:Zone
    properties:
      {name: example.org, kind: Secondary, masters: [192.0.2.1], dnssec: true, apiRectify: false, slaveTsigKeyIds: ['${key.id}']}
",
    );
    assert_eq!(sorted(project.up(&[]).succeeded().steps()), ["create key", "create zone"]);
    let zone = server.ask("GET", "/zones/example.org.", None).1;
    assert_eq!((&zone["dnssec"], &zone["slave_tsig_key_ids"]), (&json!(true), &json!(["transfer."])));
    assert_eq!(zone["soa_edit_api"], "", "the serial is the primary's");
    project.refresh(&[]).succeeded();
    assert!(project.preview(&["--expect-no-changes"]).succeeded().steps().is_empty());
}

#[test]
fn serials_go_on_whatever_is_said_of_them() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    let program = |serial: u32, retry: u32| {
        format!(
            "
resources:
  zone: {{type: powerdns:Zone, properties: {{name: example.org, soaEditApi: INCREASE}}}}
  soa:
    type: powerdns:RecordSet
    properties:
      zone: '${{zone.name}}'
      name: '@'
      type: SOA
      records: [ns1.example.org hostmaster.example.org {serial} 10800 {retry} 604800 3600]
"
        )
    };
    let serial = || server.ask("GET", "/zones/example.org.", None).1["serial"].as_u64();
    project.program(&program(1000, 3600));
    project.up(&[]).succeeded();
    assert_eq!(serial(), Some(1001));
    put(&server, "www.example.org.", "A", &["192.0.2.1"]);
    assert_eq!(serial(), Some(1002));

    // The program goes on saying what it said, and says an older one at last.
    project.program(&program(1000, 7200));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update soa"]);
    assert_eq!(serial(), Some(1003));
    project.program(&program(1, 7200));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update soa"]);
    assert_eq!(serial(), Some(1004));
    assert_eq!(
        records(&server, "example.org.", "SOA"),
        ["ns1.example.org. hostmaster.example.org. 1004 10800 7200 604800 3600"]
    );
}

#[test]
fn a_server_that_is_elsewhere_has_lost_nothing() {
    let server = PowerDns::start();
    let gate = Gate::before(server.address());
    let project = granted(&gate.endpoint(), server.key());
    project.program(
        "
resources:
  zone: {type: powerdns:Zone, properties: {name: example.org}}
  www: {type: powerdns:RecordSet, properties: {zone: '${zone.name}', name: www, type: A, records: [192.0.2.1]}}
  owner: {type: powerdns:ZoneMetadata, properties: {zone: '${zone.name}', kind: X-OWNER, values: [somebody]}}
",
    );
    project.up(&[]).succeeded();
    gate.mislead("");
    for missed in [project.refresh(&[]), project.destroy(&[])] {
        let missed = missed.failed();
        assert!(missed.output().contains("there is no API of such a server"), "{missed}");
    }
    gate.open();
    project.refresh(&[]).succeeded();
    assert!(project.preview(&["--expect-no-changes"]).succeeded().steps().is_empty());
    project.destroy(&[]).succeeded();
    assert_eq!(server.ask("GET", "/zones", None).1, json!([]));
}

#[test]
fn no_zone_is_left_without_name_servers() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    let zone = |more: &str| {
        format!("resources:\n  zone: {{type: powerdns:Zone, properties: {{name: example.org, {more}}}}}\n")
    };
    let set = "  ns: {type: powerdns:RecordSet, properties: {zone: '${zone.name}', name: '@', type: NS, records: [ns1.example.net]}}\n";
    project.program(&format!("{}{set}", zone("account: dns")));
    project.up(&[]).succeeded();
    // The zone itself says from now on what its name servers are.
    project.program(&zone("account: dns, nameservers: [ns1.example.net]"));
    assert_eq!(sorted(project.up(&[]).succeeded().steps()), ["delete ns", "update zone"]);
    assert_eq!(records(&server, "example.org.", "NS"), ["ns1.example.net."]);
}

#[test]
fn a_change_whose_outcome_nobody_knows_is_looked_after_though_it_is_taken_back() {
    let server = PowerDns::start();
    let gate = Gate::before(server.address());
    let project = granted(&gate.endpoint(), server.key());
    let program = |address: &str| {
        format!(
            "
resources:
  zone: {{type: powerdns:Zone, properties: {{name: example.org}}}}
  www: {{type: powerdns:RecordSet, properties: {{zone: '${{zone.name}}', name: www, type: A, records: [{address}]}}}}
"
        )
    };
    project.program(&program("192.0.2.1"));
    project.up(&[]).succeeded();
    project.program(&program("192.0.2.2"));
    gate.shut("PATCH /");
    project.up(&[]).failed();
    let attempts = gate.asked().iter().filter(|line| line.starts_with("PATCH ")).count();
    assert!(attempts > 3, "it should be tried again: {attempts}");
    gate.open();
    // It came about after all.
    put(&server, "www.example.org.", "A", &["192.0.2.2"]);
    project.program(&program("192.0.2.1"));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update www"]);
    assert_eq!(records(&server, "www.example.org.", "A"), ["192.0.2.1"]);
    assert!(project.preview(&["--expect-no-changes"]).succeeded().steps().is_empty());
}

#[test]
fn what_attempts_may_have_done_to_a_zone_is_neither_others_doing_nor_undone_where_they_did_not() {
    let server = PowerDns::start();
    let gate = Gate::before(server.address());
    let project = granted(&gate.endpoint(), server.key());
    let program = |primary: &str, catalog: &str| {
        format!(
            "
resources:
  zone: {{type: powerdns:Zone, properties: {{name: example.org{catalog}}}}}
  copy: {{type: powerdns:Zone, properties: {{name: example.net, kind: Secondary, masters: [{primary}]}}}}
"
        )
    };
    let has = |zone: &str, name: &str| server.ask("GET", &format!("/zones/{zone}."), None).1[name].clone();
    let change = |zone: &str, change: Value| {
        assert_eq!(server.ask("PUT", &format!("/zones/{zone}."), Some(&change)).0, 204, "{change}");
    };
    project.program(&program("192.0.2.1", ""));
    project.up(&[]).succeeded();
    // As a server does that is told to (`default-catalog-zone`).
    change("example.org", json!({ "catalog": "default.example." }));
    gate.shut("PUT /");
    project.program(&program("192.0.2.2", ", catalog: mine.example"));
    project.up(&[]).failed();
    change("example.net", json!({ "masters": ["192.0.2.2"] }));
    project.program(&program("192.0.2.1", ""));
    for _ in 0..2 {
        let failed = project.up(&[]).failed();
        assert!(!failed.output().contains("others changed"), "{failed}");
    }
    gate.open();
    assert_eq!(sorted(project.up(&[]).succeeded().steps()), ["update copy", "update zone"]);
    assert_eq!(has("example.net", "masters"), json!(["192.0.2.1"]));
    assert_eq!(has("example.org", "catalog"), "default.example.");
    assert!(project.preview(&["--expect-no-changes"]).succeeded().steps().is_empty());
}
