//! `provider::Guest`, implemented by calls into a component.
//!
//! Nothing that a guest says can orphan a resource here: once an id is known, by its result or by a checkpoint, every
//! unusable ending becomes a partial resource with that id.

use std::sync::Arc;

use async_trait::async_trait;
use bulkhead_policy::Phase;
use bulkhead_schema::{Checked, Difference, Package, configuration};
use bulkhead_value::{Object, PropertyPath, Value};

use super::call::{Ended, Running, run};
use super::composing::within;
use super::configured::{bound, refuse_redirection, unsaid};
use super::creating::{changing, creating};
use super::denied::{Denied, withheld};
use super::instance::Instance;
use super::load::Loaded;
use super::pool::Pool;
use super::replying::called;
use crate::provider::{
    Call, Called, ConstructRequest, Constructed, Created, Deployment, Error, ErrorKind, Exports, Fault, Guest,
    GuestCheck, GuestDiff, Log, Mapping, MethodRequest, NotUpgraded, Page, PageRequest, Parameterized, Parameters,
    Partial, Prior, Reason, Snapshot, Subpackage, Updated, flaw, leads_nowhere,
};
use crate::store::Checkpoint;
use crate::wit::bindings::exports::config::ConfigureRequest;
use crate::wit::bindings::exports::resources::{self, DeleteRequest, ReadRequest};
use crate::wit::bindings::exports::upgrade::UpgradeRequest;
use crate::wit::bindings::types;
use crate::wit::{
    self, Holds, Places, Said, TreeError, TreeLimits, malformed, object_from_tree, tree_from_object, value_from_tree,
};

/// One configuration of a component.
pub(super) struct ComponentGuest {
    pub(super) pool: Arc<Pool>,
}

impl ComponentGuest {
    pub(super) fn new(loaded: Arc<Loaded>, log: Arc<dyn Log>) -> Self {
        Self { pool: Arc::new(Pool::new(loaded, log)) }
    }

    /// Calls an export that returns a value or an error of the contract.
    pub(super) async fn call<T, F>(&self, call: Call, phase: Phase, enter: F) -> Ended<Result<T, types::Error>>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut Instance) -> Running<'a, Result<T, types::Error>> + Send + 'static,
    {
        run(&self.pool, call, phase, enter).await
    }

    /// Bounds of what a guest may answer to a request.
    pub(super) fn limits(&self, request: &dyn Holds) -> TreeLimits {
        TreeLimits { places: Places::of(request), ..self.pool.limits.trees() }
    }

    pub(super) fn exports(&self) -> Exports {
        self.pool.loaded.bound.exports()
    }
}

/// Enters one export of an instance. A macro, since each has a request and a reply of its own.
macro_rules! export {
    ($interface:ident . $function:ident ( $request:expr )) => {{
        let request = Arc::new($request);
        move |instance: &mut Instance| -> Running<'_, _> {
            Box::pin(async move {
                instance.store.data_mut().call.request = Some(Arc::clone(&request) as Arc<dyn $crate::wit::Holds>);
                called(instance, stringify!($interface), stringify!($function), (request,)).await
            })
        }
    }};
}

pub(super) use export;

#[async_trait]
impl Guest for ComponentGuest {
    async fn configure(&self, call: Call, inputs: &Object) -> Result<(), Error> {
        let request = ConfigureRequest { inputs: tree_from_object(inputs), replay: false };
        let configuration = Arc::new(inputs.clone());
        let (configure, took) = (entering(export!(config.configure(request))), Arc::clone(&configuration));
        let ended = self.call(call, Phase::Configure, move |instance: &mut Instance| {
            Box::pin(async move {
                let configured: Result<(), types::Error> = configure(instance).await?;
                match configured {
                    Ok(()) => instance.took = Some(took),
                    // An instance is configured once, and nobody knows what it has kept of what it refused.
                    Err(_) => instance.retire(),
                }
                Ok(configured)
            })
        });
        looked(ended.await)?;
        // Here, and not in the call, which goes on where nobody waits for it any longer: whoever does may give another configuration.
        self.pool.given.configured(configuration);
        Ok(())
    }

