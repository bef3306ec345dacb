//! Replies that are too large, or no text: what arrives is bounded, and what is said of the rest is short.

use bulkhead::component::Limits;
use bulkhead_proto::provider::property_diff::Kind;
use bulkhead_proto::provider::{DiffResponse, InvokeRequest};
use bulkhead_tests::serving::{Serving, init_failed, load, missing_keys, wire};
use bulkhead_value::Object;
use prost::Message as _;
use tonic::Code;
use wasm_encoder::CanonicalOption;

use crate::calls::{Call, listed};
use crate::{
    BUG, LOST, OWN, REPORT, TELL, THING, aside, assembled, hostile, on_record, seen, short, undisturbed, well, what,
};

const TOO_MUCH: &str = "the provider passed more data to the host than its limit allows";
const RAISE: &str = "if the provider should have more, raise the limit `value` in bulkhead.toml";

fn patient() -> Limits {
    Limits { wall: std::time::Duration::from_secs(300), ..Limits::default() }
}

#[tokio::test]
async fn a_reply_beyond_the_limit_is_refused_before_it_is_read() {
    undisturbed(async {
        for guest in ["text-huge", "list-huge"] {
            let serving = hostile(guest, patient()).await;
            let status = serving.create(THING, what("x")).await.unwrap_err();
            let left = init_failed(&status);
            assert_eq!((left.id.as_str(), left.state.len()), ("made-1", 0), "{guest}: the id was read before");
            assert_eq!(left.reasons, [format!("{TOO_MUCH}; hint: {RAISE}")], "{guest}");
            let status = serving.invoke(TELL, Object::new()).await.unwrap_err();
            let message = format!("call the function: {TOO_MUCH}\nhint: {RAISE}");
            assert_eq!(seen(&status), (Code::ResourceExhausted, message.as_str()), "{guest}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_reply_just_within_the_limit_arrives_and_delays_nobody() {
    undisturbed(async {
        let serving = hostile("list-large", patient()).await;
        let told = serving.invoke(TELL, Object::new()).await.unwrap().value;
        assert_eq!(told["any"].as_list().unwrap().len(), 1_999_000);
    })
    .await;
}

/// A guest needs no memory for what is the same memory again and again.
#[tokio::test]
async fn what_is_returned_counts_until_it_is_sent_however_little_the_guest_has_of_it() {
    undisturbed(async {
        // Enough for a reply of 40 MB and its copy, and for some guests.
        let limits = Limits { memory_together: 128 << 20, ..patient() };
        let serving = hostile("texts-aliased", limits).await;
        let together = "the calls of the provider need more memory together than their limit allows";
        let raise = "if the provider should have more, raise the limit `memory-together` in bulkhead.toml";
        let status = serving.invoke(TELL, what("100000 100000")).await.unwrap_err();
        let message = format!("call the function: {TOO_MUCH}\nhint: {RAISE}");
        assert_eq!(seen(&status), (Code::ResourceExhausted, message.as_str()), "it isn't read at all");
        let message = format!("call the function: {together}\nhint: {raise}");
        for _ in 0..4 {
            let status = serving.invoke(TELL, what("100 1000000")).await.unwrap_err();
            assert_eq!(seen(&status), (Code::ResourceExhausted, message.as_str()));
            let told = serving.invoke(TELL, what("40 1000000")).await.unwrap().value;
            assert_eq!(told["any"].as_list().unwrap().len(), 40, "what was sent doesn't count any more");
        }
        let left = init_failed(&serving.create(THING, what("100 1000000")).await.unwrap_err());
        assert_eq!((left.id.as_str(), left.state.len()), ("made-1", 0), "there is no room for the state");
        assert_eq!(left.reasons, [format!("{together}; hint: {raise}")]);
    })
    .await;
}

/// An engine may take its time, and have many answers sent to it meanwhile.
#[tokio::test]
async fn an_answer_that_nobody_has_read_yet_still_counts() {
    undisturbed(async {
        // Enough for one reply of 40 MB and its copy, and for the guests.
        let limits = Limits { memory_together: 128 << 20, ..patient() };
        let serving = hostile("texts-aliased", limits).await;
        let request = InvokeRequest { tok: TELL.to_owned(), args: Some(wire(&what("40 1000000"))), preview: false };
        let unread = serving.unread("Invoke", &request.encode_to_vec()).await;
        let status = serving.invoke(TELL, what("40 1000000")).await.unwrap_err();
        let together = "call the function: the calls of the provider need more memory together than their limit allows";
        assert!(status.message().starts_with(together), "{status:?}");
        drop(unread);
        serving.invoke(TELL, what("40 1000000")).await.expect("nobody is to read it any more");
    })
    .await;
}

#[tokio::test]
async fn what_is_no_text_is_refused() {
    undisturbed(async {
        let serving = hostile("utf-8", Limits::default()).await;
        let broken = "the provider broke the contract: invalid utf-8 sequence of 1 bytes from index 0";
        for told in ["state", "reason"] {
            let left = init_failed(&serving.create(THING, what(told)).await.expect_err(told));
            assert_eq!(left.id, "made-1", "{told}: the id was read before");
            assert_eq!(left.reasons, [format!("{broken}{BUG}")], "{told}");
        }
        for told in ["id", "error"] {
            let status = serving.create(THING, what(told)).await.unwrap_err();
            let message = format!("create the resource: {broken}{BUG}{LOST}");
            assert_eq!(seen(&status), (Code::Unknown, message.as_str()), "{told}");
        }
        for told in ["log", "checkpoint"] {
            let status = serving.create(THING, what(told)).await.unwrap_err();
            let message = format!("create the resource: {broken}{BUG}{LOST}");
            assert_eq!(seen(&status), (Code::Unknown, message.as_str()), "{told}");
            assert!(status.details().is_empty(), "{told}: nothing is recorded by an id that is no text");
        }
        assert_eq!(serving.messages(), [], "nothing of a message that is no text is told");
    })
    .await;
}

#[tokio::test]
async fn errors_are_cut_to_what_people_read_and_headers_carry() {
    undisturbed(async {
        let serving = hostile("error-huge", patient()).await;
        for (told, code) in [
            ("failed", Code::Aborted),
            ("unknown", Code::Unknown),
            ("bug", Code::Aborted),
            ("rejected", Code::InvalidArgument),
            ("path", Code::InvalidArgument),
        ] {
            let status = serving.create(THING, what(told)).await.unwrap_err();
            assert_eq!(status.code(), code, "{told}: {}", status.message().len());
            assert!(status.message().chars().count() < 17_000, "{told}: {}", status.message().len());
        }
        let left = init_failed(&serving.create(THING, what("reasons")).await.unwrap_err());
        assert_eq!((left.id.as_str(), left.reasons.len()), ("made-1", 101));
        assert_eq!(left.reasons[100], "and 999900 further reasons");
        let status = serving.create(THING, what("keys")).await.unwrap_err();
        assert!(status.message().chars().count() < 17_000, "{}", status.message().len());
        let details = status.details().len();
        assert!(
            missing_keys(&status).len() == 100 && details < 1 << 20,
            "clients take no headers of megabytes: {details}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_million_failures_of_a_check_are_told_in_part() {
    undisturbed(async {
        let serving = hostile("check-failures", patient()).await;
        let checked = serving.check(OWN, what("x")).await.unwrap();
        assert_eq!(checked.failures.len(), 1_001);
        assert_eq!(checked.failures[1_000].1, "and 999000 further failures");
    })
    .await;
}

#[tokio::test]
async fn failures_at_paths_of_many_kilobytes_are_told_with_a_part_of_them() {
    undisturbed(async {
        let serving = hostile("check-failures", patient()).await;
        for (path, ends) in [("name", " … (60004 bytes in all)"), ("names", "\u{fffd}\"]"), ("steps", " bytes in all)")]
        {
            let checked = serving.check(OWN, what(path)).await.unwrap();
            let called = serving.invoke(TELL, what(path)).await.unwrap();
            for told in [checked.failures, called.failures] {
                assert_eq!(told.len(), 300, "{path}");
                for (property, reason) in told {
                    assert!(property.chars().count() < 4_200 && property.ends_with(ends), "{path}: {property}");
                    assert_eq!(reason, "wrong");
                }
            }
        }
    })
    .await;
}

/// A list may have as many elements; a resource hasn't as many properties.
#[tokio::test]
async fn a_million_differences_are_told_as_one_of_their_property() {
    undisturbed(async {
        let serving = hostile("diff-paths", patient()).await;
        let told = serving.diff(OWN, on_record(), what("x"), what("elements")).await.unwrap();
        let detail: Vec<_> = told.detailed_diff.iter().map(|(place, told)| (place.as_str(), told.kind())).collect();
        assert_eq!(detail, [("what", Kind::UpdateReplace)]);
        assert_eq!((told.diffs, told.replaces), (vec!["what".to_owned()], vec!["what".to_owned()]));
        let status = serving.diff(OWN, on_record(), what("x"), what("properties")).await.unwrap_err();
        let flaw = "the provider returned a difference of 1000000 properties, and may tell 100000";
        let message = format!("compare the resource: {flaw}{BUG}{REPORT}");
        assert_eq!(seen(&status), (Code::Aborted, message.as_str()));
    })
    .await;
}

#[tokio::test]
async fn differences_where_no_value_is_reach_no_engine() {
    undisturbed(async {
        let serving = hostile("diff-nowhere", Limits::default()).await;
        let compared = async |told: &str| serving.diff(OWN, on_record(), what("x"), what(told)).await;
        for (told, flaw) in [
            ("root", "a difference that is in no property"),
            ("element", "a difference that is in no property"),
            ("deep", "a difference at a path of more than 1024 steps"),
            ("long", "a difference at a path of more than 65536 bytes"),
        ] {
            let status = compared(told).await.expect_err(told);
            let message = format!("compare the resource: the provider returned {flaw}{BUG}{REPORT}");
            assert_eq!(seen(&status), (Code::Aborted, message.as_str()), "{told}");
        }
        // Who shows a list counts up to each element that is named.
        let far = compared("far").await.unwrap();
        let places = |compared: &DiffResponse| compared.detailed_diff.keys().cloned().collect::<Vec<_>>();
        assert_eq!(
            (places(&far), &far.diffs),
            (vec!["what".to_owned(), "what[10000]".to_owned()], &vec!["what".to_owned()])
        );
        let unwritten = compared("unwritten").await.unwrap();
        assert_eq!(places(&unwritten), ["what"], "an engine gives up on a path that it can't read");
        let internal = compared("internal").await.unwrap();
        assert_eq!(places(&internal), [r#"[""].what"#, "__defaults.what", "__meta.what", "__proto__.what"]);
        let quoted = compared("quoted").await.unwrap();
        let all = places(&quoted);
        assert!(all.len() == 5 && all.iter().all(|path| path.starts_with("[\"") && path.ends_with("\"]")), "{all:?}");
        assert!(!all.iter().any(|path| path.contains(['\u{202e}', '\u{1b}'])), "{all:?}");
    })
    .await;
}

#[tokio::test]
async fn texts_in_another_encoding_than_they_say_are_this_calls_error_or_other_texts() {
    undisturbed(async {
        for encoding in [CanonicalOption::UTF16, CanonicalOption::CompactUTF16] {
            for guest in ["behaved", "utf-8", "text-huge", "log-huge", "secret-in-lookup"] {
                let loaded = aside(move || load(&assembled::spelt(guest, encoding), patient())).await;
                let serving = Serving::of(loaded.expect(guest)).await;
                serving.handshake(<_>::default()).await;
                let mut outcomes = vec![serving.configure(well()).await.map(drop)];
                for told in ["state", "id", "error", "log", "checkpoint"] {
                    outcomes.push(serving.create(THING, what(told)).await.map(drop));
                }
                outcomes.push(serving.invoke(TELL, what("x")).await.map(drop));
                for status in outcomes.into_iter().filter_map(Result::err) {
                    let ends = [Code::Aborted, Code::Unknown, Code::ResourceExhausted, Code::FailedPrecondition];
                    assert!(ends.contains(&status.code()), "{guest} {encoding:?}: {status:?}");
                }
            }
        }
    })
    .await;
}

#[tokio::test]
async fn lists_that_never_end_are_ended() {
    undisturbed(async {
        let serving = hostile("list-endless", short()).await;
        for (query, message) in [
            ("empty", "the provider returned 1000 pages without results, and promised more"),
            ("same", "the provider returned a page that continues with itself"),
            ("continuation", "the provider returned a continuation of more than 1 MiB"),
        ] {
            let status = listed(&serving, query).await.unwrap_err();
            assert_eq!(seen(&status), (Code::Aborted, format!("list the resources: {message}{BUG}{REPORT}").as_str()));
        }
        // As long as somebody reads, results may come; each page is a call of its own.
        assert_eq!(Call::Create.make(&serving).await.map_err(|status| status.to_string()), Ok(()));
    })
    .await;
}
