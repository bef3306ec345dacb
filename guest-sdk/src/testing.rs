//! Drives a provider in its own unit tests, without Wasm and without a host.
//!
//! What an author wrote runs for real, through the same table and the same conversions as in a component. What the *host* does doesn't
//! happen here: no check of inputs against the schema beyond what their types say, no preview, no comparison, no grants.
//! [`PROVIDER.schema()`](crate::provider::Provider::schema) is what the host works from, and worth a snapshot. [`validate`] finds
//! what contradicts itself in it, in one line.
//!
//! ```
//! # use bulkhead_sdk::{Create, Created, Delete, Inputs, Resource, Result, State, provider, resource};
//! # #[derive(Inputs)]
//! # struct Args { text: String }
//! # #[derive(State)]
//! # struct Note { #[bulkhead(flatten)] args: Args }
//! # #[resource(token = "notes:index:Note")]
//! # impl Resource for Note {
//! #     type Inputs = Args;
//! #     fn create(request: Create<Self>) -> Result<Created<Self>> {
//! #         bulkhead_sdk::log::info("noted");
//! #         Ok(Created::new("n-1", Note { args: request.inputs }))
//! #     }
//! #     fn delete(_: Delete<Self>) -> Result<()> { Ok(()) }
//! # }
//! # provider! { name: "notes", resources: [Note] }
//! use bulkhead_sdk::fields;
//! use bulkhead_sdk::testing::Driver;
//!
//! let driver = Driver::new(&PROVIDER, ());
//! let note = driver.create::<Note>(fields! { "text": "milk" })?;
//! assert_eq!(note.id, "n-1");
//! assert_eq!(driver.messages()[0].1, "noted");
//! driver.delete(&note)?;
//! # Ok::<(), bulkhead_sdk::Error>(())
//! ```
//!
//! Components and methods get a deployment that records what they ask ([`Driver::asked`]) and answers what the test says
//! ([`Driver::answer_resources`], [`Driver::answer_functions`]). It can be a preview ([`Driver::preview`]). A component's children aren't
//! created by the author's `create`, since engines don't do that in the same call either.
//!
//! ```
//! # use bulkhead_sdk::{Component, Construct, Inputs, Output, Result, State, component, provider};
//! # #[derive(Inputs)]
//! # struct Args { text: Output<String> }
//! # #[derive(State)]
//! # struct Site { url: Output<String> }
//! # #[component(token = "web:index:Site")]
//! # impl Component for Site {
//! #     type Inputs = Args;
//! #     fn construct(request: Construct<Self>) -> Result<Self> {
//! #         let page = request.child("page").resource("other:index:Page", fields! { "text": &request.inputs.text });
//! #         Ok(Site { url: page.id() })
//! #     }
//! # }
//! # provider! { name: "web", components: [Site] }
//! use bulkhead_sdk::fields;
//! use bulkhead_sdk::testing::{Driver, known};
//!
//! let driver = Driver::new(&PROVIDER, ());
//! driver.preview();
//! let site = driver.construct::<Site>("blog", fields! { "text": "hello" })?;
//! let page = driver.asked_for("blog-page").unwrap();
//! assert_eq!(page.inputs, fields! { "text": "hello" });
//! assert_eq!(known(&site.outputs.url)?.value, None);
//! # Ok::<(), bulkhead_sdk::Error>(())
//! ```

mod defaults;
mod deployment;
mod mistakes;
mod validate;

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

pub use mistakes::{Mistake, Mistakes};
pub use validate::validate;

use crate::bindings::wit::views::ViewStep;
use crate::config::{self, Config};
use crate::error::{Error, Result};
use crate::function::{Function, RawInvoke};
use crate::host::log::Level;
use crate::host::native;
use crate::http::{HttpError, Request, Response};
use crate::list::{Lists, Page, RawList};
use crate::mapping::{self, Mapping};
use crate::parameter::{self, Subpackage};
use crate::provider::Provider;
use crate::record::Record;
use crate::resource::{
    Check, Checked, Context, Declared, Diff, Difference, Entry, PreviewCreate, Prior, RawPrior, Resource, Upgrade,
    Upgraded,
};
use crate::value::{Fields, Value, decode_fields};

