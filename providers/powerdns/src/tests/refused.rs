//! Inputs that a check refuses, each with its path: nobody has to ask a server to know that they are wrong.

use super::*;

/// The failures of a check, as they are shown.
fn failures<R: Resource>(inputs: Fields) -> Vec<String> {
    let (driver, _) = driver(Vec::new());
    let checked = driver.check::<R>(inputs.clone()).unwrap();
    assert_eq!(checked.inputs, inputs, "what is given stays as it is");
    checked.failures.iter().map(|failure| format!("{} {}", failure.path, failure.reason)).collect()
}

#[test]
fn wrong_records_are_refused_with_their_paths() {
    let none: [&str; 0] = [];
    assert_eq!(failures::<RecordSet>(records("A", vec!["192.0.2.1"])), none);
    assert_eq!(
        failures::<RecordSet>(records("A", vec!["192.0.2.1", "x", "192.0.2.1"])),
        [
            "records[1] is no A record: the address must be an IPv4 address, such as 192.0.2.1",
            "records[2] is there twice"
        ]
    );
    let secret =
        with(records("A", Vec::new()), fields! { "records": vec![Value::from("hunter2").secret(), Value::Unknown] });
    let failed = failures::<RecordSet>(secret);
    assert_eq!(failed.len(), 1);
    assert!(failed[0].starts_with("records[0] is no A record") && !failed[0].contains("hunter2"), "{failed:?}");
    let unknown = with(records("A", vec!["x"]), fields! { "type": Value::Unknown });
    assert_eq!(failures::<RecordSet>(unknown), none, "what isn't known yet may be right");
    for (more, failure) in [
        (fields! { "name": "www.example.com." }, "name must be a name: it isn't in the zone"),
        (fields! { "zone": "a b" }, "zone must be a name: it has spaces or other characters that must be escaped"),
        (fields! { "type": "RRSIG" }, "type is made by the server when it signs a zone"),
        (fields! { "type": "type257" }, "type has a name, by which the server knows it: write CAA"),
        (
            fields! { "name": "@", "type": "CNAME", "records": vec!["a.example."] },
            "name must be below the zone's own name, which can't have a CNAME; ALIAS may do",
        ),
        (
            fields! { "type": "SOA", "records": vec!["a. b. 1 2 3 4 5"] },
            "name must be the zone's own, the only one with records of type SOA",
        ),
        (
            fields! { "type": "CNAME", "records": vec!["a.example.", "b.example."] },
            "records must hold one record: no name has several of type CNAME",
        ),
    ] {
        assert_eq!(failures::<RecordSet>(with(records("A", vec!["192.0.2.1"]), more)), [failure]);
    }
}

#[test]
fn wrong_zones_metadata_and_keys_are_refused_with_their_paths() {
    let none: [&str; 0] = [];
    assert_eq!(failures::<Zone>(zone_inputs()), none);
    for (more, failure) in [
        (fields! { "nameservers": vec!["ns1.example.org", "NS1.example.org."] }, "nameservers[1] is there twice"),
        (
            fields! { "nameservers": vec!["ns1"] },
            "nameservers[0] must be a name: write it in full, such as mail.example.org",
        ),
        (fields! { "kind": "Secondary" }, "masters must be given for a zone that is fetched from elsewhere"),
        (
            fields! { "kind": "Slave", "masters": vec!["ns.example"] },
            "masters[0] must be an address, such as 192.0.2.1, 192.0.2.1:5300 or [2001:db8::1]:5300",
        ),
        (
            fields! { "masters": vec!["192.0.2.1"] },
            "masters must be left out for a zone whose records are the server's own",
        ),
        (
            fields! { "kind": "Slave", "masters": vec!["::1"], "nameservers": vec!["a.example"] },
            "nameservers must be left out for a zone whose records are fetched from elsewhere",
        ),
        (
            fields! { "slaveTsigKeyIds": vec!["a.", "b."] },
            "slaveTsigKeyIds must hold one key: servers use no second one, and since 5.1 they refuse it",
        ),
        (fields! { "nsec3param": "1 0 0 -" }, "nsec3param needs `dnssec`"),
        (fields! { "nsec3param": "1 0 0 -", "dnssec": Value::Null }, "nsec3param needs `dnssec`"),
        (
            fields! { "nsec3param": "2 0 0 -", "dnssec": true },
            "nsec3param must start with 1: there is no other algorithm",
        ),
        (fields! { "nsec3narrow": true, "dnssec": true }, "nsec3narrow needs `nsec3param`"),
        (
            fields! { "soaEdit": "EPOCHS" },
            "soaEdit must be one of INCREMENT-WEEKS, INCEPTION-EPOCH, INCEPTION-INCREMENT, EPOCH, NONE",
        ),
    ] {
        assert_eq!(failures::<Zone>(with(zone_inputs(), more)), [failure]);
    }
    let metadata = |kind: &str| fields! { "zone": "example.org", "kind": kind, "values": vec!["1"] };
    for own in ["X-OWN", "X-own", "X-Owned_By", "X-a.b:c"] {
        assert_eq!(failures::<ZoneMetadata>(metadata(own)), none, "{own}");
    }
    for (kind, property) in [("api-rectify", "apiRectify"), ("SOA-EDIT", "soaEdit"), ("SOA-EDIT-API", "soaEditApi")] {
        let elsewhere = format!("kind can't be set here; set `{property}` of the zone");
        assert_eq!(failures::<ZoneMetadata>(metadata(kind)), [elsewhere]);
    }
    for kind in ["also-notify", "ALSO_NOTIFY", "x-own", "X-a b", "X-a/b", ""] {
        let failed = failures::<ZoneMetadata>(metadata(kind));
        assert_eq!(failed, ["kind must consist of upper-case letters, digits and dashes, or start with X-"], "{kind}");
    }
    let key = fields! { "name": "k", "algorithm": "hmac-sha256", "key": Value::from("no base64!").secret() };
    assert_eq!(failures::<TsigKey>(key), ["key must be base64"]);
}
