//! Contents with escapes, at servers that take a level of them off (`normalizeJsonString`, since 5.1.0) and at those that don't.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::*;
use crate::dns;

/// A set as the server has it: its time to live, its records and its comments.
type Stored = (u64, Vec<(String, bool)>, serde_json::Value);

/// A server with sets by name and type.
#[derive(Clone, Default)]
struct Server {
    sets: Rc<RefCell<BTreeMap<(String, String), Stored>>>,
}

/// What it does with contents before it reads them.
type Reads = fn(kind: &str, content: &str) -> String;

/// As 5.1.3 and later versions, which leave alone what has no name.
fn unescaped(kind: &str, content: &str) -> String {
    if kind == "LUA" || kind.starts_with("TYPE") { content.to_owned() } else { without_a_level(content) }
}

/// As the versions before.
fn unescaped_at_first(kind: &str, content: &str) -> String {
    if kind == "LUA" { content.to_owned() } else { without_a_level(content) }
}

/// As all versions before 5.1, and maybe those of some day.
fn as_it_is(_: &str, content: &str) -> String {
    content.to_owned()
}

/// What is printable loses what escapes it, also quotation marks and backslashes. Of what isn't, a byte is said as a signed number.
fn without_a_level(content: &str) -> String {
    let mut read = String::new();
    let (mut in_string, mut bytes) = (false, content.trim().bytes().peekable());
    while let Some(byte) = bytes.next() {
        let meant = match byte {
            b'\\' => {
                let next = bytes.next().expect("something is escaped");
                match next {
                    b'0'..=b'9' => {
                        let digits = [next, bytes.next().unwrap(), bytes.next().unwrap()];
                        String::from_utf8_lossy(&digits).parse().expect("a byte")
                    }
                    next => next,
                }
            }
            b'"' => {
                in_string = !in_string;
                b'"'
            }
            b' ' if !in_string => {
                while bytes.next_if_eq(&b' ').is_some() {}
                b' '
            }
            byte => byte,
        };
        match meant {
            b' '..=b'~' => read.push(meant.into()),
            meant => read.push_str(&format!("\\{}", u32::MAX - u32::from(u8::MAX - meant))),
        }
    }
    read
}

impl Server {
    /// Its sets, each content as the server has it, those that are switched off with an exclamation mark.
    fn contents(&self) -> Vec<String> {
        let sets = self.sets.borrow();
        let all = sets.values().flat_map(|(_, records, _)| records);
        all.map(|(content, disabled)| format!("{}{content}", if *disabled { "!" } else { "" })).collect()
    }

