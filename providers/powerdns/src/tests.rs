//! What is asked of the server in which order, and what its answers mean, where the real server can't be made to give them: lost
//! answers, refusals, failures half-way. What it does when all is well, the end-to-end tests try with the server itself.

mod deletions;
mod escapes;
mod keys;
mod lists;
mod losses;
mod numbers;
mod refused;
mod sets;
mod switched_off;
mod untouched;
mod updates;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use bulkhead_sdk::http::{Failed, HttpError, Method, Request, Response};
use bulkhead_sdk::list::Page;
use bulkhead_sdk::resource::{Change, ChangeKind, Checked, Difference};
use bulkhead_sdk::testing::{Driver, Recorded, validate};
use bulkhead_sdk::{Error, ErrorKind, Fields, Path, Resource, Value, fields};

use crate::functions::{get_zone, get_zones};
use crate::resources::{CryptoKey, RecordSet, TsigKey, Zone, ZoneMetadata};
use crate::{PROVIDER, settings::Settings};

/// A server that answers in turn, and what it was asked: method, path below the server, body.
#[derive(Clone, Default)]
struct Script {
    answers: Rc<RefCell<Vec<Answer>>>,
    asked: Rc<RefCell<Vec<String>>>,
}

enum Answer {
    /// A status and a body.
    Of(u16, String),
    /// The connection breaks after the request was sent.
    Lost,
    /// There is no connection.
    Refused,
}

fn answer(status: u16, body: &str) -> Answer {
    Answer::Of(status, body.to_owned())
}

