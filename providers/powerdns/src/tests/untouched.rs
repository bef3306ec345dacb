//! What a program says nothing of stays as it is: the server, its operator or another tool may have made it.

use super::*;

fn unsaid() -> Fields {
    fields! { "name": "example.org", "kind": "Native", "nsec3narrow": false, "soaEditApi": "DEFAULT" }
}

fn done() -> Answer {
    answer(204, "")
}

fn no_keys() -> Answer {
    answer(200, "[]")
}

fn key() -> Fields {
    fields! { "name": "k", "algorithm": "hmac-sha256" }
}

/// A zone as it was created with these inputs.
fn made(inputs: Fields) -> Recorded<Zone> {
    let answers = vec![answer(404, ""), zone("example.org.", ""), zone("example.org.", "")];
    let (driver, script) = driver(answers);
    let created = driver.create::<Zone>(inputs).unwrap();
    script.asked();
    created
}

/// A set as it was created.
fn made_set() -> Recorded<RecordSet> {
    let (driver, _) = driver(vec![no_sets(), version("5.0.5"), done()]);
    driver.create(records("A", vec!["192.0.2.1"])).unwrap()
}

#[test]
fn keys_that_others_made_stay() {
    let created = made(unsaid());
    let signed = || zone("example.org.", r#","dnssec":true,"nsec3param":"1 0 0 -","nsec3narrow":true"#);
    let (driver_, script) = driver(vec![signed(), done(), signed(), no_keys()]);
    let updated = driver_.update(&created, with(unsaid(), fields! { "account": "dns" })).unwrap();
    let asked = script.asked();
    assert!(!asked[1].contains("dnssec") && !asked[1].contains("nsec3"), "{}", asked[1]);
    assert_eq!((updated.fields.get("dnssec"), updated.fields.get("nsec3param")), (None, None));

    // To say it deletes them.
    let (driver_, script) = driver(vec![signed(), done(), done(), zone("example.org.", "")]);
    let updated = driver_.update(&updated, zone_inputs()).unwrap();
    assert_eq!(script.asked()[2], r#"PUT /zones/example.org. {"dnssec":false}"#);
    assert_eq!(updated.fields["dnssec"], false.into());
}

#[test]
fn to_say_no_more_that_a_zone_is_signed_is_no_change() {
    let created = made(zone_inputs());
    let (driver, _) = driver(Vec::new());
    driver.host_diffs(|_| {
        let change =
            |path: &str| Change { path: path.into(), kind: ChangeKind::Deleted, replaces: false, input_diff: true };
        Ok(Difference { changes: ["dnssec", "account"].map(change).into(), ..Difference::default() })
    });
    let changes = driver.diff(&created, unsaid()).unwrap().changes;
    assert_eq!(changes.iter().map(|change| change.path.to_string()).collect::<Vec<_>>(), ["account"]);
}

#[test]
fn a_signature_that_is_as_said_is_not_made_again() {
    let said = with(zone_inputs(), fields! { "dnssec": true, "nsec3param": "1 0 0 AB" });
    let signed = || zone("example.org.", r#","dnssec":true,"nsec3param":"1 0 0 ab""#);
    let answers = vec![answer(404, ""), zone("example.org.", ""), done(), signed(), no_keys()];
    let (driver_, _) = driver(answers);
    let created = driver_.create::<Zone>(said.clone()).unwrap();
    let (driver_, script) = driver(vec![signed(), done(), signed(), no_keys()]);
    driver_.update(&created, with(said, fields! { "account": "dns" })).unwrap();
    script.asked();
}

#[test]
fn what_the_server_would_do_by_itself_is_taken_back() {
    // A zone of which nothing is said there reads as if it were said not to.
    let created = made(zone_inputs());
    for wanted in [false, true] {
        let there = || zone("example.org.", "");
        let (driver_, script) = driver(vec![there(), done(), there()]);
        driver_.update(&created, with(zone_inputs(), fields! { "apiRectify": wanted })).unwrap();
        assert!(script.asked()[1].contains(&format!(r#""api_rectify":{wanted}"#)));
    }
}

#[test]
fn what_is_fetched_keeps_its_serial_and_is_fetched_with_its_key() {
    let fetched =
        fields! { "kind": "Secondary", "masters": vec!["192.0.2.1"], "dnssec": true, "slaveTsigKeyIds": vec!["k"] };
    let there = |more: &str| {
        answer(
            200,
            &format!(r#"{{"name":"example.org.","kind":"Slave","masters":["192.0.2.1"],"soa_edit_api":""{more}}}"#),
        )
    };
    let signed = there(r#","dnssec":true,"slave_tsig_key_ids":["k."]"#);
    let (driver, script) = driver(vec![answer(404, ""), there(""), done(), done(), signed, no_keys()]);
    let created = driver.create::<Zone>(with(zone_inputs(), fetched)).unwrap();
    let asked = script.asked();
    assert!(asked[1].contains(r#""soa_edit_api":"""#), "{}", asked[1]);
    assert_eq!(asked[2], r#"PUT /zones/example.org. {"slave_tsig_key_ids":["k."]}"#);
    assert_eq!(asked[3], r#"PUT /zones/example.org. {"dnssec":true,"nsec3param":""}"#);
    assert_eq!(created.fields["soaEditApi"], "DEFAULT".into(), "as the program has it");
}

#[test]
fn keys_are_called_by_their_names() {
    let keys = r#","master_tsig_key_ids":["my=5Fkey.","k.","=2=x."]"#;
    let created = made(unsaid());
    let (driver_, _) = driver(vec![zone("example.org.", keys), no_keys()]);
    let found = driver_.read(&created).unwrap().unwrap();
    assert_eq!(found.fields["masterTsigKeyIds"], vec!["my_key.", "k.", "=2=x."].into());
}

#[test]
fn a_zone_stays_in_the_catalogue_that_its_server_puts_it_into() {
    let there = |catalog: &str| zone("example.org.", &format!(r#","dnssec":true,"catalog":"{catalog}""#));
    let signed = with(zone_inputs(), fields! { "dnssec": true });
    let answers = vec![
        answer(404, ""),
        zone("example.org.", r#","catalog":"all.example.""#),
        done(),
        there("all.example."),
        no_keys(),
    ];
    let (driver_, script) = driver(answers);
    let created = driver_.create::<Zone>(signed.clone()).unwrap();
    assert!(!script.asked()[2].contains("catalog"));
    assert_eq!(created.fields.get("catalog"), None);
    let update = |prior: &Recorded<Zone>, inputs: &Fields, before: &str, after: &str, asks: Option<&str>| {
        let mut answers = vec![there(before), done(), there(after), no_keys()];
        if asks.is_some() {
            answers.insert(2, done());
        }
        let (driver, script) = driver(answers);
        let updated = driver.update(prior, inputs.clone()).unwrap();
        let asked = script.asked();
        assert!(asks.is_none_or(|asks| asked[2] == format!("PUT /zones/example.org. {asks}")), "{}", asked[2]);
        updated
    };
    let updated =
        update(&created, &with(signed.clone(), fields! { "account": "dns" }), "all.example.", "all.example.", None);

    // What was said of it is taken back.
    let said = with(signed.clone(), fields! { "catalog": "mine.example" });
    let updated = update(&updated, &said, "all.example.", "mine.example.", Some(r#"{"catalog":"mine.example."}"#));
    assert_eq!(updated.fields["catalog"], "mine.example".into());
    update(&updated, &signed, "mine.example.", "", Some(r#"{"catalog":""}"#));
}

#[test]
fn a_serial_is_counted_on_from_where_it_is() {
    let there = r#"{"rrsets":[{"name":"example.org.","type":"SOA","ttl":1,"comments":[],
        "records":[{"content":"a.example. b.example. 2026112405 2 3 4 5"}]}]}"#;
    let given = with(records("SOA", vec!["a.example b.example 1 9 3 4 5"]), fields! { "name": "@" });
    let (driver, script) = driver(vec![answer(200, there), done()]);
    let created = driver.create::<RecordSet>(given.clone()).unwrap();
    assert_eq!(created.fields["records"], given["records"], "as the program has it");
    let asked = script.asked();
    assert!(asked[1].contains(r#""content":"a.example. b.example. 2026112405 9 3 4 5""#), "{}", asked[1]);
}

#[test]
fn a_set_that_was_made_by_the_number_of_its_type_is_the_one_that_the_server_calls_by_name() {
    let by_number = |number: &str, name: &str| Recorded::<RecordSet> {
        id: format!("example.org.:{name}:{number}"),
        inputs: with(records(number, vec!["\\# 1 00"]), fields! { "name": name }),
        ..made_set()
    };
    let (authority, nameservers) = (by_number("TYPE257", "www.example.org."), by_number("TYPE2", "example.org."));
    let there = r#"{"rrsets":[{"name":"www.example.org.","type":"CAA","ttl":300,"comments":[],
        "records":[{"content":"0 issue \"ca.example\""}]}]}"#;
    let (driver, script) = driver(vec![answer(200, there), done()]);
    assert_eq!(driver.read(&authority).unwrap().unwrap().id, "example.org.:www.example.org.:CAA");
    driver.delete(&authority).unwrap();
    driver.delete(&nameservers).unwrap();
    let asked = script.asked();
    assert!(asked[1].contains(r#""type":"CAA""#), "{}", asked[1]);
    assert_eq!(asked.len(), 2, "no zone is left without name servers");
}

/// A name that servers have for a type since 5.1 only is no other type.
#[test]
fn what_another_version_calls_by_name_is_not_overwritten() {
    let there = r#"{"rrsets":[{"name":"www.example.org.","type":"WALLET","ttl":300,"records":[{"content":"\"a\""}]}]}"#;
    let (driver, _) = driver(vec![answer(200, there)]);
    let error = driver.create::<RecordSet>(records("TYPE262", vec!["\\# 2 0161"])).unwrap_err().to_string();
    assert!(error.contains("import it with the id `example.org.:www.example.org.:TYPE262`"), "{error}");
}

#[test]
fn what_is_no_server_says_nothing_about_what_is_gone() {
    let nothing = || answer(404, "<html>no such page</html>");
    let (driver, script) =
        driver([no_sets(), version("5.0.5"), done()].into_iter().chain((0..5).map(|_| nothing())).collect());
    let created = driver.create::<RecordSet>(records("A", vec!["192.0.2.1"])).unwrap();
    for error in [driver.read(&created).map(drop).unwrap_err(), driver.delete(&created).unwrap_err()] {
        assert!(
            error.to_string().starts_with("there is no API of such a server\nhint: are `powerdns:endpoint`"),
            "{error}"
        );
        assert!(matches!(error.into_kind(), ErrorKind::Failed(_)), "what isn't found counts as gone");
    }
    script.asked();
}

/// What most programs make first, with an endpoint or a `serverId` that isn't right.
#[test]
fn where_there_is_no_server_nothing_is_made_or_found_and_the_first_error_says_so() {
    let nothing = |count: u8| driver((0..count).map(|_| answer(404, "<html>no such page</html>")).collect());
    let told = |(driver, script): (Driver<Settings>, Script), asked: fn(&Driver<Settings>) -> Option<Error>| {
        let error = asked(&driver).unwrap();
        script.asked();
        let said = error.to_string();
        assert!(said.starts_with("there is no API of such a server\nhint: are `powerdns:endpoint`"), "{said}");
        assert!(matches!(error.into_kind(), ErrorKind::Failed(_)), "what isn't found counts as gone");
    };
    told(nothing(3), |driver| driver.create::<Zone>(zone_inputs()).err());
    told(nothing(3), |driver| driver.create::<TsigKey>(key()).err());
    told(nothing(1), |driver| driver.invoke::<get_zones>(Fields::new()).err());
    told(nothing(1), |driver| driver.list::<Zone>(Fields::new(), None, None).err());
    told(nothing(1), |driver| driver.list::<RecordSet>(Fields::new(), None, None).err());

    // Something before the server that lets questions through only is no wrong address.
    let (driver_, script) = driver(vec![answer(404, ""), answer(404, "page not found"), version("5.0.5")]);
    let error = driver_.create::<TsigKey>(key()).unwrap_err().to_string();
    assert!(error.contains("hint: does that let `DELETE`, `PATCH`, `POST` and `PUT` through?"), "{error}");
    assert_eq!(script.asked().last().unwrap(), "GET");

    // Where that can't be asked it is known all the same that nothing was made.
    let answers = [404, 404].map(|status| answer(status, "")).into_iter().chain((0..5).map(|_| Answer::Lost));
    let (driver_, script) = driver(answers.collect());
    assert!(matches!(kind(driver_.create::<Zone>(zone_inputs())), ErrorKind::Other(_)));
    script.asked();
}

#[test]
fn what_is_imported_of_a_zone_is_what_a_program_may_say() {
    let unused = r#","masters":["192.0.2.1"],"nsec3narrow":true,"nsec3param":"1 0 0 -","slave_tsig_key_ids":["a.","b."],
        "soa_edit":"inception-epoch""#;
    let there = || {
        let settings = format!(r#"{{"name":"example.org.","kind":"Native","soa_edit_api":"soa-edit"{unused}}}"#);
        answer(200, &settings)
    };
    let (driver, _) = driver(vec![there(), no_sets(), version("5.0.5"), there(), no_sets()]);
    let imported = driver.import::<Zone>("example.org").unwrap().unwrap();
    let found = &imported.fields;
    assert_eq!((&found["soaEdit"], &found["soaEditApi"]), (&"INCEPTION-EPOCH".into(), &"SOA-EDIT".into()));
    assert_eq!((found.get("masters"), found.get("nsec3param")), (None, None));
    assert_eq!((&found["nsec3narrow"], &found["slaveTsigKeyIds"]), (&false.into(), &vec!["a."].into()));
    let checked = driver.check::<Zone>(found.clone()).unwrap();
    assert!(checked.failures.is_empty(), "{:?}", checked.failures);

    // Such words in another case, as they may be on record, are the same.
    let lower = with(zone_inputs(), fields! { "soaEdit": "inception-epoch", "soaEditApi": "soa-edit" });
    let recorded = Recorded::<Zone> { fields: with(found.clone(), lower.clone()), inputs: lower.clone(), ..imported };
    let read = driver.read(&recorded).unwrap().unwrap();
    assert_eq!((&read.fields["soaEdit"], &read.fields["soaEditApi"]), (&lower["soaEdit"], &lower["soaEditApi"]));
    driver.host_diffs(|_| {
        let change =
            |path: &str| Change { path: path.into(), kind: ChangeKind::Updated, replaces: false, input_diff: true };
        Ok(Difference { changes: ["soaEdit", "soaEditApi"].map(change).into(), ..Difference::default() })
    });
    let upper = with(zone_inputs(), fields! { "soaEdit": "INCEPTION-EPOCH", "soaEditApi": "DEFAULT" });
    let changes = driver.diff(&recorded, upper).unwrap().changes;
    assert_eq!(changes.iter().map(|change| change.path.to_string()).collect::<Vec<_>>(), ["soaEditApi"]);
}

#[test]
fn what_was_made_half_way_is_refreshed_as_what_it_was_given() {
    let refused = answer(422, r#"{"error":"A TSIG key with the name 'xfer' does not exist"}"#);
    let (driver_, _) = driver(vec![answer(404, ""), zone("example.org.", ""), refused]);
    let inputs = with(unsaid(), fields! { "masterTsigKeyIds": vec!["XFER"] });
    let ErrorKind::NotInitialised(left) = kind(driver_.create::<Zone>(inputs.clone())) else { panic!() };
    let recorded = Recorded { id: left.id, fields: left.state, inputs, ..made(unsaid()) };

    let there = zone("example.org.", r#","catalog":"all.example.","master_tsig_key_ids":["xfer."]"#);
    let (driver_, script) = driver(vec![there]);
    let read = driver_.read(&recorded).unwrap().unwrap();
    assert_eq!(script.asked().len(), 1, "nobody asks for name servers that nobody gave");
    assert_eq!((read.fields.get("catalog"), read.fields.get("nameservers")), (None, None), "the server's own");
    assert_eq!(read.fields["masterTsigKeyIds"], vec!["XFER"].into(), "as it is spelt here");
    assert_eq!(read.fields["serial"], 7.into());
}
