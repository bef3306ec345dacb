//! `traces.proto`: how spans are exported to an OpenTelemetry collector, which an engine that traces is too.

pub use crate::generated::opentelemetry::trace_service_client::TraceServiceClient;
pub use crate::generated::opentelemetry::trace_service_server::{TraceService, TraceServiceServer};
pub use crate::generated::opentelemetry::{
    AnyValue, ExportTracePartialSuccess, ExportTraceServiceRequest, ExportTraceServiceResponse, InstrumentationScope,
    KeyValue, Resource, ResourceSpans, ScopeSpans, Span, Status, any_value, span, status,
};
