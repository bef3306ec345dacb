//! Guests that repeat what they are told in confidence: nothing of it reaches an engine but as a secret.
//!
//! The guest says the same thing in every way there is, from every call. What is looked through is all that an engine gets:
//! answers, errors with their details, messages, registrations.

use std::fmt::{Debug, Write as _};

use bulkhead::component::Limits;
use bulkhead_proto::errors::InputPropertiesError;
use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::parameterize_request::{Parameters, ParametersArgs};
use bulkhead_proto::raw::Struct;
use bulkhead_tests::composing::{calling, construction};
use bulkhead_tests::monitor::{Monitor, Nature};
use bulkhead_tests::serving::{Serving, detail, object as received, urn, wire};
use bulkhead_value::{Object, Reference, Value};
use tonic::Status;

use crate::{guest, object};

/// Long enough not to be anywhere by chance, and with something to escape.
const CANARY: &str = "the-\"canary\"-sings-at-dawn";
const BIRD: &str = "parrot:index:Bird";
const KEEN: &str = "parrot:index:Keen";

/// The ways to say something that aren't results.
const SAID: [&str; 16] = [
    "log",
    "status",
    "encoded",
    "rejected",
    "rejected-late",
    "missing",
    "missing-late",
    "failed",
    "await-failed",
    "outcome-unknown",
    "unsupported",
    "bug",
    "other",
    "partial",
    "checkpoint",
    "panic",
];
/// The ways to return something.
const RETURNED: [&str; 8] = ["echo", "nested", "within", "name", "nested-name", "note", "bytes", "wrong-type"];

/// How the guest learns of it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    /// Marked as secret by the engine.
    Marked,
    /// As the schema says, which an engine needn't know.
    Schema,
    /// From the configuration, long before.
    Configuration,
}

const SOURCES: [Source; 3] = [Source::Marked, Source::Schema, Source::Configuration];

async fn parrot(source: Source) -> Serving {
    configured((source == Source::Configuration).then_some(CANARY)).await
}

async fn configured(token: Option<&str>) -> Serving {
    let serving = Serving::start(&guest("parrot"), Limits::default()).await;
    serving.ready(token.into_iter().map(|token| ("token", token)).collect()).await
}

fn told(how: &str, source: Source) -> Object {
    let mut told = object([("how", how)]);
    match source {
        Source::Marked => drop(told.insert("word".to_owned(), Value::from(CANARY).secret())),
        Source::Schema => drop(told.insert("hidden".to_owned(), CANARY.into())),
        Source::Configuration => {}
    }
    told
}

/// All that an engine can read of answers; secrets are printed without what is in them.
#[derive(Default)]
struct Heard(String);

impl Heard {
    fn debug(&mut self, heard: impl Debug) {
        writeln!(self.0, "{heard:?}").unwrap();
    }

    fn bag(&mut self, bag: Option<Struct>) {
        self.debug(bag.map(received));
    }

    fn status(&mut self, status: &Status) {
        self.0.push_str(status.message());
        self.debug(status.code());
        if let Some(rejected) = detail::<InputPropertiesError>(status) {
            self.debug(rejected);
        }
        if let Some(missing) = detail::<pb::ConfigureErrorMissingKeys>(status) {
            self.debug(missing);
        }
        if let Some(left) = detail::<pb::ErrorResourceInitFailed>(status) {
            self.debug(left.reasons);
            self.bag(left.properties);
            self.bag(left.inputs);
        }
    }

    fn answer<T>(&mut self, answer: Result<T, Status>, read: impl FnOnce(&mut Self, T)) {
        match answer {
            Ok(answer) => read(self, answer),
            Err(status) => self.status(&status),
        }
    }
}

/// The calls into a guest.
const CALLS: [&str; 16] = [
    "CheckConfig",
    "DiffConfig",
    "Check",
    "Diff",
    "preview of a create",
    "Create",
    "Read",
    "upgrade",
    "preview of an update",
    "Update",
    "Delete",
    "Invoke",
    "List",
    "Construct",
    "Call",
    "Configure",
];

