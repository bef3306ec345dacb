//! Spans, as an engine that traces gets them from the providers that it starts: in its own trace.

use std::net::Ipv4Addr;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bulkhead_proto::traces::span::SpanKind;
use bulkhead_proto::traces::status::StatusCode;
use bulkhead_proto::traces::{
    ExportTraceServiceRequest, ExportTraceServiceResponse, Span, TraceService, TraceServiceServer, any_value,
};
use bulkhead_tests::composing::construction;
use bulkhead_tests::monitor::Monitor;
use bulkhead_tests::serving::{Serving, creation, urn};
use bulkhead_tests::{Plugin, Stdin, in_time, temporary_directory, until};
use bulkhead_value::{Object, Value};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::{bulkhead, guest, object};

const CANARY: &str = "the-canary-sings-at-dawn";
const TRACE: [u8; 16] =
    [0x0a, 0xf7, 0x65, 0x19, 0x16, 0xcd, 0x43, 0xdd, 0x84, 0x48, 0xeb, 0x21, 0x1c, 0x80, 0x31, 0x9c];
const PARENT: [u8; 8] = [0xb7, 0xad, 0x6b, 0x71, 0x69, 0x20, 0x33, 0x31];
const TRACEPARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// A collector that keeps what it gets.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<ExportTraceServiceRequest>>>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.0.lock().unwrap().push(request.into_inner());
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

impl Collector {
    /// Serves, and says where, as engines do.
    async fn serve(&self) -> String {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let service = TraceServiceServer::new(self.clone());
        tokio::spawn(Server::builder().add_service(service).serve_with_incoming(TcpIncoming::from(listener)));
        format!("localhost:{port}")
    }

    fn spans(&self) -> Vec<Span> {
        let requests = self.0.lock().unwrap().clone();
        let scopes =
            requests.into_iter().flat_map(|request| request.resource_spans).flat_map(|spans| spans.scope_spans);
        scopes.flat_map(|scope| scope.spans).collect()
    }

