//! What engines rely on when they start a plugin: one line on stdout, and an end.

use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use bulkhead_proto::provider::{ConfigureRequest, InvokeRequest, ProviderHandshakeRequest};
use bulkhead_tests::serving::wire;
use bulkhead_tests::{Finished, Plugin, Process, Stdin, hide_settings, run, running, temporary_directory};
use bulkhead_value::Value;
use rustix::process::Signal;
use tempfile::TempDir;

use crate::{bulkhead, guest};

/// How long leaving may take.
const SOON: Duration = Duration::from_secs(5);
/// How long staying is watched.
const WHILE: Duration = Duration::from_millis(500);

/// A bundle of the guest `notes`, and its executable.
fn bundle() -> (TempDir, PathBuf) {
    let directory = temporary_directory();
    guest("notes").bundle(&bulkhead(), directory.path());
    let executable = directory.path().join("pulumi-resource-notes");
    (directory, executable)
}

#[tokio::test]
async fn the_port_is_all_that_stands_on_stdout() {
    let (_directory, executable) = bundle();
    let mut plugin = Plugin::start(&executable, Stdin::Pipe);
    let line = plugin.first_line().to_owned();
    assert!(line.ends_with('\n') && line.trim_end().parse::<u16>().is_ok_and(|port| port > 0), "{line:?}");

    let mut client = plugin.client().await;
    client.handshake(ProviderHandshakeRequest::default()).await.unwrap();
    let info = client.get_plugin_info(()).await.unwrap().into_inner();
    assert_eq!(info.version, guest("notes").version);
    drop(client);

    plugin.signal(Signal::TERM);
    assert!(plugin.left_within(SOON).is_some_and(|status| status.success()));
    assert_eq!(plugin.rest_of_stdout(), "");
}

#[tokio::test]
async fn an_engine_may_send_much_beside_a_message() {
    let (_directory, executable) = bundle();
    let plugin = Plugin::start(&executable, Stdin::Pipe);
    let mut client = plugin.client().await;
    let mut request = tonic::Request::new(());
    request.metadata_mut().insert("much", "a".repeat(1 << 20).parse().unwrap());
    client.get_plugin_info(request).await.unwrap();
}

#[test]
fn it_leaves_on_signals_and_when_its_engine_is_gone() {
    let (_directory, executable) = bundle();
    // Several times, since it is the moment after the port line that counts.
    for signal in [Signal::INT, Signal::TERM].repeat(5) {
        let mut plugin = Plugin::start(&executable, Stdin::Null);
        plugin.signal(signal);
        let left = plugin.left_within(SOON);
        assert!(left.is_some_and(|status| status.success()), "{signal:?}: {left:?}");
    }
    let mut plugin = Plugin::start(&executable, Stdin::Pipe);
    assert_eq!(plugin.left_within(WHILE), None, "the engine is still there");
    plugin.close_stdin();
    let left = plugin.left_within(SOON);
    assert!(left.is_some_and(|status| status.success()), "{left:?}");
}

#[test]
fn it_leaves_with_its_terminal_unless_it_is_to_survive_that() {
    let (directory, executable) = bundle();
    let hung_up = |handling: &str| {
        let mut command = Command::new("env");
        command.arg(handling).arg(&executable).arg("127.0.0.1:1").stderr(Stdio::null());
        command.env("BULKHEAD_CACHE_DIR", directory.path().join("cache"));
        let plugin = Plugin::spawn(&mut command, Stdin::Null);
        plugin.signal(Signal::HUP);
        plugin
    };
    let left = hung_up("--default-signal=HUP").left_within(SOON);
    assert!(left.is_some_and(|status| status.success()), "{left:?}");
    // As `nohup` starts it.
    assert_eq!(hung_up("--ignore-signal=HUP").left_within(WHILE), None);
}

#[test]
fn it_leaves_with_an_engine_that_leaves_nothing_but_an_address() {
    let (_directory, executable) = bundle();
    let engine = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let mut plugin = Plugin::start_for(&engine.local_addr().unwrap().to_string(), &executable, Stdin::Null);
    // Whoever asks is turned away at once, and still knows that somebody is there.
    drop(engine.accept().unwrap());
    assert_eq!(plugin.left_within(WHILE), None, "the engine is still there");
    drop(engine);
    let left = plugin.left_within(Duration::from_secs(10));
    assert!(left.is_some_and(|status| status.success()), "{left:?}");
}