    fn answer(&self, version: &str, reads: Reads, request: &Request) -> Response {
        let path = request.url().path_and_query().to_owned();
        if path.ends_with("/localhost") {
            let version = format!(r#"{{"id":"localhost","daemon_type":"authoritative","version":"{version}"}}"#);
            return Response::new(200, version);
        }
        if request.method() == Method::Get {
            let zone = serde_json::json!({ "name": "example.org.", "rrsets": self.listed() });
            return Response::new(200, zone.to_string());
        }
        let body: serde_json::Value = serde_json::from_slice(request.content()).unwrap();
        let change = &body["rrsets"][0];
        let (name, kind) = (change["name"].as_str().unwrap().to_owned(), change["type"].as_str().unwrap().to_owned());
        if change["changetype"] == "DELETE" {
            self.sets.borrow_mut().remove(&(name, kind));
            return Response::new(204, "");
        }
        let mut records = Vec::new();
        for record in change["records"].as_array().unwrap() {
            let content = reads(&kind, record["content"].as_str().unwrap());
            let is_refused = match kind.as_str() {
                "TXT" => dns::canonical(&kind, &content).is_err(),
                kind => kind.starts_with("TYPE") && !content.starts_with("\\# "),
            };
            if is_refused {
                let said = format!("Record {name}/{kind} '{content}': Not in expected format (parsed as '?')");
                return Response::new(422, serde_json::json!({ "error": said }).to_string());
            }
            records.push((content, record["disabled"].as_bool().unwrap()));
        }
        let mut sets = self.sets.borrow_mut();
        let there = sets.get(&(name.clone(), kind.clone())).map(|(_, _, comments)| comments.clone());
        let comments = change.get("comments").cloned().or(there).unwrap_or_else(|| serde_json::json!([]));
        sets.insert((name, kind), (change["ttl"].as_u64().unwrap(), records, comments));
        Response::new(204, "")
    }

    fn listed(&self) -> Vec<serde_json::Value> {
        let sets = self.sets.borrow();
        let set = |((name, kind), (ttl, records, comments)): (&(String, String), &Stored)| {
            let records: Vec<_> = records
                .iter()
                .map(|(content, disabled)| serde_json::json!({ "content": content, "disabled": disabled }))
                .collect();
            serde_json::json!({ "name": name, "type": kind, "ttl": ttl, "records": records, "comments": comments })
        };
        sets.iter().map(set).collect()
    }
}

/// A server of this version that reads contents so.
fn at(version: &'static str, reads: Reads) -> (Driver<Settings>, Server) {
    let server = Server::default();
    (anew(&server, version, reads), server)
}

/// The same for whoever hasn't asked it anything yet.
fn anew(server: &Server, version: &'static str, reads: Reads) -> Driver<Settings> {
    let (driver, _) = driver(Vec::new());
    let answering = server.clone();
    driver.answer_http(move |request: &Request| Ok(answering.answer(version, reads, request)));
    driver
}

/// Versions, and how they read.
const VERSIONS: [(&str, Reads); 6] = [
    ("4.7.3", as_it_is),
    ("5.0.7", as_it_is),
    ("5.1.0", unescaped_at_first),
    ("5.1.4", unescaped),
    ("5.2.0", unescaped),
    ("0.0.21342.0.master.g0123456789", unescaped),
];

#[test]
fn a_record_is_stored_as_it_was_given_by_every_version() {
    for (version, reads) in VERSIONS {
        for (kind, given, stored) in [
            ("TXT", r"DOMAIN\user", r#""DOMAIN\\user""#),
            ("TXT", r"a\\b", r#""a\\\\b""#),
            ("TXT", r#"say "hi  you""#, r#""say \"hi  you\"""#),
            ("TXT", "grüße", r#""gr\195\188\195\159e""#),
            ("TXT", r#""x\\123" "y""#, r#""x\\123" "y""#),
            ("PTR", r"a\.b.example.org", r"a\.b.example.org."),
            ("PTR", r"a\(b.example.org", r"a(b.example.org."),
            ("RP", r"john\.doe.example.org x.example.org", r"john\.doe.example.org. x.example.org."),
            ("NAPTR", r#"1 2 u e2u "!^\\+(.*)$!\\1!" ."#, r#"1 2 "u" "e2u" "!^\\+(.*)$!\\1!" ."#),
            ("CAA", r#"0 issue "a\\;b""#, r#"0 issue "a\\;b""#),
            ("LUA", r#"TXT ";return '\"'""#, r#"TXT ";return '\"'""#),
            ("TYPE65534", r"\# 4 0a000001", r"\# 4 0a000001"),
            ("A", "192.0.2.1", "192.0.2.1"),
        ] {
            let (driver, server) = at(version, reads);
            let created = driver.create::<RecordSet>(records(kind, vec![given])).unwrap();
            assert_eq!(server.contents(), [stored], "{version} {kind} {given}");
            assert_eq!(driver.read(&created).unwrap().unwrap().fields, created.fields, "{version} {kind} {given}");
        }
        let (driver, server) = at(version, reads);
        let soa = r"ns1.example.org john\.doe.example.org 1 2 3 4 5";
        driver.create::<RecordSet>(with(records("SOA", vec![soa]), fields! { "name": "@" })).unwrap();
        assert_eq!(server.contents(), [r"ns1.example.org. john\.doe.example.org. 1 2 3 4 5"], "{version}");
    }
}

#[test]
fn what_others_switched_off_keeps_its_escapes() {
    for (version, reads) in VERSIONS {
        let (driver, server) = at(version, reads);
        let created = driver.create::<RecordSet>(records("TXT", vec!["v=1"])).unwrap();
        let key = ("www.example.org.".to_owned(), "TXT".to_owned());
        let others = (r#""DOMAIN\\user""#.to_owned(), true);
        server.sets.borrow_mut().get_mut(&key).unwrap().1.push(others);
        let driver = anew(&server, version, reads);
        driver.update(&created, with(records("TXT", vec!["v=1"]), fields! { "ttl": 60 })).unwrap();
        assert_eq!(server.contents(), [r#""v=1""#, r#"!"DOMAIN\\user""#], "{version}");
    }
}

/// Nobody promises that a later version reads as those do that are known.
#[test]
fn what_a_server_stores_as_something_else_is_taken_back() {
    let (driver, server) = at("5.9.0", as_it_is);
    let misread = "can't be written: the server stored a record as another one, and has what it had before\nhint: versions since 5.1 take ";
    let error = driver.create::<RecordSet>(records("TXT", vec!["v=1", r"a\b"])).unwrap_err().to_string();
    assert!(error.starts_with(&format!("`records[1]` {misread}")), "{error}");
    assert_eq!(server.contents(), [""; 0]);

    let comment = || fields! { "comments": vec![Value::from(fields! { "content": "mine" })] };
    let created = driver.create::<RecordSet>(with(records("TXT", vec!["v=1"]), comment())).unwrap();
    let key = ("www.example.org.".to_owned(), "TXT".to_owned());
    let others = (r#""DOMAIN\\user""#.to_owned(), true);
    server.sets.borrow_mut().get_mut(&key).unwrap().1.push(others);
    let before = server.sets.borrow().clone();
    let error = driver.update(&created, with(records("TXT", vec![r"a\b"]), fields! { "ttl": 60 })).unwrap_err();
    assert!(error.to_string().starts_with(&format!("`records[0]` {misread}")), "{error}");
    assert_eq!(*server.sets.borrow(), before);
    let error = driver.update(&created, with(records("TXT", vec!["v=2"]), comment())).unwrap_err().to_string();
    assert!(error.starts_with(&format!("`records` {misread}")), "what others switched off: {error}");
    assert_eq!(*server.sets.borrow(), before);
}

/// The serial has gone on meanwhile, and would go back.
#[test]
fn a_zone_whose_start_is_taken_back_keeps_its_serial() {
    let soa = |serial: u32, mailbox: &str| format!("ns1.example.org. {mailbox}.example.org. {serial} 2 3 4 5");
    let (driver, server) = at("5.9.0", as_it_is);
    let at_apex = |mailbox| with(records("SOA", vec![&soa(1, mailbox)]), fields! { "name": "@" });
    let created = driver.create::<RecordSet>(at_apex("john")).unwrap();
    let (counting, counted) = (server.clone(), Cell::new(false));
    driver.answer_http(move |request: &Request| {
        let response = counting.answer("5.9.0", as_it_is, request);
        if request.method() == Method::Patch && !counted.replace(true) {
            for (_, records, _) in counting.sets.borrow_mut().values_mut() {
                records[0].0 = records[0].0.replace(" 1 2 3 ", " 2 2 3 ");
            }
        }
        Ok(response)
    });
    assert!(driver.update(&created, at_apex(r"john\.doe")).is_err());
    assert_eq!(server.contents(), [soa(2, "john")]);
}

#[test]
fn what_cannot_be_taken_back_or_seen_is_told_to_be_there() {
    let created = {
        let (driver, _) = at("5.9.0", as_it_is);
        driver.create::<RecordSet>(records("TXT", vec!["v=1"])).unwrap()
    };
    let set = |content: &str| {
        let records = serde_json::json!([{ "content": content, "disabled": false }]);
        let set = serde_json::json!({ "name": "www.example.org.", "type": "TXT", "ttl": 300, "records": records });
        answer(200, &serde_json::json!({ "rrsets": [set] }).to_string())
    };
    let before = || set(r#""v=1""#);
    let other = || set(r#""a\\\\b""#);
    let not = || answer(403, "no");
    let given = || records("TXT", vec![r"a\b"]);

    let keeps = "the server stored a record as another one, and keeps it: the server answered 403: no\nhint: ";
    let (driver_, script) = driver(vec![version("5.1.4"), before(), before(), answer(204, ""), other(), not()]);
    let ErrorKind::NotInitialised(partial) = kind(driver_.update(&created, given())) else { panic!() };
    assert!(partial.reasons[0].starts_with(keeps), "{:?}", partial.reasons);
    assert_eq!(partial.state["records"], vec![r"a\b"].into());
    script.asked();
    let answers = vec![no_sets(), version("5.1.4"), no_sets(), answer(204, ""), other(), not()];
    let (driver_, script) = driver(answers);
    let ErrorKind::OutcomeUnknown(message) = kind(driver_.create::<RecordSet>(given())) else { panic!() };
    assert!(message.starts_with(keeps), "{message}");
    script.asked();

    let (driver_, script) = driver(vec![version("5.1.4"), before(), before(), answer(204, ""), not()]);
    let ErrorKind::NotInitialised(partial) = kind(driver_.update(&created, given())) else { panic!() };
    assert!(partial.reasons[0].starts_with("it was changed, and not seen since: the server answered 403: no"));
    script.asked();
    // What couldn't be asked before has changed nothing.
    let (driver_, script) = driver(vec![version("5.1.4"), before(), not()]);
    assert!(!matches!(kind(driver_.update(&created, given())), ErrorKind::NotInitialised(_)));
    script.asked();
}

/// What has no escapes is written and not looked at again.
#[test]
fn only_escapes_are_looked_after() {
    let (driver, script) = driver(vec![no_sets(), version("5.1.4"), answer(204, "")]);
    driver.create::<RecordSet>(records("TXT", vec!["v=spf1 -all; (no escapes)"])).unwrap();
    assert_eq!(script.asked().len(), 3);
}
