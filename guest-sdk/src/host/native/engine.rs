//! An engine that records what it is asked and answers what a test says; without that, what most resources would.
//!
//! A resource gets its inputs as its outputs and, outside of previews, an id. One that is there already is refused, as by every engine. What is
//! asked is recorded in the order in which it was sent, and when it was waited for.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::bindings::wit::engine::{ConfigEntry, Deployment, Registered, Registration};
use crate::bindings::wit::options::ResourceOptions;
use crate::bindings::wit::types::Error;
use crate::bindings::wit::values::Tree;
use crate::error::Result as SdkResult;
use crate::value::{Fields, Value, decode_fields, encode, encode_fields};

type ResourceAnswers = dyn Fn(&Asked) -> SdkResult<Option<Told>>;
type FunctionAnswers = dyn Fn(&str, &Fields) -> SdkResult<Option<Value>>;

/// A resource that was asked for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Asked {
    /// The URN that it has.
    pub urn: String,
    /// Its type token.
    pub token: String,
    /// Its name.
    pub name: String,
    /// Whether it is a custom resource; a component otherwise.
    pub custom: bool,
    /// Whether another provider constructs it.
    pub remote: bool,
    /// Its inputs, with all that is said about them.
    pub inputs: Fields,
    /// Its options, as the engine gets them.
    pub options: ResourceOptions,
    /// The id that was read, if it was read.
    pub read: Option<String>,
}

/// What the engine says of a resource.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Its id; absent for components, and in previews of a creation.
    pub id: Option<String>,
    /// Its outputs.
    pub state: Fields,
}

/// What happened, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A resource was sent to the engine, by its URN.
    Sent(String),
    /// It was waited for.
    Waited(String),
}

#[derive(Default)]
struct Engine {
    preview: bool,
    config: Vec<ConfigEntry>,
    resources: Option<Rc<ResourceAnswers>>,
    functions: Option<Rc<FunctionAnswers>>,
    asked: Vec<Asked>,
    /// The URNs that the deployment has.
    taken: BTreeSet<String>,
    told: BTreeMap<String, Told>,
    calls: Vec<(String, Fields)>,
    outputs: Vec<(String, Fields)>,
    events: Vec<Event>,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
}

fn with<T>(call: impl FnOnce(&mut Engine) -> T) -> T {
    ENGINE.with_borrow_mut(call)
}

pub(crate) fn reset() {
    ENGINE.take();
}

/// Another deployment begins: what is registered again isn't there twice.
pub(crate) fn begin() {
    with(|engine| engine.taken.clear());
}

pub(crate) fn preview(preview: bool) {
    with(|engine| engine.preview = preview);
}

pub(crate) fn is_preview() -> bool {
    with(|engine| engine.preview)
}

pub(crate) fn configure(key: String, value: String, secret: bool) {
    with(|engine| engine.config.push(ConfigEntry { key, value, secret }));
}

pub(crate) fn answer_resources(answer: Rc<ResourceAnswers>) {
    with(|engine| engine.resources = Some(answer));
}

pub(crate) fn answer_functions(answer: Rc<FunctionAnswers>) {
    with(|engine| engine.functions = Some(answer));
}

pub(crate) fn asked() -> Vec<Asked> {
    with(|engine| engine.asked.clone())
}

pub(crate) fn calls() -> Vec<(String, Fields)> {
    with(|engine| engine.calls.clone())
}

pub(crate) fn outputs() -> Vec<(String, Fields)> {
    with(|engine| engine.outputs.clone())
}

pub(crate) fn events() -> Vec<Event> {
    with(|engine| engine.events.clone())
}

/// Puts a resource into the deployment that nothing registered.
pub(crate) fn put(urn: String, told: Told) {
    with(|engine| engine.told.insert(urn, told));
}

pub(crate) struct PendingResource {
    urn: String,
    answer: Cell<Option<Result<Registered, Error>>>,
}

impl PendingResource {
    pub(crate) fn wait(&self) -> Result<Registered, Error> {
        with(|engine| engine.events.push(Event::Waited(self.urn.clone())));
        self.answer.take().unwrap_or_else(|| Err(Error::Bug("a registration was waited for twice".to_owned())))
    }
}

pub(crate) struct PendingValue(Cell<Option<Result<Tree, Error>>>);

impl PendingValue {
    pub(crate) fn wait(&self) -> Result<Tree, Error> {
        self.0.take().unwrap_or_else(|| Err(Error::Bug("a call was waited for twice".to_owned())))
    }
}

