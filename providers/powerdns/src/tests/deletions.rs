//! What isn't there is deleted. What a router says that lets questions through only is no such answer.

use super::*;

fn nothing() -> Answer {
    answer(404, "page not found")
}

/// A deletion before which nothing but questions comes through: `more` is what the server has then.
fn refused<R: Resource<Config = Settings>>(prior: &Recorded<R>, answers: Vec<Answer>) {
    let (driver, script) = driver(answers);
    let error = driver.delete(prior).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("something before the server says that there is no such thing, and there is\nhint: "),
        "{error}"
    );
    assert!(matches!(error.into_kind(), ErrorKind::Failed(_)), "what isn't found counts as gone");
    script.asked();
}

#[test]
fn what_is_there_to_be_read_is_not_deleted() {
    let there = || zone("example.org.", "");
    let (driver_, _) = driver(vec![nothing(), there(), there()]);
    let created = driver_.create::<Zone>(zone_inputs()).unwrap();
    refused(&created, vec![nothing(), there()]);

    let set = r#"{"rrsets":[{"name":"www.example.org.","type":"A","ttl":300,"records":[{"content":"192.0.2.1"}]}]}"#;
    let (driver_, _) = driver(vec![no_sets(), version("5.0.5"), answer(204, "")]);
    let created = driver_.create::<RecordSet>(records("A", vec!["192.0.2.1"])).unwrap();
    refused(&created, vec![nothing(), answer(200, set)]);

    let values = |values: &str| answer(200, &format!(r#"{{"metadata":[{values}]}}"#));
    let (driver_, _) = driver(vec![values(""), answer(204, "")]);
    let metadata = fields! { "zone": "example.org", "kind": "X-A", "values": vec!["1"] };
    let created = driver_.create::<ZoneMetadata>(metadata).unwrap();
    refused(&created, vec![nothing(), values(r#""1""#)]);

    let key = || answer(200, r#"{"id":"k.","name":"k","algorithm":"hmac-sha256","key":"c2VjcmV0"}"#);
    let (driver_, _) = driver(vec![nothing(), key()]);
    let created = driver_.create::<TsigKey>(fields! { "name": "k", "algorithm": "hmac-sha256" }).unwrap();
    refused(&created, vec![nothing(), key()]);

    let key = r#"{"id":1,"keytype":"csk","active":true,"algorithm":"X","bits":256,"dnskey":"257 3 13 aw=="}"#;
    let all = || answer(200, &format!("[{key}]"));
    let (driver_, _) = driver(vec![answer(201, key)]);
    let inputs = fields! { "zone": "example.org", "keytype": "csk", "active": true, "published": true };
    let created = driver_.create::<CryptoKey>(inputs).unwrap();
    refused(&created, vec![all(), nothing(), all()]);
}

#[test]
fn what_is_gone_with_its_zone_is_deleted() {
    let (driver_, _) = driver(vec![nothing(), zone("example.org.", ""), zone("example.org.", "")]);
    let created = driver_.create::<Zone>(zone_inputs()).unwrap();
    let (driver_, script) = driver(vec![nothing(), nothing(), version("5.0.5")]);
    driver_.delete(&created).unwrap();
    assert_eq!(script.asked(), ["DELETE /zones/example.org.", "GET /zones/example.org.?rrsets=false", "GET"]);
}
