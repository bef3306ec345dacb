//! The same through the executable: a process that an engine started, and that has to survive its guests.

use std::net::{Ipv4Addr, TcpStream};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bulkhead_proto::engine as pe;
use bulkhead_proto::plugin::PluginAttach;
use bulkhead_proto::provider as pb;
use bulkhead_tests::serving::{Serving, creation, init_failed, urn};
use bulkhead_tests::{Plugin, Stdin, in_time, temporary_directory};
use bulkhead_value::{Object, Value};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Code, Request, Response, Status};

use crate::{act, bulkhead, guest, labelled, object, serves_on};

fn plugin() -> (TempDir, Plugin) {
    let directory = temporary_directory();
    guest("behaviours").bundle(&bulkhead(), directory.path());
    let plugin = Plugin::start(&directory.path().join("pulumi-resource-behaviours"), Stdin::Pipe);
    (directory, plugin)
}

/// What starts the plugin in a directory once more, within bounds that a shell sets.
fn bounded(directory: &TempDir, bounds: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit {bounds} && exec \"$0\" 127.0.0.1:1")]);
    command.arg(directory.path().join("pulumi-resource-behaviours"));
    let cache = bulkhead().command([""; 0]);
    command.envs(cache.get_envs().filter_map(|(name, value)| Some((name, value?)))).stderr(Stdio::null());
    command
}

