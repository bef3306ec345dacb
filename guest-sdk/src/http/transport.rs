//! How requests leave the provider.

use std::time::Duration;

use super::{HttpError, Request, Response};

/// What one attempt may take.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Bounds {
    /// How long it may take in all.
    pub timeout: Duration,
    /// How large the answer's body may be, in bytes.
    pub max_body: usize,
}

impl Bounds {
    pub(super) fn new(timeout: Duration, max_body: usize) -> Self {
        Self { timeout, max_body }
    }
}

/// Sends a request once and waits for the answer: the host, or what stands in for it in a test.
pub trait Transport {
    /// Sends it. Whatever the server answers is a response.
    fn send(&self, request: &Request, bounds: &Bounds) -> Result<Response, HttpError>;
}

impl<F: Fn(&Request) -> Result<Response, HttpError>> Transport for F {
    fn send(&self, request: &Request, _: &Bounds) -> Result<Response, HttpError> {
        self(request)
    }
}

/// The host.
pub(super) struct Host;

impl Transport for Host {
    #[cfg(target_arch = "wasm32")]
    fn send(&self, request: &Request, bounds: &Bounds) -> Result<Response, HttpError> {
        super::wasi::send(request, bounds)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn send(&self, request: &Request, bounds: &Bounds) -> Result<Response, HttpError> {
        crate::host::native::http::send(request, bounds)
    }
}
