//! What code warns of, for its tests: warnings are made where nobody is handed a log, and go to whatever the process listens with.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt as _};

/// What this thread is told of while something is done.
pub(crate) fn told(work: impl FnOnce()) -> Vec<String> {
    let told = Told::default();
    tracing::subscriber::with_default(tracing_subscriber::registry().with(told.clone()), work);
    std::mem::take(&mut *told.0.lock().unwrap_or_else(PoisonError::into_inner))
}

#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<String>>>);

impl<S: Subscriber> Layer<S> for Told {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        event.record(&mut self.clone());
    }
}

impl Visit for Told {
    fn record_debug(&mut self, _: &Field, value: &dyn fmt::Debug) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{value:?}"));
    }
}
