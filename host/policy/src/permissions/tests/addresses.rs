//! Which addresses a permitted name may stand for.

use super::*;

#[test]
fn addresses_are_public_unless_others_are_granted() {
    let granted = r#"network = ["https://*.example.com", "https://exact.example", "http://10.1.2.3",
        "http://localhost:8080", "http://169.254.7.7",
        { endpoint = "tcp://db.internal:5432", addresses = ["10.0.0.0/8"] }]"#;
    let asked = [
        "https://*.example.com",
        "https://exact.example",
        "http://10.1.2.3",
        "http://localhost:8080",
        "http://169.254.7.7",
        "tcp://db.internal:5432",
    ];
    let mine = permissions(network(&asked), granted, &[]);
    for (destination, address, permitted) in [
        ("https://a.example.com", "93.184.216.34", true),
        ("https://a.example.com", "127.0.0.1", false),
        ("https://a.example.com", "10.1.2.3", false),
        ("https://a.example.com", "::ffff:10.1.2.3", false),
        ("https://exact.example", "127.0.0.1", false),
        ("https://exact.example", "::1", false),
        ("http://10.1.2.3", "10.1.2.3", true),
        ("http://10.1.2.3", "10.1.2.4", false),
        ("http://169.254.7.7", "169.254.7.7", true),
        ("http://localhost:8080", "::1", true),
        ("http://localhost:8080", "10.0.0.1", false),
        ("tcp://db.internal:5432", "10.9.9.9", true),
        ("tcp://db.internal:5432", "192.168.0.1", false),
        ("tcp://db.internal:5432", "169.254.169.254", false),
        ("tcp://db.internal:5432", "0.0.0.0", false),
    ] {
        assert_eq!(reach(&mine, destination, address).is_ok(), permitted, "{destination} {address}");
    }
    assert_eq!(
        reach(&mine, "https://a.example.com", "127.0.0.1").unwrap_err(),
        "network https://a.example.com is denied: it stands for 127.0.0.1, this machine (loopback)"
    );
    let denial =
        mine.destination(Phase::Create, &to("https://a.example.com")).unwrap().address("10.0.0.9".parse().unwrap());
    let hint = denial.unwrap_err().hint().unwrap().to_owned();
    let line = r#" and network = [{ endpoint = "https://a.example.com", addresses = ["10.0.0.9"] }] to /project/bulkhead.toml"#;
    assert!(hint.contains(line), "{hint}");
    let narrowed = permissions(network(&asked), granted, &["network = [\"tcp://*:*\"]"]);
    assert!(reach(&narrowed, "tcp://db.internal:5432", "10.9.9.9").is_err(), "every file above has to allow it");
}

/// Whoever answers for a name has it stand for as many addresses as they like.
#[test]
fn of_all_addresses_that_do_not_pass_there_is_one_denial() {
    let endpoint = "https://a.example.com";
    let mine = permissions(network(&[endpoint]), "network = [\"https://a.example.com\"]", &[]);
    let reach = mine.destination(Phase::Create, &to(endpoint)).unwrap();
    let found = |found: &[String]| {
        let (passing, denied) = reach.addresses(found.iter().map(|address| address.parse().unwrap()).collect());
        let passing: Vec<String> = passing.iter().map(ToString::to_string).collect();
        (passing.join(" "), denied.map(|denial| (denial.why.to_string(), denial.remedy.is_some())))
    };
    let public = "93.184.216.34".to_owned();
    assert_eq!(found(std::slice::from_ref(&public)), (public.clone(), None));
    let private: Vec<String> = (0..64).map(|last| format!("10.0.0.{last}")).collect();
    let denied = "it stands for 10.0.0.0, a private address (63 more are denied with it)".to_owned();
    assert_eq!(found(&private), (String::new(), Some((denied, true))));
    // Of what nobody is ever granted there is nothing to do, so that another one is told.
    let mixed = ["169.254.169.254".to_owned(), public.clone(), "10.0.0.7".to_owned()];
    let denied = "it stands for 10.0.0.7, a private address (1 more is denied with it)".to_owned();
    assert_eq!(found(&mixed), (public, Some((denied, true))));
    let never = "it stands for 169.254.169.254, where the machine's own credentials are handed out".to_owned();
    assert_eq!(found(&mixed[..1]), (String::new(), Some((never, false))));
}

