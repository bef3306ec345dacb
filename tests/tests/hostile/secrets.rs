//! Guests that tell what they were told in confidence, wherever a provider may say something.
//!
//! A guest that means to can spell a secret in ways that nobody looks for; what keeps it from being told outside is that nothing
//! was granted. These tell it as careless ones would.

use std::io;
use std::net::{IpAddr, TcpListener};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use bulkhead::Resolver;
use bulkhead::audit::{AuditFile, Auditor, Span, Spans};
use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::composing::construction;
use bulkhead_tests::engine::Engine;
use bulkhead_tests::monitor::Monitor;
use bulkhead_tests::serving::{Serving, init_failed, load};
use bulkhead_tests::temporary_directory;
use bulkhead_value::wire::{decode, encode};
use bulkhead_value::{Bounds, Object, Value};

use crate::calls::{ALL, Call, Given};
use crate::{TELL, THING, hostile, object, undisturbed, unready_with_packages, well};

const KEY: &str = "correct-horse-battery-staple";

fn keyed() -> Object {
    object([("key", Value::from(KEY).secret())])
}

#[tokio::test]
async fn secrets_of_a_request_are_masked_where_people_read() {
    undisturbed(async {
        let serving = hostile("secret-in-log", Limits::default()).await;
        serving.create(THING, keyed()).await.unwrap();
        let texts: Vec<String> = serving.messages().into_iter().map(|message| message.text).collect();
        assert_eq!(texts, ["the key is [secret]", "[secret]"]);
        let serving = hostile("secret-in-error", Limits::default()).await;
        let status = serving.create(THING, keyed()).await.unwrap_err();
        assert_eq!(status.message(), "the server refused [secret]");
        // A guest sees what triggers a component's replacement, too.
        let monitor = Monitor::start().await;
        let trigger = encode::value(&Value::Object(keyed()), &encode::Capabilities::ALL).unwrap();
        let trigger = Some(bulkhead_proto::raw::Value::from_bytes(trigger));
        let request = construction(&monitor, "hostile:index:Group", Object::new());
        let status = serving.construct(pb::ConstructRequest { replacement_trigger: trigger, ..request }).await;
        assert_eq!(status.unwrap_err().message(), "the server refused [secret]");
    })
    .await;
}

#[tokio::test]
async fn a_state_that_repeats_a_secret_is_secret_there() {
    undisturbed(async {
        let serving = hostile("secret-in-state", Limits::default()).await;
        let state = serving.create(THING, keyed()).await.unwrap().state;
        assert_eq!(state["text"], Value::from(KEY).secret());
        let deep = format!("the key is {KEY}, I think");
        assert!(!plainly(&state["any"]).contains(&deep), "{:?}", state["any"]);
        let serving = hostile("secret-in-checkpoint", Limits::default()).await;
        let left = init_failed(&serving.create(THING, keyed()).await.unwrap_err());
        assert_eq!((left.id.as_str(), &left.state["text"]), ("made-1", &Value::from(KEY).secret()));
    })
    .await;
}

/// The texts of a value that anybody may read.
fn plainly(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::List(items) => items.iter().flat_map(plainly).collect(),
        _ => Vec::new(),
    }
}

/// Whoever names a property or a resource after a secret tells it: neither can be masked, or nobody would find them again.
#[tokio::test]
async fn names_and_ids_are_passed_on_as_they_are_or_refused() {
    undisturbed(async {
        let serving = hostile("secret-in-id", Limits::default()).await;
        assert_eq!(serving.create(THING, keyed()).await.unwrap().id, KEY, "an id is opaque");
        let serving = hostile("secret-in-names", Limits::default()).await;
        let state = serving.create(THING, keyed()).await.unwrap().state;
        let named = Value::Object(object([(KEY, Value::Null)]));
        assert_eq!(state["any"], named.secret(), "all that has the name");
    })
    .await;
}

/// A resolver that knows everybody, and who was asked for.
#[derive(Default)]
struct Listening(Mutex<Vec<String>>);

#[async_trait::async_trait]
impl Resolver for Listening {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        self.0.lock().unwrap().push(name.to_owned());
        Ok(vec![IpAddr::from([127, 0, 0, 1])])
    }
}

/// A collector of spans.
#[derive(Default)]
struct Collected(Mutex<Vec<Span>>);

impl Spans for Collected {
    fn take(&self, span: Span) {
        self.0.lock().unwrap().push(span);
    }
}

/// Whether a text tells a secret, by its letters and digits alone, whatever is between them.
pub(crate) fn tells(text: &str, secret: &str) -> bool {
    let folded = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let hexadecimal: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    // The last characters of the others say something of what follows, too.
    let base64 = BASE64_STANDARD_NO_PAD.encode(secret);
    let spelt = [secret, &hexadecimal, &base64[..base64.len() - 1], "inxxe4tfmn2c2sdpojzwklkcmf2hizlspewvg5dbobwgk"];
    spelt.into_iter().any(|spelt| folded(text).contains(&folded(spelt)))
}