/// What an engine hears of one call.
async fn heard(serving: &Serving, call: &str, how: &str, source: Source) -> String {
    let before = serving.messages().len();
    let told = told(how, source);
    let mut heard = Heard::default();
    let (state, name) = (told.clone(), "existing-1".to_owned());
    match call {
        "CheckConfig" | "DiffConfig" | "Configure" => {
            let mut told = object([("how", how), ("token", CANARY)]);
            if source == Source::Marked {
                told.insert("token".to_owned(), Value::from(CANARY).secret());
            }
            match call {
                "CheckConfig" => {
                    let request = pb::CheckRequest { news: Some(wire(&told)), ..<_>::default() };
                    heard.answer(serving.client.clone().check_config(request).await, |heard, checked| {
                        let checked = checked.into_inner();
                        heard.debug(checked.failures);
                        heard.bag(checked.inputs);
                    });
                }
                "DiffConfig" => heard.answer(serving.diff_config(told.clone(), told).await, Heard::debug),
                _ => {
                    let fresh = Serving::start(&guest("parrot"), Limits::default()).await;
                    heard.answer(fresh.configure(told).await, |_, _| {});
                    heard.debug(fresh.messages());
                }
            }
        }
        "Check" => {
            let request = pb::CheckRequest { urn: urn(KEEN), news: Some(wire(&told)), ..<_>::default() };
            heard.answer(serving.client.clone().check(request).await, |heard, checked| {
                let checked = checked.into_inner();
                heard.debug(checked.failures);
                heard.bag(checked.inputs);
            });
        }
        "Diff" => heard.answer(serving.diff(KEEN, current(state), told.clone(), told).await, Heard::debug),
        "preview of a create" => heard.answer(serving.preview(KEEN, told).await, Heard::debug),
        "preview of an update" => {
            let request = pb::UpdateRequest {
                urn: urn(KEEN),
                id: name,
                olds: Some(wire(&current(state))),
                news: Some(wire(&told)),
                preview: true,
                ..<_>::default()
            };
            heard.answer(serving.client.clone().update(request).await, |heard, updated| {
                heard.bag(updated.into_inner().properties);
            });
        }
        "Create" => heard.answer(serving.create(BIRD, told).await, Heard::debug),
        "Read" => heard.answer(serving.read(BIRD, &name, state, told).await, |heard, read| {
            heard.bag(read.properties);
            heard.bag(read.inputs);
        }),
        "upgrade" => heard.answer(serving.read(KEEN, &name, state, told).await, |heard, read| {
            heard.bag(read.properties);
            heard.bag(read.inputs);
        }),
        "Update" => heard.answer(serving.update(BIRD, state, Object::new(), told).await, |heard, updated| {
            heard.bag(updated.properties);
        }),
        "Delete" => heard.answer(serving.delete(BIRD, state).await, |_, ()| {}),
        "Invoke" => heard.answer(serving.invoke("parrot:index:say", told).await, Heard::debug),
        "List" => {
            let query = Some(wire(&told));
            let request = pb::ListRequest { token: BIRD.to_owned(), query, ..<_>::default() };
            match serving.client.clone().list(request).await {
                Err(status) => heard.status(&status),
                Ok(answers) => {
                    let mut answers = answers.into_inner();
                    while let Some(answer) = answers.message().await.transpose() {
                        heard.answer(answer, Heard::debug);
                    }
                }
            }
        }
        "Construct" | "Call" => {
            let monitor = Monitor::start().await;
            if call == "Construct" {
                let request = construction(&monitor, "parrot:index:Cage", told);
                heard.answer(serving.construct(request).await, Heard::debug);
            } else {
                let reference = "urn:pulumi:dev::project::parrot:index:Cage::name";
                let reference = Reference { urn: reference.to_owned(), id: None, package_version: String::new() };
                let mut arguments = told;
                arguments.insert("__self__".to_owned(), Value::from(reference));
                heard.answer(serving.call(calling(&monitor, "parrot:index:Cage/sing", arguments)).await, Heard::debug);
            }
            let asked = monitor.asked();
            heard.debug(&asked.outputs);
            asked.registrations.into_iter().for_each(|registration| heard.bag(registration.object));
        }
        other => panic!("there is no call {other}"),
    }
    heard.debug(&serving.messages()[before..]);
    heard.0
}

