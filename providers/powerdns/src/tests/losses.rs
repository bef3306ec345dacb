//! What nobody knows the outcome of: an attempt that may have had an effect, whatever became of those after it.

use super::*;

fn there() -> Answer {
    let set = r#"{"name":"www.example.org.","type":"A","ttl":300,"records":[{"content":"192.0.2.1"}]}"#;
    answer(200, &format!(r#"{{"rrsets":[{set}]}}"#))
}

/// The creation of a set of which the server has none when it is asked first.
fn created(answers: Vec<Answer>) -> Result<Recorded<RecordSet>, Error> {
    let (driver, script) = driver([no_sets(), version("5.0.5")].into_iter().chain(answers).collect());
    let created = driver.create::<RecordSet>(records("A", vec!["192.0.2.1"]));
    script.asked();
    created
}

/// Attempts for which there is no connection. The client makes five before it gives up.
fn refused(attempts: usize) -> impl Iterator<Item = Answer> {
    (0..attempts).map(|_| Answer::Refused)
}

#[test]
fn a_set_that_may_be_made_is_looked_for_though_the_server_is_gone_meanwhile() {
    for first in [answer(500, "Internal Server Error"), Answer::Lost] {
        let attempts = if matches!(first, Answer::Lost) { 4 } else { 5 };
        let answers = [first].into_iter().chain(refused(attempts)).chain([there()]).collect();
        assert_eq!(created(answers).unwrap().id, "example.org.:www.example.org.:A");
    }
    // Where nobody can look, nobody knows.
    let answers = [answer(500, "Internal Server Error")].into_iter().chain(refused(10)).collect();
    let ErrorKind::OutcomeUnknown(message) = kind(created(answers)) else { panic!() };
    assert!(message.contains("is there a record set `example.org.:www.example.org.:A`? then import it"), "{message}");
    // What was never asked has changed nothing.
    assert!(matches!(kind(created(refused(5).collect())), ErrorKind::Other(_)));
}

#[test]
fn a_set_that_may_be_made_is_not_forgotten_by_a_cancelled_call() {
    let (driver, _) = driver(Vec::new());
    let driver = Rc::new(driver);
    let cancelling = Rc::clone(&driver);
    driver.answer_http(move |request: &Request| {
        let path = request.url().path_and_query().to_owned();
        Ok(match path {
            path if path.ends_with("/localhost") => {
                Response::new(200, r#"{"id":"l","daemon_type":"a","version":"5.0.5"}"#)
            }
            _ if request.method() == Method::Get => Response::new(200, r#"{"rrsets":[]}"#),
            _ => {
                cancelling.cancel();
                Response::new(500, "Internal Server Error")
            }
        })
    });
    let outcome = driver.create::<RecordSet>(records("A", vec!["192.0.2.1"]));
    assert!(matches!(kind(outcome), ErrorKind::OutcomeUnknown(_)));
}

/// A question whose answer is lost leaves nothing open.
#[test]
fn what_could_not_be_looked_at_is_not_taken_for_changed() {
    let lost = || (0..5).map(|_| Answer::Lost).collect::<Vec<_>>();
    let soa = with(records("SOA", vec!["a.example. b.example. 1 2 3 4 5"]), fields! { "name": "@" });
    let metadata = fields! { "zone": "example.org", "kind": "X-A", "values": vec!["1"] };
    for set in [soa, records("A", vec!["192.0.2.1"])] {
        let (driver, script) = driver(lost());
        assert!(matches!(kind(driver.create::<RecordSet>(set)), ErrorKind::Other(_)));
        assert_eq!(script.asked().len(), 5, "there is nothing to look for");
    }
    let (driver, script) = driver(lost());
    assert!(matches!(kind(driver.create::<ZoneMetadata>(metadata)), ErrorKind::Other(_)));
    assert_eq!(script.asked().len(), 5);
}

/// It was there before, so that it is there says nothing.
#[test]
fn what_comes_with_a_zone_is_not_taken_for_changed_because_it_is_there() {
    let there = r#"{"rrsets":[{"name":"example.org.","type":"SOA","ttl":1,"comments":[],
        "records":[{"content":"a.example. b.example. 1 2 3 4 5"}]}]}"#;
    let soa = with(records("SOA", vec!["a.example. b.example. 1 9 3 4 5"]), fields! { "name": "@" });
    let failing = (0..5).map(|_| answer(500, "Internal Server Error"));
    let (driver, script) = driver([answer(200, there)].into_iter().chain(failing).collect());
    let ErrorKind::Failed(message) = kind(driver.create::<RecordSet>(soa)) else { panic!() };
    assert!(message.starts_with("the server answered 500"), "{message}");
    assert_eq!(script.asked().len(), 6, "the next attempt takes it over, whatever became of this one");
}

/// Servers make a zone before its records and settings, and may fail in between.
#[test]
fn a_zone_that_may_be_made_by_half_is_made_whole_or_not_at_all() {
    let failed = || [answer(404, ""), answer(500, "Internal Server Error")].into_iter();
    let done = || answer(204, "");
    let has = |records: &str| zone("example.org.", &format!(r#","rrsets":[{records}]"#));
    let ns = r#"{"name":"example.org.","type":"NS","ttl":1,"records":[{"content":"ns1.example.net."}]}"#;
    let named = with(zone_inputs(), fields! { "nameservers": vec!["ns1.example.net"] });
    let nameservers = || answer(200, &format!(r#"{{"rrsets":[{ns}]}}"#));
    let (driver_, script) = driver(failed().chain([has(ns), done(), nameservers(), has(ns), nameservers()]).collect());
    assert_eq!(driver_.create::<Zone>(named.clone()).unwrap().id, "example.org.");
    let asked = script.asked();
    assert!(asked[3].starts_with(r#"PUT /zones/example.org. {"kind":"Native""#), "{}", asked[3]);
    assert!(asked[4].ends_with("rrset_type=NS"), "{}", asked[4]);

    // Without any records it would never be handed out.
    let (driver_, script) = driver(failed().chain([has(""), done()]).collect());
    let ErrorKind::Failed(message) = kind(driver_.create::<Zone>(named)) else { panic!() };
    assert!(message.starts_with("the server answered 500"), "{message}");
    assert_eq!(script.asked()[3], "DELETE /zones/example.org.");

    // A zone that is fetched has none before it is.
    let fetched = || answer(200, r#"{"name":"example.org.","kind":"Slave","masters":["192.0.2.1"],"soa_edit_api":""}"#);
    let (driver_, script) = driver(failed().chain([fetched(), done(), fetched()]).collect());
    let inputs = with(zone_inputs(), fields! { "kind": "Secondary", "masters": vec!["192.0.2.1"] });
    assert_eq!(driver_.create::<Zone>(inputs).unwrap().id, "example.org.");
    assert!(script.asked()[3].starts_with("PUT /zones/example.org. "));
}

/// It makes a zone before its records: one that is empty may be at that moment.
#[test]
fn a_zone_that_the_server_may_still_be_making_is_not_taken_away() {
    let empty = || zone("example.org.", r#","rrsets":[]"#);
    for open in [Answer::Lost, answer(502, ""), answer(503, ""), answer(504, "Gateway Timeout")] {
        let (driver, script) = driver(vec![answer(404, ""), open, empty(), answer(204, ""), empty()]);
        assert_eq!(driver.create::<Zone>(zone_inputs()).unwrap().id, "example.org.");
        let asked = script.asked();
        assert!(asked[3].starts_with("PUT /zones/example.org. "), "{}", asked[3]);
    }
}

/// One that is slow to sign may still be at it, and would make a second key.
#[test]
fn a_zone_is_asked_to_be_signed_once() {
    for open in [Answer::Lost, answer(504, "Gateway Timeout")] {
        let (driver, script) = driver(vec![answer(404, ""), zone("example.org.", ""), open]);
        let signed = with(zone_inputs(), fields! { "dnssec": true });
        assert!(matches!(kind(driver.create::<Zone>(signed)), ErrorKind::NotInitialised(_)));
        assert_eq!(script.asked().len(), 3, "the next deployment sees whether it is signed");
    }
}

/// Some things are refused only once there is a zone.
#[test]
fn a_zone_that_was_made_before_it_was_refused_is_made_whole_or_not_at_all() {
    let refused = || [answer(404, ""), answer(422, r#"{"error":"Failed to rectify"}"#)].into_iter();
    let has = |records: &str| zone("example.org.", &format!(r#","rrsets":[{records}]"#));
    let soa = r#"{"name":"example.org.","type":"SOA","ttl":1,"records":[{"content":"a. b. 1 2 3 4 5"}]}"#;
    let said = "the server refuses it: Failed to rectify";
    let (driver_, script) = driver(refused().chain([has(""), answer(204, "")]).collect());
    assert_eq!(driver_.create::<Zone>(zone_inputs()).unwrap_err().to_string(), said);
    assert_eq!(script.asked()[3], "DELETE /zones/example.org.");
    let (driver_, script) = driver(refused().chain([has(soa), answer(204, ""), has(soa)]).collect());
    assert_eq!(driver_.create::<Zone>(zone_inputs()).unwrap().id, "example.org.");
    assert!(script.asked()[3].starts_with("PUT /zones/example.org. "));
    let (driver_, script) = driver(refused().chain([answer(404, "")]).collect());
    assert_eq!(driver_.create::<Zone>(zone_inputs()).unwrap_err().to_string(), said);
    script.asked();
}

#[test]
fn an_empty_zone_that_somebody_else_made_meanwhile_stays() {
    let theirs = answer(200, r#"{"name":"example.org.","kind":"Slave","masters":["192.0.2.1"],"rrsets":[]}"#);
    let (driver, script) = driver(vec![answer(404, ""), answer(500, "Internal Server Error"), theirs]);
    let ErrorKind::OutcomeUnknown(message) = kind(driver.create::<Zone>(zone_inputs())) else { panic!() };
    assert!(message.contains("is there a zone `example.org.`? then import it"), "{message}");
    script.asked();
}
