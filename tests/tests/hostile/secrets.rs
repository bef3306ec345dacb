//! Guests that tell what they were told in confidence, wherever a provider may say something.
//!
//! A guest that means to can spell a secret in ways that nobody looks for; what keeps it from being told outside is that nothing
//! was granted. These tell it as careless ones would.

use bulkhead::component::Limits;
use bulkhead_tests::serving::init_failed;
use bulkhead_value::{Object, Value};

use crate::{THING, hostile, object, undisturbed};

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
        let outcome = serving.create(THING, keyed()).await;
        let state = outcome.map(|created| created.state).unwrap_or_else(|status| init_failed(&status).state);
        assert!(!matches!(&state["any"], Value::Object(any) if any.contains_key(KEY)), "{:?}", state["any"]);
    })
    .await;
}