    /// Waits for a span.
    async fn span(&self, name: &str) -> Span {
        for _ in 0..1_000 {
            if let Some(span) = self.spans().into_iter().find(|span| span.name == name) {
                return span;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("there should be a span {name}, and there are {:?}", self.spans());
    }
}

fn started(collector: &str) -> (TempDir, Plugin) {
    let directory = temporary_directory();
    guest("parrot").bundle(&bulkhead(), directory.path());
    let mut command = Command::new(directory.path().join("pulumi-resource-parrot"));
    let cache = bulkhead().command([""; 0]);
    command.envs(cache.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.arg("127.0.0.1:1").current_dir(directory.path()).env("XDG_CONFIG_HOME", directory.path());
    command.env("PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT", collector).stderr(Stdio::null());
    let plugin = Plugin::spawn(&mut command, Stdin::Pipe);
    (directory, plugin)
}

fn traced<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("traceparent", TRACEPARENT.parse().unwrap());
    request
}

fn attribute(span: &Span, key: &str) -> String {
    let found = span.attributes.iter().find(|attribute| attribute.key == key);
    match found.and_then(|attribute| attribute.value.clone()).and_then(|value| value.value) {
        Some(any_value::Value::StringValue(text)) => text,
        other => panic!("{key} should be a text: {other:?}"),
    }
}

fn number(span: &Span, key: &str) -> i64 {
    let found = span.attributes.iter().find(|attribute| attribute.key == key);
    match found.and_then(|attribute| attribute.value.clone()).and_then(|value| value.value) {
        Some(any_value::Value::IntValue(number)) => number,
        other => panic!("{key} should be a number: {other:?}"),
    }
}

fn code(span: &Span) -> i64 {
    number(span, "rpc.grpc.status_code")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_the_engine_and_to_the_host_are_spans_of_the_engines_trace() {
    let collector = Collector::default();
    let (_directory, mut plugin) = started(&collector.serve().await);
    let serving = Serving::by(&plugin).await.ready(object([("token", CANARY)])).await;
    let inputs = |how: &str| object([("how", Value::from(how)), ("word", Value::from(CANARY).secret())]);
    let token = "parrot:index:Bird";
    serving.client.clone().create(traced(creation(token, inputs("log")))).await.unwrap();
    serving.client.clone().create(traced(creation(token, inputs("failed")))).await.unwrap_err();
    let port = plugin.first_line().trim().to_owned();
    serving.raw("Frobnicate", 0, &[]).await;
    // They are sent in their order, and this is the last one.
    until("a span of a call that failed", || collector.spans().iter().any(|span| span.status.is_some())).await;
    plugin.close_stdin();
    assert!(plugin.left_within(Duration::from_secs(10)).is_some());

    let create = collector.span("pulumirpc.ResourceProvider/Create").await;
    assert_eq!((&create.trace_id[..], &create.parent_span_id[..]), (&TRACE[..], &PARENT[..]));
    assert_eq!((create.kind(), create.span_id.len()), (SpanKind::Server, 8));
    assert!(create.start_time_unix_nano > 0 && create.start_time_unix_nano <= create.end_time_unix_nano);
    assert_eq!(
        (attribute(&create, "pulumi.urn"), attribute(&create, "bulkhead.provider")),
        (urn(token), "parrot".into())
    );

    let log = collector.span("bulkhead:provider/log.log").await;
    assert_eq!((&log.trace_id[..], &log.parent_span_id), (&TRACE[..], &create.span_id));
    assert_eq!((log.kind(), attribute(&log, "bulkhead.phase")), (SpanKind::Internal, "create".into()));
    assert!(
        create.start_time_unix_nano <= log.start_time_unix_nano && log.end_time_unix_nano <= create.end_time_unix_nano
    );

    // One for each, and none besides.
    let spans = collector.spans();
    let named = |name: &str| spans.iter().filter(|span| span.name == name).count();
    assert_eq!((named("pulumirpc.ResourceProvider/Create"), named("bulkhead:provider/log.log")), (2, 1), "{spans:?}");

    let codes: Vec<_> = collector.spans().iter().filter(|span| span.name == create.name).map(code).collect();
    assert_eq!(codes, [0, 10], "a call that was answered is no failure of who answered it, whatever the answer");
    assert_eq!(attribute(&create, "rpc.response.status_code"), "OK");
    let unknown: Vec<Span> = collector.spans().into_iter().filter(|span| span.status.is_some()).collect();
    let [unknown] = &unknown[..] else { panic!("one call should have failed: {unknown:?}") };
    let status = unknown.status.as_ref().unwrap();
    assert_eq!((status.code(), status.message.as_str()), (StatusCode::Error, "unimplemented"));
    assert_eq!((code(unknown), attribute(unknown, "error.type")), (12, "UNIMPLEMENTED".into()));
    assert_eq!(attribute(unknown, "server.address"), "127.0.0.1");
    assert_eq!(number(unknown, "server.port").to_string(), port);
    assert!(!format!("{:?}", collector.spans()).contains("canary"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_trace_that_nobody_wants_to_see_is_not_exported() {
    // What is left is sent when the process leaves, which waits for that for a second.
    in_time(5, async || {
        let collector = Collector::default();
        let (_directory, mut plugin) = started(&collector.serve().await);
        let serving = Serving::by(&plugin).await.ready(Object::new()).await;
        let unsampled = TRACEPARENT.replace("-01", "-00");
        let mut create = Request::new(creation("parrot:index:Bird", object([("how", "log")])));
        create.metadata_mut().insert("traceparent", unsampled.parse().unwrap());
        serving.client.clone().create(create).await.unwrap();
        plugin.close_stdin();
        assert!(plugin.left_within(Duration::from_secs(10)).is_some());
        let spans = collector.spans();
        assert!(spans.iter().all(|span| span.trace_id[..] != TRACE[..]), "{spans:?}");
        spans.iter().any(|span| span.name == "pulumirpc.ResourceProvider/Configure").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_component_asks_of_the_engine_carries_the_trace_on() {
    let collector = Collector::default();
    let (_directory, plugin) = started(&collector.serve().await);
    let (serving, monitor) = (Serving::by(&plugin).await.ready(Object::new()).await, Monitor::start().await);
    let request = construction(&monitor, "parrot:index:Cage", object([("how", "echo")]));
    serving.client.clone().construct(traced(request)).await.unwrap();
    let construct = collector.span("pulumirpc.ResourceProvider/Construct").await;
    let span: String = construct.span_id.iter().map(|byte| format!("{byte:02x}")).collect();
    let expected = format!("00-0af7651916cd43dd8448eb211c80319c-{span}-01");
    assert_eq!(monitor.asked().traceparents, [expected.as_str(), expected.as_str()]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_that_is_not_there_is_no_matter() {
    let (_directory, plugin) = started("localhost:1");
    let serving = Serving::by(&plugin).await.ready(Object::new()).await;
    serving.create("parrot:index:Bird", object([("how", "log")])).await.unwrap();
}
