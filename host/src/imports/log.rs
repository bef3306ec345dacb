//! `log`: a guest's messages, bounded in number and length, with the URN of the call they belong to.

use bytesize::ByteSize;

use crate::provider::{Message, Severity, shortened};
use crate::store::{Limits, State};
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
    let Limits { log_messages, log_message, log_bytes, .. } = *state.limits;
    let call = &mut state.call;
    if call.messages > log_messages || call.logged > log_bytes {
        return;
    }
    let text = shortened(call.leaks.text(text), log_message);
    call.messages = call.messages.saturating_add(1);
    call.logged = call.logged.saturating_add(text.len());
    // That something is lost is for everybody to see, whatever it was.
    let lost = |text| (Severity::Warning, text, false);
    let (severity, text, ephemeral) = if call.messages > log_messages {
        lost(format!("the provider logged more than {log_messages} messages in one call; the rest is dropped"))
    } else if call.logged > log_bytes {
        let most = ByteSize::b(log_bytes as u64);
        lost(format!(
            "the provider logged more than {most} in one call; the rest is dropped\nhint: {}",
            state.limits.raise("log")
        ))
    } else {
        (severity, text, ephemeral)
    };
    state.log.relay(Message { severity, text, urn: state.call.urn.clone(), ephemeral }, state.call.speaker);
}
