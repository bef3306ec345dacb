//! Updates of which nobody knows how they ended, or which ended half-way: what is on record is what was there and what was attempted, and the
//! next one looks further, whatever the program says then. And what others changed meanwhile.

use super::*;

/// What is left on record of an update that isn't known to have changed nothing: the state that it ends with, and the inputs from before it, as
/// engines keep them.
fn left<R: Resource<Config = Settings> + Clone>(
    prior: &Recorded<R>,
    inputs: Fields,
    answers: Vec<Answer>,
) -> (Recorded<R>, Vec<String>) {
    let (driver, script) = driver(answers);
    let ErrorKind::NotInitialised(partial) = kind(driver.update(prior, inputs)) else {
        panic!("it may have changed something")
    };
    assert_eq!(partial.id, prior.id);
    (Recorded { fields: partial.state, ..prior.clone() }, script.asked())
}

fn done() -> Answer {
    answer(204, "")
}

fn there(more: &str) -> Answer {
    zone("example.org.", more)
}

fn lost() -> impl Iterator<Item = Answer> {
    (0..5).map(|_| Answer::Lost)
}

fn made_zone(inputs: Fields, more: &str) -> Recorded<Zone> {
    let mut answers = vec![answer(404, ""), there(more), there(more)];
    if inputs.contains_key("catalog") || inputs.contains_key("masterTsigKeyIds") {
        answers.insert(2, done());
        answers[1] = there("");
    }
    let (driver, _) = driver(answers);
    driver.create::<Zone>(inputs).unwrap()
}

fn made_set(records: Fields) -> Recorded<RecordSet> {
    let (driver, _) = driver(vec![no_sets(), version("5.0.5"), done()]);
    driver.create(records).unwrap()
}