/// A state that was recorded under the present schema.
fn current(mut state: Object) -> Object {
    state.insert("__meta".to_owned(), r#"{"schema_version":"2"}"#.into());
    state
}

#[track_caller]
fn assert_kept(what: &str, heard: &str) {
    let hex: String = CANARY.bytes().map(|byte| format!("{byte:02x}")).collect();
    for spelling in [CANARY, "canary", "dawn", hex.as_str()] {
        assert!(!heard.contains(spelling), "{what}: {heard}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_guest_says_of_a_secret_is_masked() {
    for source in SOURCES {
        let serving = parrot(source).await;
        for call in CALLS {
            for how in SAID {
                let (what, heard) = (format!("{call}, {how}, {source:?}"), heard(&serving, call, how, source).await);
                assert_kept(&what, &heard);
                // Nothing is in part where there is no resource.
                let told = how != "partial" || ["Create", "Read", "Update"].contains(&call);
                assert!(!told || heard.contains("[secret]"), "{what} should say something: {heard}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_guest_returns_of_a_secret_is_marked() {
    for source in SOURCES {
        let serving = parrot(source).await;
        for call in CALLS.into_iter().filter(|call| !["Delete", "Configure"].contains(call)) {
            for how in RETURNED {
                let (what, heard) = (format!("{call}, {how}, {source:?}"), heard(&serving, call, how, source).await);
                assert_kept(&what, &heard);
                // Errors about what can't be used or sent say where, not what.
                let told = how != "bytes" && (how != "wrong-type" || call == "Create");
                assert!(!told || heard.contains("[secret]"), "{what} should return something: {heard}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_engine_tells_a_component_is_kept_too() {
    // What is structured travels as JSON, and components say what is in it.
    let structured = r#"{"all":["a",{"password":"the-canary-sings-at-dawn"}]}"#;
    let ways = ["engine-log", "engine-failed", "engine-echo"];
    for (how, password) in [CANARY, structured].into_iter().flat_map(|said| ways.map(|how| (how, said))) {
        // An older engine, which says what it deploys with each request.
        let monitor = Monitor::of(Nature { says: false, ..Nature::default() }).await;
        let serving = parrot(Source::Schema).await;
        let request = pb::ConstructRequest {
            project: "project".to_owned(),
            config: [("project:password".to_owned(), password.to_owned())].into(),
            config_secret_keys: vec!["project:password".to_owned()],
            ..construction(&monitor, "parrot:index:Cage", object([("how", how)]))
        };
        let mut heard = Heard::default();
        heard.answer(serving.construct(request).await, Heard::debug);
        heard.debug(serving.messages());
        heard.debug(monitor.asked().outputs);
        assert_kept(how, &heard.0);
        assert!(heard.0.contains("[secret]"), "{how}: {}", heard.0);
    }
}

/// What can be neither masked nor marked is refused.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parameters_and_mappings_do_not_repeat_the_configuration() {
    let serving = configured(Some("the-canary-sings-at-dawn")).await;
    for (how, said) in [
        ("failed", "I was told [secret], I was"),
        ("name", "the provider returned a sub-package that repeats a secret"),
        ("described", "the provider returned a sub-package that repeats a secret"),
    ] {
        let parameters = Some(Parameters::Args(ParametersArgs { args: vec![how.to_owned()] }));
        let status = serving.client.clone().parameterize(pb::ParameterizeRequest { parameters }).await.unwrap_err();
        assert!(status.message().contains(said), "{how}: {status:?}");
        assert_kept(how, &format!("{status:?}"));
    }
    for (key, said) in [
        ("failed", "I was told [secret], I was"),
        ("names", "the provider returned a name of a mapping that repeats a secret"),
        ("data", "the provider returned a mapping that repeats a secret"),
    ] {
        let request = pb::GetMappingRequest { key: key.to_owned(), provider: String::new() };
        let status = serving.client.clone().get_mapping(request).await.unwrap_err();
        assert!(status.message().contains(said), "{key}: {status:?}");
        assert_kept(key, &format!("{status:?}"));
    }
}

/// An id can't be masked: nobody would find the resource again. And what isn't secret in a request isn't touched.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_else_is_touched() {
    let serving = parrot(Source::Schema).await;
    let open = object([("how", "failed"), ("word", CANARY)]);
    let status = serving.create(BIRD, open.clone()).await.unwrap_err();
    assert_eq!(status.message(), format!("I was told {CANARY}, I was"));
    let created = serving.create(BIRD, object([("how", "echo"), ("word", CANARY)])).await.unwrap();
    assert_eq!(created.state, object([("echo", CANARY)]));
    let short = object([("how", Value::from("failed")), ("word", Value::from("canary").secret())]);
    let status = serving.create(BIRD, short).await.unwrap_err();
    assert_eq!(status.message(), "I was told canary, I was", "what is shorter than 8 bytes may be there by chance");
}
