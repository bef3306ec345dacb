//! Guests that want more of what the host keeps for them than there is: messages, handles, randomness, places.

use bulkhead::component::Limits;
use bulkhead_value::Object;
use tonic::Code;

use crate::calls::Call;
use crate::{BUG, COMPUTED, LOST, REPORT, TELL, THING, fixed, hostile, seen, short, undisturbed, what};

#[tokio::test]
async fn a_flood_of_messages_is_cut_off_with_a_note() {
    undisturbed(async {
        let serving = hostile("log-flood", Limits::default()).await;
        serving.create(THING, what("x")).await.unwrap();
        let messages = serving.messages();
        assert_eq!(messages.len(), 1_001);
        assert_eq!(
            messages[1_000].text,
            "the provider logged more than 1000 messages in one call; the rest is dropped"
        );
        serving.create(THING, what("x")).await.unwrap();
        assert_eq!(serving.messages().len(), 2_002, "the next call may speak again");
    })
    .await;
}

#[tokio::test]
async fn a_message_of_any_length_is_cut() {
    undisturbed(async {
        let serving = hostile("log-huge", Limits::default()).await;
        serving.create(THING, what("x")).await.unwrap();
        let messages = serving.messages();
        assert_eq!(messages.len(), 10);
        let expected = format!("{} … (100000000 bytes in all)", "x".repeat(16_384));
        assert!(messages.iter().all(|message| message.text == expected));
    })
    .await;
}

#[tokio::test]
async fn messages_of_one_call_are_bounded_together() {
    undisturbed(async {
        let serving = hostile("log-large", Limits { log_bytes: 1 << 20, ..Limits::default() }).await;
        serving.create(THING, what("x")).await.unwrap();
        let messages = serving.messages();
        let bytes: usize = messages.iter().map(|message| message.text.len()).sum();
        assert!(bytes < (1 << 20) + 200, "{bytes}");
        let last = messages.last().unwrap();
        let expected = "the provider logged more than 1.0 MiB in one call; the rest is dropped\n\
                        hint: if the provider should have more, raise the limit `log` in bulkhead.toml";
        assert_eq!(last.text, expected);
    })
    .await;
}

#[tokio::test]
async fn handles_without_end_are_refused_and_go_with_their_instance() {
    undisturbed(async {
        for guest in ["handles-pollables", "handles-streams"] {
            let serving = hostile(guest, Limits::default()).await;
            let message = "the provider needs more handles than its limit allows";
            for _ in 0..2 {
                let status = Call::Invoke.make(&serving).await.unwrap_err();
                let whole = format!("call the function: {message}{}", fixed("32768"));
                assert_eq!(seen(&status), (Code::ResourceExhausted, whole.as_str()), "{guest}");
                // It may have made something before.
                let status = Call::Create.make(&serving).await.unwrap_err();
                let whole = format!("create the resource: {message}{LOST}{}", fixed("32768").replace("\nhint: ", "; "));
                assert_eq!(seen(&status), (Code::Unknown, whole.as_str()), "{guest}");
            }
        }
        // Fewer, where there is less memory than as many take.
        let limits = || Limits { memory_together: 20 << 20, ..Limits::default() };
        for guest in ["handles-pollables", "handles-streams"] {
            let serving = hostile(guest, limits()).await;
            let message = "call the function: the calls of the provider need more memory together than their limit allows\n\
                           hint: if the provider should have more, raise the limit `memory-together` in bulkhead.toml";
            let status = Call::Invoke.make(&serving).await.unwrap_err();
            assert_eq!(seen(&status), (Code::ResourceExhausted, message), "{guest}");
        }
        let serving = hostile("handles-locks", Limits::default()).await;
        for _ in 0..2 {
            let status = serving.create(THING, what("x")).await.unwrap_err();
            assert_eq!(status.code(), Code::Aborted, "it gave up: {status:?}");
        }
        let refusals: Vec<_> = serving.messages().into_iter().map(|message| message.text).collect();
        let refused = "the locks in use would grow to 1025 names, and the limit is 1024";
        assert_eq!(refusals, [refused; 2], "each instance had as many as the other");
        serving.create(THING, what("one")).await.expect("none of them should be left");
        let serving = hostile("handles-kept", Limits::default()).await;
        for _ in 0..2_000 {
            serving.create(THING, what("x")).await.expect("what was kept should have gone with its instance");
        }
    })
    .await;
}

