//! What is written down of a provider, by the process that engines start: who was allowed what, and what came of it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use bulkhead_proto::provider as pb;
use bulkhead_tests::serving::{Serving, creation, urn, wire};
use bulkhead_tests::{Plugin, Stdin, in_time, temporary_directory};
use bulkhead_value::{Object, Value};
use serde_json::Value as Json;
use tempfile::TempDir;
use tonic::Code;

use crate::{bulkhead, guest, object};

/// How long a process takes to leave: less than the grace of ten seconds that calls have otherwise.
const SOON: Duration = Duration::from_secs(8);

const CANARY: &str = "the-canary-sings-at-dawn";

/// A project in which a guest is a plugin.
struct Project(TempDir);

impl Project {
    fn new(name: &str, operator: &str) -> Self {
        let directory = temporary_directory();
        fs::write(directory.path().join("Pulumi.yaml"), "name: audited\nruntime: yaml\n").unwrap();
        fs::write(directory.path().join("bulkhead.toml"), operator).unwrap();
        fs::create_dir_all(directory.path().join("certs")).unwrap();
        fs::create_dir_all(directory.path().join("out")).unwrap();
        guest(name).bundle(&bulkhead(), directory.path());
        Self(directory)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.path().join(format!("pulumi-resource-{name}")));
        let cache = bulkhead().command([""; 0]);
        command.envs(cache.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.arg("127.0.0.1:1").current_dir(self.path()).env("XDG_CONFIG_HOME", self.path().join("user"));
        command.stderr(Stdio::null());
        command
    }

    fn started(&self, name: &str) -> Plugin {
        let mut command = self.command(name);
        command.env("BULKHEAD_AUDIT", self.path().join("audit.jsonl"));
        Plugin::spawn(&mut command, Stdin::Pipe)
    }

