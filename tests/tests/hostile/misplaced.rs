//! Guests that fail as only others may.

use bulkhead::component::Limits;
use bulkhead_tests::serving::Serving;
use tonic::{Code, Status};

use crate::calls::Call;
use crate::{object, undisturbed, unready};

/// Engines take some codes for a resource that may be lost, and a detail for one that was made.
fn harmless(status: &Status, told: &str) {
    let harmful = [Code::Ok, Code::Unknown, Code::Internal, Code::DataLoss];
    assert!(!harmful.contains(&status.code()), "{told}: {status:?}");
    let made = String::from_utf8_lossy(status.details()).contains("ErrorResourceInitFailed");
    assert!(!made && !status.message().contains("forged-1"), "{told}: {status:?}");
}

async fn failing(kind: &str) -> Serving {
    unready("errors-misplaced", Limits::default()).await.ready(object([("key", kind)])).await
}

#[tokio::test]
async fn a_call_that_makes_nothing_fails_as_one_that_made_nothing() {
    undisturbed(async {
        let calls = [Call::Check, Call::Diff, Call::Delete, Call::Invoke, Call::Construct, Call::Method, Call::List];
        for kind in ["not-initialised", "malformed", "await-failed", "cancelled"] {
            let serving = failing(kind).await;
            for call in calls {
                harmless(&call.make(&serving).await.expect_err(kind), &format!("{kind} in {call:?}"));
            }
        }
        let serving = failing("outcome-unknown").await;
        for call in [Call::Check, Call::Diff, Call::Read, Call::Import, Call::List] {
            harmless(&call.make(&serving).await.expect_err("unknown"), &format!("an unknown outcome in {call:?}"));
        }
        // These may have done something.
        for call in [Call::Delete, Call::Invoke, Call::Construct, Call::Method] {
            assert_eq!(call.make(&serving).await.expect_err("unknown").code(), Code::Unknown, "{call:?}");
        }
    })
    .await;
}
