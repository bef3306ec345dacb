//! Crashes, of each kind and in each call: the error of one call, which says whose fault it is.

use bulkhead::component::Limits;
use bulkhead_value::Object;
use tonic::Code;

use crate::calls::ALL;
use crate::{BUG, REPORT, THING, hostile, on_record, seen, undisturbed, unready, what};

/// Guests that crash in whatever they are asked for, and what is said of it.
const TRAPS: [(&str, Code, &str); 8] = [
    ("trap-unreachable", Code::Aborted, "the provider crashed: wasm trap: wasm `unreachable` instruction executed"),
    ("trap-division", Code::Aborted, "the provider crashed: wasm trap: integer divide by zero"),
    ("trap-bounds", Code::Aborted, "the provider crashed: wasm trap: out of bounds memory access"),
    ("trap-call", Code::Aborted, "the provider crashed: wasm trap: indirect call type mismatch"),
    ("trap-panic", Code::Aborted, "the provider crashed: wasm trap: wasm `unreachable` instruction executed"),
    ("trap-abort", Code::Aborted, "the provider crashed: wasm trap: wasm `unreachable` instruction executed"),
    ("trap-exit", Code::Aborted, "the provider ended its own process"),
    (
        "recursion",
        Code::ResourceExhausted,
        "the provider needs more stack than its limit allows\nhint: 512 KiB are the most, whatever is set; please report it to the \
         provider's author",
    ),
];

#[tokio::test]
async fn a_crash_in_any_call_is_that_calls_error() {
    undisturbed(async {
        for (guest, code, message) in TRAPS {
            let whole = |doing: &str| match code {
                Code::Aborted => format!("{doing}: {message}{BUG}{REPORT}"),
                _ => format!("{doing}: {message}"),
            };
            let serving = unready(guest, Limits::default()).await;
            serving.handshake(<_>::default()).await;
            let status = serving.configure(Object::new()).await.unwrap_err();
            assert_eq!(seen(&status), (code, whole("configure the provider").as_str()), "{guest}");
            let serving = hostile(guest, Limits::default()).await;
            for (doing, call) in ALL {
                let status = call.make(&serving).await.expect_err(doing);
                assert_eq!(seen(&status), (code, whole(doing).as_str()), "{guest}, {call:?}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_on_record_survives_a_crash() {
    undisturbed(async {
        let serving = hostile("trap-unreachable", Limits::default()).await;
        assert!(serving.delete(THING, on_record()).await.is_err(), "it isn't taken for deleted");
        let status = serving.update(THING, on_record(), what("x"), what("y")).await.unwrap_err();
        assert_eq!(status.code(), Code::Aborted, "nothing changed, as far as anybody knows: {status:?}");
    })
    .await;
}
