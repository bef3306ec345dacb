//! Spans as the collector's messages have them.

use std::time::{SystemTime, UNIX_EPOCH};

use bulkhead_proto::traces::any_value::Value;
use bulkhead_proto::traces::span::SpanKind;
use bulkhead_proto::traces::status::StatusCode;
use bulkhead_proto::traces::{
    self as otlp, AnyValue, ExportTraceServiceRequest, InstrumentationScope, KeyValue, Resource, ResourceSpans,
    ScopeSpans, Status,
};

use crate::audit::{Kind, Span, Told};
use crate::legible::legible;

/// What these spans come from.
const NAME: &str = "bulkhead";

/// A request that exports spans.
pub(super) fn request(spans: Vec<Span>) -> ExportTraceServiceRequest {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let attributes = vec![
        attribute("service.name", NAME),
        attribute("service.version", version.clone()),
        attribute("process.pid", std::process::id().to_string()),
    ];
    let scope = Some(InstrumentationScope { name: NAME.to_owned(), version });
    let scope_spans = vec![ScopeSpans { scope, spans: spans.into_iter().map(message).collect() }];
    ExportTraceServiceRequest {
        resource_spans: vec![ResourceSpans { resource: Some(Resource { attributes }), scope_spans }],
    }
}

fn message(span: Span) -> otlp::Span {
    let parent = if span.parent == [0; 8] { Vec::new() } else { span.parent.to_vec() };
    let status = span.failure.map(|message| Status { message: legible(message), code: StatusCode::Error as i32 });
    let attributes = span.attributes.into_iter().filter(|(_, told)| *told != Told::Text(String::new()));
    otlp::Span {
        trace_id: span.trace.to_vec().into(),
        span_id: span.id.to_vec().into(),
        parent_span_id: parent.into(),
        name: legible(span.name),
        kind: match span.kind {
            Kind::Server => SpanKind::Server,
            Kind::Client => SpanKind::Client,
            Kind::Internal => SpanKind::Internal,
        } as i32,
        start_time_unix_nano: nanoseconds(span.started),
        end_time_unix_nano: nanoseconds(span.ended),
        attributes: attributes.map(|(name, told)| attribute(name, told)).collect(),
        status,
    }
}

/// An attribute. What it names of a component or a request is read wherever traces are, terminals among it.
fn attribute(key: &str, told: impl Into<Told>) -> KeyValue {
    let value = match told.into() {
        Told::Text(text) => Value::StringValue(legible(text)),
        Told::Number(number) => Value::IntValue(number),
    };
    KeyValue { key: key.to_owned(), value: Some(AnyValue { value: Some(value) }) }
}

fn nanoseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).ok().and_then(|since| u64::try_from(since.as_nanos()).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_span_steers_who_reads_it() {
        let steering = "a\u{1b}[2J\u{9b}m\u{202e}b";
        let (started, attributes) = (SystemTime::now(), vec![("pulumi.token", steering.into())]);
        let span = Span {
            trace: [1; 16],
            id: [2; 8],
            parent: [0; 8],
            name: steering.to_owned(),
            kind: Kind::Internal,
            started,
            ended: started,
            attributes,
            failure: Some(steering.to_owned()),
        };
        let told = message(span);
        let value = told.attributes.into_iter().next().and_then(|attribute| attribute.value?.value);
        let legible = "a\u{fffd}[2J\u{fffd}m\u{fffd}b";
        assert_eq!(value, Some(Value::StringValue(legible.to_owned())));
        assert_eq!((told.name.as_str(), told.status.unwrap().message.as_str()), (legible, legible));
    }
}
