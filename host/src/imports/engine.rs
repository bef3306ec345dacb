//! `engine`: the deployment that a component is constructed in, while it is, and while one of its methods runs.
//!
//! Everything that is asked begins at once and is waited for later, so that children register side by side. Outside of
//! construct and call there is no deployment, and each of these says so.

use std::sync::Arc;

use bulkhead_schema::Package;
use bulkhead_value::{Object, Value};
use wasmtime::component::Resource;

use super::handles;
use super::looked_for::of_some_length;
use super::other_packages::RECEIVER;
use super::own_providers::flaw_of_provider;
use super::waiting::Waiting;
use crate::provider::{self, Invocation, flaw_of_name, flaw_of_token, flaw_of_type, owner_of, package_of};
use crate::store::{Composing, ResourceRequest, Serving, State, ValueRequest};
use crate::wit::bindings::engine::{
    Deployment, Host, HostPendingResource, HostPendingValue, PendingResource, PendingValue, Registered, Registration,
};
use crate::wit::bindings::options::ResourceOptions;
use crate::wit::bindings::types::Error;
use crate::wit::bindings::values::Tree;
use crate::wit::{self, Places, Told, TreeLimits, Weigh, object_from_tree, tree_from_value};

type Answer<T> = wasmtime::Result<Result<T, Error>>;

/// What is said where there is no deployment.
const OUTSIDE: &str = "the engine can be used only while a component is constructed or a method runs";

impl Host for State {
    async fn get_deployment(&mut self) -> Answer<Deployment> {
        let deployment = match self.deployment() {
            Ok(deployment) => deployment,
            Err(error) => return Ok(Err(error)),
        };
        let described = waited(&self.call, async move { deployment.describe().await }).await?;
        Ok(described.map(|surroundings| wit::surroundings(self.without_secrets_of_others(surroundings))))
    }

    fn register(&mut self, registration: Registration) -> Answer<Resource<PendingResource>> {
        let begun = self.begin_registration(registration, None);
        self.resource_handle(begun)
    }

    fn read(&mut self, registration: Registration, id: String) -> Answer<Resource<PendingResource>> {
        if id.is_empty() {
            return Ok(Err(Error::Bug("reading a resource takes its id, which is empty".to_owned())));
        }
        let begun = self.begin_registration(registration, Some(id));
        self.resource_handle(begun)
    }

    async fn register_outputs(&mut self, urn: String, outputs: Tree) -> Answer<()> {
        let weight = outputs.weight().saturating_add(urn.weight());
        // What is on record of its own components it may ask for again.
        let limits = TreeLimits { places: self.allowed(), ..self.limits.trees() };
        let begun = object_from_tree(outputs, &limits).map_err(wit::refusal).and_then(|outputs| {
            of_some_length([&*urn])?;
            let composing = self.composing()?;
            let held = composing.admit(weight).map_err(wit::answer)?;
            Ok((Arc::clone(&composing.deployment), outputs, held))
        });
        match begun {
            Ok((deployment, outputs, _held)) => {
                waited(&self.call, async move { deployment.register_outputs(urn, outputs).await }).await
            }
            Err(error) => Ok(Err(error)),
        }
    }

    fn hydrate(&mut self, urn: String) -> Answer<Resource<PendingResource>> {
        let weight = urn.weight();
        let begun = self.deployment().and_then(|deployment| {
            self.may_look_up(&urn)?;
            let request = async move { deployment.hydrate(urn).await };
            self.composing()?.resource(weight, request).map_err(wit::answer)
        });
        self.resource_handle(begun)
    }

    fn invoke(&mut self, token: String, arguments: Tree, options: ResourceOptions) -> Answer<Resource<PendingValue>> {
        let ask =
            |deployment: Arc<dyn provider::Deployment>, invocation| async move { deployment.invoke(invocation).await };
        self.asked(token, arguments, options, |_, _| Ok(()), ask)
    }

    fn call(&mut self, token: String, arguments: Tree, options: ResourceOptions) -> Answer<Resource<PendingValue>> {
        let ask = |deployment: Arc<dyn provider::Deployment>, invocation: Invocation| async move {
            // Engines read whose method it is there, and don't look whether they can. In a preview it may be made later.
            match invocation.arguments.get(RECEIVER).map(Value::plain) {
                Some(Value::Unknown) => Ok(Value::Unknown),
                _ => deployment.call(invocation).await,
            }
        };
        self.asked(token, arguments, options, Self::may_call_on, ask)
    }
}

