//! What never answers: a stream, and an engine.

use bulkhead_value::{Object, Value};
use bytes::Bytes;
use wasmtime_wasi::p2::{InputStream, OutputStream, Pollable};

use super::super::*;
use crate::provider::{
    Deployment, Error, Invocation, PackageParameter, PackageReference, PackageSource, PackageSpec, Registered,
    Registration, ResolvedPackage, Surroundings, ViewPlace, ViewStep,
};

/// A stream that never has anything and never takes anything.
pub(super) struct Never;

#[async_trait::async_trait]
impl Pollable for Never {
    async fn ready(&mut self) {
        std::future::pending().await
    }
}

#[async_trait::async_trait]
impl InputStream for Never {
    fn read(&mut self, _: usize) -> StreamResult<Bytes> {
        Ok(Bytes::new())
    }

    async fn cancel(&mut self) {
        std::future::pending().await
    }
}

#[async_trait::async_trait]
impl OutputStream for Never {
    fn write(&mut self, _: Bytes) -> StreamResult<()> {
        Err(StreamError::trap("nothing may be written"))
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(0)
    }

    async fn cancel(&mut self) {
        std::future::pending().await
    }
}

/// An engine that never answers.
#[async_trait::async_trait]
impl Deployment for Never {
    async fn describe(&self) -> Result<Surroundings, Error> {
        std::future::pending().await
    }

    async fn register(&self, _: Registration) -> Result<Registered, Error> {
        std::future::pending().await
    }

    async fn read(&self, _: Registration, _: String) -> Result<Registered, Error> {
        std::future::pending().await
    }

    async fn register_outputs(&self, _: String, _: Object) -> Result<(), Error> {
        std::future::pending().await
    }

    async fn hydrate(&self, _: String) -> Result<Registered, Error> {
        std::future::pending().await
    }

    async fn invoke(&self, _: Invocation) -> Result<Value, Error> {
        std::future::pending().await
    }

    async fn call(&self, _: Invocation) -> Result<Value, Error> {
        std::future::pending().await
    }
}

/// An engine that never answers.
#[derive(Debug)]
pub(super) struct Silence;

#[async_trait::async_trait]
impl PackageSource for Silence {
    async fn schema(&self, _: &PackageReference, _: Option<&PackageParameter>) -> Result<Vec<u8>, Error> {
        std::future::pending().await
    }

    async fn mapping(&self, _: &str, _: Option<&PackageReference>) -> Result<Vec<u8>, Error> {
        std::future::pending().await
    }

    async fn resolved(&self, _: &PackageSpec) -> Result<ResolvedPackage, Error> {
        std::future::pending().await
    }
}

#[async_trait::async_trait]
impl ViewPlace for Silence {
    async fn publish(&self, _: Vec<ViewStep>, _: Box<dyn Send>) -> Result<(), Error> {
        std::future::pending().await
    }
}