    fn unsaid(&self, package: &Package, configuration: &Object) -> Vec<String> {
        unsaid(&self.pool.permissions(), package, configuration)
    }

    fn bind(&self, package: &Package, configuration: &Object, unsaid: &[String]) {
        let permissions = self.pool.permissions();
        if !permissions.references().is_empty() {
            self.pool.permit(bound(&permissions, package, configuration, unsaid));
        }
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.pool.loaded.surroundings.variable(name)
    }

    fn may_read(&self, variable: &str) -> bool {
        self.pool.permissions().variable(variable).is_ok()
    }

    fn withheld(&self, variables: &[&str]) -> Vec<String> {
        withheld(&self.pool.loaded.surroundings, variables)
    }

    async fn create(&self, call: Call, inputs: &Object) -> Result<Created, Fault> {
        let request = types::CreateRequest { context: wit::context(&call), inputs: tree_from_object(inputs) };
        let limits = self.limits(&request);
        let ended = self.call(call, Phase::Create, creating(request)).await;
        let (created, checkpoint) = reply(ended, "", None, &limits)?;
        let announced = checkpoint.as_ref().map(|checkpoint| checkpoint.id.as_str());
        let (id, wrong) = identified(announced.unwrap_or_default(), &created.id);
        match (wit::created(created, &limits), wrong) {
            (Ok(created), None) => Ok(created),
            (Ok(created), Some(wrong)) => Err(unusable(&id, created.state, &format!("it {wrong}"))),
            (Err(error), _) => Err(undecodable(&id, saved(checkpoint, None, &limits), &error)),
        }
    }

    async fn read(&self, call: Call, id: &str, prior: Option<&Prior>) -> Result<Option<Snapshot>, Fault> {
        let request = ReadRequest { context: wit::context(&call), id: id.to_owned(), prior: prior.map(wit::prior) };
        let limits = self.limits(&request);
        let ended = self.call(call, Phase::Read, export!(resources.read(request))).await;
        let (found, _): (Option<resources::Snapshot>, _) = reply(without_effect(ended), id, None, &limits)?;
        let found = found.map(|found| wit::snapshot(found, &limits)).transpose();
        found.map_err(|error| Fault::Error(malformed(error)))
    }

    async fn update(&self, call: Call, prior: &Prior, inputs: &Object) -> Result<Updated, Fault> {
        let request = types::UpdateRequest {
            context: wit::context(&call),
            prior: wit::prior(prior),
            inputs: tree_from_object(inputs),
        };
        let limits = self.limits(&request);
        let enter = changing(prior.id.clone(), export!(resources.update(request)));
        let ended = self.call(call, Phase::Update, enter).await;
        let (updated, checkpoint) = reply(ended, &prior.id, Some(&prior.state), &limits)?;
        wit::updated(updated, &limits).map_err(|error| {
            let state = saved(checkpoint, Some(&prior.state), &limits);
            undecodable(&prior.id, state, &error)
        })
    }

    async fn delete(&self, call: Call, prior: &Prior) -> Result<(), Fault> {
        let request = DeleteRequest { context: wit::context(&call), prior: wit::prior(prior) };
        // A checkpoint means nothing here: the resource stays on record unless the deletion succeeds.
        plain(self.call(call, Phase::Delete, export!(resources.delete(request))).await).map_err(Fault::Error)
    }

    async fn invoke(&self, call: Call, arguments: &Object, preview: bool) -> Result<Value, Error> {
        let request = wit::arguments(&call.context.token, arguments, preview);
        let limits = self.limits(&request);
        let tree = plain(self.call(call, Phase::Invoke, export!(functions.invoke(request))).await)?;
        value_from_tree(tree, &limits).map_err(malformed)
    }

    async fn check(&self, call: Call, request: GuestCheck<'_>) -> Result<Checked, Error> {
        let request = wit::check_request(&call, request);
        let limits = self.limits(&request);
        let checked = looked(self.call(call, Phase::Check, export!(check.check(request))).await)?;
        wit::checked(checked, &limits).map_err(malformed)
    }

    async fn diff(&self, call: Call, request: GuestDiff<'_>) -> Result<Difference, Error> {
        let request = wit::diff_request(&call, request);
        looked(self.call(call, Phase::Diff, export!(diff.diff(request))).await).and_then(wit::difference)
    }

