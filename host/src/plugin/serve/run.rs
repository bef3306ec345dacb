//! From a component's file to a provider at a port.

use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio_stream::StreamExt;
use tokio_util::sync::CancellationToken;

use super::attachable::Attachable;
use super::connection::Connection;
use super::watch::Watched;
use crate::component::Cache;
use crate::plugin::error::PluginError;
use crate::plugin::incoming::incoming;
use crate::plugin::load::{Loader, Ready};
use crate::plugin::server::{transport, until_asked};
use crate::plugin::shutdown::Departure;

/// A component that is being served.
#[derive(Clone, Debug)]
pub struct Served {
    /// The package's name.
    pub name: String,
    /// The package's version, if it has one.
    pub version: Option<String>,
    /// The component's digest.
    pub digest: String,
    /// What whoever serves it should know.
    pub warning: Option<String>,
}

impl Served {
    pub(super) fn of(ready: &Ready) -> Self {
        let package = &ready.offer.package;
        Self {
            name: package.name.clone(),
            version: package.version.as_ref().map(ToString::to_string),
            digest: ready.digest.clone(),
            warning: ready.warning.clone(),
        }
    }
}

/// What happens while a component is served.
pub enum Told<'a> {
    /// Engines can attach at this port.
    Serving(Served, u16),
    /// The file changed: whoever attaches from now on gets this.
    Reloaded(Served),
    /// The file changed and can't be served. What was served before goes on.
    Refused(&'a PluginError),
}

/// Whom it is told.
pub(super) type Tell = Box<dyn Fn(Told<'_>) + Send + Sync>;

/// Serves a component at a port of the loopback interface, 0 for a free one, until SIGINT or SIGTERM.
///
/// # Errors
/// A component that can't be served at the start, or a port that somebody else has.
pub async fn serve(
    component: &Path,
    port: u16,
    cache: &Cache,
    tell: impl Fn(Told<'_>) + Clone + Send + Sync + 'static,
) -> Result<(), PluginError> {
    let taken = |error| PluginError::Port { port, error };
    // First of all, since it is what fails most.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(taken)?;
    let port = listener.local_addr()?.port();
    let watched = Watched::open(component, Arc::new(Loader::new(cache)), Box::new(tell.clone())).await?;
    let attachable = Attachable::new(Arc::clone(&watched));
    let departure = Departure::by_hand()?;
    tell(Told::Serving(Served::of(&watched.current()), port));
    let watching = tokio::spawn(async move { watched.keep_looking().await });
    let leaving = CancellationToken::new();
    let serving = transport().serve_with_incoming_shutdown(
        attachable.clone(),
        incoming(listener).map(|stream| stream.map(Connection::new)),
        leaving.clone().cancelled_owned(),
    );
    let served = until_asked(serving, leaving, departure, || attachable.leave()).await;
    watching.abort();
    Ok(served?)
}