pub use crate::bindings::wit::options::ResourceOptions;
pub use deployment::{Asked, Constructed, Event, Known, Told, known, no_options};

/// Drives a provider, call by call, as an engine would.
pub struct Driver<C: 'static> {
    provider: &'static Provider<C>,
    config: Rc<C>,
    context: RefCell<Context>,
}

/// A resource as an engine would record it.
#[derive(Clone)]
pub struct Recorded<R> {
    /// Its id.
    pub id: String,
    /// Its state.
    pub state: R,
    /// Its state, as it is recorded.
    pub fields: Fields,
    /// The inputs that led to it.
    pub inputs: Fields,
}

/// Shows what is recorded, secrets hidden.
impl<R> fmt::Debug for Recorded<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Recorded");
        shown.field("id", &self.id).field("fields", &self.fields).field("inputs", &self.inputs).finish()
    }
}

impl<C: Config> Driver<C> {
    /// A provider with this configuration. Messages of earlier tests on this thread are forgotten.
    pub fn new(provider: &'static Provider<C>, config: C) -> Self {
        native::reset();
        parameter::reset();
        Self { provider, config: Rc::new(config), context: RefCell::default() }
    }

    /// A provider with this configuration, as a user gives it.
    pub fn configure(provider: &'static Provider<C>, inputs: Fields) -> Result<Self> {
        Self::configure_with(provider, inputs, |_| ())
    }

    /// The same for one that [connects](config::Connects) then: `prepare` says what is answered.
    pub fn configure_with(provider: &'static Provider<C>, inputs: Fields, prepare: impl FnOnce(&Self)) -> Result<Self> {
        let config: C = config::read(provider.metadata.name, inputs)?;
        let driver = Self::new(provider, config);
        prepare(&driver);
        driver.config.verify()?;
        Ok(driver)
    }

    /// Says what an engine knows of the resources that calls are about, from now on: nothing, as long as nothing is said.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # bulkhead_sdk::provider! { name: "notes" }
    /// # let driver = bulkhead_sdk::testing::Driver::new(&PROVIDER, ());
    /// driver.about(|context| {
    ///     context.name = Some("milk".to_owned());
    ///     context.urn = Some("urn:pulumi:dev::shop::notes:index:Note::milk".to_owned());
    ///     context.timeout = Some(Duration::from_secs(60));
    /// });
    /// ```
    pub fn about(&self, say: impl FnOnce(&mut Context)) {
        say(&mut self.context.borrow_mut());
    }

    /// Creates a resource.
    pub fn create<R: Resource>(&self, inputs: Fields) -> Result<Recorded<R>> {
        let created = (self.entry::<R>()?.create)(self.context::<R>(), inputs.clone(), &self.config())?;
        recorded(created.id, created.state, inputs)
    }

    /// Reads a resource that is recorded. None means that it is gone.
    pub fn read<R: Resource>(&self, prior: &Recorded<R>) -> Result<Option<Recorded<R>>> {
        self.find(prior.id.clone(), Some(raw(prior)), &prior.inputs)
    }

    /// Imports a resource: reads it, knowing no more than its id.
    pub fn import<R: Resource>(&self, id: impl Into<String>) -> Result<Option<Recorded<R>>> {
        self.find(id.into(), None, &Fields::new())
    }

    /// Looks a resource up that a program knows the id of, and what else it is looked up by: see [`Prior::lookup`].
    pub fn look_up<R: Resource>(&self, id: impl Into<String>, by: Fields) -> Result<Option<Recorded<R>>> {
        let id = id.into();
        let prior = RawPrior { id: id.clone(), state: by.clone(), inputs: Some(by), views: Vec::new() };
        self.find(id, Some(prior), &Fields::new())
    }

