//! What `bulkhead check` lets a provider reach: what it may in the project that the command is run in, and nothing elsewhere.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use bulkhead_tests::{Finished, PowerDns, run, temporary_directory};
use serde_json::json;

use crate::powerdns::powerdns;
use crate::{bulkhead, guest};

/// Checks `powerdns` in a directory, for its whole life.
fn checked(directory: &Path) -> Finished {
    let powerdns = powerdns().component;
    let arguments = ["check".as_ref(), powerdns.as_os_str(), OsStr::new("--lifecycle")];
    let files = ["--config", "config.json", "--inputs", "inputs.json"].map(OsStr::new);
    run(bulkhead().command(arguments.into_iter().chain(files)).current_dir(directory))
}

/// The findings of a level, without hints.
fn of_level<'a>(finished: &'a Finished, level: &str) -> Vec<&'a str> {
    finished.stdout.lines().filter(|line| line.starts_with(level)).collect()
}

#[test]
fn a_provider_of_a_server_is_tried_with_its_grant_and_denied_everything_without() {
    let server = PowerDns::start();
    assert_eq!(server.ask("POST", "/zones", Some(&json!({ "name": "tried.org.", "kind": "Native" }))).0, 201);
    let directory = temporary_directory();
    let write = |name: &str, text: String| fs::write(directory.path().join(name), text).unwrap();
    write("config.json", json!({ "endpoint": server.endpoint(), "apiKey": server.key() }).to_string());
    let inputs = json!({
        "powerdns:index:Zone": { "name": "made.org", "kind": "Native", "nameservers": ["ns1.made.org"] },
        "powerdns:index:RecordSet": { "zone": "tried.org", "name": "www", "type": "A", "ttl": 300, "records": ["192.0.2.1"] },
        "powerdns:index:ZoneMetadata": { "zone": "tried.org", "kind": "ALSO-NOTIFY", "values": ["192.0.2.53"] },
        "powerdns:index:CryptoKey": { "zone": "tried.org", "keytype": "ksk", "active": false },
        "powerdns:index:TsigKey": { "name": "transfer" },
        "powerdns:index:getZone": { "name": "tried.org" },
        "powerdns:index:getRecords": { "zone": "tried.org" },
        "powerdns:index:getRecordSet": { "zone": "tried.org", "name": "tried.org", "type": "SOA" },
    });
    write("inputs.json", inputs.to_string());

    let denied = checked(directory.path());
    assert_eq!(of_level(&denied, "error"), [""; 0], "{denied}");
    // A request with a body that nobody sent isn't one of which nobody knows what came of it.
    let told = "powerdns 0.1.0: 12 skipped\ntried 5 resource types; no resources created, 5 functions called, 2 resource types listed";
    assert!(denied.stdout.contains(told), "{denied}");
    let hint =
        format!("hint: network {} (POST) is denied: nothing grants it; run `bulkhead grant /", server.endpoint());
    assert!(denied.stdout.contains(&hint) && denied.stdout.contains(" --project /"), "{denied}");

    run(bulkhead()
        .command([OsStr::new("grant"), powerdns().component.as_os_str(), "--yes".as_ref()])
        .current_dir(directory.path()))
    .succeeded();
    let tried = checked(directory.path());
    assert_eq!(
        (tried.code, of_level(&tried, "error"), of_level(&tried, "skipped")),
        (Some(0), vec![], vec![]),
        "{tried}"
    );
    assert_eq!(server.ask("GET", "/zones/made.org.", None).0, 404, "what was made is gone");
}

/// A provider whose own check asks somebody: what it is denied there is no mistake of its author's.
#[test]
fn what_is_denied_to_a_check_was_not_tried() {
    let networked = guest("networked");
    let checked = bulkhead().run([OsStr::new("check"), networked.component.as_os_str()]);
    assert_eq!((checked.code, of_level(&checked, "error")), (Some(0), vec![]), "{checked}");
    let denied = "skipped  check          networked:index:Page: the provider says: nobody answers: ";
    assert!(of_level(&checked, "skipped").iter().any(|line| line.starts_with(denied)), "{checked}");
    assert!(checked.stdout.contains("(GET) is denied: nothing grants it; run `bulkhead grant /"), "{checked}");
}

/// What an operator's limit keeps from being served isn't found fit to be.
#[test]
fn limits_of_the_project_hold_for_the_file_itself() {
    let directory = temporary_directory();
    let check = |limits: &str| {
        fs::write(directory.path().join("bulkhead.toml"), limits).unwrap();
        let component = guest("liar").component;
        run(bulkhead().command([OsStr::new("check"), component.as_os_str()]).current_dir(directory.path()))
    };
    let refused = check("[providers.liar.limits]\ncomponent = \"4KiB\"\n");
    assert_eq!(refused.code, Some(1), "{refused}");
    assert!(refused.stdout.starts_with("error    load           component: the component has "), "{refused}");
    let others = check("[providers.other.limits]\ncomponent = \"4KiB\"\n");
    assert_eq!(others.code, Some(0), "{others}");
}

/// What is left behind is told with its id, and with what kept the provider from deleting it.
#[test]
fn what_a_trial_may_not_delete_is_told_with_the_grant_that_is_missing() {
    let server = PowerDns::start();
    let directory = temporary_directory();
    let write = |name: &str, text: String| fs::write(directory.path().join(name), text).unwrap();
    write("config.json", json!({ "endpoint": server.endpoint(), "apiKey": server.key() }).to_string());
    write("inputs.json", json!({ "powerdns:index:Zone": { "name": "left.org", "kind": "Native" } }).to_string());
    let methods = r#"methods = ["GET", "POST", "PUT", "PATCH"]"#;
    let network = format!(r#"network = [{{ endpoint = "${{config.endpoint}}", {methods} }}]"#);
    write("bulkhead.toml", format!("[[providers.powerdns.grants]]\ndigest = \"dev\"\n{network}\n"));
    let tried = checked(directory.path());
    let mut lines =
        tried.stdout.lines().skip_while(|line| !line.contains("powerdns:index:Zone: ") || !line.starts_with("error"));
    let (error, hint) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    assert!(error.ends_with("; what the trial has created is still there"), "{tried}");
    assert!(
        hint.contains("hint: delete it by hand: its id is \"left.org") && hint.contains("(DELETE) is denied: "),
        "{tried}"
    );
}
