//! The `powerdns` provider under the real engine, with a real PowerDNS server, and with one grant: the endpoint that is
//! configured.

mod keys;
mod lists;
mod losses;
mod sets;
mod zones;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use bulkhead::component::digest;
use bulkhead_tests::{Gate, Guest, Launch, PowerDns, Project, in_time};
use rustix::process::Signal;
use serde_json::json;

use crate::bulkhead;

const ALL: &str = "
resources:
  key: {type: powerdns:TsigKey, properties: {name: transfer}}
  zone:
    type: powerdns:Zone
    properties:
      name: example.org
      kind: Primary
      nameservers: [ns1.example.org, ns2.example.org]
      masterTsigKeyIds: ['${key.id}']
  www: {type: powerdns:RecordSet, properties: {zone: '${zone.name}', name: www, type: A, ttl: 300, records: [192.0.2.1, 192.0.2.2]}}
  text: {type: powerdns:RecordSet, properties: {zone: '${zone.name}', name: '@', type: TXT, records: ['v=spf1 mx -all'], comments: [{content: who sends mail}]}}
  mail: {type: powerdns:RecordSet, properties: {zone: '${zone.name}', name: example.org, type: MX, ttl: 300, records: [10 Mail.example.org]}}
  notify: {type: powerdns:ZoneMetadata, properties: {zone: '${zone.name}', kind: ALSO-NOTIFY, values: ['192.0.2.53']}}
";

const LOOKED_UP: &str = "
variables:
  found: {fn::invoke: {function: powerdns:getZone, arguments: {name: '${www.zone}'}}}
  records: {fn::invoke: {function: powerdns:getRecordSet, arguments: {zone: '${www.zone}', name: www, type: a}}}
  zones: {fn::invoke: {function: powerdns:getZones, arguments: {below: '${www.zone}', kind: Master}}}
  server: {fn::invoke: {function: powerdns:getServer, arguments: {}}}
outputs:
  nameservers: ${found.nameservers}
  records: ${records.records}
  zone: ${zones.zones[0].name}
  daemon: ${server.daemonType}
";

/// The provider.
pub(crate) fn powerdns() -> Guest {
    Guest::build(&bulkhead(), "providers/powerdns")
}

/// A project that is configured for a server, and has no grant.
fn configured(endpoint: &str, key: &str) -> Project {
    let project = Project::new(&bulkhead(), &[&powerdns()], Launch::Plugins);
    project.pulumi(["config", "set", "powerdns:endpoint", endpoint]).succeeded();
    project.pulumi(["config", "set", "--secret", "powerdns:apiKey", key]).succeeded();
    project
}

/// The same with the one grant.
fn granted(endpoint: &str, key: &str) -> Project {
    let project = configured(endpoint, key);
    grant(&project.directory());
    project
}

/// Grants the endpoint that is configured, and nothing else.
fn grant(directory: &Path) {
    let component = fs::read(powerdns().component).unwrap();
    let file = format!(
        "[[providers.powerdns.grants]]\ndigest = \"sha256:{}\"\nnetwork = [\"${{config.endpoint}}\"]\n",
        digest(&component)
    );
    fs::write(directory.join("bulkhead.toml"), file).unwrap();
}

/// What the server has of a name and type.
fn records(server: &PowerDns, name: &str, kind: &str) -> Vec<String> {
    let (_, zone) = server.ask("GET", "/zones/example.org.", None);
    let sets = zone["rrsets"].as_array().cloned().unwrap_or_default();
    let set = sets.into_iter().find(|set| set["name"] == name && set["type"] == kind);
    let records = set.map(|set| set["records"].as_array().cloned().unwrap_or_default()).unwrap_or_default();
    let mut contents: Vec<String> =
        records.iter().map(|record| record["content"].as_str().unwrap().to_owned()).collect();
    contents.sort();
    contents
}

/// Puts records onto the server behind the provider's back.
fn put(server: &PowerDns, name: &str, kind: &str, records: &[&str]) {
    let records: Vec<_> = records.iter().map(|content| json!({"content": content, "disabled": false})).collect();
    let set = json!({"name": name, "type": kind, "ttl": 300, "changetype": "REPLACE", "records": records});
    assert_eq!(server.ask("PATCH", "/zones/example.org.", Some(&json!({"rrsets": [set]}))).0, 204);
}

