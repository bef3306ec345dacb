//! What a sandboxed provider offers to the waist.
//!
//! [`Component`] is a loaded provider, [`Guest`] one configuration of it. Implementations return what the guest said, with
//! every way a guest can misbehave already turned into an [`Error`] or a [`Fault`].

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bulkhead_schema::{Autonaming, Checked, Difference, Package};
use bulkhead_value::{Object, PropertyPath, Value};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::audit::Cause;

use super::{
    Called, ConstructRequest, Constructed, Context, Deployment, Error, ErrorKind, Fault, Leaks, Log, Mapping,
    MethodRequest, NotUpgraded, Origin, Page, PageRequest, Parameterized, Parameters, Prior, Subpackage,
};

/// A loaded provider, of which any number of configurations run independently.
pub trait Component: Send + Sync {
    /// What it exports.
    fn exports(&self) -> Exports;

    /// How long a call may take that changes nothing, where the engine names no timeout.
    fn reading_deadline(&self) -> Duration {
        Duration::from_secs(60)
    }

    /// Starts an unconfigured guest. Cheap: nothing runs before the first call.
    /// Its messages go to `log`.
    fn start(&self, log: Arc<dyn Log>) -> Arc<dyn Guest>;
}

/// The capabilities that a component exports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exports {
    /// Takes configuration.
    pub config: bool,
    /// Has custom resources.
    pub resources: bool,
    /// Has functions.
    pub functions: bool,
    /// Overrides checks.
    pub check: bool,
    /// Overrides differences.
    pub diff: bool,
    /// Overrides previews.
    pub preview: bool,
    /// Overrides the check of configuration.
    pub config_check: bool,
    /// Overrides the difference of configurations.
    pub config_diff: bool,
    /// Rewrites older state.
    pub upgrade: bool,
    /// Has component resources, or methods.
    pub components: bool,
    /// Describes itself, and sub-packages.
    pub schema: bool,
    /// Takes parameters.
    pub parameterization: bool,
    /// Lists resources.
    pub lists: bool,
    /// Has mappings to other ecosystems.
    pub mappings: bool,
}

/// One call into a guest.
#[derive(Clone, Debug)]
pub struct Call {
    /// What it is about.
    pub context: Context,
    /// The package that describes it.
    pub package: Arc<Package>,
    /// After how long it is ended; never if absent.
    pub deadline: Option<Duration>,
    /// How long it may go on after it was cancelled.
    pub grace: Duration,
    /// Which of the recorded inputs the host named.
    pub generated: Vec<PropertyPath>,
    /// Where its request comes from.
    pub origin: Origin,
    /// The call of the engine that it answers.
    pub cause: Cause,
    /// What nobody may be shown of what it says.
    pub leaks: Leaks,
    /// Cancelled when the engine wants it to end.
    pub cancel: CancellationToken,
    /// Cancelled when the process is about to leave, which leaves it less time to end.
    pub leaving: CancellationToken,
    /// To be kept until it is over: whoever leaves waits for that.
    pub under_way: watch::Receiver<()>,
}

impl Call {
    /// What the guest calls the resource type that it is about. Engines ask by the type that is on record, and programs by the one that their
    /// SDK knows, either of which may be from before it was renamed. The schema tells what it is called now, and guests know it by nothing else.
    pub fn guests_token(&self) -> &str {
        let token = &self.context.token;
        self.package.resource(token).map_or(token, |resource| &resource.token)
    }
}

/// A created resource.
#[derive(Clone, Debug)]
pub struct Created {
    /// Its id.
    pub id: String,
    /// Its state.
    pub state: Object,
    /// Whether to refresh before the next update.
    pub refresh_before_update: bool,
}

/// An updated resource.
#[derive(Clone, Debug)]
pub struct Updated {
    /// Its state.
    pub state: Object,
    /// Whether to refresh before the next update.
    pub refresh_before_update: bool,
}

/// A resource that was read.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Its id.
    pub id: String,
    /// Its state.
    pub state: Object,
    /// Its inputs, if the guest knows them.
    pub inputs: Option<Object>,
    /// Whether to refresh before the next update.
    pub refresh_before_update: bool,
}

/// What an overridden check looks at.
#[derive(Clone, Copy, Debug)]
pub struct GuestCheck<'a> {
    /// The inputs last checked.
    pub prior_inputs: Option<&'a Object>,
    /// The state on record, if the engine sends it.
    pub prior_state: Option<&'a Object>,
    /// What the user gave.
    pub inputs: &'a Object,
    /// How the engine wants the resource named.
    pub autonaming: Option<&'a Autonaming>,
}

/// What an overridden difference compares.
#[derive(Clone, Copy, Debug)]
pub struct GuestDiff<'a> {
    /// The resource.
    pub prior: &'a Prior,
    /// Its new inputs.
    pub inputs: &'a Object,
    /// What to ignore.
    pub ignore_changes: &'a [PropertyPath],
}

