//! Zones that are signed, zones that are fetched from elsewhere, and what is remembered about them.

use bulkhead_tests::PowerDns;
use serde_json::{Value, json};

use super::{granted, sorted};

fn zone(server: &PowerDns) -> Value {
    server.ask("GET", "/zones/example.org.", None).1
}

fn change(server: &PowerDns, change: &Value) {
    assert_eq!(server.ask("PUT", "/zones/example.org.", Some(change)).0, 204);
}

#[test]
fn denials_are_hashed_as_it_is_said() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    let program = |properties: &str| {
        format!(
            "resources: {{zone: {{type: powerdns:Zone, properties: {{name: example.org, dnssec: true, {properties}}}}}}}\n\
             outputs: {{ds: '${{zone.dsRecords}}'}}\n"
        )
    };
    project.program(&program("nsec3param: 1 0 0 -"));
    assert_eq!(project.up(&[]).succeeded().steps(), ["create zone"]);
    assert_eq!((&zone(&server)["dnssec"], &zone(&server)["nsec3param"]), (&json!(true), &json!("1 0 0 -")));
    assert!(project.outputs()["ds"].as_array().is_some_and(|records| !records.is_empty()));
    assert!(project.preview(&["--expect-no-changes"]).succeeded().steps().is_empty());

    project.program(&program("nsec3param: 1 0 1 AB, nsec3narrow: true"));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update zone"]);
    assert_eq!((&zone(&server)["nsec3param"], &zone(&server)["nsec3narrow"]), (&json!("1 0 1 ab"), &json!(true)));
    project.refresh(&[]).succeeded();
    assert!(project.preview(&["--expect-no-changes"]).succeeded().steps().is_empty(), "the salt's spelling is its own");

    change(&server, &json!({"nsec3param": "1 0 2 cd"}));
    assert_eq!(project.refresh(&[]).succeeded().steps(), ["update zone"]);
    assert_eq!(project.state().resource("zone")["inputs"]["nsec3param"], "1 0 2 cd");
    assert_eq!(project.up(&[]).succeeded().steps(), ["update zone"]);
    assert_eq!(zone(&server)["nsec3param"], "1 0 1 ab");

    // Said no more, they aren't hashed any more.
    project.program(&program("nsec3narrow: false"));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update zone"]);
    assert_eq!((&zone(&server)["dnssec"], &zone(&server)["nsec3param"]), (&json!(true), &json!("")));

    for (properties, expected) in [
        ("nsec3param: 2 0 0 -", "property nsec3param"),
        ("nsec3narrow: true", "property nsec3narrow"),
        ("soaEdit: NEVER", "property soaEdit"),
    ] {
        project.program(&program(properties));
        let errors = project.preview(&[]).failed().messages("error").join("\n");
        assert!(errors.contains(expected), "{properties}: {errors}");
    }
}