fn sorted(mut steps: Vec<String>) -> Vec<String> {
    steps.sort();
    steps
}

/// Whoever has the key in a variable is told by the CLI what lets the provider see it.
#[test]
fn a_key_in_a_variable_that_is_not_granted_is_denied_with_what_would_grant_it() {
    let mut project = Project::new(&bulkhead(), &[&powerdns()], Launch::Plugins);
    project.set("PDNS_API_KEY", "of the environment");
    project.pulumi(["config", "set", "powerdns:endpoint", "http://127.0.0.1:9"]).succeeded();
    project.program("resources:\n  key: {type: powerdns:TsigKey, properties: {name: transfer}}\n");
    let refused = project.up(&[]).failed();
    let told = refused.messages("error").join("\n");
    assert!(told.contains("missing required configuration key \"powerdns:apiKey\""), "{refused}");
    let hint = "hint: environment PDNS_API_KEY is denied: nothing grants it; run `bulkhead grant /";
    assert!(told.contains(hint), "{refused}");
}

/// The CLI alone would have the key set in clear, and in the history of the state for good.
#[test]
fn whoever_lacks_a_secret_key_is_told_how_to_give_it_as_one() {
    let project = Project::new(&bulkhead(), &[&powerdns()], Launch::Plugins);
    project.pulumi(["config", "set", "powerdns:endpoint", "http://127.0.0.1:9"]).succeeded();
    project.program("resources:\n  key: {type: powerdns:TsigKey, properties: {name: transfer}}\n");
    let told = || project.up(&[]).failed().messages("error").join("\n");
    let secret = "hint: it is secret: set it with `pulumi config set --secret powerdns:apiKey`";
    let ungranted = told();
    assert!(ungranted.contains(secret) && !ungranted.contains("PDNS_API_KEY"), "{ungranted}");
    grant(&project.directory());
    let file = project.directory().join("bulkhead.toml");
    fs::write(&file, fs::read_to_string(&file).unwrap() + "environment = [\"PDNS_API_KEY\"]\n").unwrap();
    let granted = told();
    assert!(granted.contains(&format!("{secret}, or set the variable PDNS_API_KEY")), "{granted}");
}

#[test]
fn zones_and_records_live_from_first_to_last() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    project.program(&format!("{ALL}{LOOKED_UP}"));
    let created = project.up(&[]).succeeded();
    let names = ["key", "mail", "notify", "text", "www", "zone"];
    assert_eq!(sorted(created.steps()), names.map(|name| format!("create {name}")));
    assert_eq!(records(&server, "www.example.org.", "A"), ["192.0.2.1", "192.0.2.2"]);
    assert_eq!(records(&server, "example.org.", "TXT"), ["\"v=spf1 mx -all\""]);
    assert_eq!(records(&server, "example.org.", "MX"), ["10 mail.example.org."]);
    assert_eq!(
        server.ask("GET", "/zones/example.org./metadata/ALSO-NOTIFY", None).1["metadata"],
        json!(["192.0.2.53"])
    );
    assert_eq!(server.ask("GET", "/zones/example.org.", None).1["master_tsig_key_ids"], json!(["transfer."]));
    let secret = server.ask("GET", "/tsigkeys/transfer.", None).1["key"].as_str().unwrap().to_owned();
    assert!(!project.files().contains(&secret), "the key should be encrypted");
    assert_eq!(
        project.outputs(),
        json!({
            "nameservers": ["ns1.example.org.", "ns2.example.org."], "records": ["192.0.2.1", "192.0.2.2"],
            "zone": "example.org.", "daemon": "authoritative",
        })
    );

    // Nothing changed, whatever the server made of what it was given.
    for unchanged in [project.up(&["--expect-no-changes"]), project.refresh(&[]), project.up(&["--expect-no-changes"])]
    {
        assert!(unchanged.succeeded().steps().iter().all(|step| step == "update zone" || step == "refresh zone"));
    }

    // Spelling is no change; all else is, in place.
    let changed = ALL
        .replace("[192.0.2.1, 192.0.2.2]", "[192.0.2.2, 192.0.2.1]")
        .replace("name: example.org, type: MX", "name: '@', type: mx")
        .replace("v=spf1 mx -all", "v=spf1 -all")
        .replace("ns2.example.org", "ns3.example.org")
        .replace("'192.0.2.53'", "'192.0.2.54', '192.0.2.53'");
    project.program(&changed);
    assert_eq!(sorted(project.up(&[]).succeeded().steps()), ["update notify", "update text", "update zone"]);
    assert_eq!(records(&server, "example.org.", "TXT"), ["\"v=spf1 -all\""]);
    assert_eq!(records(&server, "example.org.", "NS"), ["ns1.example.org.", "ns3.example.org."]);

    // Another name is another set.
    project.program(&changed.replace("name: www", "name: web"));
    let replaced = project.up(&[]).succeeded();
    assert_eq!(replaced.differences("www"), [("name".to_owned(), "update-replace".to_owned())].into());
    assert!(records(&server, "www.example.org.", "A").is_empty());
    assert_eq!(records(&server, "web.example.org.", "A").len(), 2);

    project.destroy(&[]).succeeded();
    assert_eq!(server.ask("GET", "/zones", None).1, json!([]));
    assert_eq!(server.ask("GET", "/tsigkeys", None).1, json!([]));
}

