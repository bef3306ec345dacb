//! Guests that fail as only others may.

use bulkhead::component::Limits;
use bulkhead_tests::serving::Serving;
use tonic::{Code, Status};

use crate::calls::{ALL, Call};
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

/// All calls but these.
fn but(others: &[Call]) -> impl Iterator<Item = Call> {
    ALL.into_iter().map(|(_, call)| call).filter(|call| !others.contains(call))
}

#[tokio::test]
async fn a_call_that_makes_nothing_fails_as_one_that_made_nothing() {
    // These make something, and those that read may say what they found so.
    let (making, finding) = ([Call::Create, Call::Update], [Call::Create, Call::Update, Call::Read, Call::Import]);
    let changing = [Call::Delete, Call::Invoke, Call::Construct, Call::Method];
    let unknown: Vec<Call> = making.into_iter().chain(changing).collect();
    undisturbed(async {
        for (kind, others) in [
            ("not-initialised", &finding[..]),
            ("malformed", &finding),
            ("await-failed", &making),
            ("cancelled", &making),
            ("outcome-unknown", &unknown),
        ] {
            let serving = failing(kind).await;
            for call in but(others) {
                harmless(&call.make(&serving).await.expect_err(kind), &format!("{kind} in {call:?}"));
            }
            let configuring = unready("errors-misplaced", Limits::default()).await;
            configuring.handshake(<_>::default()).await;
            let status = configuring.configure(object([("key", format!("now {kind}"))])).await.unwrap_err();
            harmless(&status, &format!("{kind} in a configuration"));
        }
        let serving = failing("outcome-unknown").await;
        for call in changing {
            assert_eq!(call.make(&serving).await.expect_err("unknown").code(), Code::Unknown, "{call:?}");
        }
    })
    .await;
}