impl HostPendingResource for State {
    async fn wait(&mut self, handle: Resource<PendingResource>) -> Answer<Registered> {
        let request = *handles::found::<ResourceRequest, _>(&self.table, &handle)?;
        match self.composing().map(|composing| composing.take_resource(request)) {
            Ok(Some(task)) => {
                let registered = waited(&self.call, task).await?.map(wit::registered);
                Ok(registered.and_then(|registered| {
                    self.learn(&registered.state)?;
                    Ok(registered)
                }))
            }
            Ok(None) => Ok(Err(twice())),
            Err(error) => Ok(Err(error)),
        }
    }

    fn drop(&mut self, handle: Resource<PendingResource>) -> wasmtime::Result<()> {
        // What it stands for goes on: a registration isn't undone, and its failure isn't lost.
        handles::removed::<ResourceRequest, _>(&mut self.table, &handle).map(drop)
    }
}

impl HostPendingValue for State {
    async fn wait(&mut self, handle: Resource<PendingValue>) -> Answer<Tree> {
        let request = *handles::found::<ValueRequest, _>(&self.table, &handle)?;
        match self.composing().map(|composing| composing.take_value(request)) {
            Ok(Some(task)) => {
                let value = waited(&self.call, task).await?.map(|value| tree_from_value(&value));
                Ok(value.and_then(|value| {
                    self.learn(&value)?;
                    Ok(value)
                }))
            }
            Ok(None) => Ok(Err(twice())),
            Err(error) => Ok(Err(error)),
        }
    }

    fn drop(&mut self, handle: Resource<PendingValue>) -> wasmtime::Result<()> {
        handles::removed::<ValueRequest, _>(&mut self.table, &handle).map(drop)
    }
}

impl State {
    fn composing(&mut self) -> Result<&mut Composing, Error> {
        self.composing.as_mut().ok_or_else(|| Error::Unsupported(OUTSIDE.to_owned()))
    }

    fn deployment(&mut self) -> Result<Arc<dyn provider::Deployment>, Error> {
        self.composing().map(|composing| Arc::clone(&composing.deployment))
    }

    /// Bounds of what may be passed on. Others may be given any file of the user's. But what a component gives its own provider comes
    /// back to it in a request, to be read: to that it may only pass on what it was given or told itself.
    ///
    /// What it names to others by itself they may tell it again: it isn't told by that.
    ///
    /// # Errors
    /// No room to remember what.
    fn passing_on_to(&mut self, token: &str, given: &Tree, asks_nobody: bool) -> Result<TreeLimits, Error> {
        // By whatever package it names its types, the engine may be told to ask its own provider for them.
        let is_of = |own: &Package| {
            own.name == package_of(token) || own.resource(token).is_some() || own.function(token).is_some()
        };
        let own = asks_nobody || self.call.package.as_deref().is_some_and(is_of);
        let limits = self.limits.trees();
        if own {
            return Ok(TreeLimits { places: self.allowed(), ..limits });
        }
        // Before it is remembered: whoever goes on after a refusal would have all of it kept.
        self.composing()?.fits(0).map_err(wit::answer)?;
        self.remember(given, Told::named)?;
        Ok(limits)
    }

    /// The files and addresses that the call was given or told. None outside of a deployment.
    fn told(&mut self) -> Option<&mut Told> {
        let (composing, request) = (self.composing.as_mut()?, self.call.request.as_ref()?);
        Some(composing.told.get_or_insert_with(|| Told::of(request.as_ref())))
    }

    /// Those that it may name to its own provider, or to whoever used it.
    pub(crate) fn allowed(&mut self) -> Places {
        self.told().map_or_else(Places::none, |told| told.allowed().clone())
    }

    /// Notes the places of a tree, for which there has to be room first.
    ///
    /// # Errors
    /// There is none.
    fn remember(&mut self, tree: &Tree, note: fn(&mut Told, &Tree) -> usize) -> Result<(), Error> {
        let most = Places::weight(tree);
        if most == 0 {
            return Ok(());
        }
        self.composing()?.keep(most).map_err(wit::answer)?;
        let taken = self.told().map_or(0, |told| note(told, tree));
        self.composing()?.give_back(most.saturating_sub(taken));
        Ok(())
    }

    /// Notes what the engine answered.
    ///
    /// # Errors
    /// No room for it.
    fn learn(&mut self, answer: &Tree) -> Result<(), Error> {
        self.remember(answer, Told::learn)?;
        self.composing()?.account().map_err(wit::answer)
    }