#[test]
fn drift_shows_and_what_is_gone_goes() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    project.program(ALL);
    project.up(&[]).succeeded();
    put(&server, "www.example.org.", "A", &["192.0.2.2", "192.0.2.9"]);
    put(&server, "example.org.", "MX", &["10 mail.example.org."]);
    let gone = json!({"rrsets": [{"name": "example.org.", "type": "TXT", "changetype": "DELETE"}]});
    assert_eq!(server.ask("PATCH", "/zones/example.org.", Some(&gone)).0, 204);

    let refreshed = project.refresh(&[]).succeeded();
    let steps = refreshed.steps();
    assert!(steps.contains(&"update www".to_owned()) && steps.contains(&"delete text".to_owned()), "{steps:?}");
    assert!(!steps.iter().any(|step| step.ends_with("mail") || step.ends_with("key")), "{steps:?}");
    let state = project.state();
    assert_eq!(state.resource("www")["inputs"]["records"], json!(["192.0.2.2", "192.0.2.9"]));
    assert_eq!(state.resource("mail")["inputs"]["records"], json!(["10 Mail.example.org"]), "as the program has it");

    assert_eq!(sorted(project.up(&[]).succeeded().steps()), ["create text", "update www"]);
    assert_eq!(records(&server, "www.example.org.", "A"), ["192.0.2.1", "192.0.2.2"]);
}

#[test]
fn what_exists_is_imported_and_not_overwritten() {
    let server = PowerDns::start();
    let zone =
        json!({"name": "example.org.", "kind": "Master", "nameservers": ["ns1.example.org.", "ns2.example.org."]});
    assert_eq!(server.ask("POST", "/zones", Some(&zone)).0, 201);
    put(&server, "www.example.org.", "A", &["192.0.2.1", "192.0.2.2"]);
    let metadata = json!({"metadata": ["192.0.2.53"]});
    assert_eq!(server.ask("PUT", "/zones/example.org./metadata/ALSO-NOTIFY", Some(&metadata)).0, 200);

    let program = "
resources:
  zone: {type: powerdns:Zone, properties: {name: example.org, kind: Primary, nameservers: [ns2.example.org, ns1.example.org]}}
  www: {type: powerdns:RecordSet, properties: {zone: example.org, name: www, type: A, ttl: 300, records: [192.0.2.2, 192.0.2.1]}}
  notify: {type: powerdns:ZoneMetadata, properties: {zone: example.org, kind: ALSO-NOTIFY, values: ['192.0.2.53']}}
";
    let project = granted(&server.endpoint(), server.key());
    project.program(program);
    let refused = project.up(&[]).failed();
    for id in ["example.org.", "example.org.:www.example.org.:A", "example.org.:ALSO-NOTIFY"] {
        assert!(refused.output().contains(&format!("hint: import it with the id `{id}`")), "{id}: {refused}");
    }

    for (token, name, id) in [
        ("powerdns:index:Zone", "zone", "example.org"),
        ("powerdns:index:RecordSet", "www", "example.org:www:a"),
        ("powerdns:index:ZoneMetadata", "notify", "example.org:ALSO-NOTIFY"),
    ] {
        assert_eq!(project.import(token, name, id).succeeded().steps(), [format!("import {name}")]);
    }
    assert_eq!(project.state().resource("www")["id"], "example.org.:www.example.org.:A");
    let unchanged = project.preview(&["--expect-no-changes"]).succeeded();
    assert!(unchanged.steps().is_empty(), "{unchanged}");
    let missing = project.import("powerdns:index:RecordSet", "none", "example.org:none:A").failed();
    assert!(missing.output().contains("does not exist"), "{missing}");
}

