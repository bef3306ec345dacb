//! The deployment that a component is constructed in: where it registers its children, and whom it asks about the rest.
//!
//! Front ends implement it over whatever their engine offers; components get one for each construct and call, and none otherwise.

use async_trait::async_trait;
use bulkhead_value::{Object, Value};

use super::{Error, ResourceOptions};

/// An engine, as far as a component needs it. Operations run side by side, except where the engine wants one after the other.
#[async_trait]
pub trait Deployment: Send + Sync {
    /// What is being deployed.
    async fn describe(&self) -> Result<Surroundings, Error>;
    /// Registers a resource; done once the engine is done with it.
    async fn register(&self, registration: Registration) -> Result<Registered, Error>;
    /// Reads a resource that the deployment doesn't manage.
    async fn read(&self, registration: Registration, id: String) -> Result<Registered, Error>;
    /// Finishes a component with its outputs.
    async fn register_outputs(&self, urn: String, outputs: Object) -> Result<(), Error>;
    /// Looks up a resource of the deployment.
    async fn hydrate(&self, urn: String) -> Result<Registered, Error>;
    /// Calls a function of any package. What comes of secret, unknown or dependent arguments is an output.
    async fn invoke(&self, invocation: Invocation) -> Result<Value, Error>;
    /// Calls a method of any package.
    async fn call(&self, invocation: Invocation) -> Result<Value, Error>;
    /// How many bytes it remembers of what went through it, for as long as it is there.
    fn remembered(&self) -> usize {
        0
    }
}

/// What is being deployed.
#[derive(Clone, Default)]
pub struct Surroundings {
    /// The organisation, or the empty string.
    pub organization: String,
    /// The project.
    pub project: String,
    /// The stack.
    pub stack: String,
    /// Whether this is a preview.
    pub preview: bool,
    /// How many operations run at once at most; never 0.
    pub parallel: u32,
    /// The stack's configuration.
    pub config: Vec<ConfigEntry>,
}

/// A key of the stack's configuration. Not to be printed: the value may be secret.
#[derive(Clone)]
pub struct ConfigEntry {
    /// The key, `package:name`.
    pub key: String,
    /// Its value; JSON unless it is a string.
    pub value: String,
    /// Whether it is secret.
    pub secret: bool,
}

/// What to register, or to read.
#[derive(Clone, Debug, Default)]
pub struct Registration {
    /// The type token.
    pub token: String,
    /// The name.
    pub name: String,
    /// Whether it is a custom resource; a component otherwise.
    pub custom: bool,
    /// Whether another provider constructs it.
    pub remote: bool,
    /// Inputs.
    pub inputs: Object,
    /// The options.
    pub options: ResourceOptions,
}

/// A registered resource.
#[derive(Clone, Debug)]
pub struct Registered {
    /// Its URN; never empty.
    pub urn: String,
    /// Its id; absent for components and while unknown.
    pub id: Option<String>,
    /// Its outputs: an object, or unknown as a whole where the engine went on without the resource.
    pub state: Value,
}

/// A call of a function or a method.
#[derive(Clone, Debug, Default)]
pub struct Invocation {
    /// Its token.
    pub token: String,
    /// The arguments.
    pub arguments: Object,
    /// The options, of which parent, dependencies, provider, version and download address have a meaning.
    pub options: ResourceOptions,
}