fn zone(name: &str, more: &str) -> Answer {
    answer(200, &format!(r#"{{"name":"{name}","kind":"Native","serial":7,"soa_edit_api":"DEFAULT"{more}}}"#))
}

fn version(version: &str) -> Answer {
    answer(200, &format!(r#"{{"id":"localhost","daemon_type":"authoritative","version":"{version}"}}"#))
}

fn no_sets() -> Answer {
    answer(200, r#"{"rrsets":[]}"#)
}

fn driver(answers: Vec<Answer>) -> (Driver<Settings>, Script) {
    let configuration = fields! { "endpoint": "http://127.0.0.1:8081", "apiKey": "k", "serverId": "localhost" };
    let driver = Driver::configure(&PROVIDER, configuration).unwrap();
    let script = Script { answers: Rc::new(RefCell::new(answers)), asked: Rc::default() };
    let server = script.clone();
    driver.answer_http(move |request: &Request| {
        let path = request.url().path_and_query();
        let path = path.strip_prefix("/api/v1/servers/localhost").unwrap();
        let body = String::from_utf8_lossy(request.content());
        server.asked.borrow_mut().push(format!("{} {path} {body}", request.method()).trim_end().to_owned());
        assert!(request.headers().any(|header| header == ("x-api-key", "k")));
        let mut answers = server.answers.borrow_mut();
        assert!(!answers.is_empty(), "nothing more should be asked: {:?}", server.asked.borrow());
        match answers.remove(0) {
            Answer::Of(status, body) => Ok(Response::new(status, body)),
            Answer::Lost => Err(HttpError::new(request, true, Failed::Connection("it broke".to_owned()))),
            Answer::Refused => Err(HttpError::new(request, false, Failed::Connection("it was refused".to_owned()))),
        }
    });
    driver.host_checks(|check| Ok(Checked { inputs: check.inputs.clone(), failures: Vec::new() }));
    (driver, script)
}

impl Script {
    fn asked(&self) -> Vec<String> {
        assert!(self.answers.borrow().is_empty(), "all should be asked: {:?}", self.asked.borrow());
        self.asked.take()
    }
}

fn zone_inputs() -> Fields {
    fields! { "name": "example.org", "kind": "Native", "dnssec": false, "nsec3narrow": false, "soaEditApi": "DEFAULT" }
}

fn with(mut inputs: Fields, more: Fields) -> Fields {
    inputs.extend(more);
    inputs
}

fn records(kind: &str, records: Vec<&str>) -> Fields {
    fields! { "zone": "example.org", "name": "www", "type": kind, "ttl": 300, "records": records, "disabled": false }
}

fn kind<T>(result: Result<T, Error>) -> ErrorKind {
    result.map(drop).unwrap_err().into_kind()
}

#[test]
fn the_package_describes_itself_without_contradictions() {
    let mistakes = validate(&PROVIDER);
    assert!(mistakes.is_ok(), "{mistakes:?}");
    let manifest = PROVIDER.manifest();
    assert!(manifest.contains(r#""endpoint":"${config.endpoint}""#), "{manifest}");
    assert!(manifest.contains("PDNS_API_KEY"), "{manifest}");
}

#[test]
fn a_zone_is_signed_only_once_it_is_on_record() {
    let signed = zone("example.org.", r#","dnssec":true,"nsec3param":"1 0 0 -""#);
    let keys =
        answer(200, r#"[{"id":1,"keytype":"csk","active":true,"algorithm":"X","bits":256,"dnskey":"k","ds":["d"]}]"#);
    let answers = vec![answer(404, ""), zone("example.org.", ""), answer(204, ""), signed, keys];
    let (driver, script) = driver(answers);
    let inputs = with(zone_inputs(), fields! { "dnssec": true, "nsec3param": "1 0 0 -" });
    let created = driver.create::<Zone>(inputs.clone()).unwrap();
    assert_eq!(created.id, "example.org.");
    assert_eq!(created.fields["dsRecords"], vec!["d"].into());
    assert_eq!(driver.checkpoint().unwrap().0, "example.org.");
    let asked = script.asked();
    assert_eq!(asked.len(), 5);
    assert!(asked[1].starts_with("POST /zones") && !asked[1].contains("dnssec"), "{}", asked[1]);
    assert!(asked[2].starts_with("PUT /zones/example.org. ") && asked[2].contains(r#""dnssec":true"#), "{}", asked[2]);
}

#[test]
fn what_fails_half_way_is_on_record_as_not_ready() {
    let refused = answer(422, r#"{"error":"A TSIG key with the name 'xfer' does not exist"}"#);
    let (driver, _) = driver(vec![answer(404, ""), zone("example.org.", ""), refused]);
    let inputs = with(zone_inputs(), fields! { "masterTsigKeyIds": vec!["xfer"] });
    let ErrorKind::NotInitialised(partial) = kind(driver.create::<Zone>(inputs)) else { panic!() };
    assert_eq!(partial.id, "example.org.");
    assert_eq!(partial.state["name"], "example.org".into());
    assert!(!partial.state.contains_key("serial"), "nobody asked for it yet");
    assert_eq!(partial.reasons, ["the server refuses it: A TSIG key with the name 'xfer' does not exist"]);
}

#[test]
fn a_lost_answer_is_looked_for() {
    // It was made after all.
    let found = || zone("example.org.", r#","rrsets":[{"name":"example.org.","type":"SOA","records":[]}]"#);
    let (driver_, script) = driver(vec![answer(404, ""), Answer::Lost, found(), answer(204, ""), found()]);
    assert_eq!(driver_.create::<Zone>(zone_inputs()).unwrap().id, "example.org.");
    script.asked();
    // It wasn't.
    let (driver_, _) = driver(vec![answer(404, ""), Answer::Lost, answer(404, "")]);
    assert!(matches!(kind(driver_.create::<Zone>(zone_inputs())), ErrorKind::Failed(_)));
    // Nobody knows.
    let mut answers = vec![answer(404, ""), Answer::Lost];
    answers.extend((0..5).map(|_| Answer::Lost));
    let (driver_, _) = driver(answers);
    let ErrorKind::OutcomeUnknown(message) = kind(driver_.create::<Zone>(zone_inputs())) else { panic!() };
    assert!(message.contains("is there a zone `example.org.`? then import it"), "{message}");
}

#[test]
fn a_key_whose_answer_is_lost_is_not_guessed_at() {
    let inputs = || fields! { "zone": "example.org", "keytype": "zsk", "active": true, "published": true };
    for lost in [Answer::Lost, answer(500, "Internal Server Error"), answer(201, "<html>")] {
        let (driver, script) = driver(vec![lost]);
        let ErrorKind::OutcomeUnknown(message) = kind(driver.create::<CryptoKey>(inputs())) else { panic!() };
        assert!(message.contains("is there a new key in the zone? then import it as `zone:number`"), "{message}");
        assert_eq!(script.asked().len(), 1, "another request might make another key");
    }
    let (driver, _) = driver(vec![answer(404, "")]);
    let error = driver.create::<CryptoKey>(inputs()).unwrap_err().to_string();
    assert!(error.starts_with("`zone` must be a zone of the server"), "{error}");
}

#[test]
fn a_change_that_is_refused_names_the_input() {
    let there = || zone("example.org.", "");
    let refused = answer(422, r#"{"error":"Master (192.0.2.1) is no address: wrong"}"#);
    let (driver, _) = driver(vec![answer(404, ""), there(), there(), there(), refused]);
    let created = driver.create::<Zone>(zone_inputs()).unwrap();
    let inputs = with(zone_inputs(), fields! { "kind": "Slave", "masters": vec!["192.0.2.1"] });
    assert_eq!(driver.update(&created, inputs).unwrap_err().to_string(), "`masters` is refused by the server: wrong");
}

/// A zone or a key may be called after an input.
#[test]
fn names_in_the_servers_words_are_no_inputs() {
    let there = || zone("catalog.example.", "");
    for (said, shown) in [
        (
            "No backend was able to secure 'catalog.example.', most likely because no DNSSEC capable backends are loaded",
            "the server refuses it: No backend was able to secure 'catalog.example.', most likely because no DNSSEC capable backends are loaded",
        ),
        (
            "A TSIG key with the name 'nameserver-key' does not exist",
            "the server refuses it: A TSIG key with the name 'nameserver-key' does not exist",
        ),
        (
            "NSEC3PARAMs provided for zone 'catalog.example.' are invalid. Unknown hash",
            "`nsec3param` is refused by the server: NSEC3PARAMs provided for zone 'catalog.example.' are invalid. Unknown hash",
        ),
    ] {
        let refused = answer(422, &format!(r#"{{"error":"{said}"}}"#));
        let (driver, _) = driver(vec![answer(404, ""), there(), there(), there(), refused]);
        let created = driver.create::<Zone>(with(zone_inputs(), fields! { "name": "catalog.example" })).unwrap();
        let inputs = with(zone_inputs(), fields! { "name": "catalog.example", "account": "dns" });
        assert_eq!(driver.update(&created, inputs).unwrap_err().to_string(), shown);
    }
}

#[test]
fn what_exists_is_to_be_imported() {
    let exists = "the server has this zone already\nhint: import it with the id `example.org.`";
    let (driver_, _) = driver(vec![zone("example.org.", "")]);
    assert_eq!(driver_.create::<Zone>(zone_inputs()).unwrap_err().to_string(), exists);
    let (driver_, _) = driver(vec![answer(404, ""), answer(409, "Conflict")]);
    assert_eq!(driver_.create::<Zone>(zone_inputs()).unwrap_err().to_string(), exists);

    let there = r#"{"rrsets":[{"name":"www.example.org.","type":"A","ttl":1,"records":[{"content":"192.0.2.9"}],"comments":[]}]}"#;
    let (driver_, _) = driver(vec![answer(200, there)]);
    let error = driver_.create::<RecordSet>(records("A", vec!["192.0.2.1"])).unwrap_err().to_string();
    let own = "if it is this resource's own, to be replaced, say `deleteBeforeReplace: true` in its options";
    assert!(error.ends_with(&format!("import it with the id `example.org.:www.example.org.:A`; {own}")), "{error}");
}

#[test]
fn a_set_whose_answer_is_lost_is_looked_for() {
    let lost = || (0..5).map(|_| Answer::Lost);
    let there = || {
        answer(
            200,
            r#"{"rrsets":[{"name":"www.example.org.","type":"A","ttl":300,"records":[{"content":"192.0.2.1"}]}]}"#,
        )
    };
    let asked = |more: Vec<Answer>| {
        let (driver, script) = driver([no_sets(), version("5.0.5")].into_iter().chain(lost()).chain(more).collect());
        let created = driver.create::<RecordSet>(records("A", vec!["192.0.2.1"]));
        script.asked();
        created
    };
    assert_eq!(asked(vec![there()]).unwrap().id, "example.org.:www.example.org.:A");
    assert!(matches!(kind(asked(vec![no_sets()])), ErrorKind::Failed(_)));
    let ErrorKind::OutcomeUnknown(message) = kind(asked(lost().collect())) else { panic!() };
    assert!(message.contains("is there a record set `example.org.:www.example.org.:A`? then import it"), "{message}");

    let metadata = fields! { "zone": "example.org", "kind": "X-A", "values": vec!["1"] };
    let values = |values: &str| answer(200, &format!(r#"{{"metadata":[{values}]}}"#));
    let (driver, script) = driver([values("")].into_iter().chain(lost()).chain([values(r#""1""#)]).collect());
    assert_eq!(driver.create::<ZoneMetadata>(metadata).unwrap().id, "example.org.:X-A");
    script.asked();
}

#[test]
fn gone_is_gone_and_deleted_twice_is_deleted() {
    let gone = || [answer(404, ""), version("4.9.0")];
    let mut answers = vec![no_sets(), version("5.0.5"), answer(204, "")];
    answers.extend(gone().into_iter().chain([answer(404, "")]).chain(gone()).chain(gone()));
    let (driver, script) = driver(answers);
    let created = driver.create::<RecordSet>(records("A", vec!["192.0.2.1"])).unwrap();
    assert!(driver.read(&created).unwrap().is_none(), "the zone is gone, and the record set with it");
    driver.delete(&created).unwrap();
    assert!(driver.import::<Zone>("nowhere.example").unwrap().is_none());
    script.asked();
}

#[test]
fn a_server_that_is_busy_is_asked_again() {
    let busy = || answer(503, "");
    let (driver, script) = driver(vec![busy(), no_sets(), version("5.0.5"), busy(), Answer::Lost, answer(204, "")]);
    driver.create::<RecordSet>(records("A", vec!["192.0.2.1"])).unwrap();
    assert_eq!(script.asked().len(), 6, "to replace a set may be repeated");
}

#[test]
fn a_database_that_is_busy_is_asked_again() {
    let busy = || answer(500, "Internal Server Error");
    let (driver, script) = driver(vec![no_sets(), version("5.0.5"), busy(), busy(), answer(204, "")]);
    driver.create::<RecordSet>(records("A", vec!["192.0.2.1"])).unwrap();
    assert_eq!(script.asked().len(), 5);
    let (driver, _) = self::driver(vec![answer(404, ""), busy(), answer(404, "")]);
    assert!(driver.create::<Zone>(zone_inputs()).is_err(), "a zone is created once");
}

/// What the server said is more than that the time was up.
#[test]
fn a_pause_that_would_last_to_the_end_of_a_call_is_not_made() {
    let (driver_, script) = driver(vec![no_sets(), version("5.0.5"), answer(204, "")]);
    let created = driver_.create::<RecordSet>(records("A", vec!["192.0.2.1"])).unwrap();
    script.asked();
    let busy = || answer(500, "Internal Server Error");
    let (driver, script) = driver(vec![version("5.0.5"), no_sets(), busy(), busy()]);
    driver.end_in(Duration::from_millis(500));
    let ErrorKind::NotInitialised(partial) = kind(driver.update(&created, records("A", vec!["192.0.2.2"]))) else {
        panic!("it may have changed something")
    };
    assert!(partial.reasons[0].starts_with("the server answered 500: "), "{:?}", partial.reasons);
    assert_eq!(script.asked().len(), 4);
    let left = bulkhead_sdk::operation::remaining();
    assert_eq!(left, Some(Duration::from_millis(300)), "in 400 ms the call would be over");
}

#[test]
fn a_cancelled_create_asks_for_nothing() {
    let (driver, script) = driver(Vec::new());
    driver.cancel();
    assert!(matches!(kind(driver.create::<Zone>(zone_inputs())), ErrorKind::Cancelled));
    assert!(script.asked().is_empty());
}

#[test]
fn answers_of_others_are_explained() {
    for (given, shown) in [
        (
            answer(401, "Unauthorized"),
            "the server doesn't accept the API key\nhint: `powerdns:apiKey` must be what the server's `api-key` says",
        ),
        (
            answer(200, "<html>"),
            "the server's answer isn't PowerDNS's: syntax error at line 1, column 1\n\
             hint: does `powerdns:endpoint` name the API of a PowerDNS server?",
        ),
        (
            answer(500, "Internal Server Error\nx"),
            "the server answered 500: Internal Server Error\nhint: its log says more",
        ),
        (answer(404, ""), "the server has no such zone"),
    ] {
        let (driver, _) = driver(vec![given]);
        assert_eq!(driver.invoke::<get_zone>(fields! { "name": "example.org" }).unwrap_err().to_string(), shown);
    }
}
