//! Whoever makes hostile calls: on another thread than the callers that are measured, and without a look at what is answered.
//!
//! A hundred megabytes are work for whoever receives them, too. On the threads of the measured callers that held up their calls by a
//! millisecond or two, whatever the host did.

use std::future::poll_fn;

use anyhow::{Context, Result};
use http_body_util::{BodyExt, Full};
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tonic::body::Body;
use tonic::codegen::{Bytes, Service, http};
use tonic::transport::Channel;

use crate::plugin::channel;

/// A connection for hostile calls.
pub(crate) struct Hostile {
    channel: Channel,
    /// Where they are made.
    threads: Handle,
}

impl Hostile {
    /// Connects to the port that a line names, from those threads.
    ///
    /// # Errors
    /// Nobody listens.
    pub(crate) async fn connect(line: &str, threads: &Handle) -> Result<Self> {
        let line = line.to_owned();
        let channel = threads.spawn(async move { channel(&line).await }).await??;
        Ok(Self { channel, threads: threads.clone() })
    }

    /// Has a method called so many times at once, each again as soon as it is over, until what is returned is dropped.
    ///
    /// # Errors
    /// A request that is too large.
    pub(crate) fn keep_calling(&self, method: &str, request: &[u8], at_once: usize) -> Result<JoinSet<()>> {
        let path = format!("/pulumirpc.ResourceProvider/{method}");
        // Not compressed, its length, and the message.
        let length = u32::try_from(request.len()).context("write a hostile call")?;
        let framed = Bytes::from([&[0], length.to_be_bytes().as_slice(), request].concat());
        let mut calls = JoinSet::new();
        for _ in 0..at_once {
            let (mut channel, path, framed) = (self.channel.clone(), path.clone(), framed.clone());
            let calling = async move {
                loop {
                    // Whatever comes of it.
                    let _ = call(&mut channel, &path, framed.clone()).await;
                }
            };
            calls.spawn_on(calling, &self.threads);
        }
        Ok(calls)
    }
}

/// Calls, and lets go of the answer as it comes.
async fn call(channel: &mut Channel, path: &str, framed: Bytes) -> Result<()> {
    let request = http::Request::post(path).header("content-type", "application/grpc").header("te", "trailers");
    let request = request.body(Body::new(Full::new(framed)))?;
    poll_fn(|context| channel.poll_ready(context)).await?;
    let mut answer = channel.call(request).await?.into_body();
    while answer.frame().await.transpose()?.is_some() {}
    Ok(())
}
