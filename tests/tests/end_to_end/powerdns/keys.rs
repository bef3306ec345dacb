//! Keys: those that sign transfers, and those that sign zones.

use bulkhead_tests::PowerDns;
use serde_json::json;

use super::{granted, sorted};

/// 32 bytes, in base64.
const KEY: &str = "Zm9yIHRyYW5zZmVycyBvbmx5LCBhbmQgbm90IGEgYml0";

const TSIG: &str = "
resources:
  made: {type: powerdns:TsigKey, properties: {name: made}}
  given: {type: powerdns:TsigKey, properties: {name: given.example.org, algorithm: hmac-sha512, key: {fn::secret: KEY}}}
";

#[test]
fn keys_for_transfers_are_made_or_given_and_stay_secret() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    project.program(&TSIG.replace("KEY", KEY));
    assert_eq!(sorted(project.up(&[]).succeeded().steps()), ["create given", "create made"]);
    let key = |name: &str| server.ask("GET", &format!("/tsigkeys/{name}."), None).1;
    let (made, given) = (key("made"), key("given.example.org"));
    assert_eq!((given["algorithm"].as_str(), given["key"].as_str()), (Some("hmac-sha512"), Some(KEY)));
    let secret = made["key"].as_str().unwrap().to_owned();
    assert!(!project.files().contains(&secret), "the key should be encrypted");
    for unchanged in [project.refresh(&[]), project.up(&["--expect-no-changes"])] {
        assert!(unchanged.succeeded().steps().is_empty());
    }

    // A key that isn't given stays what it was, whatever else changes.
    project.program(&TSIG.replace("KEY", KEY).replace("{name: made}", "{name: made., algorithm: hmac-sha1}"));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update made"]);
    assert_eq!((key("made")["algorithm"].as_str(), key("made")["key"].as_str()), (Some("hmac-sha1"), Some(&*secret)));
    let listed = server.ask("GET", "/tsigkeys", None).1;
    let listed = listed.as_array().unwrap().iter().filter(|key| key["id"] == "made.").count();
    assert_eq!(listed, 1, "no other key of the name should be left for the server to choose");

    // What somebody else does shows, and is put right.
    let other = json!({"name": "given.example.org", "algorithm": "hmac-sha256", "key": KEY});
    assert_eq!(server.ask("PUT", "/tsigkeys/given.example.org.", Some(&other)).0, 200);
    assert_eq!(server.ask("DELETE", "/tsigkeys/made.", None).0, 204);
    assert_eq!(sorted(project.refresh(&[]).succeeded().steps()), ["delete made", "update given"]);
    assert_eq!(sorted(project.up(&[]).succeeded().steps()), ["create made", "update given"]);
    assert_eq!(key("given.example.org")["algorithm"], "hmac-sha512");

    project.destroy(&[]).succeeded();
    assert_eq!(server.ask("GET", "/tsigkeys", None).1, json!([]));
}

#[test]
fn keys_for_transfers_are_imported_and_not_overwritten() {
    let server = PowerDns::start();
    let there = json!({"name": "made", "algorithm": "hmac-sha256", "key": KEY});
    assert_eq!(server.ask("POST", "/tsigkeys", Some(&there)).0, 201);
    let project = granted(&server.endpoint(), server.key());
    project.program("resources: {made: {type: powerdns:TsigKey, properties: {name: made}}}\n");
    let refused = project.up(&[]).failed();
    assert!(refused.output().contains("hint: import it with the id `made.`"), "{refused}");
    assert_eq!(project.import("powerdns:index:TsigKey", "made", "made").succeeded().steps(), ["import made"]);
    assert!(!project.files().contains(KEY), "the key should be encrypted");
    let wrong = "resources: {made: {type: powerdns:TsigKey, properties: {name: 'a b', key: no base64!}}}\n";
    project.program(wrong);
    let errors = project.preview(&[]).failed().messages("error").join("\n");
    assert!(errors.contains("property name") && errors.contains("must be base64"), "{errors}");
}

#[test]
fn keys_that_sign_are_added_changed_and_imported() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    let program = |active: bool| {
        format!(
            "
resources:
  zone: {{type: powerdns:Zone, properties: {{name: example.org, dnssec: true}}}}
  key:
    type: powerdns:CryptoKey
    properties: {{zone: '${{zone.name}}', keytype: zsk, algorithm: ecdsa256, active: {active}}}
outputs: {{number: '${{key.number}}', bits: '${{key.bits}}', ds: '${{key.dsRecords}}'}}
"
        )
    };
    project.program(&program(false));
    assert_eq!(sorted(project.up(&[]).succeeded().steps()), ["create key", "create zone"]);
    let outputs = project.outputs();
    assert_eq!((&outputs["bits"], &outputs["ds"]), (&json!(256), &json!([])));
    let path = format!("/zones/example.org./cryptokeys/{}", outputs["number"]);
    let key = || server.ask("GET", &path, None).1;
    assert_eq!(key()["active"], false);

    project.program(&program(true));
    let updated = project.up(&[]).succeeded().steps();
    assert!(updated.contains(&"update key".to_owned()), "{updated:?}");
    assert_eq!(key()["active"], true);

    // Behind its back.
    assert_eq!(server.ask("PUT", &path, Some(&json!({"active": false, "published": true}))).0, 204);
    let refreshed = project.refresh(&[]).succeeded().steps();
    assert!(refreshed.contains(&"update key".to_owned()), "{refreshed:?}");

    let other = granted(&server.endpoint(), server.key());
    other.program("resources: {}\n");
    let id = format!("example.org:{}", outputs["number"]);
    assert_eq!(other.import("powerdns:index:CryptoKey", "key", &id).succeeded().steps(), ["import key"]);
    assert_eq!(other.state().resource("key")["inputs"]["active"], false);
    let missing = other.import("powerdns:index:CryptoKey", "none", "example.org:999").failed();
    assert!(missing.output().contains("does not exist"), "{missing}");

    project.destroy(&[]).succeeded();
    assert_eq!(server.ask("GET", "/zones", None).1, json!([]));
}

/// The server gives the largest number again once its key is deleted.
#[test]
fn another_key_that_was_given_the_number_of_one_that_is_gone_stays() {
    let server = PowerDns::start();
    let project = granted(&server.endpoint(), server.key());
    let zone = "resources:\n  zone: {type: powerdns:Zone, properties: {name: example.org}}\n";
    let key = "  key: {type: powerdns:CryptoKey, properties: {zone: '${zone.name}'}}\n";
    project.program(&format!("{zone}{key}"));
    project.up(&[]).succeeded();
    let keys = || server.ask("GET", "/zones/example.org./cryptokeys", None).1;
    let number = keys()[0]["id"].clone();
    assert_eq!(server.ask("DELETE", &format!("/zones/example.org./cryptokeys/{number}"), None).0, 204);
    let other = json!({"keytype": "csk", "active": true, "published": true});
    assert_eq!(server.ask("POST", "/zones/example.org./cryptokeys", Some(&other)).0, 201);
    let theirs = keys();
    assert_eq!(theirs[0]["id"], number, "this server should give it again");

    project.program(zone);
    assert_eq!(project.up(&[]).succeeded().steps(), ["delete key"]);
    assert_eq!(keys(), theirs);
}