    fn begin_registration(&mut self, registration: Registration, id: Option<String>) -> Result<ResourceRequest, Error> {
        let weight = registration.weight().saturating_add(id.weight());
        // What asks no provider for anything is read by nobody, but by the provider of what later takes its place.
        let asks_nobody = !registration.custom && !registration.remote && id.is_none();
        let limits = self.passing_on_to(&registration.token, &registration.inputs, asks_nobody)?;
        let registration = wit::registration(registration, &limits).map_err(wit::refusal)?;
        if registration.token.is_empty() || registration.name.is_empty() {
            return Err(Error::Bug("a resource needs a type token and a name to be registered".to_owned()));
        }
        if let Some(flaw) = flaw_of_type(&registration.token).or_else(|| flaw_of_name(&registration.name)) {
            return Err(Error::Bug(format!("the provider registered a resource with {flaw}")));
        }
        let deployment = self.deployment()?;
        // Before anybody is asked, and told of it.
        self.composing()?.fits(weight).map_err(wit::answer)?;
        self.may_replace(&registration.options)?;
        // Nobody looks for what a component is called, nor for where its plugin is.
        if registration.custom || registration.remote || id.is_some() {
            self.may_look_for(&registration.token, &registration.options)?;
        } else {
            self.may_name_version(&registration.token, &registration.options)?;
        }
        self.may_look_for_plugin(&registration.token, &registration.inputs)?;
        // What is only a name for others asks no provider for anything. What could be a resource's takes the place of one on record, which
        // nobody deletes then.
        if registration.custom || registration.remote || id.is_some() || registration.token.contains(':') {
            self.may_use(&registration.token, &registration.options)?;
            self.may_configure(&registration.token, &registration.inputs)?;
        } else {
            self.may_name_providers(&registration.options)?;
        }
        // Only what is a name for others needs no provider.
        let flaw = (!asks_nobody).then(|| flaw_of_token(&registration.token)).flatten();
        if let Some(flaw) = flaw.or_else(|| flaw_of_provider(&registration, id.as_deref())) {
            return Err(Error::Bug(format!("the provider registered a resource by {flaw}")));
        }
        let request = async move {
            match id {
                Some(id) => deployment.read(registration, id).await,
                None => deployment.register(registration).await,
            }
        };
        self.composing()?.resource(weight, request).map_err(wit::answer)
    }

    /// A function or method that is asked for by this.
    fn asked<F: Future<Output = Result<Value, provider::Error>> + Send + 'static>(
        &mut self,
        token: String,
        arguments: Tree,
        options: ResourceOptions,
        may: impl FnOnce(&Self, &Object) -> Result<(), Error>,
        ask: impl FnOnce(Arc<dyn provider::Deployment>, Invocation) -> F,
    ) -> Answer<Resource<PendingValue>> {
        let weight = token.weight().saturating_add(arguments.weight()).saturating_add(options.weight());
        let owner = of_some_length([&*token]).map(|()| owner_of(&token));
        let begun = owner.and_then(|owner| self.passing_on_to(owner, &arguments, false)).and_then(|limits| {
            let invocation = wit::invocation(token, arguments, options, &limits).map_err(wit::refusal)?;
            let deployment = self.deployment()?;
            self.composing()?.fits(weight).map_err(wit::answer)?;
            self.may_look_for(&invocation.token, &invocation.options)?;
            self.may_use(owner_of(&invocation.token), &invocation.options)?;
            if let Some(flaw) = flaw_of_token(&invocation.token) {
                return Err(Error::Bug(format!("the provider asked for a function or a method by {flaw}")));
            }
            may(self, &invocation.arguments)?;
            self.composing()?.value(weight, ask(deployment, invocation)).map_err(wit::answer)
        });
        begun.map_or_else(|error| Ok(Err(error)), |request| handles::added(&mut self.table, request).map(Ok))
    }

    fn resource_handle(&mut self, begun: Result<ResourceRequest, Error>) -> Answer<Resource<PendingResource>> {
        begun.map_or_else(|error| Ok(Err(error)), |request| handles::added(&mut self.table, request).map(Ok))
    }
}

/// Waits for what was begun, or until the call should end. What nobody waits for any more is given up.
async fn waited<T>(call: &Serving, wait: impl Future<Output = Result<T, provider::Error>>) -> Answer<T> {
    Ok(match Waiting::race(call, wait).await? {
        Some(outcome) => outcome.map_err(wit::answer),
        None => Err(Error::Cancelled),
    })
}

fn twice() -> Error {
    Error::Bug("a request to the engine was waited for twice".to_owned())
}
