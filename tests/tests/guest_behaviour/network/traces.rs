//! What whoever traces is told of a request: as OpenTelemetry has it of clients, and nothing that may be secret.

use std::sync::{Arc, Mutex};

use bulkhead::audit::{Auditor, Kind, Span, Spans, Told};
use bulkhead::component::Limits;
use bulkhead_tests::serving::{Serving, load};
use bulkhead_value::{Object, Value};
use serde_json::json;

use super::servers::{Server, ok};
use super::{FETCH, NETWORKED, granted, wish, with};

const SECRET: &str = "the-canary-sings-at-dawn";

/// Keeps what it is told.
#[derive(Default)]
struct Collected(Mutex<Vec<Span>>);

impl Spans for Collected {
    fn take(&self, span: Span) {
        self.0.lock().unwrap().push(span);
    }
}

fn told(span: &Span, key: &str) -> Option<Told> {
    let found = span.attributes.iter().find(|(name, told)| *name == key && *told != Told::Text(String::new()));
    found.map(|(_, told)| told.clone())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_a_clients_span_that_lasts_until_its_response_and_tells_nothing_secret() {
    let server = Server::answering(|request| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        match request.split(' ').nth(1) {
            Some("/missing") => "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".to_owned(),
            _ => ok("hello"),
        }
    })
    .await;
    // A port that nobody else gets, and where nobody listens.
    let held = tokio::net::TcpSocket::new_v4().unwrap();
    held.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let silent = held.local_addr().unwrap();
    let spans = Arc::new(Collected::default());
    let auditor = Auditor::new(Vec::new(), Some(Arc::<Collected>::clone(&spans)), "networked", "d1");
    let permissions = granted(json!([format!("http://{}", server.authority()), format!("http://{silent}")]), &[]);
    let loaded = load(&NETWORKED, Limits::default()).unwrap().under(Limits::default(), permissions);
    let serving = Serving::audited(loaded, auditor).await.ready(Object::new()).await;

    let query = format!("/found?token={SECRET}");
    let denied = Value::from(format!("{SECRET}.example.com")).secret();
    for wish in [
        with(wish(&server.authority()), "path", query.as_str()),
        with(wish(&server.authority()), "path", "/missing"),
        with(wish(&server.authority()), "method", "FROB"),
        wish(&silent.to_string()),
        with(wish("x"), "authority", denied),
    ] {
        let _ = serving.invoke(FETCH, wish).await;
    }
    let spans = spans.0.lock().unwrap().clone();
    let found: Vec<_> = spans.iter().filter(|span| span.kind == Kind::Client).collect();
    let number = |number: u16| Some(Told::Number(number.into()));
    let text = |text: &str| Some(Told::Text(text.to_owned()));
    let (address, port, silent) = (text("127.0.0.1"), number(server.port()), number(silent.port()));
    for (span, (name, method, address, port, status, error)) in found.iter().zip([
        ("GET", "GET", address.clone(), port.clone(), number(200), None),
        ("GET", "GET", address.clone(), port.clone(), number(404), text("404")),
        ("HTTP", "_OTHER", address.clone(), port, number(200), None),
        ("GET", "GET", address, silent, None, text("connection_failed")),
        ("GET", "GET", text("[secret]"), number(80), None, text("denied")),
    ]) {
        assert_eq!((span.name.as_str(), told(span, "http.request.method")), (name, text(method)), "{span:?}");
        assert_eq!((told(span, "server.address"), told(span, "server.port")), (address, port), "{span:?}");
        assert_eq!(told(span, "http.response.status_code"), status, "{span:?}");
        assert_eq!((told(span, "error.type"), span.failure.is_some()), (error.clone(), error.is_some()), "{span:?}");
        assert_eq!(told(span, "pulumi.token"), text(FETCH));
    }
    assert_eq!(found.len(), 5, "{found:?}");
    assert_eq!(told(found[2], "http.request.method_original"), text("FROB"));
    let took = found[0].ended.duration_since(found[0].started).unwrap();
    assert!(took.as_millis() >= 50, "{took:?}");
    let rpc = spans.iter().find(|span| span.id == found[0].parent).unwrap();
    assert_eq!((rpc.trace, rpc.name.as_str()), (found[0].trace, "pulumirpc.ResourceProvider/Invoke"));
    assert!(!format!("{spans:?}").contains("canary"), "{spans:?}");
}
