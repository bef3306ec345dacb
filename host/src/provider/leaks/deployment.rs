//! A deployment under guard: what the engine tells a component in confidence is gathered too, and what the component registers is
//! marked, since an engine puts it on record as it is sent. What it may look for elsewhere isn't decided here, but where permissions are
//! known (`imports/looked_for.rs`).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bulkhead_schema::Package;
use bulkhead_value::{Object, Value};

use super::call::Leaks;
use super::structured;
use crate::provider::{Deployment, Error, Invocation, Registered, Registration, ResourceOptions, Surroundings};

/// A deployment, as one call uses it.
pub(super) struct GuardedDeployment {
    deployment: Arc<dyn Deployment>,
    leaks: Leaks,
    package: Arc<Package>,
    /// The tokens of components that were registered, by URN: of those there may be outputs. Whoever watches it counts and bounds them.
    registered: Mutex<BTreeMap<String, String>>,
}

impl GuardedDeployment {
    /// Guards a deployment for a call.
    pub(super) fn new(deployment: Arc<dyn Deployment>, leaks: Leaks, package: &Arc<Package>) -> Self {
        Self { deployment, leaks, package: Arc::clone(package), registered: Mutex::default() }
    }

    fn gathered(&self, value: Value) -> Value {
        if value.contains_secret() {
            self.leaks.gather_marked(&value);
        }
        value
    }

    fn gathered_of(&self, registered: Registered) -> Registered {
        Registered { state: self.gathered(registered.state), ..registered }
    }

    /// What goes to the engine.
    fn marked(&self, token: &str, object: Object) -> Object {
        match self.package.resource(token) {
            Some(_) => self.leaks.object(&self.package, token, object),
            // Names of another package's types are no inventions.
            None => self.leaks.members(object),
        }
    }

    /// Options, as they go to the engine, which puts paths and triggers on record.
    fn options(&self, options: ResourceOptions) -> ResourceOptions {
        let paths = |paths: Vec<String>| paths.into_iter().map(|path| self.leaks.text(path)).collect();
        ResourceOptions {
            ignore_changes: paths(options.ignore_changes),
            replace_on_changes: paths(options.replace_on_changes),
            additional_secret_outputs: paths(options.additional_secret_outputs),
            hide_diffs: paths(options.hide_diffs),
            replacement_trigger: options.replacement_trigger.map(|trigger| self.leaks.anonymous(trigger)),
            ..options
        }
    }

    /// A registration, as it goes to the engine.
    fn registration(&self, registration: Registration) -> Registration {
        let inputs = self.marked(&registration.token, registration.inputs);
        Registration { inputs, options: self.options(registration.options), ..registration }
    }
}

#[async_trait]
impl Deployment for GuardedDeployment {
    async fn describe(&self) -> Result<Surroundings, Error> {
        let surroundings = self.deployment.describe().await?;
        for entry in surroundings.config.iter().filter(|entry| entry.secret) {
            self.leaks.gather_text(&entry.value);
            structured::texts(&entry.value).iter().for_each(|text| self.leaks.gather_text(text));
        }
        Ok(surroundings)
    }

    async fn register(&self, registration: Registration) -> Result<Registered, Error> {
        let own = (!registration.custom && !registration.remote).then(|| registration.token.clone());
        let registered = self.deployment.register(self.registration(registration)).await?;
        if let Some(token) = own {
            self.registered.lock().unwrap_or_else(PoisonError::into_inner).insert(registered.urn.clone(), token);
        }
        Ok(self.gathered_of(registered))
    }

    async fn read(&self, registration: Registration, id: String) -> Result<Registered, Error> {
        let read = self.deployment.read(self.registration(registration), id).await?;
        Ok(self.gathered_of(read))
    }

    async fn register_outputs(&self, urn: String, outputs: Object) -> Result<(), Error> {
        let token = self.registered.lock().unwrap_or_else(PoisonError::into_inner).get(&urn).cloned();
        let outputs = self.marked(&token.unwrap_or_default(), outputs);
        self.deployment.register_outputs(urn, outputs).await
    }

    async fn hydrate(&self, urn: String) -> Result<Registered, Error> {
        let found = self.deployment.hydrate(urn).await?;
        Ok(self.gathered_of(found))
    }

    async fn invoke(&self, invocation: Invocation) -> Result<Value, Error> {
        let options = self.options(invocation.options);
        let value = self.deployment.invoke(Invocation { options, ..invocation }).await?;
        Ok(self.gathered(value))
    }

    async fn call(&self, invocation: Invocation) -> Result<Value, Error> {
        let options = self.options(invocation.options);
        let value = self.deployment.call(Invocation { options, ..invocation }).await?;
        Ok(self.gathered(value))
    }

    fn remembered(&self) -> usize {
        self.deployment.remembered()
    }
}
