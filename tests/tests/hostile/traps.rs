//! Crashes, of each kind and in each call: the error of one call, which says whose fault it is.

use bulkhead::component::Limits;
use bulkhead_tests::serving::init_failed;
use bulkhead_value::Object;
use tonic::Code;

use crate::calls::ALL;
use crate::{BUG, COMPUTED, REPORT, TELL, THING, hostile, on_record, seen, short, undisturbed, unready, what};

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

/// Answers to a host that asks for memory, and what is said of the call that it is for.
const FORGED: [(&str, Code, &str); 7] = [
    ("outside", Code::Aborted, "the provider broke the contract: realloc return: beyond end of memory"),
    ("beyond", Code::Aborted, "the provider broke the contract: realloc return: beyond end of memory"),
    ("askew", Code::Aborted, "the provider broke the contract: realloc return: result not aligned"),
    ("crash", Code::Aborted, "the provider crashed: wasm trap: wasm `unreachable` instruction executed"),
    ("call", Code::Aborted, "the provider crashed: wasm trap: cannot leave component instance"),
    ("loop", Code::ResourceExhausted, "the provider computed for longer than it may in one call"),
    ("grow", Code::ResourceExhausted, "the provider needs more memory than its limit allows"),
];

#[tokio::test]
async fn memory_that_a_provider_has_for_the_host_is_looked_at() {
    undisturbed(async {
        let limits = Limits { memory: 64 << 20, ..short() };
        for (answer, code, said) in FORGED {
            let serving = hostile("allocator-forged", limits.clone()).await;
            serving.invoke(TELL, what(answer)).await.expect("it is asked for none yet");
            let status = serving.invoke(TELL, what(answer)).await.unwrap_err();
            let begins = format!("call the function: {said}");
            assert!(status.code() == code && status.message().starts_with(&begins), "{answer}: {status:?}");
            serving.invoke(TELL, what("x")).await.expect("another instance answers well");
        }
        // What is put there is the provider's own affair, and lies over what is its own.
        for answer in ["same", "none"] {
            let serving = hostile("allocator-forged", limits.clone()).await;
            for _ in 0..3 {
                if let Err(status) = serving.invoke(TELL, what(answer)).await {
                    assert_eq!(status.code(), Code::Aborted, "{answer}: {status:?}");
                }
            }
        }
    })
    .await;
}

#[tokio::test]
async fn handles_that_are_used_as_nobody_may_are_refused() {
    undisturbed(async {
        for (misuse, said) in [
            ("dropped twice", "unknown handle index"),
            ("used after", "unknown handle index"),
            ("never made", "unknown handle index 12345"),
            ("of another kind", "used with the wrong type"),
            ("wait for a stream", "used with the wrong type"),
            ("parent first", "resource has children"),
            ("request before its body", "resource has children"),
        ] {
            let serving = hostile("handles-misused", short()).await;
            let status = serving.invoke(TELL, what(misuse)).await.unwrap_err();
            let broken = status.message().starts_with("call the function: the provider broke the contract: ");
            let whole = broken && status.message().contains(said) && status.message().ends_with(REPORT);
            assert!(status.code() == Code::Aborted && whole, "{misuse}: {status:?}");
        }
        let serving = hostile("handles-misused", short()).await;
        let waited = serving.invoke(TELL, what("wait twice")).await.unwrap();
        assert_eq!(waited.value["text"], "waited".into(), "as often as somebody likes, for what is there");
    })
    .await;
}

#[tokio::test]
async fn what_a_provider_does_after_its_result_was_read_changes_nothing_of_it() {
    undisturbed(async {
        let serving = hostile("after-return", short()).await;
        for (act, said) in [
            ("crash", "the provider crashed: wasm trap: wasm `unreachable` instruction executed"),
            ("call", "the provider crashed: wasm trap: cannot leave component instance"),
        ] {
            let status = serving.invoke(TELL, what(act)).await.unwrap_err();
            let whole = format!("call the function: {said}{BUG}{REPORT}");
            assert_eq!(seen(&status), (Code::Aborted, whole.as_str()), "{act}");
            serving.invoke(TELL, what("x")).await.expect("another instance answers");
        }
        let status = serving.invoke(TELL, what("loop")).await.unwrap_err();
        assert_eq!(seen(&status), (Code::ResourceExhausted, format!("call the function: {COMPUTED}").as_str()));
        let told = serving.invoke(TELL, what("write")).await.unwrap();
        assert_eq!(told.value["text"], "x".repeat(12_351).into());
        assert!(serving.messages().is_empty(), "nobody is told anything");
    })
    .await;
}

#[tokio::test]
async fn what_was_made_is_on_record_though_the_provider_crashed_after_it_said_so() {
    undisturbed(async {
        let serving = hostile("after-return", short()).await;
        let crashed = format!("the provider crashed: wasm trap: wasm `unreachable` instruction executed{BUG}");
        for (act, length, reason) in [
            ("crash", 12_347, crashed.as_str()),
            ("loop", 12_353, COMPUTED),
            // Its own reasons were in a reply that doesn't count.
            ("partial", 12_347, crashed.as_str()),
        ] {
            let left = init_failed(&serving.create(THING, what(act)).await.expect_err(act));
            assert_eq!((left.id.as_str(), &left.state["text"]), ("made-1", &"x".repeat(length).into()), "{act}");
            assert_eq!(
                left.reasons.first().map(String::as_str),
                reason.split('\n').next(),
                "{act}: {:?}",
                left.reasons
            );
        }
        serving.create(THING, what("x")).await.expect("another instance answers");
    })
    .await;
}
