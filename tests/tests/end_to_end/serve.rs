//! `bulkhead serve`: what a provider's author relies on who attaches engines to it, again and again, while it changes.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::{ProviderHandshakeRequest, ResourceProviderClient};
use bulkhead_tests::serving::{Serving, wire};
use bulkhead_tests::{Guest, Launch, Process, Project, Redaction, in_time, run, temporary_directory, until};
use bulkhead_value::{Object, Value};
use rustix::process::Signal;
use tempfile::TempDir;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Response, Status};

use crate::{bulkhead, guest};

const PAGE: &str = "
resources:
  page:
    type: notes:Page
    properties: {notebook: plans, heading: {text: first, level: 1}}
";

/// A component that is being served from a directory of its own.
struct Served {
    directory: TempDir,
    process: Process,
    port: u16,
}

impl Served {
    fn start(guest: &Guest, options: &[&str]) -> Self {
        Self::start_in(temporary_directory(), guest, options)
    }

    fn start_in(directory: TempDir, guest: &Guest, options: &[&str]) -> Self {
        let component = directory.path().join("x.wasm");
        fs::copy(&guest.component, &component).unwrap();
        let mut command = bulkhead().command(["serve", "x.wasm"]);
        let mut process = Process::start(command.args(options).current_dir(directory.path()));
        process.wait_until_it_says("Ctrl-C ends\n");
        let said = process.said();
        let line = said.lines().find_map(|line| line.split_once("PULUMI_DEBUG_PROVIDERS=")).unwrap().1;
        let (name, port) = line.split_once(':').unwrap();
        assert_eq!(name, guest.name);
        Self { directory, port: port.parse().unwrap(), process }
    }

    fn component(&self) -> PathBuf {
        self.directory.path().join("x.wasm")
    }

    /// A project whose CLI finds no other provider than this.
    fn project(&self, name: &str) -> Project {
        let mut project = Project::new(&bulkhead(), &[], Launch::Elsewhere);
        project.set("PULUMI_DEBUG_PROVIDERS", format!("{name}:{}", self.port));
        project
    }

    async fn connect(&self) -> ResourceProviderClient<Channel> {
        let endpoint = Endpoint::from_shared(format!("http://127.0.0.1:{}", self.port)).unwrap();
        ResourceProviderClient::new(endpoint.connect().await.unwrap())
    }

    /// Ends it as its user does: what it said.
    fn end(self) -> String {
        self.process.signal(Signal::INT);
        let ended = self.process.finish().succeeded();
        Redaction::new().path(self.directory.path(), "[dir]").apply(&ended.output())
    }
}

/// Begins a conversation: the version of the component in it.
async fn begun(client: &mut ResourceProviderClient<Channel>) -> String {
    client.handshake(ProviderHandshakeRequest::default()).await.unwrap();
    version(client).await
}

async fn version(client: &mut ResourceProviderClient<Channel>) -> String {
    client.get_plugin_info(()).await.unwrap().into_inner().version
}

/// An engine that configured its provider.
async fn attached(served: &Served, author: &str) -> ResourceProviderClient<Channel> {
    let mut client = served.connect().await;
    begun(&mut client).await;
    let args = Some(wire(&Object::from([("author", Value::from(author))])));
    client.configure(pb::ConfigureRequest { args, accept_secrets: true, ..<_>::default() }).await.unwrap();
    client
}

async fn checked(client: &mut ResourceProviderClient<Channel>) -> Result<Response<pb::CheckResponse>, Status> {
    let news = Object::from([("notebook", Value::from("plans"))]);
    let urn = "urn:pulumi:dev::p::notes:index:Page::page".to_owned();
    client.check(pb::CheckRequest { urn, news: Some(wire(&news)), ..<_>::default() }).await
}