#[expect(clippy::unnecessary_wraps, reason = "as the bindings have it")]
pub(crate) fn get_deployment() -> Result<Deployment, Error> {
    Ok(with(|engine| Deployment {
        organization: "organization".to_owned(),
        project: "project".to_owned(),
        stack: "stack".to_owned(),
        preview: engine.preview,
        parallel: 16,
        config: engine.config.clone(),
    }))
}

pub(crate) fn register(registration: &Registration) -> Result<PendingResource, Error> {
    ask(registration, None)
}

pub(crate) fn read(registration: &Registration, id: &str) -> Result<PendingResource, Error> {
    ask(registration, Some(id.to_owned()))
}

fn ask(registration: &Registration, read: Option<String>) -> Result<PendingResource, Error> {
    let Registration { token, name, custom, remote, options, inputs } = registration;
    let inputs = decode_fields(inputs.clone())?;
    let urn = urn(options.parent.as_deref(), token, name);
    let asked = Asked {
        urn: urn.clone(),
        token: token.clone(),
        name: name.clone(),
        custom: *custom,
        remote: *remote,
        inputs,
        options: options.clone(),
        read,
    };
    let (is_new, answers) = with(|engine| {
        engine.events.push(Event::Sent(urn.clone()));
        engine.asked.push(asked.clone());
        (engine.taken.insert(urn.clone()), engine.resources.clone())
    });
    if !is_new {
        let answer = Err(Error::Bug(format!(
            "an engine takes no second resource with the urn `{urn}`\nhint: give each `{token}` a name of its own"
        )));
        return Ok(PendingResource { urn, answer: Cell::new(Some(answer)) });
    }
    let answer = match answers.map(|answers| answers(&asked)).transpose() {
        Ok(said) => {
            let told = said.flatten().unwrap_or_else(|| usual(&asked));
            put(urn.clone(), told.clone());
            Ok(registered(&urn, told))
        }
        Err(error) => Err(error.into()),
    };
    Ok(PendingResource { urn, answer: Cell::new(Some(answer)) })
}

/// What most resources are.
fn usual(asked: &Asked) -> Told {
    if !asked.custom {
        return Told::default();
    }
    let id = asked.read.clone().or_else(|| (!is_preview()).then(|| format!("{}-id", asked.name)));
    let state = asked.inputs.iter().map(|(name, value)| (name.clone(), value.plain().clone())).collect();
    Told { id, state }
}

fn registered(urn: &str, told: Told) -> Registered {
    Registered { urn: urn.to_owned(), id: told.id, state: encode_fields(told.state) }
}

/// A URN holds the types of all parents.
pub(crate) fn urn(parent: Option<&str>, token: &str, name: &str) -> String {
    let parents = parent.and_then(|parent| parent.split("::").nth(2)).filter(|types| *types != "pulumi:pulumi:Stack");
    let types = parents.map_or_else(|| token.to_owned(), |parents| format!("{parents}${token}"));
    format!("urn:pulumi:stack::project::{types}::{name}")
}

pub(crate) fn register_outputs(urn: &str, outputs: &Tree) -> Result<(), Error> {
    let outputs = decode_fields(outputs.clone())?;
    with(|engine| engine.outputs.push((urn.to_owned(), outputs)));
    Ok(())
}

#[expect(clippy::unnecessary_wraps, reason = "as the bindings have it")]
pub(crate) fn hydrate(urn: &str) -> Result<PendingResource, Error> {
    let told = with(|engine| engine.told.get(urn).cloned());
    let answer = match told {
        Some(told) => Ok(registered(urn, told)),
        None => Err(Error::NotFound(format!("the deployment has no resource `{urn}`"))),
    };
    Ok(PendingResource { urn: urn.to_owned(), answer: Cell::new(Some(answer)) })
}

pub(crate) fn invoke(token: &str, arguments: &Tree, _: &ResourceOptions) -> Result<PendingValue, Error> {
    ask_function(token, arguments)
}

pub(crate) fn call(token: &str, arguments: &Tree, _: &ResourceOptions) -> Result<PendingValue, Error> {
    ask_function(token, arguments)
}

fn ask_function(token: &str, arguments: &Tree) -> Result<PendingValue, Error> {
    let arguments = decode_fields(arguments.clone())?;
    let answers = with(|engine| {
        engine.calls.push((token.to_owned(), arguments.clone()));
        engine.functions.clone()
    });
    let answer = match answers.map(|answers| answers(token, &arguments)).transpose() {
        Ok(said) => match said.flatten() {
            Some(value) => Ok(encode(value)),
            None => {
                Err(Error::NotFound(format!("the test doesn't say what `{token}` answers: use `answer_functions`")))
            }
        },
        Err(error) => Err(error.into()),
    };
    Ok(PendingValue(Cell::new(Some(answer))))
}
