//! Guests that look around where nothing was granted: nothing is there, and nobody is reached.

use std::net::{TcpListener, UdpSocket};

use bulkhead::component::Limits;
use bulkhead_tests::temporary_directory;
use bulkhead_value::{Object, Value};

use crate::{TELL, hostile, short, undisturbed, what};

/// What a guest found that looked for something with an argument.
async fn found(guest: &str, argument: &str, limits: Limits) -> Value {
    let serving = hostile(guest, limits).await;
    serving.invoke(TELL, what(argument)).await.unwrap().value["text"].clone()
}

#[tokio::test]
async fn no_file_is_there() {
    undisturbed(async {
        assert!(std::path::Path::new("/etc/passwd").exists() && std::path::Path::new("/proc/self/environ").exists());
        // Such as whoever runs this has in a home.
        let home = temporary_directory();
        let credentials = home.path().join("credentials.json");
        std::fs::write(&credentials, "{}").unwrap();
        assert_eq!(found("files", credentials.to_str().unwrap(), Limits::default()).await, Value::from(""));
        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1, "nothing was made beside it");
    })
    .await;
}

#[tokio::test]
async fn nobody_is_reached() {
    undisturbed(async {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let datagrams = UdpSocket::bind(address).unwrap();
        datagrams.set_nonblocking(true).unwrap();
        assert_eq!(found("sockets", &address.to_string(), Limits::default()).await, Value::from(""));
        assert!(listener.accept().is_err(), "nobody should have come");
        assert!(datagrams.recv(&mut [0]).is_err(), "nothing should have come");
    })
    .await;
}

#[tokio::test]
async fn nothing_of_the_process_is_there() {
    undisturbed(async {
        assert!(std::env::vars().count() > 0 && std::env::args().count() > 0);
        assert_eq!(found("surroundings", "", short()).await, Value::from(""));
    })
    .await;
}

#[tokio::test]
async fn nothing_of_another_configuration_is_there() {
    undisturbed(async {
        let first = crate::unready("peek", Limits::default()).await.ready(keyed("first-key")).await;
        assert_eq!(
            first.invoke(TELL, what("first-key")).await.unwrap().value["text"],
            "first-key, first-key, 1".into()
        );
        // The same process, the same compiled code, the same engine after another handshake.
        let second = crate::unready("peek", Limits::default()).await.ready(keyed("second-key")).await;
        let found = second.invoke(TELL, what("first-key")).await.unwrap().value["text"].clone();
        assert_eq!(found, "second-key, second-key, 0".into());
        let third = first.ready(keyed("third-key")).await;
        let found = third.invoke(TELL, what("first-key")).await.unwrap().value["text"].clone();
        assert_eq!(found, "third-key, third-key, 0".into());
    })
    .await;
}

fn keyed(key: &str) -> Object {
    crate::object([("key", key)])
}

#[tokio::test]
async fn what_a_configuration_shares_is_bounded() {
    undisturbed(async {
        let refusals = found("session-flood", "", Limits::default()).await;
        let expected = [
            "what is shared would grow to 4097 keys, and the limit is 4096",
            "a shared value would grow to 10000000 bytes, and the limit is 262144",
            "a shared name would grow to 10000000 bytes, and the limit is 1024",
            "a shared name would grow to 10000000 bytes, and the limit is 1024",
        ];
        assert_eq!(refusals, expected.join("; ").as_str().into());
    })
    .await;
}
