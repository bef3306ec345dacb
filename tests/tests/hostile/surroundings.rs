//! Guests that look around where nothing was granted: nothing is there, and nobody is reached.

use std::net::{TcpListener, UdpSocket};

use bulkhead::component::Limits;
use bulkhead_policy::Permissions;
use bulkhead_tests::serving::{Serving, load};
use bulkhead_tests::temporary_directory;
use bulkhead_value::{Object, Value};
use serde_json::json;

use crate::{TELL, hostile, permitted, short, undisturbed, well, what};

/// What a guest found that looked for something with an argument.
async fn found(guest: &str, argument: &str, limits: Limits) -> Value {
    let serving = hostile(guest, limits).await;
    serving.invoke(TELL, what(argument)).await.unwrap().value["text"].clone()
}

/// The same of one that was granted something.
async fn with(guest: &str, permissions: Permissions, argument: &str) -> String {
    let loaded = load(&bulkhead_tests::hostile(guest), Limits::default()).unwrap();
    let serving = Serving::of(loaded.under(Limits::default(), permissions)).await.ready(well()).await;
    serving.invoke(TELL, what(argument)).await.unwrap().value["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn no_file_is_there() {
    undisturbed(async {
        assert!(std::path::Path::new("/etc/passwd").exists() && std::path::Path::new("/proc/self/environ").exists());
        // Such as whoever runs this has in a home.
        let home = temporary_directory();
        let credentials = home.path().join("credentials.json");
        std::fs::write(&credentials, "{}").unwrap();
        assert_eq!(found("files", credentials.to_str().unwrap(), Limits::default()).await, Value::from("of 240: "));
        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1, "nothing was made beside it");
        // The same one finds what it is granted.
        let permissions = permitted(
            &json!({ "filesystem": [{ "path": "home", "access": "read", "reason": "looks" }] }),
            json!({ "digest": "dev", "filesystem": [{ "path": "home", "at": home.path(), "access": "read" }] }),
        );
        let granted = with("files", permissions, "home/credentials.json").await;
        for way in ["read", "look at", "look at, without following,"] {
            assert!(granted.contains(&format!("{way} \"home/credentials.json\"")), "{granted}");
        }
        assert!(granted.contains("be given \"home\"") && !granted.contains("passwd"), "{granted}");
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
        assert_eq!(found("sockets", &address.to_string(), Limits::default()).await, Value::from("of 22: "));
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
        // The same one finds what it is granted.
        let (name, value) = std::env::vars().find(|(name, _)| name == "CARGO_MANIFEST_DIR").unwrap();
        let permissions = permitted(
            &json!({ "environment": [{ "name": name, "reason": "looks" }] }),
            json!({ "digest": "dev", "environment": [name] }),
        );
        let granted = with("surroundings", permissions, "").await;
        assert_eq!(granted, format!("{name}={value}, {name}"));
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
