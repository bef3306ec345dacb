//! A monitor as a deployment: which operation is which file, and how many run at once.

use std::sync::Arc;

use async_trait::async_trait;
use bulkhead_value::{Object, Value};
use tokio::sync::{OnceCell, Semaphore, SemaphorePermit};

use super::connection::{Client, Connection, Connections};
use super::traced::Traced;
use super::{call, hydrate, invoke, read, register, register_outputs};
use crate::provider::{Deployment, Error, Invocation, Registered, Registration, Surroundings};

/// The monitor of one Construct or Call.
pub(in super::super) struct Monitor {
    pub(super) connection: Arc<Connection>,
    /// What to put down as the trace that requests continue.
    pub(super) trace: String,
    /// What the request says of the deployment, for monitors that say nothing.
    said: Surroundings,
    turns: OnceCell<Semaphore>,
    traced: Traced,
}

impl Monitor {
    /// The monitor at an endpoint, for one call.
    ///
    /// # Errors
    /// What isn't an address. Whether anybody listens there shows when it is first used.
    pub(in super::super) fn new(
        connections: &Connections,
        endpoint: &str,
        trace: String,
        said: Surroundings,
    ) -> Result<Self, Error> {
        Ok(Self {
            connection: connections.to(endpoint)?,
            trace,
            said,
            turns: OnceCell::new(),
            traced: Traced::present(),
        })
    }

    /// A client, whose requests stand in the trace of the call.
    pub(super) fn client(&self) -> Client {
        self.connection.traced(self.traced.clone())
    }

    /// Waits until another operation may run. The engine has a limit of its own; this one matters where it is 1, since then
    /// even requests must not overlap.
    pub(super) async fn turn(&self) -> Result<Option<SemaphorePermit<'_>>, Error> {
        let known = self.connection.known().await?;
        if known.surroundings.as_ref().unwrap_or(&self.said).parallel > 1 {
            return Ok(None);
        }
        let turns = self.turns.get_or_init(|| async { Semaphore::new(1) }).await;
        // It is never closed.
        Ok(turns.acquire().await.ok())
    }
}

#[async_trait]
impl Deployment for Monitor {
    async fn describe(&self) -> Result<Surroundings, Error> {
        let known = self.connection.known().await?;
        Ok(known.surroundings.as_ref().unwrap_or(&self.said).clone())
    }

    async fn register(&self, registration: Registration) -> Result<Registered, Error> {
        register::register(self, registration).await
    }

    async fn read(&self, registration: Registration, id: String) -> Result<Registered, Error> {
        read::read(self, registration, id).await
    }

    async fn register_outputs(&self, urn: String, outputs: Object) -> Result<(), Error> {
        register_outputs::register_outputs(self, urn, outputs).await
    }

    async fn hydrate(&self, urn: String) -> Result<Registered, Error> {
        hydrate::hydrate(self, urn).await
    }

    async fn invoke(&self, invocation: Invocation) -> Result<Value, Error> {
        invoke::invoke(self, invocation).await
    }

    async fn call(&self, invocation: Invocation) -> Result<Value, Error> {
        call::call(self, invocation).await
    }
}