/// Whatever there are too few files for, that is what somebody is told to mend.
#[test]
fn a_process_that_may_have_few_files_open_starts_or_says_what_gives_it_more() {
    let (directory, _plugin) = plugin();
    let mut refused = 0;
    for files in 4..=16 {
        let mut command = Command::new("timeout");
        let bounded = bounded(&directory, &format!("-n {files}"));
        command.arg("5").arg(bounded.get_program()).args(bounded.get_args());
        command.envs(bounded.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let ended = bulkhead_tests::run(bulkhead_tests::hide_settings(&mut command));
        // Nor does it start where the system's loader finds no file.
        if ended.code == Some(1) {
            refused += 1;
            let hint = "\nhint: let processes have more files open (`ulimit -n`)\n";
            assert!(ended.stderr.ends_with(hint), "{files}: {ended}");
        }
        for warning in ended.stderr.lines().filter(|line| line.starts_with("warning: ") && line.contains("hint: ")) {
            assert!(warning.contains("os error 24") && warning.ends_with("(`ulimit -n`)"), "{files}: {ended}");
        }
        assert!(!ended.stderr.contains("panicked"), "{files}: {ended}");
    }
    assert!(refused > 0, "with some it can't start");
}

/// An engine that keeps what it is told.
#[derive(Clone, Default)]
struct Engine(Arc<Mutex<Vec<pe::LogRequest>>>);

#[tonic::async_trait]
impl pe::Engine for Engine {
    async fn log(&self, request: Request<pe::LogRequest>) -> Result<Response<()>, Status> {
        self.0.lock().unwrap().push(request.into_inner());
        Ok(Response::new(()))
    }
}

impl Engine {
    /// Serves, and says where.
    async fn serve(&self) -> String {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let service = pe::EngineServer::new(self.clone());
        tokio::spawn(Server::builder().add_service(service).serve_with_incoming(TcpIncoming::from(listener)));
        address
    }

    /// Waits for so many messages.
    async fn told(&self, count: usize) -> Vec<pe::LogRequest> {
        for _ in 0..1_000 {
            if self.0.lock().unwrap().len() >= count {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        self.0.lock().unwrap().clone()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_reach_the_engine_that_shook_hands() {
    let (engine, (_directory, plugin)) = (Engine::default(), plugin());
    let serving = Serving::by(&plugin).await;
    let engine_address = engine.serve().await;
    serving.handshake(pb::ProviderHandshakeRequest { engine_address, ..<_>::default() }).await;
    serving.configure(labelled("a")).await.unwrap();
    let talking = "behaviours:index:Talking";
    serving.create(talking, Object::new()).await.unwrap();
    let told = engine.told(5).await;
    let expected = [
        (pe::LogSeverity::Debug, "for the author", false),
        (pe::LogSeverity::Info, "worth knowing", false),
        (pe::LogSeverity::Warning, "probably a mistake", false),
        (pe::LogSeverity::Error, "something failed", false),
        (pe::LogSeverity::Info, "still talking", true),
    ];
    let expected = expected.map(|(severity, message, ephemeral)| pe::LogRequest {
        severity: severity as i32,
        message: message.to_owned(),
        urn: urn(talking),
        stream_id: 0,
        ephemeral,
    });
    assert_eq!(told, expected);
}

/// An engine that has its last answer ends, and shows nothing that it is told later. An answer waits for a quarter of a second at most.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_comes_after_what_was_said_in_its_call() {
    let (_directory, plugin) = plugin();
    let serving = Serving::by(&plugin).await;
    in_time(5, async || {
        let engine = Engine::default();
        let engine_address = engine.serve().await;
        serving.handshake(pb::ProviderHandshakeRequest { engine_address, ..<_>::default() }).await;
        serving.configure(labelled("a")).await.unwrap();
        let mut all = true;
        for call in 1..=10 {
            serving.create("behaviours:index:Talking", Object::new()).await.unwrap();
            all &= engine.0.lock().unwrap().len() == 5 * call;
        }
        all.then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_follow_to_the_engine_that_attached_last() {
    let (first, second, (_directory, plugin)) = (Engine::default(), Engine::default(), plugin());
    let serving = Serving::by(&plugin).await;
    let engine_address = first.serve().await;
    serving.handshake(pb::ProviderHandshakeRequest { engine_address, ..<_>::default() }).await;
    serving.configure(labelled("a")).await.unwrap();
    serving.create("behaviours:index:Talking", Object::new()).await.unwrap();
    assert_eq!(first.told(5).await.len(), 5);
    let attach =
        async |address: &str| serving.client.clone().attach(PluginAttach { address: address.to_owned() }).await;
    let status = attach("").await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::InvalidArgument, "attach to an engine: its address is empty"));
    // Nobody to talk to is no reason to fail.
    attach("no address at all").await.unwrap();
    serving.create("behaviours:index:Talking", Object::new()).await.unwrap();
    attach(&second.serve().await).await.unwrap();
    serving.create("behaviours:index:Talking", Object::new()).await.unwrap();
    let told = second.told(5).await;
    assert_eq!(told.last().map(|told| told.message.as_str()), Some("still talking"));
    assert_eq!(first.told(5).await.len(), 5, "and the first hears no more");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_process_survives_what_guests_do() {
    let (_directory, mut plugin) = plugin();
    let serving = Serving::by(&plugin).await.ready(labelled("a")).await;
    let running = "behaviours:index:Running";
    let left =
        init_failed(&serving.create("behaviours:index:Creating", act("panicAfterCheckpoint")).await.unwrap_err());
    assert_eq!(left.id, "made-1");
    let looping = pb::CreateRequest { timeout: 0.5, ..creation(running, act("loop")) };
    assert_eq!(serving.create_as(looping).await.unwrap_err().code(), Code::DeadlineExceeded);
    for (what, code) in [("memory", Code::ResourceExhausted), ("recursion", Code::ResourceExhausted)] {
        let status = serving.create(running, act(what)).await.unwrap_err();
        assert_eq!(status.code(), code, "{what}: {status:?}");
    }
    serves_on(&serving).await;
    assert!(plugin.left_within(Duration::ZERO).is_none(), "the process should be alive");
}

#[test]
fn a_process_that_may_have_next_to_no_files_open_says_so() {
    let (directory, _compiled) = plugin();
    for files in 4..9 {
        let mut command = bounded(&directory, &format!("-n {files}"));
        let ended = command.stdin(Stdio::null()).stderr(Stdio::piped()).output().unwrap();
        let told = String::from_utf8_lossy(&ended.stderr);
        assert!(told.starts_with("error: ") && told.contains("Too many open files"), "{files} files: {told}");
    }
}

/// As batch systems have it, which bound what processes may have so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_without_addresses_for_an_instance_blames_no_provider() {
    let (directory, _compiled) = plugin();
    let plugin = Plugin::spawn(&mut bounded(&directory, "-v 3000000"), Stdin::Pipe);
    let refused = Serving::by(&plugin).await.configure(labelled("a")).await.unwrap_err();
    assert_eq!(refused.code(), Code::ResourceExhausted, "{refused:?}");
    assert!(refused.message().contains("hint: let it have more (`ulimit -v`)"), "{refused:?}");
}

/// A call that waits goes on among threads that take files too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_few_files_may_be_open_no_call_is_lost() {
    // Compiling takes more of them.
    let (directory, _compiled) = plugin();
    // Some of them are enough for the threads of one kind and not for those of the other.
    for files in 14..22 {
        let plugin = Plugin::spawn(&mut bounded(&directory, &format!("-n {files}")), Stdin::Pipe);
        let serving = Serving::by(&plugin).await.ready(labelled("a")).await;
        let waiting = object([("act", Value::from("wait")), ("amount", 20.0.into())]);
        let created = serving.create("behaviours:index:Running", waiting).await;
        assert_eq!(created.unwrap().id, "running-1", "{files} files");
    }
}

/// To take a connection fails at once where there is no file left for it, and goes on failing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_no_file_is_left_for_wait_and_keep_nobody_busy() {
    let (directory, _compiled) = plugin();
    let plugin = Plugin::spawn(&mut bounded(&directory, "-n 40"), Stdin::Pipe);
    let address = format!("127.0.0.1:{}", plugin.first_line().trim());
    let taken: Vec<TcpStream> = (0..64).map(|_| TcpStream::connect(&address).unwrap()).collect();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let before = plugin.computed();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let computed = plugin.computed() - before;
    assert!(computed < Duration::from_millis(200), "it computed for {computed:?}");

    let port = plugin.first_line().to_owned();
    let served = tokio::spawn(async move { Serving::at(&port).await.ready(labelled("a")).await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!served.is_finished(), "there should have been no file left");
    drop(taken);
    serves_on(&served.await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_messages_pass_and_stdout_stays_the_engines() {
    let (_directory, mut plugin) = plugin();
    let serving = Serving::by(&plugin).await.ready(labelled("a")).await;
    let text = "x".repeat(5 << 20);
    let blob = serving.invoke("behaviours:index:blob", object([("text", &*text)])).await.unwrap().value;
    assert!(blob["text"] == Value::from(text) && blob["length"] == Value::from(f64::from(5 << 20)));
    let found = serving.invoke("behaviours:index:surroundings", object([("address", "127.0.0.1:1")])).await.unwrap();
    let nothing = Value::List(Vec::new().into());
    assert_eq!((&found.value["variables"], &found.value["arguments"]), (&nothing, &nothing));
    assert_eq!(found.value["stdout"], Value::from("allowed"), "a guest may print, into nothing");
    drop(serving);
    plugin.close_stdin();
    plugin.left_within(Duration::from_secs(10)).expect("a plugin leaves with its engine");
    assert_eq!(plugin.rest_of_stdout(), "");
}