    /// The lines of a file so far.
    fn lines(&self, file: &str) -> Vec<Json> {
        let text = fs::read_to_string(self.path().join(file)).unwrap();
        assert!(text.is_empty() || text.ends_with('\n'), "lines are whole");
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// How often the component has logged something.
    fn said(&self) -> usize {
        having(&self.lines("audit.jsonl"), &[("event", "call"), ("function", "log")]).len()
    }

    /// Whether what such a create had begun is undone: a process that leaves gives it little more than two seconds.
    fn has_undone(&self) -> Option<()> {
        let said = self.said();
        assert!([1, 2].contains(&said), "{said}");
        (said == 2).then_some(())
    }

    /// Waits until a create is under way that undoes what it did when it is ended, and goes away from it.
    async fn undoing(&self, serving: &Serving) {
        let begun = async {
            while self.said() == 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let inputs = object([("act", Value::from("waitAndUndo")), ("amount", 3_600_000.0.into())]);
        tokio::select! {
            created = serving.create("behaviours:index:Running", inputs) => panic!("{created:?}"),
            () = begun => {}
        }
    }
}

/// The lines of which all of this holds.
fn having<'l>(lines: &'l [Json], members: &[(&str, &str)]) -> Vec<&'l Json> {
    lines.iter().filter(|line| members.iter().all(|(name, value)| line[*name] == *value)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_call_of_the_engine_is_a_line() {
    let project = Project::new("behaviours", "");
    let plugin = project.started("behaviours");
    let serving = Serving::by(&plugin).await.ready(object([("label", "test")])).await;
    let token = "behaviours:index:Creating";
    serving.create(token, object([("act", "succeed")])).await.unwrap();
    serving.create(token, object([("act", "fail")])).await.unwrap_err();
    let lines = project.lines("audit.jsonl");
    assert_eq!(having(&lines, &[("event", "rpc"), ("rpc", "Configure"), ("outcome", "ok")]).len(), 1);
    let created = having(&lines, &[("event", "rpc"), ("rpc", "Create")]);
    let outcomes: Vec<&str> = created.iter().map(|line| line["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["ok", "aborted"]);
    for line in created {
        assert_eq!((&line["urn"], &line["token"]), (&urn(token).into(), &token.into()));
        assert_eq!(line["provider"], "behaviours");
        let digest = line["digest"].as_str().unwrap();
        assert!(digest.len() == 71 && digest.starts_with("sha256:"), "as grants have it: {line}");
        assert!(line["duration_us"].as_u64().is_some_and(|duration| (1..60_000_000).contains(&duration)), "{line}");
        assert!(line["time"].as_str().unwrap().ends_with('Z'), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_nobody_waits_for_is_a_line_too_and_comes_to_its_end() {
    in_time(5, async || {
        let project = Project::new("behaviours", "");
        let mut plugin = project.started("behaviours");
        let serving = Serving::by(&plugin).await.ready(object([("label", "test")])).await;
        project.undoing(&serving).await;
        // As an engine that is killed leaves it.
        drop(serving);
        plugin.close_stdin();
        let left = plugin.left_within(SOON);
        assert!(left.is_some_and(|status| status.success()), "{left:?}");
        let lines = project.lines("audit.jsonl");
        let [created] = having(&lines, &[("event", "rpc"), ("rpc", "Create")])[..] else { panic!("{lines:?}") };
        assert_eq!(created["outcome"], "cancelled");
        project.has_undone()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_of_an_engine_before_the_present_one_comes_to_its_end_too() {
    in_time(5, async || {
        let project = Project::new("behaviours", "");
        let mut plugin = project.started("behaviours");
        let first = Serving::by(&plugin).await.ready(object([("label", "first")])).await;
        project.undoing(&first).await;
        drop(first);
        let second = Serving::by(&plugin).await.ready(object([("label", "second")])).await;
        drop(second);
        plugin.close_stdin();
        let left = plugin.left_within(SOON);
        assert!(left.is_some_and(|status| status.success()), "{left:?}");
        project.has_undone()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_share_a_file_spoil_no_line_of_each_others() {
    const CALLS: usize = 200;
    let project = Project::new("behaviours", "");
    let plugins = [project.started("behaviours"), project.started("behaviours")];
    let call = async |plugin: &Plugin| {
        let serving = Serving::by(plugin).await.ready(object([("label", "test")])).await;
        // As long as lines are: each has a URN that is cut.
        let urn = format!("urn:pulumi:dev::project::behaviours:index:Creating::{}", "ö".repeat(600));
        let create = || {
            let request = creation("behaviours:index:Creating", object([("act", "succeed")]));
            serving.create_as(bulkhead_proto::provider::CreateRequest { urn: urn.clone(), ..request })
        };
        for _ in 0..CALLS / 2 {
            let (one, other) = tokio::join!(create(), create());
            one.and(other).unwrap();
        }
    };
    tokio::join!(call(&plugins[0]), call(&plugins[1]));
    let lines = project.lines("audit.jsonl");
    assert_eq!(having(&lines, &[("event", "rpc"), ("rpc", "Create"), ("outcome", "ok")]).len(), 2 * CALLS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_call_to_the_host_is_a_line_that_says_for_whom() {
    let project = Project::new("parrot", "");
    let plugin = project.started("parrot");
    let serving = Serving::by(&plugin).await.ready(object([("token", CANARY)])).await;
    serving.create("parrot:index:Bird", object([("how", "log")])).await.unwrap();
    let lines = project.lines("audit.jsonl");
    let logged = having(&lines, &[("event", "call"), ("interface", "bulkhead:provider/log"), ("function", "log")]);
    let [logged] = logged[..] else { panic!("there should be one such line: {lines:?}") };
    assert_eq!((&logged["rpc"], &logged["phase"]), (&"Create".into(), &"create".into()));
    assert_eq!(logged["urn"], urn("parrot:index:Bird"));
    let [created] = having(&lines, &[("event", "rpc"), ("rpc", "Create")])[..] else { panic!("{lines:?}") };
    assert_eq!(logged["trace"], created["trace"]);
    assert!(logged["duration_us"].as_u64() <= created["duration_us"].as_u64() && logged["duration_us"].is_u64());
    // Neither values nor messages.
    let text = fs::read_to_string(project.path().join("audit.jsonl")).unwrap();
    assert!(!text.contains("canary") && !text.contains("I was"), "{text}");
}

/// The guest is asked for them one after the other, once the list has been answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_called_for_a_page_of_a_list_is_a_line_too() {
    let project = Project::new("catalogue", "");
    let plugin = project.started("catalogue");
    let serving = Serving::by(&plugin).await.ready(Object::new()).await;
    let token = "catalogue:index:Book";
    let query = object([("count", Value::from(4.0)), ("perPage", 2.0.into())]);
    let request = pb::ListRequest { token: token.to_owned(), query: Some(wire(&query)), ..<_>::default() };
    let mut pages = serving.client.clone().list(request).await.unwrap().into_inner();
    while pages.message().await.unwrap().is_some() {}
    let lines = project.lines("audit.jsonl");
    let [listed] = having(&lines, &[("event", "rpc"), ("rpc", "List")])[..] else { panic!("{lines:?}") };
    let logged = having(&lines, &[("event", "call"), ("rpc", "List"), ("phase", "list"), ("function", "log")]);
    assert_eq!(logged.len(), 2, "one for each page: {lines:?}");
    assert!(logged.iter().all(|line| line["trace"] == listed["trace"] && line["token"] == token), "{logged:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_decision_is_a_line() {
    let project = Project::new("granted", "[audit]\nfile = \"decisions.jsonl\"\n");
    let mut command = project.command("granted");
    command.env("GRANTED_TOKEN", CANARY);
    let plugin = Plugin::spawn(&mut command, Stdin::Pipe);
    let serving = Serving::by(&plugin).await.ready(Object::new()).await;
    serving.invoke("granted:index:variables", Object::new()).await.unwrap();
    let lines = project.lines("decisions.jsonl");
    let denied = having(&lines, &[("event", "decision"), ("verdict", "denied")]);
    let found = having(&lines, &[("capability", "environment"), ("subject", "GRANTED_TOKEN"), ("verdict", "denied")]);
    assert!(!found.is_empty(), "{denied:?}");
    assert_eq!(found[0]["why"], "nothing grants it");
    assert!(!having(&lines, &[("capability", "filesystem"), ("subject", "certs (read)")]).is_empty(), "{denied:?}");

    let arguments = ["grant", "granted.wasm", "--yes"];
    bulkhead_tests::run(bulkhead().command(arguments).current_dir(project.path())).succeeded();
    let plugin = Plugin::spawn(&mut command, Stdin::Pipe);
    let serving = Serving::by(&plugin).await.ready(Object::new()).await;
    serving.invoke("granted:index:variables", Object::new()).await.unwrap();
    let lines = project.lines("decisions.jsonl");
    let allowed =
        having(&lines, &[("capability", "environment"), ("subject", "GRANTED_TOKEN"), ("verdict", "allowed")]);
    assert!(!allowed.is_empty(), "{lines:?}");
    let written = object([("act", "write"), ("path", "out/report"), ("other", "x")]);
    serving.invoke("granted:index:attempt", written).await.unwrap();
    let lines = project.lines("decisions.jsonl");
    for function in ["[method]descriptor.open-at", "[method]descriptor.write-via-stream"] {
        let called = [("event", "call"), ("interface", "wasi:filesystem/types"), ("function", function)];
        assert!(!having(&lines, &called).is_empty(), "{function}: {lines:?}");
    }
    assert!(!fs::read_to_string(project.path().join("decisions.jsonl")).unwrap().contains("canary"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_denied_destination_is_a_line_without_what_is_secret_or_asked_there() {
    let project = Project::new("networked", "");
    let plugin = project.started("networked");
    let serving = Serving::by(&plugin).await.ready(Object::new()).await;
    let authority = Value::from(format!("{CANARY}.example.com")).secret();
    let wish = object([("authority", authority), ("path", "/?password=hunter2-hunter2".into())]);
    let status = serving.invoke("networked:index:fetch", wish).await.unwrap_err();
    assert!(!status.message().contains("canary"), "{status:?}");
    let lines = project.lines("audit.jsonl");
    let denied = having(&lines, &[("event", "decision"), ("capability", "network"), ("verdict", "denied")]);
    let [denied] = denied[..] else { panic!("there should be one denial: {lines:?}") };
    assert_eq!((&denied["phase"], &denied["token"]), (&"invoke".into(), &"networked:index:fetch".into()));
    assert!(denied["subject"].as_str().unwrap().contains("[secret]"), "{denied}");
    let text = fs::read_to_string(project.path().join("audit.jsonl")).unwrap();
    assert!(!text.contains("canary") && !text.contains("hunter2"), "{text}");

    // Whose it was is said, where it was somebody's.
    let page = "networked:index:Page";
    serving.create(page, object([("authority", "a.example.com")])).await.unwrap_err();
    let lines = project.lines("audit.jsonl");
    let denied = [("event", "decision"), ("verdict", "denied"), ("subject", "http://a.example.com (GET)")];
    let [denied] = having(&lines, &denied)[..] else { panic!("there should be one such denial: {lines:?}") };
    assert_eq!(
        (&denied["urn"], &denied["phase"], &denied["rpc"]),
        (&urn(page).into(), &"create".into(), &"Create".into())
    );
}

/// That is what grants are for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_granted_endpoint_may_be_told_a_secret_and_the_audit_has_no_word_of_it() {
    let project = Project::new("networked", "");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = String::new();
        let mut lines = BufReader::new(stream.try_clone().unwrap());
        while !request.ends_with("\r\n\r\n") {
            lines.read_line(&mut request).unwrap();
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").unwrap();
        request
    });
    let arguments = ["grant", "networked.wasm", "--yes"];
    bulkhead_tests::run(bulkhead().command(arguments).current_dir(project.path())).succeeded();
    let file = project.path().join("bulkhead.toml");
    let granted = fs::read_to_string(&file).unwrap();
    assert!(granted.contains("http://*:*"), "{granted}");
    fs::write(&file, granted.replace("http://*:*", &endpoint)).unwrap();

    let plugin = project.started("networked");
    let serving = Serving::by(&plugin).await.ready(Object::new()).await;
    let header = Value::from(format!("authorization: Bearer {CANARY}")).secret();
    let wish = object([
        ("authority", Value::from(endpoint.trim_start_matches("http://"))),
        ("path", format!("/?token={CANARY}").into()),
        ("headers", Value::List(vec![header].into())),
    ]);
    serving.invoke("networked:index:fetch", wish).await.unwrap();
    let told = server.join().unwrap();
    assert_eq!(told.matches(CANARY).count(), 2, "{told}");

    let lines = project.lines("audit.jsonl");
    let subject = format!("{endpoint} (GET)");
    let allowed = [("event", "decision"), ("verdict", "allowed"), ("subject", subject.as_str())];
    assert_eq!(having(&lines, &allowed).len(), 1, "{lines:?}");
    let sent = [("event", "call"), ("interface", "wasi:http/outgoing-handler"), ("function", "handle")];
    assert_eq!(having(&lines, &sent).len(), 1, "{lines:?}");
    assert!(!fs::read_to_string(project.path().join("audit.jsonl")).unwrap().contains("canary"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_file_that_is_required_nothing_is_done() {
    let project = Project::new("behaviours", "[audit]\nfile = \"missing/audit.jsonl\"\nrequired = true\n");
    let plugin = Plugin::spawn(&mut project.command("behaviours"), Stdin::Pipe);
    let serving = Serving::by(&plugin).await;
    let status = serving.configure(object([("label", "test")])).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    let file = project.path().join("missing/audit.jsonl");
    let said = format!("write to the audit file {}, which is required: ", file.display());
    assert!(status.message().starts_with(&said), "{status:?}");
    // An engine kills a plugin that fails in these, and tells of that instead.
    serving.handshake(pb::ProviderHandshakeRequest::default()).await;
    let known = serving.client.clone().get_plugin_info(()).await.unwrap().into_inner();
    assert_eq!(known.version, guest("behaviours").version);
    let status = serving.client.clone().get_schema(pb::GetSchemaRequest::default()).await.unwrap_err();
    assert!(status.message().starts_with(&said), "{status:?}");
    fs::create_dir(project.path().join("missing")).unwrap();
    serving.configure(object([("label", "test")])).await.unwrap();
    let lines = project.lines("missing/audit.jsonl");
    assert_eq!(lines[0]["event"], "resumed");
    let answered: Vec<&str> = lines[1..].iter().map(|line| line["rpc"].as_str().unwrap()).collect();
    assert_eq!(answered, ["Handshake", "GetPluginInfo", "Configure"], "what was answered, and nothing else");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_two_name_in_their_own_ways_has_each_line_once() {
    let project = Project::new("behaviours", "[audit]\nfile = \"audit.jsonl\"\n");
    for (before, named) in ["audit.jsonl", "out/../audit.jsonl"].into_iter().enumerate() {
        let plugin = Plugin::spawn(project.command("behaviours").env("BULKHEAD_AUDIT", named), Stdin::Pipe);
        let serving = Serving::by(&plugin).await;
        serving.configure(object([("label", "test")])).await.unwrap();
        let lines = project.lines("audit.jsonl");
        assert_eq!(having(&lines, &[("event", "rpc"), ("rpc", "Configure")]).len(), before + 1, "{named}: {lines:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_not_required_keeps_nobody_from_anything() {
    let project = Project::new("behaviours", "[audit]\nfile = \"missing/audit.jsonl\"\n");
    let plugin = Plugin::spawn(&mut project.command("behaviours"), Stdin::Pipe);
    let serving = Serving::by(&plugin).await;
    serving.configure(object([("label", "test")])).await.unwrap();
}
