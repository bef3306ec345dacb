//! Keys that sign zones are known by numbers, and servers give the last one again once its key is deleted: another key may have it.

use super::*;

fn inputs(active: bool) -> Fields {
    fields! { "zone": "example.org", "keytype": "csk", "active": active, "published": true }
}

fn key(public: &str, active: bool) -> String {
    format!(
        r#"{{"id":1,"keytype":"csk","active":{active},"published":true,"algorithm":"ECDSAP256SHA256","bits":256,"dnskey":"257 3 13 {public}"}}"#
    )
}

fn listed(public: &str, active: bool) -> Answer {
    answer(200, &format!("[{}]", key(public, active)))
}

fn made() -> Recorded<CryptoKey> {
    let (driver, _) = driver(vec![answer(201, &key("bWluZQ==", true))]);
    driver.create::<CryptoKey>(inputs(true)).unwrap()
}

#[test]
fn another_key_of_the_same_number_is_neither_adopted_nor_changed_nor_deleted() {
    let created = made();
    let theirs = || listed("dGhlaXJz", true);
    let (driver, script) = driver(vec![theirs(), version("5.0.5"), theirs(), theirs()]);
    assert!(driver.read(&created).unwrap().is_none(), "it is gone");
    let error = driver.update(&created, inputs(false)).unwrap_err().to_string();
    assert!(error.starts_with("the server doesn't have this key any more"), "{error}");
    driver.delete(&created).unwrap();
    let asked = script.asked();
    assert!(asked.iter().all(|request| request.starts_with("GET")), "{asked:?}");
}

#[test]
fn the_same_key_is_changed_and_deleted() {
    let created = made();
    let mine = |active| listed("bWluZQ==", active);
    let (driver, script) =
        driver(vec![mine(true), mine(true), answer(204, ""), mine(false), mine(false), answer(204, "")]);
    assert_eq!(driver.read(&created).unwrap().unwrap().fields, created.fields);
    let updated = driver.update(&created, inputs(false)).unwrap();
    driver.delete(&updated).unwrap();
    let asked = script.asked();
    assert_eq!(asked[2], r#"PUT /zones/example.org./cryptokeys/1 {"active":false,"published":true}"#);
    assert_eq!(asked[5], "DELETE /zones/example.org./cryptokeys/1");
}

#[test]
fn a_key_that_may_be_switched_off_is_not_taken_for_unchanged() {
    let created = made();
    let lost = || (0..5).map(|_| Answer::Lost);
    let mine = || listed("bWluZQ==", true);
    for answers in [
        [mine()].into_iter().chain(lost()).collect::<Vec<_>>(),
        [mine(), answer(204, "")].into_iter().chain(lost()).collect(),
    ] {
        let (driver, script) = driver(answers);
        let ErrorKind::NotInitialised(partial) = kind(driver.update(&created, inputs(false))) else { panic!() };
        assert_eq!(partial.state, created.fields);
        script.asked();
    }
}