#[test]
fn the_order_of_names_is_left_to_others_if_it_is_said() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    let metadata = || server.ask("GET", "/zones/example.org./metadata", None).1.to_string();
    for (property, set) in [("", None), (", apiRectify: false", Some("0")), (", apiRectify: true", Some("1"))] {
        project.program(&format!(
            "resources: {{zone: {{type: powerdns:Zone, properties: {{name: example.org{property}}}}}}}\n"
        ));
        project.up(&[]).succeeded();
        let found = metadata();
        assert_eq!(found.contains("API-RECTIFY"), set.is_some(), "{found}");
        assert!(set.is_none_or(|set| found.contains(&format!(r#""API-RECTIFY","metadata":["{set}"]"#))), "{found}");
    }
}

#[test]
fn a_zone_is_fetched_from_elsewhere_and_becomes_ones_own() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    let program = |kind: &str| {
        format!(
            "
resources:
  key: {{type: powerdns:TsigKey, properties: {{name: transfer}}}}
  zone: {{type: powerdns:Zone, properties: {{name: example.org, {kind}}}}}
"
        )
    };
    let fetched = "masters: [192.0.2.1, '192.0.2.2:5300'], slaveTsigKeyIds: ['${key.id}']";
    project.program(&program(&format!("kind: Secondary, {fetched}")));
    assert_eq!(sorted(project.up(&[]).succeeded().steps()), ["create key", "create zone"]);
    let made = zone(&server);
    assert_eq!((&made["kind"], &made["slave_tsig_key_ids"]), (&json!("Slave"), &json!(["transfer."])));
    assert_eq!(made["masters"], json!(["192.0.2.1", "192.0.2.2:5300"]));

    // Spelling, and what the server makes of it, is no change.
    let respelled = fetched.replace("[192.0.2.1, '192.0.2.2:5300']", "['192.0.2.2:5300', '192.0.2.1:53']");
    project.program(&program(&format!("kind: Slave, {respelled}")));
    project.refresh(&[]).succeeded();
    assert!(project.preview(&["--expect-no-changes"]).succeeded().steps().is_empty());

    change(&server, &json!({"masters": ["192.0.2.9"]}));
    assert_eq!(project.refresh(&[]).succeeded().steps(), ["update zone"]);
    assert_eq!(project.up(&[]).succeeded().steps(), ["update zone"]);
    assert_eq!(zone(&server)["masters"].as_array().map(Vec::len), Some(2));

    let other = granted(&server.endpoint(), server.key());
    other.program("resources: {}\n");
    assert_eq!(other.import("powerdns:index:Zone", "zone", "example.org").succeeded().steps(), ["import zone"]);
    assert_eq!(other.state().resource("zone")["inputs"]["masters"].as_array().map(Vec::len), Some(2));

    project.program(&program("kind: Primary"));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update zone"], "in place");
    let own = zone(&server);
    assert_eq!((&own["kind"], &own["masters"], &own["slave_tsig_key_ids"]), (&json!("Master"), &json!([]), &json!([])));

    project.program(&program("kind: Secondary"));
    let errors = project.preview(&[]).failed().messages("error").join("\n");
    assert!(errors.contains("property masters"), "{errors}");
}

#[test]
fn metadata_is_kept_as_it_is_said() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    let program = |own: &str| {
        format!(
            "
resources:
  zone: {{type: powerdns:Zone, properties: {{name: example.org}}}}
  allowed: {{type: powerdns:ZoneMetadata, properties: {{zone: '${{zone.name}}', kind: ALLOW-AXFR-FROM, values: [AUTO-NS, '2001:db8::/48']}}}}
  own: {{type: powerdns:ZoneMetadata, properties: {{zone: '${{zone.name}}', {own}}}}}
"
        )
    };
    project.program(&program("kind: X-billed_to, values: [somebody]"));
    project.up(&[]).succeeded();
    assert!(server.ask("GET", "/zones/example.org./metadata", None).1.to_string().contains("X-billed_to"));
    project.program(&program("kind: X-OWNER, values: [somebody]"));
    project.up(&[]).succeeded();
    let metadata =
        |kind: &str| server.ask("GET", &format!("/zones/example.org./metadata/{kind}"), None).1["metadata"].clone();
    assert_eq!(metadata("X-OWNER"), json!(["somebody"]));
    assert_eq!(metadata("ALLOW-AXFR-FROM"), json!(["AUTO-NS", "2001:db8::/48"]));
    // Each change of its metadata is one of the zone's serial.
    let drift = project.refresh(&[]).succeeded().steps();
    assert!(drift.iter().all(|step| step == "update zone"), "{drift:?}");

    assert_eq!(server.ask("DELETE", "/zones/example.org./metadata/ALLOW-AXFR-FROM", None).0, 200);
    let other = json!({"metadata": ["somebody", "somebody else"]});
    assert_eq!(server.ask("PUT", "/zones/example.org./metadata/X-OWNER", Some(&other)).0, 200);
    let refreshed = sorted(project.refresh(&[]).succeeded().steps());
    assert!(
        refreshed.contains(&"delete allowed".to_owned()) && refreshed.contains(&"update own".to_owned()),
        "{refreshed:?}"
    );
    let mended = sorted(project.up(&[]).succeeded().steps());
    assert!(mended.contains(&"create allowed".to_owned()) && mended.contains(&"update own".to_owned()), "{mended:?}");
    assert_eq!(metadata("X-OWNER"), json!(["somebody"]));

    // Another kind is another resource, and one that the server doesn't know is refused with its path.
    project.program(&program("kind: X-TEAM, values: [dns]"));
    let replaced = project.up(&[]).succeeded();
    let differences = [("kind", "update-replace"), ("values[0]", "update")];
    assert_eq!(replaced.differences("own"), differences.map(|(path, kind)| (path.to_owned(), kind.to_owned())).into());
    assert_eq!((metadata("X-OWNER"), metadata("X-TEAM")), (json!([]), json!(["dns"])));
    project.program(&program("kind: NO-SUCH-KIND, values: [dns]"));
    let refused = project.up(&[]).failed();
    assert!(refused.output().contains("kind: is none that the server knows, and doesn't start with X-"), "{refused}");
}
