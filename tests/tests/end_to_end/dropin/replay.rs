//! The recorded conversations, led with the provider here.
//!
//! Once with everything as it was recorded: a stack that the native provider made goes on. And once with what this provider
//! created in its place: a stack that it made itself lives the same life.

use std::collections::BTreeMap;

use bulkhead::component::Limits;
use bulkhead_tests::serving::Serving;
use serde_json::{Value, json};

use super::conversation::{Exchange, call, recorded};
use super::shape::shape;
use crate::random;

const CONVERSATIONS: &str = include_str!("conversations.jsonl");

/// What stands for something that the conversation came to.
const MARKS: [&str; 3] = ["@created", "@id", "@updated"];

/// Whose states and ids a conversation goes on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// Those that were recorded.
    Recorded,
    /// Those that this provider made.
    Own,
}

#[tokio::test(flavor = "multi_thread")]
async fn conversations_go_on_where_the_native_provider_left_them() {
    replay(Whose::Recorded).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn conversations_go_as_they_went_with_the_native_provider() {
    replay(Whose::Own).await;
}

async fn replay(whose: Whose) {
    let provider = Serving::start(&random(), Limits::default()).await.ready(<_>::default()).await;
    let exchanges = recorded(CONVERSATIONS);
    assert!(exchanges.len() > 1000, "there should be hundreds of exchanges");
    let mut wrong = Vec::new();
    let mut conversation = String::new();
    let mut memory = Memory::default();
    for exchange in &exchanges {
        if exchange.conversation != conversation {
            conversation.clone_from(&exchange.conversation);
            memory = Memory::default();
        }
        let reply = call(&provider, exchange, &memory.put_in(exchange, &exchange.request)).await;
        if let Err(difference) = compare(exchange, &mut memory, whose, reply) {
            wrong.push(format!("{conversation}: {} {}\n{difference}", exchange.method, exchange.request));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), exchanges.len(), wrong.join("\n\n"));
}

/// What a conversation goes on with.
#[derive(Default)]
struct Memory {
    /// What stands for `@created`, `@updated` and `@id`.
    values: BTreeMap<&'static str, Value>,
    /// What was drawn as it was recorded, by the output.
    recorded: Value,
}

impl Memory {
    /// A request or reply with what is remembered in its place.
    fn put_in(&self, exchange: &Exchange, message: &Value) -> Value {
        let mut message = message.clone();
        for value in message.as_object_mut().into_iter().flat_map(|members| members.values_mut()) {
            let mark = value.as_str().filter(|mark| MARKS.contains(mark));
            if let Some(mark) = mark {
                let known = self.values.get(mark);
                *value = known.unwrap_or_else(|| panic!("{}: no {mark} yet", exchange.conversation)).clone();
            }
        }
        message
    }

    /// A recorded state with what this conversation drew in place of what was drawn then.
    fn redrawn(&self, state: &Value) -> Value {
        let mut state = state.clone();
        for (name, value) in state.as_object_mut().into_iter().flatten() {
            if self.recorded.get(name) == Some(value) {
                *value = self.values["@created"][name].clone();
            }
        }
        state
    }
}

fn compare(exchange: &Exchange, memory: &mut Memory, whose: Whose, reply: Result<Value, String>) -> Result<(), String> {
    let (recorded, reply) = match (&exchange.reply, reply) {
        (None, Err(_)) => return Ok(()),
        (None, Ok(reply)) => return Err(format!("  was refused, and is answered {reply}")),
        (Some(_), Err(refusal)) => return Err(format!("  was answered, and is refused: {refusal}")),
        (Some(recorded), Ok(reply)) => (recorded.clone(), reply),
    };
    let expected = memory.put_in(exchange, &recorded);
    let creates = exchange.method == "Create" && exchange.request["preview"] != true;
    let state = exchange.request.get("properties").filter(|state| **state != json!({}));
    let imports = exchange.method == "Read" && state.is_none();
    let seeded = exchange.request["properties"].get("seed").is_some_and(|seed| *seed != "");
    let (expected, exact) = match exchange.method.as_str() {
        "Create" => (expected, seeded),
        "Read" => (expected, !imports || !exchange.resource.contains("Password")),
        "Update" => (json!({ "properties": memory.redrawn(&expected["properties"]) }), true),
        _ => (expected, true),
    };
    if creates {
        let made = if whose == Whose::Own { &reply } else { &recorded };
        memory.values.insert("@created", made["properties"].clone());
        memory.values.insert("@id", made["id"].clone());
        memory.recorded = recorded["properties"].clone();
    }
    if exchange.method == "Update" && exchange.request["preview"] != true {
        memory.values.insert("@updated", expected["properties"].clone());
    }
    let (expected, reply) = (shape(&exchange.method, &expected, exact), shape(&exchange.method, &reply, exact));
    if expected == reply { Ok(()) } else { Err(format!("  recorded {expected}\n  replied  {reply}")) }
}
