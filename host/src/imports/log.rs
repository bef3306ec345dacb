//! `log`: a guest's messages, bounded in number and length, with the URN of the call they belong to.

use crate::provider::{Message, Severity, shortened};
use crate::store::State;
use crate::wit::bindings::log::{Host, Level};

impl Host for State {
    fn log(&mut self, level: Level, message: String) -> wasmtime::Result<()> {
        let severity = match level {
            Level::Debug => Severity::Debug,
            Level::Info => Severity::Info,
            Level::Warning => Severity::Warning,
            Level::Error => Severity::Error,
        };
        say(self, severity, message, false);
        Ok(())
    }

    fn status(&mut self, message: String) -> wasmtime::Result<()> {
        say(self, Severity::Info, message, true);
        Ok(())
    }
}

fn say(state: &mut State, severity: Severity, text: String, ephemeral: bool) {
    let allowed = state.limits.log_messages;
    state.call.messages = state.call.messages.saturating_add(1);
    let text = match state.call.messages {
        count if count <= allowed => shortened(state.call.leaks.text(text), state.limits.log_message),
        count if count == allowed + 1 => {
            format!("the provider logged more than {allowed} messages in one call; the rest is dropped")
        }
        _ => return,
    };
    state.log.log(Message { severity, text, urn: state.call.urn.clone(), ephemeral });
}
