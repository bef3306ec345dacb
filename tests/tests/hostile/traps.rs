//! Crashes, of each kind and in each call: the error of one call, which says whose fault it is.

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::serving::{Serving, creation, init_failed, load, urn};
use bulkhead_tests::temporary_directory;
use bulkhead_value::Object;
use tonic::Code;

use crate::calls::{ALL, Call};
use crate::peers::plugin_of;
use crate::{
    BUG, COMPUTED, LATE, REPORT, TELL, THING, assembled, fixed, hostile, on_record, seen, short, undisturbed, unready,
    well, what,
};

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
            assert_eq!(left.reasons, [reason.replace('\n', "; ")], "{act}");
        }
        serving.create(THING, what("x")).await.expect("another instance answers");
    })
    .await;
}

#[tokio::test]
async fn a_host_that_is_called_where_no_stack_is_left_answers_or_ends_the_call() {
    undisturbed(async {
        let serving = hostile("stack-low", Limits::default()).await;
        for (doing, call) in [
            ("call the function", Call::Invoke),
            ("check the inputs", Call::Check),
            ("create the resource", Call::Create),
        ] {
            let status = call.make(&serving).await.unwrap_err();
            let expected = format!("{doing}: the provider needs more stack than its limit allows{}", fixed("512 KiB"));
            assert_eq!(seen(&status), (Code::ResourceExhausted, expected.as_str()));
        }
    })
    .await;
}

#[tokio::test]
async fn what_an_instance_does_at_its_beginning_is_the_calls_that_it_begins_for() {
    undisturbed(async {
        let crashed = "the provider crashed: wasm trap: wasm `unreachable` instruction executed";
        let begun = async |act: &str| {
            let serving = hostile("start-calls", short()).await;
            serving.create(THING, what(act)).await.expect(act);
            let second = serving.create_as(pb::CreateRequest { timeout: 2.0, ..creation(THING, what("x")) }).await;
            (serving, second)
        };
        for act in ["x", "lock", "log", "handles"] {
            let (serving, second) = begun(act).await;
            second.expect(act);
            let said: Vec<_> = serving.messages().into_iter().map(|message| (message.text, message.urn)).collect();
            let early = (act == "log").then(|| ("early".to_owned(), Some(urn(THING))));
            assert_eq!(said, Vec::from_iter(early), "{act}");
            serving.invoke(TELL, what("x")).await.expect(act);
        }
        // Each of these instances begins with a lock that the one before had, and didn't give back.
        let serving = hostile("start-calls", short()).await;
        for _ in 0..4 {
            let next = pb::CreateRequest { timeout: 15.0, ..creation(THING, what("lock")) };
            serving.create_as(next).await.expect("the lock should be free again");
        }
        let (serving, second) = begun("announce").await;
        let left = init_failed(&second.unwrap_err());
        assert_eq!((left.id.as_str(), &left.state["text"]), ("early-1", &"early".into()));
        assert_eq!(left.reasons, [format!("{crashed}{BUG}")]);
        let status = serving.invoke(TELL, what("x")).await.unwrap_err();
        let expected = format!("call the function: {crashed}{BUG}{REPORT}");
        assert_eq!(seen(&status), (Code::Aborted, expected.as_str()), "in each call, since each has to begin");
        let (_serving, second) = begun("crash").await;
        assert_eq!(second.unwrap_err().code(), Code::Aborted);
        let (_serving, second) = begun("wait").await;
        assert_eq!(
            seen(&second.unwrap_err()),
            (Code::DeadlineExceeded, format!("create the resource: {LATE}").as_str())
        );
    })
    .await;
}

#[tokio::test]
async fn a_function_of_other_types_than_the_contracts_is_its_calls_error() {
    undisturbed(async {
        let loaded = load(&assembled::mistyped(), Limits::default()).unwrap();
        let serving = Serving::of(loaded).await.ready(Object::new()).await;
        let told = |what: &str, how: &str| {
            format!("{what} isn't what the contract says: {how}\nhint: build the provider with an SDK for this host's version")
        };
        let status = serving.invoke(TELL, Object::new()).await.unwrap_err();
        let expected = told("call the function: the component's export `functions`", "`invoke`: expected 1-tuple, found 0-tuple");
        assert_eq!(seen(&status), (Code::Aborted, expected.as_str()));
        // Nothing of it ever ran, so nothing was created.
        let status = serving.create(THING, Object::new()).await.unwrap_err();
        let expected = told("create the resource: the component's export `resources`", "`create`: expected 1-tuple, found 0-tuple");
        assert_eq!(seen(&status), (Code::Aborted, expected.as_str()));
    })
    .await;
}

/// What crashes is named by whoever built it.
#[tokio::test]
async fn a_name_of_what_crashed_passes_for_no_word_of_the_hosts() {
    undisturbed(async {
        let crashing = assembled::with_start(&assembled::behaved(), assembled::crash_named());
        let serving = Serving::of(load(&crashing, Limits::default()).unwrap()).await;
        serving.handshake(<_>::default()).await;
        let status = serving.configure(well()).await.unwrap_err();
        let message =
            "configure the provider: the provider crashed: wasm trap: wasm `unreachable` instruction executed";
        assert_eq!(seen(&status), (Code::Aborted, format!("{message}{BUG}{REPORT}").as_str()));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_takes_no_memory_for_the_names_of_what_crashed() {
    const LENGTH: usize = 20 << 20;
    undisturbed(async {
        let directory = temporary_directory();
        let crashing = assembled::with_start(&assembled::behaved(), assembled::frames_named(LENGTH));
        let plugin = plugin_of(directory.path(), &crashing);
        let serving = Serving::by(&plugin).await;
        serving.handshake(<_>::default()).await;
        let before = plugin.most_memory();
        let status = serving.configure(well()).await.unwrap_err();
        let message = "configure the provider: the provider needs more stack than its limit allows";
        assert_eq!(seen(&status), (Code::ResourceExhausted, format!("{message}{}", fixed("512 KiB")).as_str()));
        let taken = plugin.most_memory() - before;
        assert!(taken < LENGTH * 3, "{taken}");
    })
    .await;
}
