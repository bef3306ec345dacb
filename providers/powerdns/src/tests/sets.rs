//! Record sets: in whose words they are told, and what the server says of those that it refuses.

use super::*;

#[test]
fn refusals_name_the_input_and_repeat_no_value() {
    for (said, shown) in [
        (
            r#"Record www.example.org./A '192.0.2.2': Parsing record content (try 'pdnsutil check-zone'): no address"#,
            "`records[1]` is refused by the server: no address",
        ),
        ("RRset www.example.org. IN A: Name is out of zone", "`name` is refused by the server: Name is out of zone"),
        (
            "RRset www.example.org. IN A: Conflicts with pre-existing RRset",
            "`name` is refused by the server: Conflicts with pre-existing RRset; sets of this name that it can't be beside have to go first: take them out of the program and run that, or delete them on the server where they aren't in it, and then add this one",
        ),
        ("RRset www.example.org. IN A: unknown type given", "`type` is refused by the server: unknown type given"),
        (
            r#"Record www.example.org./A '192.0.2.2': Parsing record content (try 'pdnsutil check-zone'): SvcParam 'dohpath' is not recognized"#,
            "`records[1]` is refused by the server: SvcParam is not recognized",
        ),
        (
            r#"RRset www.example.org. IN A: duplicate record with content \"192.0.2.2\""#,
            "`records` is refused by the server: duplicate record with content",
        ),
        (
            "RRset www.example.org. IN A: conflicts with existing CNAME RRset of the same name",
            "`name` is refused by the server: conflicts with existing CNAME RRset of the same name; sets of this name that it can't be beside have to go first: take them out of the program and run that, or delete them on the server where they aren't in it, and then add this one",
        ),
        (
            "RRset www.example.org. IN DNAME: Cannot have both NS and DNAME except in zone apex",
            "`name` is refused by the server: Cannot have both NS and DNAME except in zone apex; sets of this name that it can't be beside have to go first: take them out of the program and run that, or delete them on the server where they aren't in it, and then add this one",
        ),
        (
            "Name 'a+b.example.org.' contains unsupported characters",
            "`name` is refused by the server: Name contains unsupported characters",
        ),
        ("something else", "the server refuses it: something else"),
        (
            "Bad Request",
            "the server doesn't take the request\nhint: it may be larger than the server's `webserver-max-bodysize`, which is 2 MB by default",
        ),
    ] {
        let refused = answer(422, &format!(r#"{{"error":"{said}"}}"#));
        let (driver, _) = driver(vec![no_sets(), version("5.0.5"), refused]);
        let error = driver.create::<RecordSet>(records("A", vec!["192.0.2.1", "192.0.2.2"])).unwrap_err();
        assert_eq!(error.to_string(), shown);
    }
    let several = answer(422, r#"{"error":"Multiple errors found in RRset","errors":["one thing","another"]}"#);
    let (driver_, _) = driver(vec![no_sets(), version("5.0.5"), several]);
    let error = driver_.create::<RecordSet>(records("A", vec!["192.0.2.1"])).unwrap_err().to_string();
    assert_eq!(error, "the server refuses it: one thing; another");
    let (driver, _) = driver(vec![no_sets(), version("5.0.5"), answer(404, r#"{"error":"Not Found"}"#)]);
    let error = driver.create::<RecordSet>(records("A", vec!["192.0.2.1"])).unwrap_err().to_string();
    assert!(error.starts_with("`zone` must be a zone of the server\nhint: "), "{error}");
}

#[test]
fn the_servers_spelling_of_what_nobody_here_knows_is_taken() {
    let refused = |given: &str, spelled: &str| {
        let said = format!("Record www.example.org./NEWTYPE '{given}': Not in expected format (parsed as '{spelled}')");
        answer(422, &format!(r#"{{"error":"{said}"}}"#))
    };
    let answers = [no_sets(), version("5.0.5"), refused("b", "B"), no_sets(), refused("a", "A"), no_sets()];
    let (driver_, script) = driver(answers.into_iter().chain([answer(204, "")]).collect());
    let created = driver_.create::<RecordSet>(records("NEWTYPE", vec!["a", "b"])).unwrap();
    assert_eq!(created.fields["records"], vec!["a", "b"].into(), "as the program has it");
    let asked = script.asked();
    assert!(
        asked[6].contains(r#"[{"content":"A","disabled":false},{"content":"B","disabled":false}]"#),
        "{}",
        asked[6]
    );

    // Meanwhile somebody else may have made one.
    let there = r#"{"rrsets":[{"name":"www.example.org.","type":"NEWTYPE","ttl":1,"records":[{"content":"C"}]}]}"#;
    let (driver_, script) = driver(vec![no_sets(), version("5.0.5"), refused("a", "A"), answer(200, there)]);
    let error = driver_.create::<RecordSet>(records("NEWTYPE", vec!["a"])).unwrap_err().to_string();
    assert!(error.contains("import it with the id `example.org.:www.example.org.:NEWTYPE`"), "{error}");
    script.asked();
}

/// As 5.1 says it of what lost its backslashes, behind something that says that it is an older version.
#[test]
fn a_spelling_that_means_another_text_is_not_taken() {
    let said =
        r#"Record www.example.org./TXT '\"say \"hi\"\"': Not in expected format (parsed as '\"say \" \"hi\" \"\"')"#;
    for (texts, place) in [(vec!["say \"hi\""], "records[0]"), (vec!["v=1", "say \"hi\""], "records")] {
        let refused = answer(422, &format!(r#"{{"error":"{said}"}}"#));
        let (driver, script) = driver(vec![no_sets(), version("5.0.5"), refused]);
        let error = driver.create::<RecordSet>(records("TXT", texts)).unwrap_err().to_string();
        let expected = format!("`{place}` is read as another text by the server\nhint: servers since 5.1 take ");
        assert!(error.starts_with(&expected), "{error}");
        assert!(!error.contains("\"hi\""), "it may be secret: {error}");
        assert_eq!(script.asked().len(), 3);
    }
    // And of what one server alone reads so.
    let said = r#"Record www.example.org./TXT '\"a\\\\b\"': Not in expected format (parsed as '\"ab\"')"#;
    let refused = answer(422, &format!(r#"{{"error":"{said}"}}"#));
    let (driver, _) = driver(vec![no_sets(), version("5.0.5"), refused]);
    let error = driver.create::<RecordSet>(records("TXT", vec!["v=1", "a\\b"])).unwrap_err().to_string();
    assert!(error.starts_with("`records[1]` is read as another text by the server\n"), "{error}");
}

/// What the server repeats isn't always what it was sent.
#[test]
fn a_record_that_the_server_repeats_in_other_words_has_a_place() {
    for (said, shown) in [
        (
            r#"Record www.example.org./TXT '\"hunter2\\\\4294967235\"': Parsing record content (try 'pdnsutil check-zone'): Data field in DNS should end on a quote (\") at position 26"#,
            "`records[0]` is refused by the server: Data field in DNS should end on a quote (\") at position 26",
        ),
        (
            r"Invalid character '(' in record content 'hunter2 ('",
            "`records[0]` is refused by the server: Invalid character",
        ),
    ] {
        let refused = answer(422, &format!(r#"{{"error":"{said}"}}"#));
        let (driver, _) = driver(vec![no_sets(), version("5.0.5"), refused]);
        let error = driver.create::<RecordSet>(records("NEWTYPE", vec!["hunter2"])).unwrap_err();
        assert_eq!(error.to_string(), shown);
    }
}

#[test]
fn long_sets_are_recognised_in_any_order() {
    let texts: Vec<String> = (0..20_000).map(|number| format!("verification={number}")).collect();
    let there: Vec<String> = texts.iter().rev().map(|text| format!(r#"{{"content":"\"{text}\""}}"#)).collect();
    let there = format!(
        r#"{{"rrsets":[{{"name":"www.example.org.","type":"TXT","ttl":300,"comments":[],"records":[{}]}}]}}"#,
        there.join(",")
    );
    let (driver, _) = driver(vec![no_sets(), version("5.0.5"), answer(204, ""), answer(200, &there)]);
    let given = records("TXT", texts.iter().map(String::as_str).collect());
    let started = Instant::now();
    let created = driver.create::<RecordSet>(given).unwrap();
    assert_eq!(driver.read(&created).unwrap().unwrap().fields, created.fields);
    let reversed = records("TXT", texts.iter().rev().map(String::as_str).collect());
    driver.host_diffs(|_| {
        let change = |index| Change {
            path: Path::from("records").index(index),
            kind: ChangeKind::Updated,
            replaces: false,
            input_diff: true,
        };
        Ok(Difference { changes: (0..20_000).map(change).collect(), ..Difference::default() })
    });
    assert!(driver.diff(&created, reversed).unwrap().changes.is_empty());
    // Comparing each with each takes minutes.
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn order_and_spelling_are_no_drift() {
    let there = r#"{"rrsets":[
        {"name":"www.example.org.","type":"MX","ttl":300,"comments":[],
         "records":[{"content":"5 b.example."},{"content":"10 a.example."}]},
        {"name":"other.example.org.","type":"A","ttl":0,"records":[],"comments":[{"content":"c","account":""}]}]}"#;
    let given = vec!["10 A.example", "5 b.example."];
    let (driver, _) = driver(vec![no_sets(), version("5.0.5"), answer(204, ""), answer(200, there)]);
    let created = driver.create::<RecordSet>(records("MX", given)).unwrap();
    let read = driver.read(&created).unwrap().unwrap();
    assert_eq!(read.fields, created.fields);

    let changed = |driver: &Driver<Settings>, prior: &Recorded<RecordSet>, inputs: Fields| {
        driver.host_diffs(|_| {
            let change = |path: &str, replaces| Change {
                path: path.into(),
                kind: ChangeKind::Updated,
                replaces,
                input_diff: true,
            };
            let changes = [("zone", true), ("name", true), ("type", true), ("ttl", false), ("records", false)];
            Ok(Difference {
                changes: changes.map(|(path, replaces)| change(path, replaces)).into(),
                ..Difference::default()
            })
        });
        let changes = driver.diff(prior, inputs).unwrap().changes;
        changes.iter().map(|change| change.path.to_string()).collect::<Vec<_>>()
    };
    let respelled = fields! {
        "zone": "Example.org.", "name": "www.example.org.", "type": "mx", "ttl": 300, "disabled": false,
        "records": vec!["5 B.example", "10 a.example."],
    };
    assert_eq!(
        changed(&driver, &created, respelled.clone()),
        ["ttl"],
        "what the host said is believed but for spellings"
    );
    let other = with(respelled, fields! { "name": "mail", "records": vec!["5 b.example"] });
    assert_eq!(changed(&driver, &created, other), ["name", "ttl", "records"]);
}

#[test]
fn drift_keeps_what_was_given_first() {
    let there = r#"{"rrsets":[{"name":"www.example.org.","type":"A","ttl":60,"comments":[],
        "records":[{"content":"192.0.2.1"},{"content":"192.0.2.9"},{"content":"192.0.2.8","disabled":true}]}]}"#;
    let (driver, _) = driver(vec![no_sets(), version("5.0.5"), answer(204, ""), answer(200, there)]);
    let created = driver.create::<RecordSet>(records("A", vec!["192.0.2.2", "192.0.2.1"])).unwrap();
    let read = driver.read(&created).unwrap().unwrap();
    assert_eq!(read.fields["records"], vec!["192.0.2.1", "192.0.2.9"].into());
    assert_eq!((&read.fields["ttl"], &read.fields["disabled"]), (&60.into(), &false.into()));
}

/// The server refuses a `CNAME` beside another set, and another one beside a `CNAME`.
#[test]
fn a_set_goes_before_one_that_cannot_be_beside_it() {
    let first = |before: &str, after: &str, paths: &'static [&'static str]| {
        let (driver, _) = driver(vec![no_sets(), version("5.0.5"), answer(204, "")]);
        let created = driver.create::<RecordSet>(records(before, vec!["a.example."])).unwrap();
        driver.host_diffs(|_| {
            let change = |path: &&str| Change {
                path: (*path).into(),
                kind: ChangeKind::Updated,
                replaces: true,
                input_diff: true,
            };
            Ok(Difference { changes: paths.iter().map(change).collect(), ..Difference::default() })
        });
        let mut inputs = records(after, vec!["b.example."]);
        if paths.contains(&"name") {
            inputs.insert("name".to_owned(), "w3".into());
        }
        driver.diff(&created, inputs).unwrap().delete_before_replace
    };
    for (before, after) in
        [("A", "CNAME"), ("cname", "AAAA"), ("TYPE5", "TXT"), ("TXT", "type5"), ("NS", "DNAME"), ("DNAME", "ns")]
    {
        assert!(first(before, after, &["type", "records[0]"]), "{before} {after}");
    }
    for (before, after) in [("A", "AAAA"), ("NS", "TXT"), ("DNAME", "TXT")] {
        assert!(!first(before, after, &["type"]), "{before} {after}");
    }
    assert!(!first("A", "CNAME", &["type", "name"]), "they are at different places");
    // Engines look at it only if they replace. To them the set itself is in the way.
    assert!(first("CNAME", "TYPE5", &["type"]), "the same type");
    assert!(first("CNAME", "CNAME", &["ttl"]));
}

/// As where a program says `replaceOnChanges`. The server knows them by their names, and takes no second one.
#[test]
fn metadata_and_keys_go_before_what_has_their_name() {
    fn first<R: Resource<Config = Settings>>(answers: Vec<Answer>, before: &Fields, after: Fields) -> bool {
        let (driver, _) = driver(answers);
        let created = driver.create::<R>(before.clone()).unwrap();
        let changed: Vec<String> = after
            .iter()
            .filter(|(name, value)| before.get(*name) != Some(*value))
            .map(|(name, _)| name.clone())
            .collect();
        driver.host_diffs(move |_| {
            let change = |name: &String| Change {
                path: name.as_str().into(),
                kind: ChangeKind::Updated,
                replaces: true,
                input_diff: true,
            };
            Ok(Difference { changes: changed.iter().map(change).collect(), ..Difference::default() })
        });
        driver.diff(&created, with(before.clone(), after)).unwrap().delete_before_replace
    }
    let metadata = |after: Fields| {
        let before = fields! { "zone": "example.org", "kind": "X-A", "values": vec!["1"] };
        first::<ZoneMetadata>(vec![answer(200, r#"{"metadata":[]}"#), answer(204, "")], &before, after)
    };
    assert!(metadata(fields! { "values": vec!["2"] }));
    assert!(metadata(fields! { "values": vec!["2"], "zone": "Example.org." }), "the same zone");
    assert!(!metadata(fields! { "kind": "X-B" }));
    assert!(!metadata(fields! { "zone": "example.com" }));
    assert!(!metadata(fields! { "zone": Value::Unknown }));
    let key = |after: Fields| {
        let made = answer(200, r#"{"id":"k.","name":"k","algorithm":"hmac-sha256","key":"c2VjcmV0"}"#);
        let before = fields! { "name": "k", "algorithm": "hmac-sha256" };
        first::<TsigKey>(vec![answer(404, ""), made], &before, after)
    };
    assert!(key(fields! { "algorithm": "hmac-sha512" }));
    assert!(key(fields! { "algorithm": "hmac-sha512", "name": "K." }), "the same name");
    assert!(!key(fields! { "name": "other" }));
}
