//! Write Pulumi providers as WebAssembly components.
//!
//! A provider is its types and the four things only its author knows: create, read, update, delete. The host does the rest by the
//! package schema, which this crate writes from the types: checks of inputs, comparisons, previews, secrets, state. An
//! author's `create` never runs in a preview, and no author's code compares anything.
//!
//! # A whole provider
//!
//! ```
//! use bulkhead_sdk::{
//!     Config, Create, Created, Delete, Error, Inputs, Read, Resource, Result, Secret, Snapshot, State, Update, Updated,
//!     function, provider, resource,
//! };
//! # mod service {
//! #     use std::collections::BTreeMap;
//! #     thread_local! { static NOTES: std::cell::RefCell<BTreeMap<String, String>> = Default::default() }
//! #     pub fn put(_: &str, id: &str, text: &str) -> std::io::Result<()> {
//! #         NOTES.with_borrow_mut(|notes| notes.insert(id.to_owned(), text.to_owned()));
//! #         Ok(())
//! #     }
//! #     pub fn get(_: &str, id: &str) -> std::io::Result<Option<String>> {
//! #         Ok(NOTES.with_borrow(|notes| notes.get(id).cloned()))
//! #     }
//! #     pub fn delete(_: &str, id: &str) -> std::io::Result<()> {
//! #         NOTES.with_borrow_mut(|notes| notes.remove(id));
//! #         Ok(())
//! #     }
//! # }
//!
//! /// How to reach the service.
//! #[derive(Config)]
//! struct Settings {
//!     /// Who is asking.
//!     #[bulkhead(env = "NOTES_TOKEN")]
//!     token: Secret<String>,
//! }
//!
//! #[derive(Inputs)]
//! struct NoteArgs {
//!     /// What the note is called.
//!     #[bulkhead(replace, autoname(max_length = 40))]
//!     name: String,
//!     /// What it says.
//!     #[bulkhead(default = "", max_length = 1000)]
//!     text: String,
//! }
//!
//! /// A note that somebody left.
//! #[derive(State)]
//! struct Note {
//!     #[bulkhead(flatten)]
//!     args: NoteArgs,
//!     /// How many bytes it has.
//!     size: u32,
//! }
//!
//! impl Note {
//!     fn new(args: NoteArgs) -> Result<Self> {
//!         Ok(Self { size: args.text.len().try_into()?, args })
//!     }
//! }
//!
//! #[resource(token = "notes:index:Note")]
//! impl Resource for Note {
//!     type Inputs = NoteArgs;
//!     type Config = Settings;
//!
//!     fn create(request: Create<Self>) -> Result<Created<Self>> {
//!         let args = request.inputs;
//!         service::put(&request.config.token, &args.name, &args.text)?;
//!         Ok(Created::new(args.name.clone(), Note::new(args)?))
//!     }
//!
//!     fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
//!         let Some(text) = service::get(&request.config.token, &request.id)? else { return Ok(None) };
//!         let note = Note::new(NoteArgs { name: request.id.clone(), text })?;
//!         Ok(Some(Snapshot::new(request.id, note)))
//!     }
//!
//!     fn update(request: Update<Self>) -> Result<Updated<Self>> {
//!         service::put(&request.config.token, &request.prior.id, &request.inputs.text)?;
//!         Ok(Updated::new(Note::new(request.inputs)?))
//!     }
//!
//!     fn delete(request: Delete<Self>) -> Result<()> {
//!         service::delete(&request.config.token, &request.prior.id)?;
//!         Ok(())
//!     }
//! }
//!
//! #[derive(Inputs)]
//! struct SizeArgs {
//!     /// What the note is called.
//!     name: String,
//! }
//!
//! /// How many bytes a note has.
//! #[function(token = "notes:index:size")]
//! fn size(arguments: SizeArgs, config: &Settings) -> Result<u32> {
//!     match service::get(&config.token, &arguments.name)? {
//!         Some(text) => Ok(text.len().try_into()?),
//!         None => Err(Error::not_found(format!("there is no note `{}`", arguments.name))),
//!     }
//! }
//!
//! provider! {
//!     name: "notes",
//!     description: "Notes that somebody left",
//!     config: Settings,
//!     resources: [Note],
//!     functions: [size],
//!     permissions: {
//!         network: [{ endpoint: "https://notes.example", reason: "keeps the notes there" }],
//!     },
//! }
//! # use bulkhead_sdk::{fields, testing::Driver};
//! # let driver = Driver::configure(&PROVIDER, fields! { "token": "t" })?;
//! # let note = driver.create::<Note>(fields! { "name": "milk", "text": "two" })?;
//! # let note = driver.update(&note, fields! { "name": "milk", "text": "three" })?;
//! # assert_eq!(driver.invoke::<size>(fields! { "name": "milk" })?, 5.into());
//! # assert_eq!(driver.import::<Note>("milk")?.unwrap().state.args.text, "three");
//! # driver.delete(&note)?;
//! # assert!(driver.read(&note)?.is_none());
//! # PROVIDER.schema()?;
//! # Ok::<(), bulkhead_sdk::Error>(())
//! ```
//!
//! It is a library with `crate-type = ["cdylib"]`, of which `bulkhead build` makes the component, with its schema and manifest in it. The
//! `Cargo.toml` of `examples/random-string` is all that it needs, with a profile that keeps components small. Its unit tests run
//! natively, where [`testing`] drives it.
//!
//! # A component
//!
//! A [`Component`] is a resource that consists of others: a program inside the provider, which engines call in previews too. What isn't known
//! yet, what is secret and what depends on what travels in an [`Output`]. Children are registered with
//! [`child`](engine::Scope::child): those of this package by their types, others by their tokens. There is no `async`: what doesn't depend on
//! each other is made at the same time, and a failure ends the call. [`output`] says more.
//!
//! ```
//! use bulkhead_sdk::{
//!     Call, Component, Construct, Create, Created, Inputs, Output, Resource, Result, State, component, fields, inputs, method,
//!     provider, resource,
//! };
//!
//! #[derive(Inputs)]
//! struct PageArgs {
//!     path: String,
//!     text: String,
//! }
//!
//! /// A page of a site.
//! #[derive(State)]
//! struct Page {
//!     #[bulkhead(flatten)]
//!     args: PageArgs,
//!     url: String,
//! }
//!
//! #[resource(token = "web:index:Page")]
//! impl Resource for Page {
//!     type Inputs = PageArgs;
//!
//!     fn create(request: Create<Self>) -> Result<Created<Self>> {
//!         let url = format!("https://web.example{}", request.inputs.path);
//!         Ok(Created::new(url.clone(), Page { args: request.inputs, url }))
//!     }
//! }
//!
//! #[derive(Inputs)]
//! struct SiteArgs {
//!     /// What the front page says.
//!     text: Output<String>,
//!     /// How many pages there are; plain, so that it is always known.
//!     #[bulkhead(default = 1)]
//!     pages: u32,
//! }
//!
//! /// A site of several pages, with a name.
//! #[derive(State)]
//! struct Site {
//!     /// Where the front page is.
//!     url: Output<String>,
//! }
//!
//! #[component(token = "web:index:Site")]
//! impl Component for Site {
//!     type Inputs = SiteArgs;
//!
//!     fn construct(request: Construct<Self>) -> Result<Self> {
//!         let SiteArgs { text, pages } = &request.inputs;
//!         let front = request.child("front").register::<Page>(inputs!(PageArgs { path: "/", text: text }))?;
//!         for number in 1..*pages {
//!             let page = inputs!(PageArgs { path: format!("/{number}"), text: text.map(|text| text.to_uppercase()) });
//!             request.child(format!("page{number}")).depends_on(&front).register::<Page>(page)?;
//!         }
//!         request.child("name").protect(true).resource("dns:index:Record", fields! { "target": &front.url });
//!         Ok(Site { url: front.url.clone() })
//!     }
//! }
//!
//! #[derive(Inputs)]
//! struct LinkArgs {
//!     path: Output<String>,
//! }
//!
//! /// What leads to a page.
//! #[derive(State)]
//! struct Link {
//!     url: Output<String>,
//! }
//!
//! /// Where a page of the site is.
//! #[method]
//! fn link(call: Call<Site>, arguments: LinkArgs) -> Result<Link> {
//!     let both = bulkhead_sdk::output::all((call.this.url.clone(), arguments.path));
//!     Ok(Link { url: both.map(|(url, path)| format!("{url}{path}")) })
//! }
//!
//! provider! {
//!     name: "web",
//!     resources: [Page],
//!     components: [Site],
//!     methods: [link],
//! }
//! # use bulkhead_sdk::testing::{Driver, Told, known};
//! # let driver = Driver::new(&PROVIDER, ());
//! # driver.answer_resources(|asked| match asked.token.as_str() {
//! #     "web:index:Page" => Ok(Some(Told { id: Some("p".into()), state: fields! { "url": "https://web.example" } })),
//! #     _ => Ok(None),
//! # });
//! # let site = driver.construct::<Site>("blog", fields! { "text": "hello", "pages": 2 })?;
//! # assert_eq!(known(&site.outputs.url)?.value.as_deref(), Some("https://web.example"));
//! # assert_eq!(driver.asked_for("blog-page1").unwrap().inputs["text"], "HELLO".into());
//! # let link = driver.call::<link>(&site.urn, fields! { "path": "/a" })?;
//! # assert_eq!(link.as_fields().unwrap()["url"].as_text(), Some("https://web.example/a"));
//! # PROVIDER.schema()?;
//! # Ok::<(), bulkhead_sdk::Error>(())
//! ```
//!
//! A field of inputs that is an `Output` takes whatever a program gives it, and is a plain input in the schema otherwise. Fields of a
//! [`Registered`] child are those of its struct, each an `Output`; what [`inputs!`] takes are those of the inputs, each a value or an
//! `Output`. Nobody checks or completes a component's inputs: types and `default`s hold, but neither `env` nor rules such as `pattern`, and
//! what else must hold the component says with [`Error::rejected`]. [`testing::validate`] tells of what is said for nothing.
//!
//! # What can be said about a field
//!
//! Fields become properties with camel case names; doc comments become descriptions. [`Property`](value::Property) lists the types
//! that a field may have. The rest is said in `#[bulkhead(…)]`:
//!
//! | attribute | on | meaning |
//! |---|---|---|
//! | `rename = "…"` | all, types | the property's name; the type's name in the schema; the string of a variant |
//! | `flatten` | all | the properties of another struct, as if they stood here |
//! | `skip` | configuration | no property: made by `Default`, e.g. a [`Connection`] |
//! | `deprecated = "…"` | all, variants | why it shouldn't be used any more |
//! | `secret` | all | always secret; so is [`Secret<T>`] |
//! | `replace` | given | a change replaces the resource |
//! | `default = …` | given | what the host fills in where it is left out; of an enum its variant: `default = Visibility::Private` |
//! | `output_default = …` | inputs | what the output is where it is left out, while the input stays left out; `None`: absent too |
//! | `constant = …` | all | the only value that is allowed |
//! | `env = "…"` | given | environment variables to take a default from: one, or a list |
//! | `autoname`, `autoname(…)` | inputs | generated from the resource's name where it is left out: `max_length`, `separator`, `hex_digits`, `charset`. Two can't have a name at once: where the program gives it and keeps it, a replacement deletes the old resource before it makes the new one |
//! | `not_echoed` | inputs | the output of the same name may differ from it |
//! | `empty_is_absent` | given | an empty string, list or map means the same as to leave it out: no difference, and a default takes its place |
//! | `coerces` | given | a scalar may be given in another spelling, also inside lists and maps: `1` for `"1"`, `"12"` for `12`; the author sees what it means |
//! | `stable` | state | an update never changes it |
//! | `minimum`, `maximum` | given | bounds of a number, within those of its type |
//! | `min_length`, `max_length` | given | bounds of a string's length, in characters |
//! | `min_items`, `max_items` | given | bounds of a list's or map's size |
//! | `pattern = "…"` | given | a regular expression that the string matches somewhere |
//! | `conflicts_with`, `requires`, `exactly_one_of` | given | other fields, by their Rust names: one, or a list |
//!
//! *Given* is what a program or a user gives: inputs, configuration, objects inside of them. What `default` or `output_default` says, the author
//! sees too: a field with one needs no `Option`. An `Option` with `output_default` stays `None`, so that an author can tell, and is
//! recorded as the default all the same. An `Option` with `default` is `None` beside what it can't be given with (`conflicts_with`,
//! `exactly_one_of`), where nobody fills it in.
//!
//! # Secrets and unknowns
//!
//! A `String` accepts a secret string; the host marks what is secret by the schema, and what repeats a secret input. Use [`Secret<T>`] for
//! what is always secret, [`Value`] to see whether something is. Nothing is unknown in the four methods. Overrides
//! ([`Resource::check`] and its siblings) get [`Fields`], in which both are visible. In components an [`Output`] carries both.
//!
//! # Talking to a service
//!
//! [`http`] is a small client that the host connects, if the operator grants what the manifest asks for. It keeps to the call's deadline, ends
//! when the call is cancelled, repeats what may be repeated, and its errors say whether a request may have had an effect: also those about
//! statuses and answers that can't be read. What takes its time to get ready is waited for with [`wait`]; tokens that all instances need are
//! kept in [`session`].
//!
//! # Files and variables
//!
//! `std::fs` and `std::env` see what the manifest asks for and the operator grants: directories by the names that they are asked for by, and
//! nothing else. Whatever the manifest doesn't ask for is as if it weren't there: `No such file or directory`, since nobody could grant it. A
//! hint says so where the manifest asks for no directory at all. So name the path in errors, which those of `std::fs` don't.
//!
//! # Failing
//!
//! `?` turns any [`std::error::Error`] into an [`Error`] that says that nothing changed. That isn't so where something was asked of a service
//! before: the errors of [`http`] say what is known then. Once something exists, say so with
//! [`checkpoint`](fn@checkpoint) at once, and with [`Error::partial`] if it doesn't become ready. A panic ends the call; the host reports
//! it as the provider's bug, with its place. Its message may hold a secret, so it is a message for debugging, which `pulumi up --debug` and
//! `bulkhead check` show.
//! What is printed goes nowhere; [`log`] reaches the user.

