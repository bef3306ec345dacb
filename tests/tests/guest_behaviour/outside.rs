//! What a guest finds outside of itself: nothing.

use std::net::TcpListener;

use bulkhead_value::{List, Value};

use crate::{act, behaviours, object, serves_on};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_the_machine_is_there() {
    let serving = behaviours().await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    assert!(std::env::vars().count() > 0, "there is an environment to be seen");
    // Another run may have left it, of a host that was wrong.
    let left = std::path::Path::new("/tmp/bulkhead-was-here");
    assert!(!left.exists() || std::fs::remove_file(left).is_ok());
    let found = serving.invoke("behaviours:index:surroundings", object([("address", &*address)])).await.unwrap();
    let nothing = Value::List(List::from(Vec::new()));
    let expected = object([
        ("arguments", nothing.clone()),
        ("variables", nothing),
        ("file", "No such file or directory (os error 44)".into()),
        ("newFile", "No such file or directory (os error 44)".into()),
        ("directory", "No such file or directory (os error 44)".into()),
        ("connection", "Permission denied (os error 2)".into()),
        ("datagrams", "Permission denied (os error 2)".into()),
        ("resolution", "Permission denied (os error 2)".into()),
        ("stdout", "allowed".into()),
    ]);
    assert_eq!(found.value, expected);
    assert!(listener.accept().is_err(), "nobody should have come");
    assert!(!left.exists());
}

/// Libraries don't ask the host for a file where they have no directory, so that nothing was denied.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_looks_for_a_file_without_a_directory_is_told_why_there_is_none() {
    let serving = behaviours().await;
    let status = serving.invoke("behaviours:index:run", act("readFile")).await.unwrap_err();
    assert_eq!(
        status.message(),
        "No such file or directory (os error 44)\nhint: the component has no directories, since its manifest asks for none: it is the \
         provider's author who asks, with `permissions.filesystem`"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stdin_is_at_its_end() {
    let serving = behaviours().await;
    let invoked = serving.invoke("behaviours:index:run", act("readStdin")).await.unwrap();
    assert_eq!(invoked.value["text"], Value::from("Ok(0), \"\""));
    serves_on(&serving).await;
}
