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

/// Warnings of a process that are told, each once to an engine. What goes on and on is in these.
const MOST: usize = 32;
/// Engines that are remembered. One process serves many only where they attach to it.
const ENGINES: usize = 32;

/// Those of this process.
static WARNINGS: Mutex<Warnings> = Mutex::new(Warnings { said: Vec::new(), engines: Vec::new() });

#[derive(Default)]
struct Warnings {
    said: Vec<String>,
    /// The latest last. Of one that is gone nobody knows that it is, so each is told all by itself: what one was told in vain, the next
    /// one wouldn't hear.
    engines: Vec<Engine>,
}

struct Engine {
    address: String,
    /// How many of the warnings it was told.
    told: usize,
    /// The ways to it, of each provider that it has in this process, the latest last.
    logs: Vec<Weak<dyn Log>>,
}

impl Warnings {
    fn listen(&mut self, address: &str, log: Weak<dyn Log>) {
        for engine in &mut self.engines {
            engine.logs.retain(|known| known.strong_count() > 0 && !Weak::ptr_eq(known, &log));
        }
        let known = self.engines.iter().position(|engine| engine.address == address);
        let mut engine = match known {
            Some(place) => self.engines.remove(place),
            None => Engine { address: address.to_owned(), told: 0, logs: Vec::new() },
        };
        engine.logs.push(log);
        self.engines.push(engine);
        if self.engines.len() > ENGINES {
            self.engines.remove(0);
        }
        self.tell();
    }

    fn warn(&mut self, text: String) {
        if self.said.len() < MOST && !self.said.contains(&text) {
            self.said.push(text);
            self.tell();
        }
    }

    /// Tells each engine what it wasn't told yet, once, however many providers it has here. One without any waits for the next.
    fn tell(&mut self) {
        for engine in &mut self.engines {
            let Some(log) = engine.logs.iter().rev().find_map(Weak::upgrade) else { continue };
            for text in self.said.iter().skip(engine.told) {
                // On stderr a warning is a line; here what to do has one of its own, as elsewhere.
                log.log(Message::warning(text.replacen("; hint: ", "\nhint: ", 1)));
            }
            engine.told = self.said.len();
        }
    }
}

/// Has the engine at an address told, by a log, what this process warns of, and warned of before.
pub(super) fn listen(address: &str, log: &Arc<dyn Log>) {
    WARNINGS.lock().unwrap_or_else(PoisonError::into_inner).listen(address, Arc::downgrade(log));
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
    struct Provider(Mutex<Vec<String>>);

    impl Provider {
        fn told(&self) -> Vec<String> {
            std::mem::take(&mut *self.0.lock().unwrap())
        }
    }

    fn listens(provider: &Arc<Provider>) -> Weak<dyn Log> {
        Arc::downgrade(&(Arc::clone(provider) as Arc<dyn Log>))
    }

    impl Log for Provider {
        fn log(&self, message: Message) {
            assert_eq!(message.severity, Severity::Warning);
            self.0.lock().unwrap().push(message.text);
        }
    }

    #[test]
    fn an_engine_is_told_once_what_was_warned_of_before_and_since() {
        let mut warnings = Warnings::default();
        warnings.warn("before; hint: do; hint: this".to_owned());
        let [first, second] = [(); 2].map(|()| Arc::<Provider>::default());
        warnings.listen("engine", listens(&first));
        assert_eq!(first.told(), ["before\nhint: do; hint: this"]);
        warnings.listen("engine", listens(&second));
        warnings.warn("since".to_owned());
        warnings.warn("since".to_owned());
        assert_eq!((first.told(), second.told()), (Vec::new(), vec!["since".to_owned()]), "whatever it has here");
        drop(second);
        warnings.warn("later".to_owned());
        assert_eq!(first.told(), ["later"], "a provider that is gone tells nothing");
        for number in 0..2 * MOST {
            warnings.warn(number.to_string());
        }
        assert_eq!(first.told().len(), MOST - 3);
    }

    #[test]
    fn each_engine_is_told_whatever_another_one_was_told_that_may_be_gone() {
        let mut warnings = Warnings::default();
        let [first, second] = [(); 2].map(|()| Arc::<Provider>::default());
        warnings.listen("first", listens(&first));
        warnings.warn("between".to_owned());
        assert_eq!(first.told(), ["between"]);
        warnings.listen("second", listens(&second));
        assert_eq!(second.told(), ["between"]);
        // A log that goes over to another engine has it alone.
        warnings.listen("third", listens(&first));
        assert_eq!(first.told(), ["between"]);
        warnings.warn("later".to_owned());
        assert_eq!((first.told(), second.told()), (vec!["later".to_owned()], vec!["later".to_owned()]));
        for number in 0..2 * ENGINES {
            warnings.listen(&number.to_string(), listens(&first));
        }
        let logs: usize = warnings.engines.iter().map(|engine| engine.logs.len()).sum();
        assert_eq!((warnings.engines.len(), logs), (ENGINES, 1), "nothing grows with how many attach");
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