#[test]
fn wrong_records_are_refused_in_previews_without_a_server_or_a_grant() {
    let project = configured("http://127.0.0.1:9", "k");
    let refused = |resource: &str| {
        project.program(&format!("resources: {{it: {{type: powerdns:{resource}}}}}\n"));
        project.preview(&[]).failed().messages("error").join("\n")
    };
    insta::assert_snapshot!(
        refused("RecordSet, properties: {zone: example.org, name: www, type: A, records: [192.0.2.1, 192.0.2.256]}"),
        @"it: powerdns:index:RecordSet resource 'it': property records[1] value {<nil>} has a problem: is no A record: the address must be an IPv4 address, such as 192.0.2.1"
    );
    insta::assert_snapshot!(
        refused("ZoneMetadata, properties: {zone: example.org, kind: API-RECTIFY, values: ['1']}"),
        @"it: powerdns:index:ZoneMetadata resource 'it': property kind value {API-RECTIFY} has a problem: can't be set here; set `apiRectify` of the zone"
    );
}

#[test]
fn a_server_that_goes_away_half_way_is_gone_on_with() {
    let server = PowerDns::start();
    let gate = Gate::before(server.address());
    let project = granted(&gate.endpoint(), server.key());
    let program = "
resources:
  zone: {type: powerdns:Zone, properties: {name: example.org, nameservers: [ns1.example.org], dnssec: true}}
  www: {type: powerdns:RecordSet, properties: {zone: '${zone.name}', name: www, type: A, records: [192.0.2.1]}}
outputs: {ds: '${zone.dsRecords}'}
";
    project.program(program);
    // The zone is made, and then can't be signed.
    gate.shut("PUT ");
    let failed = project.up(&[]).failed();
    assert!(failed.output().contains("no connection"), "{failed}");
    // It may still be at it, and would make a second key.
    assert_eq!(gate.asked().iter().filter(|line| line.starts_with("PUT ")).count(), 1);
    let state = project.state();
    assert_eq!(state.resource("zone")["id"], "example.org.");
    assert!(state.resource("zone")["initErrors"].is_array(), "{state}");

    gate.open();
    let finished = project.up(&[]).succeeded();
    assert_eq!(sorted(finished.steps()), ["create www", "update zone"]);
    assert_eq!(server.ask("GET", "/zones/example.org.", None).1["dnssec"], true);
    assert!(project.outputs()["ds"].as_array().is_some_and(|records| !records.is_empty()));
    assert!(project.preview(&["--expect-no-changes"]).succeeded().steps().is_empty());
}