#[test]
fn it_leaves_with_the_process_that_started_it() {
    let (directory, executable) = bundle();
    let mut parent = Command::new("/bin/sh");
    parent.args(["-c", "\"$0\" 127.0.0.1:1 </dev/null & echo started; wait"]).arg(&executable);
    parent.env("BULKHEAD_CACHE_DIR", directory.path().join("cache"));
    let mut parent = Process::start(hide_settings(&mut parent));
    parent.wait_until_it_says("started");
    // The port stands on the same stdout.
    let deadline = Instant::now() + Duration::from_secs(60);
    while running(directory.path()).is_empty() && Instant::now() < deadline {
        sleep(Duration::from_millis(10));
    }
    sleep(WHILE);
    // Its compiler is another one, for as long as it takes.
    while running(directory.path()).len() > 1 && Instant::now() < deadline {
        sleep(Duration::from_millis(10));
    }
    assert_eq!(running(directory.path()).len(), 1, "its parent is still there");
    parent.signal(Signal::KILL);
    parent.finish();
    let deadline = Instant::now() + Duration::from_secs(10);
    while !running(directory.path()).is_empty() {
        assert!(Instant::now() < deadline, "it outlived its parent");
        sleep(Duration::from_millis(10));
    }
}

#[tokio::test]
async fn it_stays_without_a_stdin_and_after_cancel() {
    let (_directory, executable) = bundle();
    let mut plugin = Plugin::start(&executable, Stdin::Null);
    assert_eq!(plugin.left_within(WHILE), None, "an attached provider has no stdin to lose");
    let mut client = plugin.client().await;
    for _ in 0..2 {
        client.cancel(()).await.unwrap();
    }
    assert_eq!(plugin.left_within(WHILE), None, "Cancel isn't the end");
    client.handshake(ProviderHandshakeRequest::default()).await.unwrap();
    client.get_plugin_info(()).await.unwrap();
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn threads_for_long_answers_start_with_the_first_of_those() {
    let (_directory, executable) = bundle();
    let plugin = Plugin::start(&executable, Stdin::Pipe);
    let there = || plugin.threads().iter().any(|name| name == "answer");
    let mut client = plugin.client().await;
    client.handshake(ProviderHandshakeRequest::default()).await.unwrap();
    client.configure(ConfigureRequest::default()).await.unwrap();
    assert!(!there(), "most runs never need them, and wait for what is started: {:?}", plugin.threads());

    let text = [("text".to_owned(), Value::from("x".repeat(100 << 10)))].into_iter().collect();
    let tok = "notes:index:count".to_owned();
    client.invoke(InvokeRequest { tok, args: Some(wire(&text)), ..<_>::default() }).await.unwrap();
    assert!(there(), "{:?}", plugin.threads());
}

#[test]
fn who_tries_it_by_hand_is_told_what_it_is() {
    let (_directory, executable) = bundle();
    let version = run(Command::new(bulkhead().executable()).arg("--version")).succeeded().stdout;
    assert_eq!(run(Command::new(&executable).arg("--version")).succeeded().stdout, version);
    let told = run(Command::new(&executable).arg("--help")).succeeded();
    let what = "pulumi-resource-notes is a plugin: engines start it and attach to the port that it prints.\n";
    assert!(told.stdout.starts_with(&format!("{version}{what}")), "{told}");
}

/// Whoever has a bundle and nothing else is told by denials to run commands.
#[test]
fn a_bundle_has_the_commands_that_denials_name() {
    let (directory, executable) = bundle();
    let component = directory.path().join("notes.wasm");
    let told = run(hide_settings(Command::new(&executable).arg("grant").arg(&component))).succeeded();
    assert_eq!(told.stdout, "notes 1.2.3 asks for nothing, and runs without a grant\n");
    let wrong = run(Command::new(&executable).arg("grant")).failed();
    assert_eq!(wrong.code, Some(64), "{wrong}");
    let known = run(Command::new(&executable).arg("help")).succeeded().stdout;
    assert!(known.contains("\n  grant ") && known.contains("\n  inspect "), "{known}");
}

/// Starts a plugin that can't serve: what it says instead.
fn refused(executable: &PathBuf) -> Finished {
    let finished = run(hide_settings(&mut Command::new(executable))).failed();
    assert_eq!(finished.stdout, "", "an engine would take it for the port: {finished}");
    finished
}

#[test]
fn without_its_component_it_says_where_it_looked() {
    let (directory, executable) = bundle();
    std::fs::remove_file(directory.path().join("notes.wasm")).unwrap();
    let path = directory.path().join("notes.wasm");
    assert_eq!(
        refused(&executable).stderr,
        format!(
            "error: failed to find the component of the provider `notes`: there is no {}\n\
             hint: `bulkhead bundle notes.wasm -o DIR` puts the component where its executable looks for it\n",
            path.display()
        )
    );
}

#[test]
fn under_another_providers_name_it_does_not_serve() {
    let (directory, executable) = bundle();
    let renamed = directory.path().join("pulumi-resource-aws");
    std::fs::rename(executable, &renamed).unwrap();
    std::fs::rename(directory.path().join("notes.wasm"), directory.path().join("aws.wasm")).unwrap();
    assert_eq!(
        refused(&renamed).stderr,
        format!(
            "error: failed to serve the provider `aws`: {0} describes the package `notes`\n\
             hint: run `bulkhead bundle {0} -o {1}`, and name `notes` where the program names `aws`\n",
            directory.path().join("aws.wasm").display(),
            directory.path().display()
        )
    );
}