    fn find<R: Resource>(&self, id: String, prior: Option<RawPrior>, given: &Fields) -> Result<Option<Recorded<R>>> {
        let read = self.entry::<R>()?.read.ok_or_else(|| unwritten("read"))?;
        let Some(found) = read(self.context::<R>(), id, prior, &self.config())? else { return Ok(None) };
        let inputs = found.inputs.unwrap_or_else(|| given.clone());
        recorded(found.id, found.state, inputs).map(Some)
    }

    /// Updates a resource.
    pub fn update<R: Resource>(&self, prior: &Recorded<R>, inputs: Fields) -> Result<Recorded<R>> {
        let update = self.entry::<R>()?.update.ok_or_else(|| unwritten("update"))?;
        let updated = update(self.context::<R>(), raw(prior), inputs.clone(), &self.config())?;
        recorded(prior.id.clone(), updated.state, inputs)
    }

    /// Deletes a resource.
    pub fn delete<R: Resource>(&self, prior: &Recorded<R>) -> Result<()> {
        let delete = self.entry::<R>()?.delete.ok_or_else(|| unwritten("delete"))?;
        delete(self.context::<R>(), raw(prior), &self.config())
    }

    /// Checks inputs, if the resource overrides that.
    pub fn check<R: Resource>(&self, inputs: Fields) -> Result<Checked> {
        self.check_with::<R>(inputs, |_| ())
    }

    /// The same, with what an engine says beside the inputs: those that the last check returned, the seed, the name that it wishes.
    pub fn check_with<R: Resource>(&self, inputs: Fields, say: impl FnOnce(&mut Check)) -> Result<Checked> {
        let check = self.entry::<R>()?.check.ok_or_else(|| unwritten("check"))?;
        let context = self.context::<R>();
        let mut request =
            Check { context, prior_inputs: None, prior_state: None, inputs, seed: None, autonaming: None };
        say(&mut request);
        check(request)
    }

    /// Compares a resource with new inputs, if it overrides that.
    pub fn diff<R: Resource>(&self, prior: &Recorded<R>, inputs: Fields) -> Result<Difference> {
        let diff = self.entry::<R>()?.diff.ok_or_else(|| unwritten("diff"))?;
        let prior = Prior::new(raw(prior));
        diff(Diff { context: self.context::<R>(), prior, inputs, ignore_changes: Vec::new() })
    }

    /// Predicts a create, if the resource overrides that.
    pub fn preview_create<R: Resource>(&self, inputs: Fields) -> Result<Fields> {
        let preview = self.entry::<R>()?.preview_create.ok_or_else(|| unwritten("preview_create"))?;
        preview(PreviewCreate { context: self.context::<R>(), inputs })
    }

    /// Predicts an update, if the resource overrides that.
    pub fn preview_update<R: Resource>(&self, prior: &Recorded<R>, inputs: Fields) -> Result<Fields> {
        let preview = self.entry::<R>()?.preview_update.ok_or_else(|| unwritten("preview_update"))?;
        preview(self.context::<R>(), raw(prior), inputs)
    }

    /// Rewrites state of an older version.
    pub fn upgrade<R: Resource>(&self, from_version: u32, state: Fields, inputs: Option<Fields>) -> Result<Upgraded> {
        let upgrade = self.entry::<R>()?.upgrade.ok_or_else(|| unwritten("upgrade"))?;
        upgrade(Upgrade { from_version, state, inputs })
    }

    /// Calls the function `F`, whose name is that of the Rust function.
    pub fn invoke<F: Function>(&self, arguments: Fields) -> Result<Value> {
        let brought = self.provider.parameter.as_ref().map_or(&[][..], |parameter| parameter.functions);
        let entry = match brought.iter().find(|entry| entry.declaration.token == F::DECLARATION.token) {
            Some(entry) => {
                parameter::about_newest();
                entry
            }
            None => self.provider.function(F::DECLARATION.token)?,
        };
        (entry.invoke)(RawInvoke { arguments, preview: native::engine::is_preview() }, &self.config())
    }