#[test]
fn runs_attach_one_after_the_other_and_each_starts_over() {
    let served = Served::start(&guest("notes"), &[]);
    let project = served.project("notes");
    project.program(PAGE);
    assert_eq!(project.preview(&[]).succeeded().steps(), ["create page"]);
    assert_eq!(project.up(&[]).succeeded().steps(), ["create page"]);
    project.up(&["--expect-no-changes"]).succeeded();
    project.pulumi(["config", "set", "notes:author", "Ada"]).succeeded();
    project.program(&PAGE.replace("plans", "diary"));
    project.up(&[]).succeeded();
    assert_eq!(project.state().output("page", "author"), "Ada", "what the last run configured is forgotten");
    assert_eq!(project.refresh(&[]).succeeded().steps(), [""; 0]);
    assert_eq!(project.destroy(&[]).succeeded().steps(), ["delete page"]);
    let port = served.port.to_string();
    insta::assert_snapshot!(served.end().replace(&port, "[port]"), @r"
    serving notes 1.2.3 (sha256:[digest]) from x.wasm
    to use it, in another terminal (with others that are served, joined by commas):
      export PULUMI_DEBUG_PROVIDERS=notes:[port]
    Ctrl-C ends
    ");
}

#[test]
fn providers_of_one_program_keep_their_own_configuration() {
    let served = Served::start(&guest("notes"), &[]);
    let project = served.project("notes");
    project.pulumi(["config", "set", "notes:author", "Hedy"]).succeeded();
    project.program(
        "
resources:
  ada: {type: 'pulumi:providers:notes', properties: {author: Ada}}
  grace: {type: 'pulumi:providers:notes', properties: {author: Grace}}
  first:
    type: notes:Page
    properties: {notebook: plans, heading: {text: first, level: 1}}
    options: {provider: '${ada}'}
  second:
    type: notes:Page
    properties: {notebook: '${first.notebook}', heading: {text: second, level: 1}}
    options: {provider: '${grace}'}
  third:
    type: notes:Page
    properties: {notebook: '${second.notebook}', heading: {text: third, level: 1}}
",
    );
    project.up(&[]).succeeded();
    let state = project.state();
    let authors = ["first", "second", "third"].map(|page| state.output(page, "author").clone());
    assert_eq!(authors, ["Ada", "Grace", "Hedy"]);
    project.destroy(&[]).succeeded();
}

/// As engines make one after half an hour without a call.
#[tokio::test]
async fn a_connection_that_is_made_again_goes_on_with_the_configuration_that_there_was_and_with_none_of_several() {
    let served = Served::start(&guest("notes"), &[]);
    let again = async || checked(&mut served.connect().await).await;
    attached(&served, "Ada").await;
    again().await.unwrap();
    // The next run, of the same program.
    attached(&served, "Ada").await;
    again().await.unwrap();
    attached(&served, "Grace").await;
    let refused = again().await.unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition, "{refused:?}");
    assert!(refused.message().ends_with("\nhint: run it again"), "{refused:?}");
}

/// Two terminals with two stacks of one provider, one of which was silent for long.
#[tokio::test]
async fn a_cancel_over_a_connection_that_is_made_again_ends_nobody_elses_work() {
    let served = Served::start(&guest("notes"), &[]);
    let attached = async || attached(&served, "Ada").await;
    let (mut silent, mut other) = (attached().await, attached().await);
    let mut again = served.connect().await;
    again.cancel(()).await.unwrap();
    checked(&mut other).await.unwrap();
    checked(&mut silent).await.unwrap();
    // Others are cancelled, whoever was configured last, and it goes on with what is left.
    let mut last = attached().await;
    for interrupted in [&mut other, &mut last] {
        interrupted.cancel(()).await.unwrap();
        checked(interrupted).await.unwrap_err();
    }
    checked(&mut again).await.unwrap();
    again.cancel(()).await.unwrap();
    checked(&mut silent).await.unwrap();
}

#[tokio::test]
async fn of_two_connections_that_are_made_again_each_goes_on_with_its_own() {
    let served = Served::start(&guest("notes"), &[]);
    let (first, second) = (attached(&served, "Ada").await, attached(&served, "Ada").await);
    drop((first, second));
    // They are gone by then.
    tokio::time::sleep(Duration::from_secs(5)).await;
    let (mut first, mut second) = (served.connect().await, served.connect().await);
    checked(&mut second).await.unwrap();
    first.cancel(()).await.unwrap();
    checked(&mut first).await.unwrap_err();
    checked(&mut second).await.unwrap();
    let _other = attached(&served, "Grace").await;
    checked(&mut second).await.unwrap();
    second.cancel(()).await.unwrap();
    checked(&mut second).await.unwrap_err();
}

