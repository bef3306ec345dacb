//! What the host warns of, told to the users of an engine too: those are shown nothing of what a plugin writes to stderr, unless it ends
//! early or they asked for it (`--debug`).
//!
//! Of a cache that can't be used they would notice that each command takes seconds longer, and never learn why.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use crate::provider::{Log, Message};

/// Warnings of a process that are told, each once. What goes on and on is in these.
const MOST: usize = 32;

/// Those of this process.
static WARNINGS: Mutex<Warnings> = Mutex::new(Warnings { said: Vec::new(), told: 0, logs: Vec::new() });

#[derive(Default)]
struct Warnings {
    said: Vec<String>,
    /// How many of them an engine was told.
    told: usize,
    /// The logs of engines, the latest last.
    logs: Vec<Weak<dyn Log>>,
}

impl Warnings {
    fn listen(&mut self, log: Weak<dyn Log>) {
        self.logs.retain(|known| known.strong_count() > 0 && !Weak::ptr_eq(known, &log));
        self.logs.push(log);
        self.tell();
    }

    fn warn(&mut self, text: String) {
        if self.said.len() < MOST && !self.said.contains(&text) {
            self.said.push(text);
            self.tell();
        }
    }

    /// Tells one engine, which all of a process have in common as a rule. Without any it waits for one.
    fn tell(&mut self) {
        let Some(log) = self.logs.iter().rev().find_map(Weak::upgrade) else { return };
        for text in self.said.iter().skip(self.told) {
            // On stderr a warning is a line; here what to do has one of its own, as elsewhere.
            log.log(Message::warning(text.replacen("; hint: ", "\nhint: ", 1)));
        }
        self.told = self.said.len();
    }
}

/// Has a log told what this process warns of, and warned of before there was any.
pub(super) fn listen(log: &Arc<dyn Log>) {
    WARNINGS.lock().unwrap_or_else(PoisonError::into_inner).listen(Arc::downgrade(log));
}

/// The layer of a process's subscriber that hears its warnings. Those of others' code are nothing that a user could follow.
pub(crate) fn warnings<S: Subscriber + for<'a> LookupSpan<'a>>() -> impl Layer<S> {
    Heard.with_filter(Targets::new().with_target("bulkhead", LevelFilter::WARN))
}

struct Heard;

impl<S: Subscriber> Layer<S> for Heard {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut text = Text::default();
        event.record(&mut text);
        WARNINGS.lock().unwrap_or_else(PoisonError::into_inner).warn(text.0);
    }
}

/// What an event says.
#[derive(Default)]
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::Severity;

    #[derive(Default)]
    struct Engine(Mutex<Vec<String>>);

    impl Log for Engine {
        fn log(&self, message: Message) {
            assert_eq!(message.severity, Severity::Warning);
            self.0.lock().unwrap().push(message.text);
        }
    }

    #[test]
    fn an_engine_is_told_once_what_was_warned_of_before_and_since() {
        let mut warnings = Warnings::default();
        warnings.warn("before; hint: do; hint: this".to_owned());
        let [first, second] = [(); 2].map(|()| Arc::<Engine>::default());
        let told = |engine: &Engine| std::mem::take(&mut *engine.0.lock().unwrap());
        let listens = |engine: &Arc<Engine>| Arc::downgrade(&(Arc::clone(engine) as Arc<dyn Log>));
        warnings.listen(listens(&first));
        assert_eq!(told(&first), ["before\nhint: do; hint: this"]);
        warnings.listen(listens(&second));
        warnings.warn("since".to_owned());
        warnings.warn("since".to_owned());
        assert_eq!((told(&first), told(&second)), (Vec::new(), vec!["since".to_owned()]));
        drop(second);
        warnings.warn("later".to_owned());
        assert_eq!(told(&first), ["later"], "one that is gone is told nothing");
        for number in 0..2 * MOST {
            warnings.warn(number.to_string());
        }
        assert_eq!(told(&first).len(), MOST - 3);
    }

    #[test]
    fn what_this_host_says_is_heard_as_it_says_it_and_nothing_of_others() {
        use tracing_subscriber::layer::SubscriberExt;

        let subscriber = tracing_subscriber::registry().with(warnings());
        tracing::subscriber::with_default(subscriber, || {
            tracing::warn!("no more than {}; hint: this", "that");
            tracing::info!("of no interest");
            tracing::warn!(target: "hyper", "of another");
        });
        let heard = WARNINGS.lock().unwrap();
        let ours = |said: &&String| said.starts_with("no more than") || said.starts_with("of ");
        assert_eq!(heard.said.iter().filter(ours).collect::<Vec<_>>(), ["no more than that; hint: this"]);
    }
}