// The derives name this crate by its absolute path, in its own tests too.
extern crate self as bulkhead_sdk;

/// What authors are shown compiles, and holds.
#[cfg(doctest)]
#[doc = include_str!("../../docs/authors.md")]
mod authors {}

#[doc(hidden)]
pub mod bindings;
#[doc(hidden)]
pub mod compile_time;
pub mod component;
pub mod config;
pub mod engine;
mod enumeration;
mod error;
#[doc(hidden)]
pub mod export;
pub mod function;
mod host;
pub mod http;
mod id;
pub mod list;
mod manifest;
mod mapping;
pub mod output;
pub mod parameter;
mod path;
pub mod provider;
pub mod record;
pub mod resource;
pub mod schema;
#[cfg(not(target_arch = "wasm32"))]
pub mod testing;
pub mod value;

// Component resources and methods, and what they are in a deployment.
pub use crate::component::{Call, Component, Construct, ThisProvider};
pub use crate::engine::{Options, ProviderInstance, Registered, Registration};
pub use crate::function::Invoke;

// The four concepts: inputs, state, configuration, resources. A derive has the name of the trait that it implements.
pub use crate::config::{Config, Connection};
pub use crate::enumeration::{Enum, Union};
pub use crate::record::{Inputs, Object, State};
pub use crate::resource::{Create, Created, Delete, Read, Resource, Snapshot, Update, Updated};
pub use bulkhead_sdk_macros::{
    Config, Enum, Inputs, Object, State, Union, component, function, method, provider, resource,
};

// What they are made of.
pub use crate::error::{Error, ErrorKind, Failure, Result};
pub use crate::id::CompositeId;
pub use crate::mapping::Mapping;
pub use crate::output::{Input, Output};
pub use crate::path::{Path, Segment};
pub use crate::value::{Archive, Asset, Fields, Json, Ref, Reference, Secret, Value};

// What a provider may ask of the host.
pub use crate::host::{assets, checkpoint, log, operation, packages, session, views, wait};