#[test]
fn a_change_whose_answer_is_lost_is_looked_after_though_it_is_taken_back() {
    let one = records("A", vec!["192.0.2.1"]);
    let created = made_set(one.clone());
    let two = with(records("A", vec!["192.0.2.2"]), fields! { "disabled": true });
    let (left_, _) = left(&created, two, lost().collect());
    assert_eq!(left_.fields["records"], vec!["192.0.2.2"].into(), "the state says what may be there");
    assert_eq!(left_.inputs, created.inputs);
    // What may be there of it is its own, and nothing that others switched off.
    let off = r#"{"rrsets":[{"name":"www.example.org.","type":"A","ttl":300,"records":[{"content":"192.0.2.2","disabled":true}]}]}"#;
    let (driver_, script) = driver(vec![version("5.0.5"), answer(200, off), done()]);
    driver_.update(&left_, one.clone()).unwrap();
    let asked = script.asked();
    assert!(asked[2].contains(r#""records":[{"content":"192.0.2.1","disabled":false}]"#), "{}", asked[2]);

    let asked_first = || [version("5.0.5"), no_sets()].into_iter();
    // Comments that may be there go, however often their removal fails.
    let commented = with(one.clone(), fields! { "comments": vec![Value::from(fields! { "content": "mine" })] });
    let (mut left_, _) = left(&created, commented, asked_first().chain(lost()).collect());
    for _ in 0..2 {
        (left_, _) = left(&left_, one.clone(), asked_first().chain(lost()).collect());
    }
    let (driver_, script) = driver(vec![version("5.0.5"), no_sets(), done()]);
    driver_.update(&left_, one).unwrap();
    assert!(script.asked()[2].contains(r#""comments":[]"#), "{:?}", script.asked());

    let metadata = |value: &str| fields! { "zone": "example.org", "kind": "X-A", "values": vec![value] };
    let none = answer(200, r#"{"metadata":[]}"#);
    let (driver_, _) = driver(vec![none, done()]);
    let created = driver_.create::<ZoneMetadata>(metadata("1")).unwrap();
    let (left_, _) = left(&created, metadata("2"), (0..5).map(|_| answer(504, "")).collect());
    assert_eq!(left_.fields, created.fields);

    let account = with(zone_inputs(), fields! { "account": "dns" });
    let created = made_zone(zone_inputs(), "");
    let (left_, asked) = left(&created, account, [there("")].into_iter().chain(lost()).collect());
    assert_eq!((left_.fields, asked.len()), (created.fields, 6));
}

#[test]
fn a_change_that_was_never_asked_for_changed_nothing() {
    let created = made_set(records("A", vec!["192.0.2.1"]));
    let answers = [version("5.0.5"), no_sets()].into_iter().chain((0..5).map(|_| Answer::Refused)).collect();
    let (driver_, _) = driver(answers);
    assert!(matches!(kind(driver_.update(&created, records("A", vec!["192.0.2.2"]))), ErrorKind::Other(_)));
    let created = made_zone(zone_inputs(), "");
    let account = with(zone_inputs(), fields! { "account": "dns" });
    let (driver_, _) = driver(lost().collect());
    assert!(matches!(kind(driver_.update(&created, account)), ErrorKind::Other(_)));
}

#[test]
fn a_zone_that_was_changed_and_not_seen_since_is_not_taken_for_unchanged() {
    let created = made_zone(zone_inputs(), "");
    let account = with(zone_inputs(), fields! { "account": "dns" });
    let answers = [there(""), done()].into_iter().chain(lost()).chain(lost()).collect();
    let (left_, _) = left(&created, account.clone(), answers);
    assert_eq!(left_.fields, created.fields);

    // An interrupt, after which nothing is asked any more.
    let (driver, _) = driver(Vec::new());
    let driver = Rc::new(driver);
    let cancelling = Rc::clone(&driver);
    driver.answer_http(move |request: &Request| {
        if request.method() == Method::Put {
            cancelling.cancel();
            return Ok(Response::new(204, ""));
        }
        Ok(Response::new(200, r#"{"name":"example.org.","kind":"Native","soa_edit_api":"DEFAULT"}"#))
    });
    assert!(matches!(kind(driver.update(&created, account)), ErrorKind::NotInitialised(_)));
}

#[test]
fn a_transfer_key_that_may_be_changed_is_not_taken_for_unchanged() {
    let key = |algorithm: &str| {
        answer(200, &format!(r#"{{"id":"k.","name":"k","algorithm":"{algorithm}","key":"c2VjcmV0"}}"#))
    };
    let inputs = |algorithm: &str| fields! { "name": "k", "algorithm": algorithm };
    let (driver_, _) = driver(vec![answer(404, ""), key("hmac-sha256")]);
    let created = driver_.create::<TsigKey>(inputs("hmac-sha256")).unwrap();
    for answers in [
        [key("hmac-sha256")].into_iter().chain(lost()).collect::<Vec<_>>(),
        [key("hmac-sha256"), key("hmac-sha512")].into_iter().chain(lost()).collect(),
    ] {
        let (left_, _) = left(&created, inputs("hmac-sha512"), answers);
        assert_eq!(left_.fields, created.fields);
    }
}

/// Whether the zone left it, the failure doesn't say.
#[test]
fn a_zone_leaves_its_catalogue_though_the_first_attempt_failed() {
    let in_catalog = r#","catalog":"mine.example.""#;
    let created = made_zone(with(zone_inputs(), fields! { "catalog": "mine.example" }), in_catalog);
    assert_eq!(created.fields["catalog"], "mine.example".into());
    let refused = answer(422, r#"{"error":"A TSIG key with the name 'typo' does not exist"}"#);
    let wrong = with(zone_inputs(), fields! { "masterTsigKeyIds": vec!["typo"] });
    let (left_, asked) = left(&created, wrong, vec![there(in_catalog), done(), refused, there(in_catalog)]);
    assert!(asked[2].contains(r#""catalog":"""#), "{}", asked[2]);
    let (driver_, script) = driver(vec![there(in_catalog), done(), done(), there("")]);
    let updated = driver_.update(&left_, zone_inputs()).unwrap();
    assert_eq!(script.asked()[2], r#"PUT /zones/example.org. {"catalog":""}"#);
    assert_eq!(updated.fields.get("catalog"), None);
}

#[test]
fn a_zone_leaves_a_catalogue_that_it_may_be_in() {
    let created = made_zone(zone_inputs(), "");
    let said = with(zone_inputs(), fields! { "catalog": "mine.example" });
    let (mut left_, _) = left(&created, said, [there(""), done()].into_iter().chain(lost()).chain(lost()).collect());
    let in_catalog = || there(r#","catalog":"mine.example.""#);
    for _ in 0..2 {
        let (driver_, script) = driver(vec![in_catalog(), done(), done(), there("")]);
        driver_.update(&left_, zone_inputs()).unwrap();
        assert_eq!(script.asked()[2], r#"PUT /zones/example.org. {"catalog":""}"#);
        // To leave it may fail as well.
        (left_, _) = left(&left_, zone_inputs(), [in_catalog()].into_iter().chain(lost()).collect());
    }
}

/// Servers put zones into a catalogue by themselves, and secondaries drop what leaves it.
#[test]
fn a_zone_stays_in_a_catalogue_that_no_program_said() {
    let of_the_server = || there(r#","catalog":"default.example.""#);
    let created = made_zone(zone_inputs(), r#","catalog":"default.example.""#);
    let said = with(zone_inputs(), fields! { "catalog": "mine.example" });
    let refused = answer(422, r#"{"error":"no"}"#);
    for (attempt, answers) in [
        ("not referred yet", lost().collect::<Vec<_>>()),
        ("refused", vec![done(), refused, of_the_server()]),
        ("lost", [done()].into_iter().chain(lost()).chain([of_the_server()]).collect()),
        ("lost, as is what came of it", [done()].into_iter().chain(lost()).chain(lost()).collect()),
    ] {
        let (left_, _) = left(&created, said.clone(), [of_the_server()].into_iter().chain(answers).collect());
        let (driver_, script) = driver(vec![of_the_server(), done(), of_the_server()]);
        driver_.update(&left_, zone_inputs()).unwrap();
        assert!(!script.asked().iter().any(|asked| asked.contains("catalog")), "{attempt}");
    }
}

/// A secondary that is promoted by hand has records that no primary has.
#[test]
fn what_others_made_of_a_zone_is_not_undone_unseen() {
    let fetched = |kind: &str, master: &str| {
        answer(200, &format!(r#"{{"name":"example.org.","kind":"{kind}","masters":["{master}"],"soa_edit_api":""}}"#))
    };
    let said = |master: &str| with(zone_inputs(), fields! { "kind": "Secondary", "masters": vec![master] });
    let account = |inputs: Fields| with(inputs, fields! { "account": "dns" });
    let (driver_, _) = driver(vec![answer(404, ""), fetched("Slave", "192.0.2.1"), fetched("Slave", "192.0.2.1")]);
    let created = driver_.create::<Zone>(said("192.0.2.1")).unwrap();
    for (what, found) in [("kind", fetched("Master", "192.0.2.1")), ("primaries", fetched("Slave", "192.0.2.9"))] {
        let (driver_, script) = driver(vec![found]);
        let error = driver_.update(&created, account(said("192.0.2.1"))).unwrap_err().to_string();
        let shown = format!(
            "others changed the zone's {what}\nhint: `pulumi refresh` shows it; the `pulumi up` after that sets it back unless the program says it, too"
        );
        assert_eq!(error, shown);
        assert_eq!(script.asked().len(), 1);
    }

    // What the program changes is what it wants, whatever there is.
    let promoted = with(zone_inputs(), fields! { "kind": "Primary" });
    let (driver_, _) = driver(vec![fetched("Native", ""), done(), fetched("Master", "")]);
    let updated = driver_.update(&created, promoted).unwrap();
    let (driver_, _) = driver(vec![fetched("Slave", "192.0.2.9"), done(), fetched("Slave", "192.0.2.2")]);
    driver_.update(&created, said("192.0.2.2")).unwrap();

    // What an attempt that failed may have done was nobody else.
    let (left_, _) = left(&updated, said("192.0.2.1"), [fetched("Master", "")].into_iter().chain(lost()).collect());
    let (driver_, _) = driver(vec![fetched("Slave", "192.0.2.1"), done(), fetched("Master", "")]);
    driver_.update(&left_, with(zone_inputs(), fields! { "kind": "Primary" })).unwrap();
    let (left_, _) =
        left(&created, said("192.0.2.2"), [fetched("Slave", "192.0.2.1")].into_iter().chain(lost()).collect());
    let (driver_, _) = driver(vec![fetched("Slave", "192.0.2.2"), done(), fetched("Slave", "192.0.2.1")]);
    driver_.update(&left_, said("192.0.2.1")).unwrap();

    // However many failed: one to change them, and two to set them back.
    let (mut left_, _) =
        left(&created, said("192.0.2.2"), [fetched("Slave", "192.0.2.1")].into_iter().chain(lost()).collect());
    for _ in 0..2 {
        (left_, _) =
            left(&left_, said("192.0.2.1"), [fetched("Slave", "192.0.2.2")].into_iter().chain(lost()).collect());
    }
    let (driver_, _) = driver(vec![fetched("Slave", "192.0.2.2"), done(), fetched("Slave", "192.0.2.1")]);
    driver_.update(&left_, said("192.0.2.1")).unwrap();
    let (mut left_, _) = left(&updated, said("192.0.2.1"), [fetched("Master", "")].into_iter().chain(lost()).collect());
    let primary = || with(zone_inputs(), fields! { "kind": "Primary" });
    for _ in 0..2 {
        (left_, _) = left(&left_, primary(), [fetched("Slave", "192.0.2.1")].into_iter().chain(lost()).collect());
    }
    let (driver_, _) = driver(vec![fetched("Slave", "192.0.2.1"), done(), fetched("Master", "")]);
    driver_.update(&left_, primary()).unwrap();
}