#[tokio::test]
async fn what_is_denied_reaches_nobody_and_is_told_without_the_secret_that_names_it() {
    const SECRET: &str = "Correct-Horse-Battery-Staple";
    undisturbed(async {
        for guest in ["secret-in-lookup", "secret-in-request", "secret-in-pattern"] {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            listener.set_nonblocking(true).unwrap();
            let address = listener.local_addr().unwrap().to_string();
            let (directory, asked, spans) =
                (temporary_directory(), Arc::new(Listening::default()), Arc::new(Collected::default()));
            let file = directory.path().join("audit.jsonl");
            let collected: Arc<dyn Spans> = Arc::<Collected>::clone(&spans);
            let auditor = Auditor::new(vec![AuditFile::new(&file, true)], Some(collected), "hostile", "d1");
            let loaded = load(&bulkhead_tests::hostile(guest), Limits::default()).unwrap();
            let loaded = loaded.resolving(Arc::<Listening>::clone(&asked));
            let serving = Serving::audited(loaded, auditor).await.ready(well()).await;
            let told = || object([("key", Value::from(SECRET).secret()), ("what", address.as_str().into())]);

            let found = serving.invoke(TELL, told()).await.unwrap().value["text"].clone();
            assert_eq!(found, Value::from(""), "{guest} should have reached nobody");
            let outcome = serving.create(THING, told()).await;
            assert_eq!(asked.0.lock().unwrap().as_slice(), [""; 0], "{guest} should have asked for nobody");
            assert!(listener.accept().is_err(), "{guest} should have come to nobody");

            let warnings: Vec<String> = serving.messages().into_iter().map(|message| message.text).collect();
            assert!(warnings.iter().any(|warning| warning.contains("is denied: ")), "{guest}: {warnings:?}");
            let audited = std::fs::read_to_string(&file).unwrap();
            assert!(audited.contains("\"verdict\":\"denied\""), "{guest}: {audited}");
            let spans = format!("{:?}", spans.0.lock().unwrap());
            assert!(spans.contains("pulumirpc.ResourceProvider/Invoke"), "{guest}: {spans}");
            let status = outcome.err().map(|status| format!("{status:?}")).unwrap_or_default();
            assert!(guest == "secret-in-pattern" || status.contains("is denied: "), "{guest}: {status}");
            for said in [&warnings.join("\n"), &audited, &spans, &status] {
                for line in said.lines() {
                    assert!(!tells(line, SECRET), "{guest}: {line}");
                }
            }
        }
    })
    .await;
}

/// The same through the real CLI: `tests/tests/end_to_end/canary.rs`.
#[tokio::test]
async fn a_secret_that_is_told_everywhere_at_once_is_masked_everywhere() {
    const SECRET: &str = "Correct-Horse-Battery-Staple";
    undisturbed(async {
        let serving = hostile("secret-everywhere", Limits::default()).await;
        for what in ["fail", "reject", "lose", "break", "panic", "part", "return"] {
            let told = object([("key", Value::from(SECRET).secret()), ("what", what.into())]);
            let outcome = serving.create(THING, told).await;
            assert_eq!(outcome.is_ok(), what == "return", "{what}: {outcome:?}");
            let left = outcome.as_ref().err().filter(|_| what != "fail").map(init_failed);
            // What is marked as secret is sent, and not printed here.
            let outcome = outcome.map_err(|status| status.message().to_owned());
            let said = format!("{outcome:?} {left:?} {:?}", serving.messages());
            assert!(said.contains("[secret]"), "{what}: {said}");
            assert!(!tells(&said, SECRET), "{what}: {said}");
        }
        // These are about nothing of a user's.
        let without = [Call::Import, Call::Mapping, Call::Mappings];
        for end in ["fail", "reject", "break", "panic", "return"] {
            let (serving, secret) = (hostile("secret-everywhere", Limits::default()).await, format!("{end}: {SECRET}"));
            let given = || Value::from(secret.clone()).secret();
            let (arguments, configuration) = (object([("what", given())]), object([("key", given())]));
            let given = Given { what: given(), changed: given(), text: given(), ..Given::default() };
            let given = Given { arguments, configuration, ..given };
            for (doing, call) in ALL.into_iter().filter(|(_, call)| !without.contains(call)) {
                let before = serving.messages().len();
                let outcome = call.make_with(&serving, &given).await.map_err(|status| status.message().to_owned());
                let said = format!("{outcome:?} {:?}", &serving.messages()[before..]);
                assert!(said.contains("[secret]"), "{doing}, {end}: {said}");
                assert!(!tells(&said, &secret), "{doing}, {end}: {said}");
            }
        }
    })
    .await;
}

/// Engines fetch plugins and descriptions of packages from elsewhere, and record what isn't an input as it is.
#[tokio::test]
async fn what_an_engine_is_told_beside_inputs_tells_no_secret() {
    const SECRET: &str = "Correct-Horse-Battery-Staple";
    undisturbed(async {
        let told = || object([("key", Value::from(SECRET).secret())]);
        let engine = Engine::start(&[("other", b"{}")]).await;
        let serving = unready_with_packages("secret-in-options").await;
        serving.handshake(engine.handshake()).await;
        serving.configure(well()).await.unwrap();
        let answer = serving.invoke(TELL, told()).await.unwrap().value["text"].clone();
        assert_eq!(answer, "nobody was told".into());
        let asked = (engine.asked().len(), engine.mapped().len(), engine.resolved().len());
        assert_eq!(asked, (0, 0, 0), "the engine would have asked others");

        let monitor = Monitor::start().await;
        serving.construct(construction(&monitor, "hostile:index:Group", told())).await.unwrap();
        let asked = monitor.asked();
        assert_eq!(asked.names(), ["name", "child"], "no plugin should be looked for");
        assert!(asked.reads.is_empty() && asked.invokes.is_empty());
        let child = asked.registration("child");
        let paths =
            [&child.ignore_changes, &child.replace_on_changes, &child.additional_secret_outputs, &child.hide_diffs];
        assert!(paths.iter().all(|paths| *paths == &["[secret]"]), "{paths:?}");
        let trigger = child.replacement_trigger.as_ref().unwrap().as_bytes();
        let expected = Value::Object(object([("key", Value::from(SECRET).secret())]));
        assert_eq!(decode::value(trigger, &Bounds::default()).unwrap(), expected);
    })
    .await;
}