    async fn preview_create(&self, call: Call, inputs: &Object) -> Result<Object, Error> {
        let request = types::CreateRequest { context: wit::context(&call), inputs: tree_from_object(inputs) };
        let limits = self.limits(&request);
        let tree = looked(self.call(call, Phase::Preview, export!(preview.preview_create(request))).await)?;
        object_from_tree(tree, &limits).map_err(malformed)
    }

    async fn preview_update(&self, call: Call, prior: &Prior, inputs: &Object) -> Result<Object, Error> {
        let request = types::UpdateRequest {
            context: wit::context(&call),
            prior: wit::prior(prior),
            inputs: tree_from_object(inputs),
        };
        let limits = self.limits(&request);
        let tree = looked(self.call(call, Phase::Preview, export!(preview.preview_update(request))).await)?;
        object_from_tree(tree, &limits).map_err(malformed)
    }

    async fn check_config(&self, call: Call, prior: Option<&Object>, inputs: &Object) -> Result<Checked, Error> {
        let request =
            types::CheckConfigRequest { prior_inputs: prior.map(tree_from_object), inputs: tree_from_object(inputs) };
        let limits = self.limits(&request);
        let package = Arc::clone(&call.package);
        let checked = looked(self.call(call, Phase::Check, export!(config_check.check_config(request))).await)?;
        let checked = wit::checked(checked, &limits).map_err(malformed)?;
        if checked.failures.is_empty() {
            // As it will be read when it is configured: a text may stand for an object.
            let accepted = configuration::typed(&package, &checked.inputs);
            refuse_redirection(&self.pool.permissions(), &package, inputs, &accepted)?;
        }
        Ok(checked)
    }

    async fn diff_config(
        &self,
        call: Call,
        prior: &Object,
        inputs: &Object,
        ignore: &[PropertyPath],
    ) -> Result<Difference, Error> {
        let request = types::DiffConfigRequest {
            prior_inputs: tree_from_object(prior),
            inputs: tree_from_object(inputs),
            ignore_changes: wit::paths(ignore),
        };
        looked(self.call(call, Phase::Diff, export!(config_diff.diff_config(request))).await).and_then(wit::difference)
    }

    async fn upgrade(&self, call: Call, from_version: u32, prior: &Prior) -> Result<Prior, NotUpgraded> {
        let request = UpgradeRequest {
            token: call.guests_token().to_owned(),
            from_version,
            state: tree_from_object(&prior.state),
            inputs: prior.inputs.as_ref().map(tree_from_object),
        };
        let limits = self.limits(&request);
        let ended = self.call(call, Phase::Check, export!(upgrade.upgrade(request))).await;
        let Ended { result, denied, .. } = without_effect(ended);
        match result.map_err(|error| denied.explain(error))? {
            Ok(upgraded) => Ok(wit::upgraded(&prior.id, upgraded, &limits).map_err(malformed)?),
            Err(answer) => Err(refused(wit::said_of(answer), &denied)),
        }
    }

    async fn construct(
        &self,
        call: Call,
        deployment: Arc<dyn Deployment>,
        request: &ConstructRequest,
    ) -> Result<Constructed, Error> {
        let request = wit::construct_request(request);
        let enter = within(deployment, export!(components.construct(request)));
        let (constructed, places) = plain(run(&self.pool, call, Phase::Construct, enter).await)?;
        let limits = TreeLimits { places, ..self.pool.limits.trees() };
        wit::constructed(constructed, &limits).map_err(malformed)
    }

    async fn call_method(
        &self,
        call: Call,
        deployment: Arc<dyn Deployment>,
        request: &MethodRequest,
    ) -> Result<Called<Value>, Error> {
        let request = wit::method_request(request);
        let enter = within(deployment, export!(components.call(request)));
        let (called, places) = plain(run(&self.pool, call, Phase::Call, enter).await)?;
        let limits = TreeLimits { places, ..self.pool.limits.trees() };
        wit::called(called, &limits).map_err(malformed)
    }

    async fn parameterize(&self, call: Call, parameters: &Parameters) -> Result<Parameterized, Error> {
        self.made(call, parameters).await
    }

