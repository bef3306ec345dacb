//! Records that are switched off, beside those that are handed out and by themselves: servers before 5.0 leave them out of look-ups.

use super::*;
use crate::functions::get_record_set;

fn done() -> Answer {
    answer(204, "")
}

/// A set of addresses, those that are switched off with an exclamation mark.
fn set(name: &str, contents: &[&str]) -> String {
    let records: Vec<String> = contents
        .iter()
        .map(|content| match content.strip_prefix('!') {
            Some(content) => format!(r#"{{"content":"{content}","disabled":true}}"#),
            None => format!(r#"{{"content":"{content}","disabled":false}}"#),
        })
        .collect();
    format!(r#"{{"name":"{name}.example.org.","type":"A","ttl":300,"records":[{}]}}"#, records.join(","))
}

fn sets(sets: &[String]) -> Answer {
    answer(200, &format!(r#"{{"name":"example.org.","rrsets":[{}]}}"#, sets.join(",")))
}

fn addresses(records: Vec<&str>) -> Fields {
    super::records("A", records)
}

fn made(records: Vec<&str>) -> Recorded<RecordSet> {
    let (driver, _) = driver(vec![no_sets(), version("5.0.5"), done()]);
    driver.create::<RecordSet>(addresses(records)).unwrap()
}

/// The contents that a request sends, with exclamation marks where they are switched off.
fn sent(request: &str) -> Vec<String> {
    let (_, body) = request.split_once(" {").unwrap();
    let body: serde_json::Value = serde_json::from_str(&format!("{{{body}")).unwrap();
    let records = body["rrsets"][0]["records"].as_array().unwrap();
    let content = |record: &serde_json::Value| {
        let mark = if record["disabled"] == true { "!" } else { "" };
        format!("{mark}{}", record["content"].as_str().unwrap())
    };
    records.iter().map(content).collect()
}

#[test]
fn what_others_switched_off_stays_so_whatever_changes_beside_it() {
    let created = made(vec!["192.0.2.1", "192.0.2.2"]);
    let there = || sets(&[set("www", &["192.0.2.1", "!192.0.2.2", "!192.0.2.9"])]);
    let expected = ["192.0.2.1", "192.0.2.3", "!192.0.2.9"];
    for (number, before) in [("4.7.3", "GET /zones/example.org."), ("5.1.4", "GET /zones/example.org.?rrset_name=")] {
        let (driver, script) = driver(vec![version(number), there(), done()]);
        driver.update(&created, addresses(vec!["192.0.2.1", "192.0.2.3"])).unwrap();
        let asked = script.asked();
        assert!(asked[1].starts_with(before), "{number}: {}", asked[1]);
        assert_eq!(sent(&asked[2]), expected, "{number}: its own ones are its own to give up");
    }

    // It is no drift.
    let (driver_, _) = driver(vec![sets(&[set("www", &["192.0.2.1", "192.0.2.2", "!192.0.2.9"])])]);
    assert_eq!(driver_.read(&created).unwrap().unwrap().fields["records"], created.fields["records"]);

    // Of a set that is switched off itself, all is its own.
    let off = with(addresses(vec!["192.0.2.1"]), fields! { "disabled": true });
    let (driver_, script) = driver(vec![done()]);
    driver_.update(&created, off).unwrap();
    assert_eq!(sent(&script.asked()[0]), ["!192.0.2.1"]);
}

#[test]
fn look_ups_have_all_of_it() {
    for (number, looked_up) in
        [("4.7.3", set("www", &["192.0.2.1"])), ("5.1.4", set("www", &["192.0.2.1", "!192.0.2.9"]))]
    {
        let all = sets(&[set("other", &["192.0.2.5"]), set("www", &["192.0.2.1", "!192.0.2.9"])]);
        let (driver, script) = driver(vec![sets(&[looked_up]), version(number), all]);
        let found = driver.invoke::<get_record_set>(fields! { "zone": "example.org", "name": "www", "type": "a" });
        let found = found.unwrap();
        let found = found.as_fields().unwrap();
        assert_eq!((&found["records"], &found["disabled"]), (&vec!["192.0.2.1"].into(), &vec!["192.0.2.9"].into()));
        script.asked();
    }
}

#[test]
fn a_zone_is_listed_once_for_all_of_its_sets() {
    let listing = || sets(&[set("www", &["192.0.2.1"]), set("off", &["!192.0.2.9"])]);
    let new = |name: &str| with(addresses(vec!["192.0.2.1"]), fields! { "name": name });
    let (driver, script) = driver(vec![
        no_sets(),
        version("4.9.0"),
        listing(),
        done(),
        // The second one needs none.
        no_sets(),
        done(),
        // What may be there is looked at again.
        no_sets(),
        listing(),
        // What is switched off here is known at once.
        no_sets(),
        done(),
        no_sets(),
        sets(&[set("c", &["!192.0.2.1"])]),
    ]);
    for name in ["a", "b"] {
        driver.create::<RecordSet>(new(name)).unwrap();
    }
    let error = driver.create::<RecordSet>(new("off")).unwrap_err().to_string();
    assert!(error.contains("import it with the id `example.org.:off.example.org.:A`"), "{error}");
    driver.create::<RecordSet>(with(new("c"), fields! { "disabled": true })).unwrap();
    let error = driver.create::<RecordSet>(new("c")).unwrap_err().to_string();
    assert!(error.contains("import it with the id `example.org.:c.example.org.:A`"), "{error}");
    let asked = script.asked();
    assert!(!asked.iter().any(|request| request.contains("search-data")), "{asked:?}");
    let listings = asked.iter().filter(|request| *request == "GET /zones/example.org.").count();
    assert_eq!(listings, 3, "{asked:?}");
}

/// What a refresh doesn't find it forgets.
#[test]
fn a_set_that_was_switched_off_a_moment_ago_is_not_forgotten() {
    let created = made(vec!["192.0.2.1"]);
    let off = sets(&[set("www", &["!192.0.2.1"])]);
    let listed = sets(&[set("www", &["192.0.2.1"])]);
    let (driver, script) = driver(vec![no_sets(), version("4.9.0"), listed, done(), no_sets(), off]);
    driver.create::<RecordSet>(with(addresses(vec!["192.0.2.1"]), fields! { "name": "other" })).unwrap();
    let read = driver.read(&created).unwrap().unwrap();
    assert_eq!(read.fields["disabled"], true.into());
    script.asked();
}
