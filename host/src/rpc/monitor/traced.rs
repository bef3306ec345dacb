//! Requests to a monitor, in the trace of the call that they follow from.

use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::{Request, Status};

use crate::audit::Cause;

/// What puts requests into a trace; none if nobody traces.
#[derive(Clone, Default)]
pub(super) struct Traced(pub(super) Option<MetadataValue<Ascii>>);

impl Traced {
    /// The trace of the call that is being answered here.
    pub(super) fn present() -> Self {
        Self(Cause::present().traceparent().and_then(|traceparent| traceparent.parse().ok()))
    }
}

impl Interceptor for Traced {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(traceparent) = &self.0 {
            request.metadata_mut().insert("traceparent", traceparent.clone());
        }
        Ok(request)
    }
}