    fn adopt(&self, parameters: Parameters, made: &Subpackage) {
        self.pool.given.parameterized(parameters, made.clone());
    }

    async fn list_page(&self, call: Call, request: &PageRequest) -> Result<Page, Error> {
        self.page(call, request).await
    }

    async fn mapping(&self, call: Call, key: &str, provider: Option<&str>) -> Result<Option<Mapping>, Error> {
        self.one_mapping(call, key, provider).await
    }

    async fn mappings(&self, call: Call, key: &str) -> Result<Vec<String>, Error> {
        self.mapped_providers(call, key).await
    }
}

/// A closure that enters an instance, whichever it will be.
fn entering<T, F>(enter: F) -> F
where
    F: for<'a> FnOnce(&'a mut Instance) -> Running<'a, T>,
{
    enter
}

/// The reply of a call that isn't about creating or changing a resource.
pub(super) fn plain<T>(ended: Ended<Result<T, types::Error>>) -> Result<T, Error> {
    let Ended { result, denied, .. } = ended;
    result.and_then(|answer| answer.map_err(wit::said_of)).map_err(|error| denied.explain(error))
}

/// The reply of a call that changes nothing.
pub(super) fn looked<T>(ended: Ended<Result<T, types::Error>>) -> Result<T, Error> {
    plain(without_effect(ended))
}

/// What it means that a guest refused to upgrade what it was given. It may have been stopped from doing so, and say anything then.
fn refused(said: Error, denied: &Denied) -> NotUpgraded {
    let explained = denied.explain(said.clone());
    let is_free = explained.hint == said.hint && !matches!(said.kind, ErrorKind::Cancelled);
    if is_free { NotUpgraded::Refused(explained) } else { NotUpgraded::Failed(explained) }
}

/// What came of a call that changes nothing: engines take a resource whose outcome nobody knows for one that may be lost, which
/// none is that was only looked at.
fn without_effect<T>(mut ended: Ended<Result<T, types::Error>>) -> Ended<Result<T, types::Error>> {
    ended.result = ended.result.map(|answer| answer.map_err(wit::of_no_effect));
    ended
}

/// The reply of a call about a resource, whose id may be known before, and with a change the state on record. Once the guest has
/// announced an id, only its explicit `failed` says that there is nothing: any other ending, chosen or not, leaves a partial
/// resource.
fn reply<T>(
    mut ended: Ended<Result<T, types::Error>>,
    known: &str,
    recorded: Option<&Object>,
    limits: &TreeLimits,
) -> Result<(T, Option<Checkpoint>), Fault> {
    let denied = std::mem::take(&mut ended.denied);
    answered(ended, known, recorded, limits).map_err(|fault| denied.explain_fault(fault))
}

fn answered<T>(
    ended: Ended<Result<T, types::Error>>,
    known: &str,
    recorded: Option<&Object>,
    limits: &TreeLimits,
) -> Result<(T, Option<Checkpoint>), Fault> {
    let Ended { result, checkpoint, unreadable, .. } = ended;
    let announced = checkpoint.as_ref().map(|checkpoint| checkpoint.id.as_str());
    let id = Some(known).filter(|known| !known.is_empty()).or(announced).unwrap_or_default().to_owned();
    let fault = match result {
        Ok(Ok(value)) => return Ok((value, checkpoint)),
        Err(error) if unreadable && id.is_empty() => return Err(Fault::Error(nameless(error))),
        Err(error) if unreadable && recorded.is_some() => {
            let state = saved(checkpoint, recorded, limits);
            return Err(unready(id, state, error));
        }
        Err(error) => Fault::Error(error),
        Ok(Err(error)) => match wit::said(error, limits) {
            Said::Fault(Fault::Partial(partial)) if partial.id.is_empty() && id.is_empty() => {
                let message = "the provider reported a partial resource without an id; this is a bug in the provider";
                return Err(Fault::Error(Error::nameless(message)));
            }
            // An update changes no id, whatever it says.
            Said::Fault(Fault::Partial(partial)) if partial.id.is_empty() || recorded.is_some() => {
                return Err(Fault::Partial(Partial { id, ..partial }));
            }
            Said::Fault(Fault::Partial(mut partial)) if known.is_empty() => {
                let (id, wrong) = identified(&id, &partial.id);
                // Of one that is ready such an id is reason enough, and the reasons here say nothing of it.
                let wrong = wrong.or_else(|| flaw(&id).map(|flaw| format!("returned {flaw}")));
                let reason = |wrong| format!("the provider {wrong}; this is a bug in the provider").into();
                partial.reasons.extend(wrong.map(reason));
                return Err(Fault::Partial(Partial { id, ..partial }));
            }
            Said::Fault(fault) => fault,
            Said::Undecodable { id: said, error } => {
                let id = if recorded.is_some() { id } else { identified(&id, &said).0 };
                return Err(undecodable(&id, saved(checkpoint, recorded, limits), &error));
            }
        },
    };
    Err(match (fault, checkpoint) {
        (Fault::Error(error), Some(checkpoint)) => unready(id, saved(Some(checkpoint), recorded, limits), error),
        (fault, _) => fault,
    })
}

