//! Connections that outlast a request: for the next one of the same configuration, and for nobody else.

use std::time::Duration;

use bulkhead_tests::Authority;

use super::certificates::{behaving, believing, encrypted};
use super::servers::{Manner, Server};
use super::{allowed, body, wish};
use crate::object;

const HELLO: &str = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_one_configuration_share_a_connection_and_two_configurations_do_not() {
    let authority = Authority::new();
    let server = behaving(&authority, &["localhost"], false, Manner::Converses(HELLO)).await;
    let (first, second) =
        (believing(&server, &[&authority.file()]).await, believing(&server, &[&authority.file()]).await);
    for serving in [&first, &second, &first, &second, &first] {
        assert_eq!(body(serving, encrypted("localhost", &server)).await.as_deref(), Ok("hello"));
        // It is back a moment after the guest has read the end.
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!((server.connections(), server.asked().len()), (2, 5));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_without_a_body_and_one_to_the_sdks_client_leave_their_connection_to_the_next() {
    let server = Server::behaving(Manner::Converses("HTTP/1.1 204 No Content\r\n\r\n")).await;
    let serving = allowed(&[format!("http://{}", server.authority())]).await;
    assert_eq!(body(&serving, wish(&server.authority())).await.as_deref(), Ok(""));
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let url = format!("http://{}/a", server.authority());
        serving.invoke("networked:index:ask", object([("method", "GET"), ("url", &url)])).await.unwrap();
    }
    assert_eq!((server.connections(), server.asked().len()), (1, 3));
}
