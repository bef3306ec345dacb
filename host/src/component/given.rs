//! What every instance is given before it serves a call: parameters and the configuration, in the order in which they came.
//!
//! Instances share nothing, and come into being and fall idle at any time. So what was accepted once is kept here, each
//! instance knows how much of it it was given, and the rest follows before its next call, marked as a replay.

use std::sync::{Arc, PoisonError, RwLock};

use bulkhead_value::Object;

use super::instance::Instance;
use super::replying::called;
use crate::provider::{Parameters, Subpackage};
use crate::wit::bindings::exports::config::ConfigureRequest;
use crate::wit::bindings::types;
use crate::wit::{parameterize_request, tree_from_object};

/// What all instances of one configuration are given.
#[derive(Default)]
pub(super) struct Given(RwLock<Vec<Arc<Gift>>>);

enum Gift {
    Configuration(Arc<Object>),
    Parameter(Parameters, Subpackage),
}

impl Given {
    /// Keeps a configuration that an instance has taken, and that isn't given to that one again.
    pub(super) fn configured(&self, configuration: Arc<Object>) {
        self.keep(Gift::Configuration(configuration));
    }

    /// Keeps a parameter, and what it made. One that is there already isn't given twice.
    pub(super) fn parameterized(&self, parameters: Parameters, made: Subpackage) {
        let known = |gift: &Arc<Gift>| matches!(gift.as_ref(), Gift::Parameter(known, _) if *known == parameters);
        if !self.0.read().unwrap_or_else(PoisonError::into_inner).iter().any(known) {
            self.keep(Gift::Parameter(parameters, made));
        }
    }

    fn keep(&self, gift: Gift) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).push(Arc::new(gift));
    }

    /// Whether an instance may go on with what it was given. One that took a configuration may if that is what was kept next. Where nobody
    /// waited for it any longer it wasn't kept at all, and another one may have been.
    pub(super) fn fits(&self, instance: &Instance) -> bool {
        let Some(took) = &instance.took else { return true };
        self.next(instance)
            .is_some_and(|gift| matches!(gift.as_ref(), Gift::Configuration(kept) if Arc::ptr_eq(kept, took)))
    }

    /// What an instance is given next; none if it has all.
    fn next(&self, instance: &Instance) -> Option<Arc<Gift>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(instance.given).cloned()
    }

    /// Gives an instance what it lacks.
    ///
    /// # Errors
    /// A trap, or a refusal of what another instance took.
    pub(super) async fn replay(&self, instance: &mut Instance) -> wasmtime::Result<()> {
        while let Some(gift) = self.next(instance) {
            match gift.as_ref() {
                // This one, or it wouldn't fit.
                Gift::Configuration(_) if instance.took.take().is_some() => {}
                Gift::Configuration(configuration) => configure(instance, configuration).await?,
                Gift::Parameter(parameters, made) => parameterize(instance, parameters, made).await?,
            }
            instance.given += 1;
            // Nobody is answered with it.
            instance.replies.clear();
        }
        Ok(())
    }
}

async fn configure(instance: &mut Instance, configuration: &Object) -> wasmtime::Result<()> {
    if !instance.bound.has("config") {
        return Ok(());
    }
    let request = Arc::new(ConfigureRequest { inputs: tree_from_object(configuration), replay: true });
    let configured: Result<(), types::Error> = called(instance, "config", "configure", (request,)).await?;
    match configured {
        Ok(()) => Ok(()),
        Err(_) => Err(wasmtime::Error::msg("a configuration that it took before was refused")),
    }
}

async fn parameterize(instance: &mut Instance, parameters: &Parameters, made: &Subpackage) -> wasmtime::Result<()> {
    if !instance.bound.has("parameterization") {
        return Ok(());
    }
    let request = Arc::new(parameterize_request(parameters, true));
    let again: Result<types::Subpackage, types::Error> =
        called(instance, "parameterization", "parameterize", (request,)).await?;
    match again {
        Ok(again) if again.name == made.name && again.version == made.version => Ok(()),
        Ok(_) => Err(wasmtime::Error::msg("a parameter made another sub-package than before")),
        Err(_) => Err(wasmtime::Error::msg("a parameter that it took before was refused")),
    }
}
