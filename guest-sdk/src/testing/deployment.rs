//! A deployment for components and methods: an engine that records what it is asked, and answers what the test says.

use std::fmt;
use std::rc::Rc;

use super::Driver;
use crate::bindings::wit::options::ResourceOptions;
use crate::component::{Component, Method, MethodEntry, RawCall, RawConstruct};
use crate::config::Config;
use crate::engine::Options;
use crate::error::{Error, Result};
use crate::host::native::engine as native;
use crate::output::{Output, stop};
use crate::resource::Declared;
use crate::value::{Fields, Reference, ReferenceId, Value};

pub use crate::host::native::engine::{Asked, Event, Told};

/// A component as it was constructed.
#[derive(Clone)]
pub struct Constructed<T> {
    /// Its URN.
    pub urn: String,
    /// Its outputs.
    pub outputs: T,
    /// Its outputs, as they are recorded.
    pub fields: Fields,
}

/// Shows what is recorded, secrets hidden.
impl<T> fmt::Debug for Constructed<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Constructed").field("urn", &self.urn).field("fields", &self.fields).finish()
    }
}

/// What is known of an output in the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Known<T> {
    /// The value; none if it isn't known.
    pub value: Option<T>,
    /// Whether it is secret.
    pub secret: bool,
    /// The URNs of what it depends on, sorted.
    pub dependencies: Vec<String>,
}

/// Waits for an output. In a test there is nobody to hide a secret from.
pub fn known<T: Clone>(output: &Output<T>) -> Result<Known<T>> {
    match output.resolve() {
        Ok(resolved) => Ok(Known {
            value: resolved.value.as_deref().cloned(),
            secret: resolved.secret,
            dependencies: resolved.dependencies.iter().map(str::to_owned).collect(),
        }),
        Err(stopped) => stop::finish(Err(stopped.into())),
    }
}

/// A program that says nothing beside inputs.
pub fn no_options() -> ResourceOptions {
    Options::unsaid()
}

impl<C: Config> Driver<C> {
    /// From now on everything is a preview: resources that are created have no id.
    pub fn preview(&self) {
        native::preview(true);
    }

    /// Adds to the stack's configuration: a key with its namespace, and its value.
    pub fn configure_stack(&self, key: impl Into<String>, value: impl Into<String>) {
        native::configure(key.into(), value.into(), false);
    }

    /// The same, as a secret.
    pub fn configure_stack_secret(&self, key: impl Into<String>, value: impl Into<String>) {
        native::configure(key.into(), value.into(), true);
    }

    /// Says what becomes of resources that are registered or read. Where it says nothing, a resource has its inputs as outputs,
    /// `NAME-id` as its id, and components have no outputs.
    pub fn answer_resources(&self, answer: impl Fn(&Asked) -> Result<Option<Told>> + 'static) {
        native::answer_resources(Rc::new(answer));
    }

    /// Says what functions and methods of other packages answer to their arguments, by token.
    pub fn answer_functions(&self, answer: impl Fn(&str, &Fields) -> Result<Option<Value>> + 'static) {
        native::answer_functions(Rc::new(answer));
    }

    /// Puts a resource into the deployment, for references to lead to.
    pub fn put_resource(&self, urn: impl Into<String>, told: Told) {
        native::put(urn.into(), told);
    }

    /// Constructs a component. Like an engine, this takes no two resources of one type and name in it; each construction is a deployment of its own.
    pub fn construct<T: Component>(&self, name: &str, inputs: Fields) -> Result<Constructed<T>> {
        self.construct_with(name, inputs, no_options())
    }

    /// Constructs a component with options.
    pub fn construct_with<T: Component>(
        &self,
        name: &str,
        inputs: Fields,
        options: ResourceOptions,
    ) -> Result<Constructed<T>> {
        let entry = self.provider.component(T::DECLARATION.token)?;
        let (token, name) = (entry.declaration.token.to_owned(), name.to_owned());
        native::begin();
        let request = RawConstruct { token, name, inputs, options, preview: native::is_preview() };
        let constructed = (entry.construct)(request, &self.config())?;
        let fields = constructed.state;
        native::put(constructed.urn.clone(), Told { id: None, state: fields.clone() });
        let outputs = T::take(&mut fields.clone());
        let outputs = outputs.map_err(|misfit| Error::bug(format!("the outputs don't read back: {misfit}")))?;
        Ok(Constructed { urn: constructed.urn, outputs, fields })
    }

    /// Calls a method of a resource of the deployment: the method `M` has the name of its Rust function.
    pub fn call<M: Method>(&self, urn: &str, arguments: Fields) -> Result<Value> {
        let token = M::Receiver::DECLARATION.token;
        let id = self.provider.component(token).err().map(|_| ReferenceId::Known("id".to_owned()));
        let itself = Reference { urn: urn.to_owned(), id, package_version: String::new() };
        let mut arguments = arguments;
        arguments.insert("__self__".to_owned(), Value::Reference(itself));
        let is_called =
            |entry: &&MethodEntry<C>| entry.receiver == token && entry.declaration.name == M::DECLARATION.name;
        let entry = self.provider.methods.iter().find(is_called);
        let entry = entry.ok_or_else(|| Error::unsupported("the provider doesn't list the method"))?;
        native::begin();
        (entry.call)(RawCall { arguments, preview: native::is_preview() }, &self.config())
    }

    /// The resources that were asked for, in the order in which they were.
    pub fn asked(&self) -> Vec<Asked> {
        native::asked()
    }

    /// The resource that was asked for under this name.
    pub fn asked_for(&self, name: &str) -> Option<Asked> {
        native::asked().into_iter().find(|asked| asked.name == name)
    }

    /// The functions and methods that were called, with their arguments.
    pub fn calls(&self) -> Vec<(String, Fields)> {
        native::calls()
    }

    /// The components whose outputs were said, by URN.
    pub fn finished(&self) -> Vec<(String, Fields)> {
        native::outputs()
    }

    /// What was sent and what was waited for, in its order.
    pub fn events(&self) -> Vec<Event> {
        native::events()
    }
}