/// The id that a resource goes by which was announced and returned, and what was wrong with how it was returned. The one that was
/// announced, or was known before, is worth more than one that nobody can go on with.
fn identified(announced: &str, returned: &str) -> (String, Option<String>) {
    let flaw = flaw(returned).filter(|_| leads_nowhere(returned));
    let (id, wrong) = match flaw {
        _ if announced.is_empty() || announced == returned => (returned, None),
        _ if returned.is_empty() => (announced, Some("returned an empty id".to_owned())),
        Some(flaw) => (announced, Some(format!("returned {flaw}"))),
        None => {
            let (before, after) = (announced.escape_debug(), returned.escape_debug());
            (returned, Some(format!("announced the id `{before}` and returned `{after}`")))
        }
    };
    (id.to_owned(), wrong)
}

/// What is wrong, and of what can be done about it what an operator can do: the limit to raise.
fn for_operators(error: Error) -> (String, Option<String>) {
    use ErrorKind::{DeadlineExceeded, Exhausted, Overdue};
    (error.message, error.hint.filter(|_| matches!(error.kind, Exhausted | DeadlineExceeded | Overdue)))
}

/// A resource that is on record as not ready, and why.
fn unready(id: String, state: Object, error: Error) -> Fault {
    let reason = if error.kind.is_the_hosts() { Reason::Explained } else { Reason::Said };
    let (message, limit) = for_operators(error);
    let reasons = [message].into_iter().chain(limit).map(reason).collect();
    Fault::Partial(Partial { id, state, reasons, ..Partial::default() })
}

/// An end of which nobody knows what it left behind.
fn nameless(error: Error) -> Error {
    let (message, limit) = for_operators(error);
    let mut nameless = Error::nameless(message);
    nameless.hint = nameless.hint.into_iter().chain(limit).reduce(|hints, hint| format!("{hints}; {hint}"));
    nameless
}

/// The state of a checkpoint, as far as it can be decoded; else the one on record.
fn saved(checkpoint: Option<Checkpoint>, recorded: Option<&Object>, limits: &TreeLimits) -> Object {
    let announced = checkpoint.and_then(|checkpoint| object_from_tree(checkpoint.state, &limits.undone()).ok());
    announced.or_else(|| recorded.cloned()).unwrap_or_default()
}

fn undecodable(id: &str, state: Object, error: &TreeError) -> Fault {
    if id.is_empty() {
        let message = format!("the provider returned {error}, and no id; this is a bug in the provider");
        return Fault::Error(Error::nameless(message));
    }
    match error.hint() {
        // A limit that it met is no bug, and told with who sets it.
        Some(hint) => {
            let reason = format!("the provider's result can't be used: it returned {error}");
            Fault::Partial(Partial {
                id: id.to_owned(),
                state,
                reasons: vec![reason.into(), Reason::Explained(hint.to_owned())],
                ..Partial::default()
            })
        }
        None => unusable(id, state, &format!("it returned {error}")),
    }
}

fn unusable(id: &str, state: Object, reason: &str) -> Fault {
    let reason = format!("the provider's result can't be used: {reason}; this is a bug in the provider");
    Fault::Partial(Partial { id: id.to_owned(), state, reasons: vec![reason.into()], ..Partial::default() })
}