#[test]
fn a_server_that_is_down_changes_nothing() {
    let mut server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    let program = |records: &str| {
        format!(
            "
resources:
  zone: {{type: powerdns:Zone, properties: {{name: example.org}}}}
  www: {{type: powerdns:RecordSet, properties: {{zone: '${{zone.name}}', name: www, type: A, records: [{records}]}}}}
"
        )
    };
    project.program(&program("192.0.2.1"));
    project.up(&[]).succeeded();
    server.stop();
    project.program(&program("192.0.2.2"));
    let failed = project.up(&[]).failed();
    let errors = failed.messages("error").join("\n");
    assert!(errors.contains("no connection: it was refused; is the server running?"), "{failed}");
    server.go_on();
    assert_eq!(project.up(&[]).succeeded().steps(), ["update www"]);
    assert_eq!(records(&server, "www.example.org.", "A"), ["192.0.2.2"]);

    project.pulumi(["config", "set", "--secret", "powerdns:apiKey", "wrong"]).succeeded();
    project.program(&program("192.0.2.3"));
    let refused = project.up(&[]).failed();
    let expected =
        "the server doesn't accept the API key\nhint: `powerdns:apiKey` must be what the server's `api-key` says";
    assert!(refused.messages("error").iter().any(|message| message.contains(expected)), "{refused}");
}

#[test]
fn what_is_no_web_server_is_asked_once() {
    let server = PowerDns::start();
    let gate = Gate::before(server.address());
    gate.misunderstand("");
    let project = granted(&gate.endpoint(), server.key());
    project.program("resources: {zone: {type: powerdns:Zone, properties: {name: example.org}}}\n");
    let failed = project.up(&["--skip-preview"]).failed();
    let expected = format!("{}: the server doesn't keep to the protocol", gate.endpoint());
    assert!(failed.messages("error").iter().any(|message| message.contains(&expected)), "{failed}");
    assert_eq!(gate.asked().len(), 1, "it would say the same again");
}

#[tokio::test]
async fn a_server_that_is_silent_keeps_nobody_waiting() {
    let server = PowerDns::start();
    let gate = Gate::before(server.address());
    let project = granted(&gate.endpoint(), server.key());
    gate.stall("GET ");
    project.program(
        "
resources:
  zone: {type: powerdns:Zone, properties: {name: example.org}, options: {customTimeouts: {create: 3s}}}
",
    );
    let late = project.up(&[]).failed();
    let errors = late.messages("error").join("\n");
    // As much as is left of three seconds when it asks, and not the minute that a request has by itself.
    assert!((0..=3).any(|left| errors.contains(&format!("no answer within {left}."))), "{late}");

    project.program("resources: {zone: {type: powerdns:Zone, properties: {name: example.org}}}\n");
    in_time(3, async || {
        let before = gate.asked().len();
        let mut up = project.start_up();
        let begun = Instant::now();
        while gate.asked().len() == before {
            assert!(!up.has_ended() && begun.elapsed() < Duration::from_secs(60), "nothing was asked: {}", up.said());
            std::thread::sleep(Duration::from_millis(20));
        }
        let interrupted = Instant::now();
        up.signal(Signal::INT);
        up.finish().failed();
        // The host would end it after ten.
        (interrupted.elapsed() < Duration::from_secs(9)).then_some(())
    })
    .await;
    assert_eq!(server.ask("GET", "/zones", None).1, json!([]));
}

#[test]
fn a_denial_names_the_line_that_grants_and_the_line_works() {
    let server = PowerDns::start();
    let project = configured(&server.endpoint(), server.key());
    project.program("resources: {zone: {type: powerdns:Zone, properties: {name: example.org}}}\n");
    assert_eq!(project.preview(&[]).succeeded().steps(), ["create zone"], "previews need no server");
    let denied = project.up(&[]).failed();
    let errors = denied.messages("error").join("\n");
    assert!(errors.contains("the host denied it"), "{denied}");
    assert!(errors.contains("network = [\"${config.endpoint}\"]"), "{denied}");
    assert_eq!(server.ask("GET", "/zones", None).1, json!([]), "nothing should have reached the server");

    let component = powerdns().component;
    let project_directory = project.directory();
    let grant = [
        "grant".as_ref(),
        component.as_os_str(),
        "--yes".as_ref(),
        "--project".as_ref(),
        project_directory.as_os_str(),
    ];
    let granted = bulkhead().run(grant).succeeded();
    assert!(granted.stdout.contains("manages zones, records and keys through the API"), "{granted}");
    assert_eq!(project.up(&[]).succeeded().steps(), ["create zone"]);
}
