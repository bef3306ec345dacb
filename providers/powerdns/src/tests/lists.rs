//! Lists: what is in them, and what a page of them costs.

use super::*;

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
