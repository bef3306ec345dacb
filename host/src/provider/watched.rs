//! A deployment that remembers what went through it, so that results can be held to it.
//!
//! A component that returned the URN of a resource that it didn't register would put its outputs on somebody else's record; and
//! whether it may return values that aren't known depends on whether the engine told it some.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bulkhead_value::{Object, Value};

use super::{Deployment, Error, Invocation, Registered, Registration, Surroundings};

/// A deployment under watch.
pub(super) struct Watched {
    deployment: Arc<dyn Deployment>,
    components: Mutex<BTreeSet<String>>,
    lacks: AtomicBool,
}

impl Watched {
    pub(super) fn new(deployment: Arc<dyn Deployment>) -> Self {
        Self { deployment, components: Mutex::default(), lacks: AtomicBool::new(false) }
    }

    /// Whether a component with this URN was registered.
    pub(super) fn registered(&self, urn: &str) -> bool {
        self.components.lock().unwrap_or_else(PoisonError::into_inner).contains(urn)
    }

    /// Whether something in the engine's answers wasn't known.
    pub(super) fn lacks(&self) -> bool {
        self.lacks.load(Ordering::Acquire)
    }

    fn seen(&self, value: &Value) {
        if value.contains_unknown() {
            self.lacks.store(true, Ordering::Release);
        }
    }
}

#[async_trait]
impl Deployment for Watched {
    async fn describe(&self) -> Result<Surroundings, Error> {
        self.deployment.describe().await
    }

    async fn register(&self, registration: Registration) -> Result<Registered, Error> {
        let own = !registration.custom && !registration.remote;
        let registered = self.deployment.register(registration).await?;
        self.seen(&registered.state);
        if own {
            self.components.lock().unwrap_or_else(PoisonError::into_inner).insert(registered.urn.clone());
        }
        Ok(registered)
    }

    async fn read(&self, registration: Registration, id: String) -> Result<Registered, Error> {
        let read = self.deployment.read(registration, id).await?;
        self.seen(&read.state);
        Ok(read)
    }

    async fn register_outputs(&self, urn: String, outputs: Object) -> Result<(), Error> {
        self.deployment.register_outputs(urn, outputs).await
    }

    async fn hydrate(&self, urn: String) -> Result<Registered, Error> {
        let found = self.deployment.hydrate(urn).await?;
        self.seen(&found.state);
        Ok(found)
    }

    async fn invoke(&self, invocation: Invocation) -> Result<Value, Error> {
        let value = self.deployment.invoke(invocation).await?;
        self.seen(&value);
        Ok(value)
    }

    async fn call(&self, invocation: Invocation) -> Result<Value, Error> {
        let value = self.deployment.call(invocation).await?;
        self.seen(&value);
        Ok(value)
    }
}
