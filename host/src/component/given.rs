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
    Configuration(Object),
    Parameter(Parameters, Subpackage),
}

impl Given {
    /// Keeps a configuration that an instance has just taken, which it isn't given again.
    pub(super) fn configured(&self, instance: &mut Instance, configuration: Object) {
        if self.keep(Gift::Configuration(configuration)) == instance.given {
            instance.given += 1;
            // Nobody is answered with it.
            instance.replies.clear();
        } else {
            // Something came in between, which this one would get in another order than all others.
            instance.retire();
        }
    }

    /// Keeps a parameter, and what it made. One that is there already isn't given twice.
    pub(super) fn parameterized(&self, parameters: Parameters, made: Subpackage) {
        let known = |gift: &Arc<Gift>| matches!(gift.as_ref(), Gift::Parameter(known, _) if *known == parameters);
        if !self.0.read().unwrap_or_else(PoisonError::into_inner).iter().any(known) {
            self.keep(Gift::Parameter(parameters, made));
        }
    }

    /// Adds to what is given, and says how much there was before.
    fn keep(&self, gift: Gift) -> usize {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.push(Arc::new(gift));
        all.len() - 1
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