/// One configuration of a component. Calls run concurrently; none is ever retried here.
#[async_trait]
pub trait Guest: Send + Sync {
    /// Of what permissions rest on, the names that a configuration has from the component itself.
    fn unsaid(&self, _package: &Package, _configuration: &Object) -> Vec<String> {
        Vec::new()
    }
    /// Tells what the engine configured, before the guest is given it: what rests on it is settled now. Some names in it may have been
    /// the component's word when it was checked, which another build needn't repeat.
    fn bind(&self, _package: &Package, _configuration: &Object, _unsaid: &[String]) {}
    /// An environment variable, as far as the guest may read it.
    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
    /// Whether the guest may read a variable, be it there or not.
    fn may_read(&self, _variable: &str) -> bool {
        false
    }
    /// Why the guest may not read those of some variables that are there.
    fn withheld(&self, _variables: &[&str]) -> Vec<String> {
        Vec::new()
    }
    /// Hands over the configuration; once.
    async fn configure(&self, call: Call, inputs: &Object) -> Result<(), Error>;
    /// Creates a resource.
    async fn create(&self, call: Call, inputs: &Object) -> Result<Created, Fault>;
    /// Reads a resource; none if it doesn't exist.
    async fn read(&self, call: Call, id: &str, prior: Option<&Prior>) -> Result<Option<Snapshot>, Fault>;
    /// Updates a resource.
    async fn update(&self, call: Call, prior: &Prior, inputs: &Object) -> Result<Updated, Fault>;
    /// Deletes a resource.
    async fn delete(&self, call: Call, prior: &Prior) -> Result<(), Fault>;
    /// Calls a function.
    async fn invoke(&self, call: Call, arguments: &Object, preview: bool) -> Result<Value, Error>;
    /// Overridden check.
    async fn check(&self, call: Call, request: GuestCheck<'_>) -> Result<Checked, Error>;
    /// Overridden difference.
    async fn diff(&self, call: Call, request: GuestDiff<'_>) -> Result<Difference, Error>;
    /// Overridden preview of a create.
    async fn preview_create(&self, call: Call, inputs: &Object) -> Result<Object, Error>;
    /// Overridden preview of an update.
    async fn preview_update(&self, call: Call, prior: &Prior, inputs: &Object) -> Result<Object, Error>;
    /// Overridden check of the configuration.
    async fn check_config(&self, call: Call, prior: Option<&Object>, inputs: &Object) -> Result<Checked, Error>;
    /// Overridden difference of configurations.
    async fn diff_config(
        &self,
        call: Call,
        prior: &Object,
        inputs: &Object,
        ignore: &[PropertyPath],
    ) -> Result<Difference, Error>;
    /// Rewrites older state and inputs.
    async fn upgrade(&self, call: Call, from_version: u32, prior: &Prior) -> Result<Prior, NotUpgraded>;
    /// Constructs a component in a deployment, which ends with the call.
    async fn construct(
        &self,
        _call: Call,
        _deployment: Arc<dyn Deployment>,
        _request: &ConstructRequest,
    ) -> Result<Constructed, Error> {
        Err(Error::new(ErrorKind::Unsupported, "the provider has no component resources"))
    }
    /// Calls a method in a deployment, which ends with the call.
    async fn call_method(
        &self,
        _call: Call,
        _deployment: Arc<dyn Deployment>,
        _request: &MethodRequest,
    ) -> Result<Called<Value>, Error> {
        Err(Error::new(ErrorKind::Unsupported, "the provider has no methods"))
    }
    /// Finds out what a parameter makes. Nothing goes by it yet.
    async fn parameterize(&self, _call: Call, _parameters: &Parameters) -> Result<Parameterized, Error> {
        Err(absent("parameterization"))
    }
    /// From now on, whatever serves a call has taken the parameter before, which made this sub-package. Comes in its order
    /// with the configuration.
    fn adopt(&self, _parameters: Parameters, _made: &Subpackage) {}
    /// Lists some resources.
    async fn list_page(&self, _call: Call, _request: &PageRequest) -> Result<Page, Error> {
        Err(absent("lists"))
    }
    /// The mapping of a provider of another ecosystem, or the primary one.
    async fn mapping(&self, _call: Call, _key: &str, _provider: Option<&str>) -> Result<Option<Mapping>, Error> {
        Err(absent("mappings"))
    }
    /// The providers of another ecosystem that there are mappings for.
    async fn mappings(&self, _call: Call, _key: &str) -> Result<Vec<String>, Error> {
        Err(absent("mappings"))
    }
}

/// What a guest says that lacks an export.
fn absent(interface: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("the component exports no `{interface}`"))
}
