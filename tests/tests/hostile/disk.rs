//! A guest that may write into a directory, and would use up the disk that it lies on.

use std::fs;
use std::path::Path;

use bulkhead::component::{Limits, Manifest};
use bulkhead_policy::{Applicant, Grant, Permissions};
use bulkhead_tests::serving::{Serving, load};
use bulkhead_tests::temporary_directory;
use serde_json::json;
use tonic::Code;

use crate::{TELL, seen, undisturbed, well, what};

/// What a component may do that asks for a directory, and is granted this one.
fn granted(directory: &Path) -> Permissions {
    let manifest = json!({
        "manifestVersion": 1,
        "contract": "0.1.0",
        "permissions": { "filesystem": [{ "path": "out", "access": "write", "reason": "reports" }] },
    });
    let requests = Manifest::parse(manifest.to_string().as_bytes()).unwrap().permissions;
    let grant = json!({ "digest": "dev", "filesystem": [{ "path": "out", "at": directory, "access": "write" }] });
    let grant: Grant = serde_json::from_value(grant).unwrap();
    let applicant = Applicant {
        provider: "hostile".into(),
        digest: "d1".into(),
        component: "hostile.wasm".into(),
        development: true,
    };
    Permissions::new(applicant, requests, &[grant], Vec::new(), Path::new("/"))
}

#[tokio::test]
async fn entries_without_end_are_refused_however_little_is_in_them() {
    undisturbed(async {
        let directory = temporary_directory();
        let limits = Limits { written: 1 << 20, ..Limits::default() };
        let loaded = load(&bulkhead_tests::hostile("file-flood"), Limits::default()).unwrap();
        let loaded = loaded.under(limits, granted(directory.path()));
        let serving = Serving::of(loaded).await.ready(well()).await;
        let mut there = 0;
        for kind in ["files", "directories", "links", "names"] {
            let status = serving.invoke(TELL, what(kind)).await.unwrap_err();
            let expected = format!(
                "the end of the {kind} is ErrorCode::Quota\n\
                 hint: a call writes at most 1.0 MiB; if the provider should have more, raise the limit `written` in bulkhead.toml"
            );
            assert_eq!(seen(&status), (Code::Aborted, expected.as_str()));
            let before = there;
            there = fs::read_dir(directory.path()).unwrap().count();
            assert_eq!(there - before, 256, "{kind}: a block each");
        }
    })
    .await;
}