#[tokio::test]
async fn a_changed_component_is_for_those_who_attach_from_then_on() {
    let guest = guest("notes");
    let changed = guest.of_version("7.0.0");
    // It is compiled by then. Engines wait for ten seconds, and who serves them for eight.
    let elsewhere = temporary_directory();
    fs::write(elsewhere.path().join("x.wasm"), &changed).unwrap();
    run(bulkhead().command(["inspect", "x.wasm"]).current_dir(elsewhere.path())).succeeded();
    let served = Served::start(&guest, &[]);
    let (mut first, mut second) = (served.connect().await, served.connect().await);
    assert_eq!(begun(&mut first).await, guest.version);
    fs::write(served.component(), changed).unwrap();
    // At once: nobody has to wait until it was noticed.
    assert_eq!(begun(&mut second).await, "7.0.0");
    assert_eq!(version(&mut first).await, guest.version, "what is under way keeps its component");
    assert_eq!(begun(&mut first).await, "7.0.0");
    let said = served.end();
    assert_eq!(said.matches("reloaded notes 7.0.0 (sha256:[digest])").count(), 1, "{said}");
}

#[test]
fn an_update_under_way_keeps_its_component() {
    let guest = guest("slow");
    let mut served = Served::start(&guest, &[]);
    let project = served.project("slow");
    let program = "resources:\n  it: {type: 'slow:Polite', properties: {seconds: 3, announced: true}}\n";
    project.program(program);
    let mut up = project.start_up();
    up.wait_until_it_says("waiting for readiness");
    fs::write(served.component(), guest.of_version("7.0.0")).unwrap();
    served.process.wait_until_it_says("reloaded slow 7.0.0");
    up.finish().succeeded();
    assert_eq!(project.state().output("it", "ready"), true);
    project.up(&["--expect-no-changes"]).succeeded();
}

