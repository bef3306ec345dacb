//! A small HTTP client for what most providers do: ask a service's API, one request at a time.
//!
//! The host makes the connections, since only it may: TLS, the resolving of names and the operator's grants are its part. What is here
//! is what a provider needs around that and would otherwise get wrong: waits end with the call's deadline and when it is
//! cancelled, what may be repeated is repeated with growing pauses, bodies are bounded, and failures say whether the request
//! may have had an effect. It follows no redirects and keeps no cookies.
//!
//! That holds for answers as well: [`Response::ok`], [`Response::found`] and [`Response::text`] fail so that `?` never tells an engine that
//! nothing was made where that isn't known. After a `POST`, another crate's error about the answer would: hand it to [`Response::unreadable`].
//!
//! What is [idempotent](Request::idempotent) counts as done by whoever asks for it again: after a `PUT` that failed, `?` says that nothing changed. In a
//! create that holds only where the next one asks for the same thing. Where it wouldn't, as with a name that is drawn,
//! [`checkpoint`](crate::checkpoint()) before the `PUT`, or say `idempotent(false)`: then it isn't repeated, and its outcome is as unknown as that of a `POST`.
//! In an update it doesn't hold where the change is taken back: nobody asks again then, and the service keeps it. End an update that fails with
//! [`Update::unsettled`](crate::Update::unsettled) unless the error says that [nothing was done](HttpError::nothing_done), and after its first change in any case.
//! That helps an update that sends everything. One that sends what [`changed`](crate::Update::changed) is told no of what was taken back, since nothing
//! on record says that it was tried: after a lost answer, send all that may be so, or ask the service what it has.
//!
//! Bodies are bytes or texts. With the feature `serde` of this crate, [`Request::json_of`](Request) and [`Response::json`](Response) write and read
//! JSON, and [`Secret`](crate::Secret), [`Json`](crate::Json) and [`Value`](crate::Value) are what serde can write and read too, so that one struct can be inputs and a body:
//! `bulkhead-sdk = { …, features = ["serde"] }`.
//!
//! The manifest has to ask for the endpoint, and the operator has to grant it, or every request is [denied](Failed::Denied):
//!
//! ```
//! use bulkhead_sdk::http::{Client, Method, Request, Url};
//! use bulkhead_sdk::{Config, Connection, Error, Inputs, Result, Secret, fields, function, provider};
//!
//! #[derive(Config)]
//! struct Settings {
//!     /// Where the service is, such as `https://notes.example`.
//!     endpoint: Url,
//!     /// Who is asking.
//!     token: Secret<String>,
//!     #[bulkhead(skip)]
//!     client: Connection<Client>,
//! }
//!
//! #[derive(Inputs)]
//! struct NoteArgs {
//!     /// What the note is called.
//!     name: String,
//! }
//!
//! /// What a note says.
//! #[function(token = "notes:index:note")]
//! fn note(arguments: NoteArgs, config: &Settings) -> Result<String> {
//!     let client = config.client.get_or_connect(|| Ok(Client::new().header("x-token", &*config.token)))?;
//!     let url = config.endpoint.clone().segment("notes").segment(&arguments.name);
//!     match client.send(&Request::new(Method::Get, url))?.found()? {
//!         Some(found) => Ok(found.text()?.to_owned()),
//!         None => Err(Error::not_found(format!("there is no note `{}`", arguments.name))),
//!     }
//! }
//!
//! provider! {
//!     name: "notes",
//!     config: Settings,
//!     functions: [note],
//!     permissions: {
//!         network: [{ endpoint: "${config.endpoint}", methods: ["GET"], reason: "keeps the notes there" }],
//!     },
//! }
//! # use bulkhead_sdk::{http::Response, testing::Driver};
//! // In a test, where there is no network:
//! let driver = Driver::configure(&PROVIDER, fields! { "endpoint": "https://notes.example/v1", "token": "t" })?;
//! driver.answer_http(|request| {
//!     assert_eq!(request.url().to_string(), "https://notes.example/v1/notes/to%20do");
//!     Ok(Response::new(200, "milk"))
//! });
//! assert_eq!(driver.invoke::<note>(fields! { "name": "to do" })?, "milk".into());
//! // A wrong endpoint is a mistake in the configuration, before anything is asked.
//! let refused = Driver::configure(&PROVIDER, fields! { "endpoint": "notes.example", "token": "t" }).err().unwrap();
//! assert_eq!(refused.to_string(), "`endpoint` has no scheme, such as http://");
//! # Ok::<(), Error>(())
//! ```

mod client;
mod error;
#[cfg(feature = "serde")]
mod json;
mod link;
mod property;
mod request;
mod response;
mod retry;
mod transport;
mod unexpected;
mod url;
#[cfg(target_arch = "wasm32")]
mod wasi;

pub use client::Client;
pub use error::{Failed, HttpError};
pub use request::{Method, Request};
pub use response::Response;
pub use retry::{Again, Retry};
pub use transport::{Bounds, Transport};
pub use unexpected::Unexpected;
pub use url::{InvalidUrl, Scheme, Url};