/// What is added stands beside what is there already, so it says all that it takes and nothing more.
#[test]
fn whoever_keeps_an_address_out_is_told_what_would_let_it_pass() {
    let asked = || -> Requests {
        serde_json::from_str(
            r#"{"network":[{"endpoint":"https://*","phases":["preview","create"],"reason":"r"},{"endpoint":"tcp://*:*","reason":"r"}]}"#,
        )
        .unwrap()
    };
    let hint = |granted: &str, allowed: &[&str], phase, destination: &Destination| {
        let permissions = permissions(asked(), &format!("network = [{granted}]"), allowed);
        let denial = permissions.destination(phase, destination).unwrap().address("10.0.0.9".parse().unwrap());
        let denial = denial.unwrap_err();
        assert!(denial.to_string().ends_with("is denied: it stands for 10.0.0.9, a private address"), "{denial}");
        denial.hint().unwrap().to_owned()
    };
    let by_name = to("GET https://a.example");
    let resolving = Destination { port: None, ..to("tcp://db.example:1") };
    for (granted, phase, destination, line) in [
        (
            r#"{ endpoint = "https://*", methods = ["GET"], phases = ["preview"] }"#,
            Phase::Preview,
            &by_name,
            r#"{ endpoint = "https://a.example", methods = ["GET"], phases = ["preview"], addresses = ["10.0.0.9"] }"#,
        ),
        (
            r#""tcp://*:5432""#,
            Phase::Create,
            &resolving,
            r#"{ endpoint = "tcp://db.example:5432", addresses = ["10.0.0.9"] }"#,
        ),
        // What is granted beyond what is asked for isn't repeated, since nobody is asked for it.
        (
            r#""https://*""#,
            Phase::Create,
            &to("GET https://10.0.0.9"),
            r#"{ endpoint = "https://10.0.0.9", phases = ["create"] }"#,
        ),
        (
            r#"{ endpoint = "tcp://*:5432", phases = ["create", "check"] }"#,
            Phase::Create,
            &resolving,
            r#"{ endpoint = "tcp://db.example:5432", phases = ["create"], addresses = ["10.0.0.9"] }"#,
        ),
    ] {
        let told = hint(granted, &[], phase, destination);
        let (command, by_hand) = told.split_once("`, or add ").unwrap();
        assert!(command.ends_with(&format!(" --only 'network = [{line}]'")), "{command}");
        assert!(by_hand.ends_with(&format!(" and network = [{line}] to /project/bulkhead.toml")), "{by_hand}");
        let both = permissions(asked(), &format!("network = [{granted}, {line}]"), &[]);
        let reach = both.destination(phase, destination).unwrap();
        assert_eq!(reach.address("10.0.0.9".parse().unwrap()), Ok(()), "{line}");
        assert!(reach.address("10.0.0.8".parse().unwrap()).is_err(), "{line}");
    }
    let granted = r#"{ endpoint = "https://a.example", addresses = ["private"] }"#;
    assert_eq!(
        hint(granted, &["network = [\"https://*\"]"], Phase::Create, &by_name),
        "whoever owns /etc/bulkhead/bulkhead.toml can add { endpoint = \"https://a.example\", addresses = [\"10.0.0.9\"] } to \
         `network` under its [allow]"
    );
    let read_only = permissions(
        asked(),
        "network = [\"https://*\"]",
        &[r#"network = [{ endpoint = "https://*", methods = ["GET"] }]"#],
    );
    let denial = read_only.destination(Phase::Create, &to("PUT https://a.example")).unwrap_err();
    let least = r#"can add { endpoint = "https://a.example", methods = ["PUT"], phases = ["create"] } to `network`"#;
    assert!(denial.hint().unwrap().contains(least), "{denial:?}");
}
