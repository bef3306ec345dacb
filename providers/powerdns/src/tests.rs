//! What is asked of the server in which order, and what its answers mean, where the real server can't be made to give them: lost
//! answers, refusals, failures half-way. What it does when all is well, the end-to-end tests try with the server itself.

mod keys;
mod losses;
mod refused;
mod switched_off;
mod untouched;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use bulkhead_sdk::http::{Failed, HttpError, Method, Request, Response};
use bulkhead_sdk::list::Page;
use bulkhead_sdk::resource::{Change, ChangeKind, Checked, Difference};
use bulkhead_sdk::testing::{Driver, Recorded, validate};
use bulkhead_sdk::{Error, ErrorKind, Fields, Path, Resource, Value, fields};

use crate::functions::get_zone;
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
    assert!(error.contains("import it with the id `example.org.:www.example.org.:A`"), "{error}");
}

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
            "`name` is refused by the server: Conflicts with pre-existing RRset; sets of this name that it can't be beside have to go first: take them out of the program, run that, and then add this one",
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
            "`name` is refused by the server: conflicts with existing CNAME RRset of the same name; sets of this name that it can't be beside have to go first: take them out of the program, run that, and then add this one",
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

#[test]
fn a_spelling_that_means_another_text_is_not_taken() {
    let said = r#"Record www.example.org./TXT '\"say \\\"hi\\\"\"': Not in expected format (parsed as '\"say \" \"hi\" \"\"')"#;
    let refused = answer(422, &format!(r#"{{"error":"{said}"}}"#));
    let (driver, script) = driver(vec![no_sets(), version("5.1.4"), refused]);
    let error = driver.create::<RecordSet>(records("TXT", vec!["say \"hi\""])).unwrap_err().to_string();
    assert!(error.starts_with("`records[0]` is read as another text by the server\nhint: PowerDNS 5.1 "), "{error}");
    assert_eq!(script.asked().len(), 3);
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

#[test]
fn gone_is_gone_and_deleted_twice_is_deleted() {
    let gone = || [answer(404, ""), version("4.9.0")];
    let mut answers = vec![no_sets(), version("5.0.5"), answer(204, "")];
    answers.extend([gone(), gone(), gone()].into_iter().flatten());
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

#[test]
fn a_cancelled_create_asks_for_nothing() {
    let (driver, script) = driver(Vec::new());
    driver.cancel();
    assert!(matches!(kind(driver.create::<Zone>(zone_inputs())), ErrorKind::Cancelled));
    assert!(script.asked().is_empty());
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
    assert!(!first("CNAME", "TYPE5", &["type"]), "the same type");
    assert!(!first("A", "CNAME", &["type", "name"]), "they are at different places");
    assert!(!first("CNAME", "CNAME", &["ttl"]));
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

/// Servers with views list `example.org..internal` beside `example.org.`, which no id names.
#[test]
fn variants_of_zones_are_in_no_list() {
    let zones = || answer(200, r#"[{"name":"example.org..internal"},{"name":"example.org."}]"#);
    let (driver_, _) = driver(vec![zones()]);
    let page = driver_.list::<Zone>(Fields::new(), None, None).unwrap();
    assert_eq!(page.items.iter().map(|item| item.id.as_str()).collect::<Vec<_>>(), ["example.org."]);
    let (driver_, script) = driver(vec![zones(), no_sets()]);
    assert!(driver_.list::<RecordSet>(Fields::new(), None, None).unwrap().items.is_empty());
    assert_eq!(script.asked().len(), 2);
}

#[test]
fn pages_of_record_sets_fetch_no_zone_that_they_have_no_room_for() {
    let zones = || answer(200, r#"[{"name":"b.example."},{"name":"c.example."},{"name":"a.example."}]"#);
    let zone = |name: &str, hosts: &[&str]| {
        let set =
            |host: &&str| format!(r#"{{"name":"{host}.{name}","type":"A","records":[{{"content":"192.0.2.1"}}]}}"#);
        let sets: Vec<String> = hosts.iter().map(set).collect();
        answer(200, &format!(r#"{{"name":"{name}","rrsets":[{}]}}"#, sets.join(",")))
    };
    let (a, b) = (|| zone("a.example.", &["y", "x"]), || zone("b.example.", &["x", "z", "y"]));
    let (driver_, script) = driver(vec![zones(), a(), b()]);
    let page = driver_.list::<RecordSet>(Fields::new(), Some(3), None).unwrap();
    let ids = |page: &Page| page.items.iter().map(|item| item.name.clone().unwrap()).collect::<Vec<_>>();
    assert_eq!(ids(&page), ["x.a.example A", "y.a.example A", "x.b.example A"]);
    assert_eq!(script.asked().len(), 3);

    let (driver_, script) = driver(vec![zones(), b(), zone("c.example.", &[])]);
    let page = driver_.list::<RecordSet>(Fields::new(), Some(3), page.continuation).unwrap();
    assert_eq!((ids(&page), page.continuation), (vec!["y.b.example A".to_owned(), "z.b.example A".to_owned()], None));
    assert_eq!(script.asked()[1], "GET /zones/b.example.");

    let (driver_, _) = driver(Vec::new());
    assert!(driver_.list::<RecordSet>(Fields::new(), None, Some("others".to_owned())).is_err());
    let error = driver_.list::<RecordSet>(fields! { "zone": "a b" }, None, None).unwrap_err().to_string();
    assert!(error.starts_with("`zone` must be a name"), "{error}");
}