#[tokio::test]
async fn a_file_that_cannot_be_served_is_told_once_and_the_last_one_goes_on() {
    let guest = guest("notes");
    let mut served = Served::start(&guest, &[]);
    let mut client = served.connect().await;
    fs::write(served.component(), "(component)").unwrap();
    assert_eq!(begun(&mut client).await, guest.version);
    assert_eq!(begun(&mut client).await, guest.version);
    fs::remove_file(served.component()).unwrap();
    served.process.wait_until_it_says("No such file");
    assert_eq!(begun(&mut client).await, guest.version);
    fs::copy(crate::guest("slow").component, served.component()).unwrap();
    served.process.wait_until_it_says("describes the package `slow`");
    assert_eq!(begun(&mut client).await, guest.version);
    fs::write(served.component(), guest.of_version("7.0.0")).unwrap();
    served.process.wait_until_it_says("reloaded notes 7.0.0");
    assert_eq!(begun(&mut client).await, "7.0.0");
    let said = served.end();
    insta::assert_snapshot!(said[said.find("error:").unwrap()..], @r"
    error: failed to load x.wasm: the file isn't WebAssembly; what was loaded before is still served
    hint: the file may be incomplete; build or download it again
    error: failed to load x.wasm: can't read x.wasm: No such file or directory (os error 2); what was loaded before is still served
    hint: name an existing .wasm file that you may read
    error: failed to serve the provider `notes`: x.wasm describes the package `slow`; what was loaded before is still served
    hint: one port is one provider's: serve the other one by itself
    ");
}

/// Each connection is an engine of its own, and one that comes ends nothing that another one left behind.
#[tokio::test]
async fn calls_whose_engine_is_gone_come_to_their_end_before_it_leaves() {
    in_time(5, async || {
        let directory = temporary_directory();
        fs::write(directory.path().join("Pulumi.yaml"), "name: left\nruntime: yaml\n").unwrap();
        fs::write(directory.path().join("bulkhead.toml"), "[audit]\nfile = \"audit.jsonl\"\n").unwrap();
        let audit = directory.path().join("audit.jsonl");
        let said = || fs::read_to_string(&audit).unwrap_or_default().matches(r#""function":"log""#).count();
        let served = Served::start_in(directory, &guest("behaviours"), &[]);
        let port = served.port.to_string();
        let begun = async |calls: usize| {
            let label = [("label".to_owned(), Value::from("test"))].into_iter().collect();
            let serving = Serving::at(&port).await.ready(label).await;
            let inputs = [("act", Value::from("waitAndUndo")), ("amount", 3_600_000.0.into())];
            let inputs = inputs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            let creating = tokio::spawn(async move { serving.create("behaviours:index:Running", inputs).await });
            until("what the component says when it waits", || said() >= calls).await;
            creating.abort_handle()
        };
        for engine in [begun(1).await, begun(2).await] {
            engine.abort();
        }
        Serving::at(&port).await.handshake(ProviderHandshakeRequest::default()).await;
        // Their connections are gone by then, and both still undo what they began.
        tokio::time::sleep(Duration::from_millis(100)).await;
        served.process.signal(Signal::INT);
        let Served { directory: _directory, process, .. } = served;
        process.finish().succeeded();
        // A process that leaves gives them little more than two seconds.
        (said() == 4).then_some(())
    })
    .await;
}

#[test]
fn a_port_can_be_chosen_and_is_free_again_afterwards() {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    for signal in [Signal::INT, Signal::TERM] {
        let served = Served::start(&guest("notes"), &["--port", &free.to_string()]);
        assert_eq!(served.port, free);
        let begun = Instant::now();
        served.process.signal(signal);
        served.process.finish().succeeded();
        // Less than it has for calls that are under way.
        assert!(begun.elapsed() < Duration::from_millis(3_500), "{signal:?} took {:?}", begun.elapsed());
    }
}

#[test]
fn it_ends_while_an_engine_is_attached_and_waits() {
    let served = Served::start(&guest("slow"), &[]);
    let project = served.project("slow");
    project.program("resources:\n  it: {type: 'slow:Polite', properties: {seconds: 120, announced: true}}\n");
    let mut up = project.start_up();
    up.wait_until_it_says("waiting for readiness");
    served.end();
    up.finish().failed();
    assert_eq!(project.state().resource("it")["id"], "polite-1", "the call in flight could save what it made");
}

/// What a command says that fails in a directory.
fn refused(directory: &Path, arguments: &[&str]) -> String {
    let finished = run(bulkhead().command(arguments).current_dir(directory));
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(1), ""), "{finished}");
    Redaction::new().path(directory, "[dir]").apply(&finished.stderr)
}

#[test]
fn what_cannot_be_served_is_refused_at_the_start() {
    let directory = temporary_directory();
    fs::copy(guest("notes").component, directory.path().join("notes.wasm")).unwrap();
    fs::write(directory.path().join("text.wasm"), "(component)").unwrap();
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let busy = refused(directory.path(), &["serve", "notes.wasm", "--port", &port]).replace(&port, "[port]");
    let others = ["missing.wasm", "text.wasm"].map(|file| refused(directory.path(), &["serve", file]));
    insta::assert_snapshot!(format!("{busy}{}", others.concat()), @r"
    error: failed to listen on port [port] of 127.0.0.1: Address already in use (os error 98)
    hint: choose another with `--port`, or a free one without
    error: failed to load missing.wasm: can't read missing.wasm: No such file or directory (os error 2)
    hint: name an existing .wasm file that you may read
    error: failed to load text.wasm: the file isn't WebAssembly
    hint: the file may be incomplete; build or download it again
    ");
    for arguments in [&["serve"][..], &["serve", "x.wasm", "--port", "70000"], &["serve", "x.wasm", "--watch"]] {
        let finished = bulkhead().run(arguments);
        assert_eq!((finished.code, finished.stdout.as_str()), (Some(64), ""), "{finished}");
    }
    fs::write(directory.path().join("bulkhead.toml"), "[limits]\nmemroy = 1\n").unwrap();
    let operator = refused(directory.path(), &["serve", "notes.wasm"]);
    assert!(operator.starts_with("error: failed to follow [dir]/bulkhead.toml: "), "{operator}");
}
