//! Records that can't be written when something has been done: it was done, and somebody has to know.

use std::fs;

use bulkhead::audit::{AuditFile, Auditor};
use bulkhead::component::Limits;
use bulkhead_tests::serving::{Serving, load};
use bulkhead_tests::temporary_directory;
use bulkhead_value::Object;
use tonic::Code;

use crate::{act, guest, labelled};

const CREATING: &str = "behaviours:index:Creating";

#[tokio::test]
async fn a_create_whose_record_is_late_is_answered_and_told_and_recorded_once_that_is_possible() {
    let directory = temporary_directory();
    let [place, gone] = ["audit", "gone"].map(|name| directory.path().join(name));
    fs::create_dir(&place).unwrap();
    for required in [true, false] {
        let file = place.join("audit.jsonl");
        let component = fs::read(&guest("behaviours").component).unwrap();
        let loaded = load(&component, Limits::default()).unwrap();
        let auditor = Auditor::new(vec![AuditFile::new(&file, required)], None, "behaviours", "d1");
        let serving = Serving::audited(loaded, auditor).await.ready(labelled("test")).await;
        let create = || serving.create(CREATING, act("succeed"));
        fs::rename(&place, &gone).unwrap();
        assert_eq!(create().await.unwrap().id, "made-1", "it exists, whoever wrote that down");
        // There may be no call after it, and so the call itself waits until that was told.
        let told = serving.messages();
        assert!(told[0].text.starts_with(&format!("the audit file {} can't be written: ", file.display())), "{told:?}");
        assert_eq!((told.len(), serving.awaited()), (1, 1));
        match create().await {
            Err(status) => assert!(required && status.code() == Code::FailedPrecondition, "{status:?}"),
            Ok(_) => assert!(!required),
        }
        fs::create_dir(&place).unwrap();
        if !required {
            // It isn't tried for a while.
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        }
        create().await.unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let events: Vec<_> =
            lines.iter().map(|line| (line["event"].as_str().unwrap(), line["count"].as_u64())).collect();
        let between = if required { ("rpc", None) } else { ("dropped", Some(2)) };
        assert_eq!(events, [("resumed", None), between, ("rpc", None)], "{text}");
        assert!(lines[1]["rpc"] == "Create" || lines[1]["of"] == "rpc", "{text}");
        drop(serving);
        fs::remove_dir_all(&gone).unwrap();
        fs::remove_file(file).unwrap();
    }
}

/// Else nothing would end what is under way.
#[tokio::test]
async fn a_cancellation_needs_no_record() {
    let directory = temporary_directory();
    let component = fs::read(&guest("behaviours").component).unwrap();
    let loaded = load(&component, Limits::default()).unwrap();
    let files = vec![AuditFile::new(&directory.path().join("missing/audit.jsonl"), true)];
    let serving = Serving::audited(loaded, Auditor::new(files, None, "behaviours", "d1")).await;
    let refused = serving.configure(Object::new()).await.unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition, "{refused:?}");
    serving.client.clone().cancel(()).await.unwrap();
}
