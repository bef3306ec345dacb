//! Connections that outlast a request: for the next one of the same configuration, and for nobody else.

use std::time::Duration;

use bulkhead_tests::{Authority, in_time};

use super::certificates::{behaving, believing, encrypted};
use super::servers::{Manner, Server};
use super::{allowed, body, wish};
use crate::object;

/// After which a connection is back that a guest has read the end of a response from, and how often that is tried with one twice as
/// long. None is kept for more than some seconds.
const MOMENT: Duration = Duration::from_millis(100);
const TRIES: u32 = 5;

const HELLO: &str = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_one_configuration_share_a_connection_and_two_configurations_do_not() {
    let authority = Authority::new();
    let mut pause = MOMENT;
    in_time(TRIES, async || {
        let server = behaving(&authority, &["localhost"], false, Manner::Converses(HELLO)).await;
        let (first, second) =
            (believing(&server, &[&authority.file()]).await, believing(&server, &[&authority.file()]).await);
        for serving in [&first, &second, &first, &second, &first] {
            assert_eq!(body(serving, encrypted("localhost", &server)).await.as_deref(), Ok("hello"));
            tokio::time::sleep(pause).await;
        }
        pause *= 2;
        assert_eq!(server.asked().len(), 5);
        assert!(server.connections() >= 2, "two configurations share none");
        (server.connections() == 2).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_without_a_body_and_one_to_the_sdks_client_leave_their_connection_to_the_next() {
    let mut pause = MOMENT;
    in_time(TRIES, async || {
        let server = Server::behaving(Manner::Converses("HTTP/1.1 204 No Content\r\n\r\n")).await;
        let serving = allowed(&[format!("http://{}", server.authority())]).await;
        assert_eq!(body(&serving, wish(&server.authority())).await.as_deref(), Ok(""));
        for _ in 0..2 {
            tokio::time::sleep(pause).await;
            let url = format!("http://{}/a", server.authority());
            serving.invoke("networked:index:ask", object([("method", "GET"), ("url", &url)])).await.unwrap();
        }
        pause *= 2;
        assert_eq!(server.asked().len(), 3);
        (server.connections() == 1).then_some(())
    })
    .await;
}