    /// Lists resources: one page.
    pub fn list<R: Lists>(&self, query: Fields, page_size: Option<u32>, continuation: Option<String>) -> Result<Page> {
        let declared = self.entry::<R>()?.declaration.token;
        let entry = self.provider.lists.iter().find(|entry| entry.token == declared);
        let entry = entry.ok_or_else(|| unwritten("list"))?;
        (entry.list)(RawList { query, limit: None, page_size, continuation }, &self.config())
    }

    /// The mapping of a provider of another ecosystem, or the primary one.
    pub fn mapping(&self, ecosystem: &str, provider: Option<&str>) -> Result<Option<Mapping>> {
        let mappings = self.provider.mappings.ok_or_else(|| Error::unsupported("the provider has no mappings"))?;
        mapping::find(mappings, ecosystem, provider)
    }

    /// Takes a parameter, as `pulumi package add` gives it. What it brings is of this sub-package from now on.
    pub fn parameterize(&self, arguments: &[&str]) -> Result<Subpackage> {
        let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        self.provider.parameter()?.take_arguments(&arguments)
    }

    /// All messages so far.
    pub fn messages(&self) -> Vec<(Level, String)> {
        native::log::messages()
    }

    /// What the operation said that it was doing.
    pub fn status(&self) -> String {
        native::log::last_status()
    }

    /// The views published so far: type token, name and new state, none for those that are gone.
    pub fn views(&self) -> Vec<(String, String, Option<Fields>)> {
        let view = |step: ViewStep| {
            let state = step.new_state.and_then(|state| decode_fields(state).ok());
            (step.token, step.name, state)
        };
        native::views::published().into_iter().map(view).collect()
    }

    /// The last announcement that a resource exists: its id and state.
    pub fn checkpoint(&self) -> Option<(String, Fields)> {
        let (id, state) = native::operation::last_checkpoint()?;
        Some((id, decode_fields(state).ok()?))
    }

    /// Answers the HTTP requests of [clients](crate::http::Client) from now on.
    pub fn answer_http(&self, answer: impl Fn(&Request) -> Result<Response, HttpError> + 'static) {
        native::http::answer(answer);
    }

    /// Says how much time calls have left from now on. [Waiting](crate::operation::sleep) takes none, but of that.
    pub fn end_in(&self, left: Duration) {
        native::operation::end_in(left);
    }

    /// Cancels all calls from now on: waiting fails, and [`operation::is_cancelled`](crate::operation::is_cancelled) says so.
    pub fn cancel(&self) {
        native::operation::cancel();
    }

    fn config(&self) -> impl Fn() -> Result<Rc<C>> {
        let config = Rc::clone(&self.config);
        move || Ok(Rc::clone(&config))
    }

    fn context<R: Declared>(&self) -> Context {
        Context { token: R::DECLARATION.token.to_owned(), ..self.context.borrow().clone() }
    }

    fn entry<R: Declared>(&self) -> Result<&'static Entry<C>> {
        let brought = self.provider.parameter.as_ref().map_or(&[][..], |parameter| parameter.resources);
        match brought.iter().find(|entry| entry.declaration.token == R::DECLARATION.token) {
            Some(entry) => {
                parameter::about_newest();
                Ok(entry)
            }
            None => self.provider.resource(R::DECLARATION.token),
        }
    }
}

fn raw<R>(prior: &Recorded<R>) -> RawPrior {
    RawPrior {
        id: prior.id.clone(),
        state: prior.fields.clone(),
        inputs: Some(prior.inputs.clone()),
        views: Vec::new(),
    }
}

fn recorded<R: Record>(id: String, fields: Fields, inputs: Fields) -> Result<Recorded<R>> {
    let state = R::take(&mut fields.clone());
    let state = state.map_err(|misfit| Error::bug(format!("the state doesn't read back: {misfit}")))?;
    Ok(Recorded { id, state, fields, inputs })
}

fn unwritten(method: &str) -> Error {
    Error::unsupported(format!("the resource has no `{method}`"))
}