#[tokio::test]
async fn headers_that_are_never_sent_are_bounded_together() {
    undisturbed(async {
        let serving = hostile("fields-flood", Limits::default()).await;
        for kind in ["anew", "shared", "anew"] {
            let status = serving.invoke(TELL, what(kind)).await.unwrap_err();
            let message = "call the function: the provider needs more memory for headers than its limit allows";
            assert_eq!(seen(&status), (Code::ResourceExhausted, format!("{message}{}", fixed("64 MiB")).as_str()));
        }
        serving.invoke(TELL, what("asked")).await.expect("what is there once takes nothing more for being asked for");
    })
    .await;
}

#[tokio::test]
async fn bodies_that_are_never_sent_are_bounded_together() {
    undisturbed(async {
        let serving = hostile("bodies-flood", Limits::default()).await;
        let kinds = ["requests", "responses", "requests", "unwritten", "unwritten responses", "orphaned"];
        for kind in kinds {
            let status = serving.invoke(TELL, what(kind)).await.unwrap_err();
            let message = "call the function: the provider needs more memory for bodies than its limit allows";
            let message = format!("{message}{}", fixed("64 MiB"));
            assert_eq!(seen(&status), (Code::ResourceExhausted, message.as_str()), "{kind}");
        }
        for kind in ["finished", "dropped"] {
            let told = serving.invoke(TELL, what(kind)).await;
            told.unwrap_or_else(|error| panic!("what is {kind} takes nothing any more: {error:?}"));
        }
    })
    .await;
}

#[tokio::test]
async fn denials_without_end_are_told_in_part() {
    undisturbed(async {
        let serving = hostile("denied-flood", Limits::default()).await;
        let status = Call::Invoke.make(&serving).await.unwrap_err();
        assert_eq!(status.code(), Code::Aborted, "{status:?}");
        assert_eq!(status.message().matches("is denied: ").count(), 8, "{status:?}");
    })
    .await;
}

#[tokio::test]
async fn denials_are_as_long_as_anybody_reads() {
    undisturbed(async {
        let serving = hostile("denied-huge", Limits::default()).await;
        let status = Call::Invoke.make(&serving).await.unwrap_err();
        let message = status.message();
        assert_eq!(message.matches("is denied: ").count(), 8, "{message}");
        assert!(message.len() < 32_000, "{} bytes", message.len());
        serving.invoke(TELL, what("go on")).await.expect("it does without");
        let warnings = serving.messages();
        assert_eq!(warnings.len(), 8, "{warnings:?}");
        for warning in warnings {
            assert!(warning.text.len() < 4_096, "{}", warning.text);
            assert!(warning.text.contains(".example (1048576 bytes) is denied: "), "{}", warning.text);
        }
    })
    .await;
}

#[tokio::test]
async fn randomness_is_had_in_portions() {
    undisturbed(async {
        let serving = hostile("random-huge", Limits::default()).await;
        let status = serving.create(THING, what("x")).await.unwrap_err();
        let flaw = "the provider broke the contract: more than 4194304 random bytes at once";
        assert_eq!(seen(&status), (Code::Unknown, format!("create the resource: {flaw}{BUG}{LOST}").as_str()));
        let status = serving.invoke(TELL, Object::new()).await.unwrap_err();
        assert_eq!(seen(&status), (Code::Aborted, format!("call the function: {flaw}{BUG}{REPORT}").as_str()));
        let serving = hostile("random-endless", short()).await;
        assert_eq!(serving.create(THING, what("x")).await.unwrap_err().code(), Code::ResourceExhausted);
    })
    .await;
}

#[tokio::test]
async fn what_the_host_works_out_for_a_guest_counts_as_its_computing() {
    undisturbed(async {
        let serving = hostile("defaults-huge", short()).await;
        for (doing, call) in [
            ("check the inputs", Call::Check),
            ("compare the resource", Call::Diff),
            ("preview the creation", Call::Preview),
            ("preview the update", Call::PreviewUpdate),
        ] {
            let status = call.make(&serving).await.unwrap_err();
            assert_eq!(seen(&status), (Code::ResourceExhausted, format!("{doing}: {COMPUTED}").as_str()));
        }
    })
    .await;
}
