//! Keys whose secret can't be had again, and what of them is there at which moment.

use super::*;

fn inputs(algorithm: &str) -> Fields {
    fields! { "name": "K.", "algorithm": algorithm }
}

fn key(algorithm: &str) -> Answer {
    answer(200, &format!(r#"{{"id":"k.","name":"k","algorithm":"{algorithm}","key":"c2VjcmV0"}}"#))
}

fn all(algorithms: &[&str]) -> Answer {
    let keys: Vec<String> = algorithms
        .iter()
        .map(|algorithm| format!(r#"{{"id":"k.","name":"k","algorithm":"{algorithm}","key":""}}"#))
        .collect();
    answer(200, &format!("[{}]", keys.join(",")))
}

/// A key that the server made.
fn made() -> Recorded<TsigKey> {
    let (driver, script) = driver(vec![answer(404, ""), key("hmac-sha256")]);
    let created = driver.create::<TsigKey>(inputs("hmac-sha256")).unwrap();
    assert_eq!(script.asked()[1], r#"POST /tsigkeys {"name":"k","algorithm":"hmac-sha256"}"#);
    created
}

const CHANGED: &str = r#"{"name":"k","algorithm":"hmac-sha512","key":"c2VjcmV0"}"#;

#[test]
fn a_generated_key_stays_through_updates_and_is_secret() {
    let created = made();
    assert_eq!(created.fields["key"], Value::from("c2VjcmV0").secret());
    assert_eq!(created.fields["name"], "K.".into());
    let (driver, script) = driver(vec![key("hmac-sha256"), key("hmac-sha512"), all(&["hmac-sha512"])]);
    let updated = driver.update(&created, inputs("hmac-sha512")).unwrap();
    assert_eq!(updated.fields["key"], created.fields["key"]);
    assert_eq!(script.asked()[1], format!("PUT /tsigkeys/k. {CHANGED}"));
}

#[test]
fn a_key_of_which_the_server_keeps_two_is_made_anew() {
    let created = made();
    // Whichever of the two the server uses: its database may choose another one later.
    for used in ["hmac-sha256", "hmac-sha512"] {
        let two = all(&[used, "hmac-sha256"]);
        let answers = vec![key("hmac-sha256"), key("hmac-sha512"), two, answer(204, ""), key("hmac-sha512")];
        let (driver, script) = driver(answers);
        let updated = driver.update(&created, inputs("hmac-sha512")).unwrap();
        assert_eq!(updated.fields["key"], created.fields["key"]);
        let asked = script.asked();
        assert_eq!(asked[2..4], ["GET /tsigkeys", "DELETE /tsigkeys/k."]);
        assert_eq!(asked[4], format!("POST /tsigkeys {CHANGED}"));
    }
}

#[test]
fn what_is_refused_is_refused_while_there_is_a_key() {
    let created = made();
    let refused = answer(422, r#"{"error":"Unknown TSIG algorithm: hmac-sha512"}"#);
    let (driver, script) = driver(vec![key("hmac-sha256"), refused]);
    let error = driver.update(&created, inputs("hmac-sha512")).unwrap_err();
    assert_eq!(error.to_string(), "the server refuses the key");
    assert_eq!(script.asked().len(), 2);
}

#[test]
fn a_key_that_was_lost_half_way_is_had_again() {
    let created = made();
    let two = || all(&["hmac-sha512", "hmac-sha256"]);
    // The answer is lost, and not the key.
    let lost = vec![answer(204, ""), Answer::Lost, answer(409, ""), key("hmac-sha512")];
    let answers = [key("hmac-sha256"), key("hmac-sha512"), two()].into_iter().chain(lost).collect();
    let (driver_, script) = driver(answers);
    driver_.update(&created, inputs("hmac-sha512")).unwrap();
    script.asked();
    // The key is.
    let mut answers = vec![key("hmac-sha256"), key("hmac-sha512"), two(), answer(204, "")];
    answers.extend((0..5).map(|_| Answer::Lost));
    let (driver_, _) = driver(answers);
    let error = driver_.update(&created, inputs("hmac-sha512")).unwrap_err().to_string();
    assert!(error.contains("the next `pulumi up` makes it again as it is recorded"), "{error}");
    let (driver_, script) = driver(vec![answer(404, ""), key("hmac-sha512")]);
    let updated = driver_.update(&created, inputs("hmac-sha512")).unwrap();
    assert_eq!(updated.fields["key"], created.fields["key"]);
    assert_eq!(script.asked()[1], format!("POST /tsigkeys {CHANGED}"));
}

#[test]
fn a_private_key_is_never_asked_for() {
    let key = |number: u32, active: bool, more: &str| {
        format!(
            r#"{{"id":{number},"keytype":"zsk","active":{active},"published":true,"algorithm":"ECDSAP256SHA256","bits":256{more}}}"#
        )
    };
    let made = answer(201, &key(7, false, r#","privatekey":"Private-key-format: v1.2""#));
    let listed = |active: bool| answer(200, &format!("[{},{}]", key(6, true, ""), key(7, active, "")));
    let inputs =
        |active: bool| fields! { "zone": "example.org", "keytype": "zsk", "active": active, "published": true };
    let (driver, script) = driver(vec![
        made,
        listed(false),
        listed(false),
        answer(204, ""),
        listed(true),
        listed(true),
        answer(200, "[]"),
        version("5.1.4"),
    ]);
    let created = driver.create::<CryptoKey>(inputs(false)).unwrap();
    assert!(!format!("{:?}", created.fields).contains("Private-key-format"), "{created:?}");
    assert_eq!(driver.read(&created).unwrap().unwrap().fields, created.fields);
    let updated = driver.update(&created, inputs(true)).unwrap();
    assert_eq!(updated.fields["active"], true.into());
    assert_eq!(driver.import::<CryptoKey>("example.org:7").unwrap().unwrap().fields["active"], true.into());
    assert!(driver.read(&updated).unwrap().is_none(), "it is gone");
    let asked = script.asked();
    assert!(!asked.iter().any(|request| request.starts_with("GET") && request.ends_with("/cryptokeys/7")), "{asked:?}");
}

/// Each in the server's words; those of a key that it can't read may hold the key.
#[test]
fn a_key_that_is_refused_says_which_input_is_wrong() {
    let key = |reason: &str| format!("`privateKey` {reason}");
    let no_dnssec = "the server can't keep the key\nhint: DNSSEC may have to be enabled in its configuration, for a database such as with \
                     `gsqlite3-dnssec`";
    for (said, shown) in [
        ("Unknown algorithm: rsa", "`algorithm` is none that the server knows".to_owned()),
        (
            "Request to create key object for unknown algorithm number 99",
            "`algorithm` is none that the server knows".to_owned(),
        ),
        (
            "Creating an algorithm 8 (RSASHA256) key requires the size (in bits) to be passed.",
            "`bits` must be given for this algorithm".to_owned(),
        ),
        ("Can not guess key size for algorithm 99", "`bits` must be given for this algorithm".to_owned()),
        ("The algorithm does not support the given bit size.", "`bits` is no size that the algorithm has".to_owned()),
        (
            "Private key size (2048 bits) is inconsistent with the 'bits' field",
            key("is of another size than `bits` says"),
        ),
        (
            "Private key algorithm (RSASHA256) is inconsistent with the 'algorithm' field",
            key("is of another algorithm than `algorithm` says"),
        ),
        (
            "Either you submit just the 'privatekey' field or you leave 'privatekey' empty and submit the other fields.",
            key("says its algorithm and size itself: leave out `algorithm` and `bits` beside it"),
        ),
        (
            "Key could not be parsed. Make sure your key format is correct. Algorithm: hunter2",
            key("is no key in BIND's format that the server can read"),
        ),
        ("Adding key failed, perhaps DNSSEC not enabled in configuration?", no_dnssec.to_owned()),
        ("hunter2", "the server refuses the key".to_owned()),
    ] {
        let (driver, _) = driver(vec![answer(422, &format!(r#"{{"error":"{said}"}}"#))]);
        let inputs = fields! { "zone": "example.org", "keytype": "zsk", "active": true, "published": true };
        assert_eq!(driver.create::<CryptoKey>(inputs).unwrap_err().to_string(), shown);
    }
}
