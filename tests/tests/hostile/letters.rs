//! A guest whose words would steer the terminal of whoever reads them, or pass for the host's: through each way that words take.

use bulkhead::audit::{AuditFile, Auditor};
use bulkhead::component::Limits;
use bulkhead_proto::errors::InputPropertiesError;
use bulkhead_tests::serving::{Serving, detail, init_failed, load, missing_keys};
use bulkhead_tests::temporary_directory;
use tonic::Status;

use crate::calls::{ALL, Given, listed};
use crate::{OWN, TELL, THING, object, on_record, undisturbed, unready, well, what};

/// Ends of calls that have no place for what isn't words.
const ENDS: [&str; 10] = ["fail", "other", "reject", "configure", "await", "lose", "find", "support", "break", "panic"];

/// Fails for a text that steers a terminal, has letters that nobody sees, or has a line that only the host's own words have.
#[track_caller]
fn assert_legible(said: &str) {
    let steers = |character: char| match character {
        '\n' | '\t' => false,
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}' => true,
        character => character.is_control(),
    };
    assert!(!said.contains(steers), "{said:?}");
    assert!(!said.lines().any(|line| line.starts_with("error: the disk") || line == "hint: run me"), "{said:?}");
}

/// All words of a failure: those that are shown, and those that engines make others of.
#[track_caller]
fn assert_status_legible(status: &Status) {
    assert_legible(status.message());
    if let Some(InputPropertiesError { errors }) = detail(status) {
        errors.iter().for_each(|error| assert_legible(&format!("{} {}", error.property_path, error.reason)));
    }
    if let Some(bulkhead_proto::provider::ConfigureErrorMissingKeys { missing_keys }) = detail(status) {
        missing_keys.iter().for_each(|key| assert_legible(&format!("{} {}", key.name, key.description)));
    }
    if let Some(bulkhead_proto::provider::ErrorResourceInitFailed { reasons, .. }) = detail(status) {
        // The id is recorded as it is: nobody could find the resource by another.
        reasons.iter().for_each(|reason| assert_legible(reason));
    }
}

#[tokio::test]
async fn nothing_that_is_told_steers_a_terminal_or_passes_for_the_hosts_own_words() {
    undisturbed(async {
        let directory = temporary_directory();
        let file = directory.path().join("audit.jsonl");
        let auditor = Auditor::new(vec![AuditFile::new(&file, true)], None, "hostile", "d1");
        let loaded = load(&bulkhead_tests::hostile("letters-forged"), Limits::default()).unwrap();
        // Its key is secret, and what a provider says of a secret is masked.
        let keyed = unready("letters-forged", Limits::default()).await;
        keyed.handshake(<_>::default()).await;
        let serving = Serving::audited(loaded, auditor).await.ready(well()).await;
        for end in ENDS {
            let status = keyed.configure(object([("key", end)])).await.expect_err(end);
            assert!(end == "panic" || status.message().contains("safe"), "{end}: {status:?}");
            assert_status_legible(&status);
            if end == "configure" {
                assert_eq!(missing_keys(&status).len(), 1);
            }
        }
        for end in ENDS {
            for status in [
                serving.create(THING, what(end)).await.expect_err(end),
                serving.invoke(TELL, what(end)).await.err().unwrap_or_else(|| Status::ok("")),
                serving.check(OWN, what(end)).await.err().unwrap_or_else(|| Status::ok("")),
            ] {
                assert_status_legible(&status);
            }
        }
        for end in ["part", "member", "number", "id"] {
            let left = serving.create(THING, what(end)).await.expect_err(end);
            assert_status_legible(&left);
            assert!(!init_failed(&left).reasons.is_empty(), "{end}");
            assert_status_legible(&serving.invoke(TELL, what(end)).await.err().unwrap_or_else(|| Status::ok("")));
        }
        for (property, reason) in [
            serving.check(OWN, what("x")).await.unwrap().failures,
            serving.invoke(TELL, what("reject")).await.unwrap().failures,
        ]
        .concat()
        {
            assert!(property.contains("safe") && reason.contains("safe"));
            assert_legible(&format!("{property} {reason}"));
        }
        let compared = serving.diff(OWN, on_record(), what("x"), what("y")).await.unwrap();
        let detailed = compared.detailed_diff.keys();
        let names = compared.diffs.iter().chain(&compared.replaces).chain(&compared.stables).chain(detailed);
        assert_eq!(names.inspect(|name| assert_legible(name)).count(), 4);
        for end in ENDS {
            let given = Given { what: end.into(), changed: end.into(), text: end.into(), ..Given::default() };
            let (arguments, configuration) = (what(end), object([("key", end)]));
            let given = Given { arguments, configuration, ..given };
            for (doing, call) in ALL {
                let Err(status) = call.make_with(&serving, &given).await else { continue };
                assert_status_legible(&status);
                // Names that it announces are refused as such.
                let told = ["safe", "control characters"].iter().any(|words| status.message().contains(words));
                assert!(end != "fail" || told, "{doing} should fail with what the provider says: {status:?}");
            }
        }
        let status = listed(&serving, "x").await.unwrap_err();
        assert!(status.message().contains("listed a resource with a name with control characters"), "{status:?}");
        assert_status_legible(&status);

        let (messages, audited) = (serving.messages(), std::fs::read_to_string(&file).unwrap());
        messages.iter().for_each(|message| assert_legible(&message.text));
        let denied: Vec<_> = messages.iter().filter(|message| message.text.contains("is denied: ")).collect();
        assert!(!denied.is_empty(), "{messages:?}");
        assert!(denied.iter().all(|message| message.text.lines().count() == 1), "{denied:?}");
        assert!(audited.contains("\"verdict\":\"denied\""), "{audited}");
        for line in audited.lines() {
            assert_legible(line);
            serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
    })
    .await;
}
