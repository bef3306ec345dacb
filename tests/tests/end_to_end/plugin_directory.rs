//! Directories with a `PulumiPlugin.yaml`, through `pulumi-language-wasm`: whatever the CLI does with one, and what is left of it.

mod versions;
mod working_directory;

use std::fs::{self, File};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bulkhead_proto::language::{
    LanguageRuntimeClient, ProgramInfo, RunPluginRequest, RunPluginResponse, RunRequest, run_plugin_response,
};
use bulkhead_proto::provider::{GetSchemaRequest, ProviderHandshakeRequest, ResourceProviderClient};
use bulkhead_tests::serving::{Serving, wire};
use bulkhead_tests::{Finished, Guest, Launch, Plugin, Project, Redaction, Stdin, quiet_within, running};
use bulkhead_value::Object;
use flate2::Compression;
use flate2::write::GzEncoder;
use rustix::process::Signal;
use serde_json::{Value, json};
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status, Streaming};

use crate::{bulkhead, guest};

/// How long leaving may take.
const SOON: Duration = Duration::from_secs(5);

const PAGE: &str = "
resources:
  page:
    type: notes:Page
    properties: {notebook: plans, heading: {text: first, level: 1}}
";

/// A project whose CLI finds the language host on the PATH, and no provider.
fn project() -> Project {
    let project = Project::new(&bulkhead(), &[], Launch::SearchPath);
    fs::copy(bulkhead().executable(), project.plugins().join("pulumi-language-wasm")).unwrap();
    project
}

/// Files, by name.
type Files<'a> = &'a [(&'a str, &'a [u8])];

/// A directory beside the program's, with these files.
fn directory(project: &Project, name: &str, files: Files<'_>) -> PathBuf {
    let directory = project.temporary().join(name);
    fs::create_dir_all(&directory).unwrap();
    for (file, contents) in files {
        fs::write(directory.join(file), contents).unwrap();
    }
    directory
}

/// A plugin directory with a guest's component.
fn plugin(project: &Project, guest: &Guest) -> PathBuf {
    let component = fs::read(&guest.component).unwrap();
    let file = format!("{}.wasm", guest.name);
    directory(project, &guest.name, &[("PulumiPlugin.yaml", b"runtime: wasm\n"), (&file, &component)])
}

/// A program that names the plugin directory of a guest.
fn program(name: &str, resources: &str) -> String {
    format!("plugins:\n  providers:\n    - {{name: {name}, path: ../tmp/{name}}}\n{resources}")
}

/// What the CLI wrote to stderr, but for its own remark on where the language host is.
fn stderr(finished: &Finished) -> String {
    let lines = finished.stderr.lines().filter(|line| !line.starts_with("warning: using pulumi-language-wasm from"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Fails unless nothing that the project started runs any more.
#[track_caller]
fn quiet(project: &Project, patience: Duration) {
    assert!(quiet_within(&project.plugins(), patience), "the language host outlived its engine");
}

#[test]
fn a_directory_named_by_the_program_serves_a_whole_life() {
    let project = project();
    plugin(&project, &guest("notes"));
    project.program(&program("notes", PAGE));
    assert_eq!(project.preview(&[]).succeeded().steps(), ["create page"]);
    quiet(&project, SOON);
    assert_eq!(project.up(&[]).succeeded().steps(), ["create page"]);
    quiet(&project, SOON);
    project.pulumi(["config", "set", "notes:author", "Ada"]).succeeded();
    project.program(&program("notes", &PAGE.replace("plans", "diary")));
    project.up(&[]).succeeded();
    assert_eq!(project.state().output("page", "author"), "Ada");
    project.up(&["--expect-no-changes"]).succeeded();
    assert_eq!(project.refresh(&[]).succeeded().steps(), [""; 0]);
    quiet(&project, SOON);
    assert_eq!(project.destroy(&[]).succeeded().steps(), ["delete page"]);
    quiet(&project, SOON);
}

#[test]
fn a_directory_is_added_as_a_package() {
    let project = project();
    plugin(&project, &guest("notes"));
    project.program(PAGE);
    project.pulumi(["package", "add", "../tmp/notes"]).succeeded();
    quiet(&project, SOON);
    let written = fs::read_to_string(project.directory().join("Pulumi.yaml")).unwrap();
    assert!(written.contains("notes: ../tmp/notes"), "{written}");
    assert_eq!(project.up(&[]).succeeded().steps(), ["create page"]);
    assert_eq!(project.destroy(&[]).succeeded().steps(), ["delete page"]);
    quiet(&project, SOON);
}

#[test]
fn component_resources_have_children_whichever_way_the_directory_is_found() {
    let resources = "
resources:
  home:
    type: site:Site
    properties: {text: welcome, pages: 1}
outputs:
  pages: ${home.pages}
";
    for added in [true, false] {
        let project = project();
        plugin(&project, &guest("site"));
        if added {
            project.program(resources);
            project.pulumi(["package", "add", "../tmp/site"]).succeeded();
        } else {
            project.program(&program("site", resources));
        }
        project.preview(&[]).succeeded();
        let up = project.up(&[]).succeeded();
        assert!(up.steps().iter().any(|step| step == "create home"), "{up}");
        assert_eq!(project.outputs(), json!({"pages": ["https://web.example/0"]}), "added: {added}");
        assert_eq!(project.state().providers().len(), 1, "children have their parent's provider");
        project.up(&["--expect-no-changes"]).succeeded();
        project.destroy(&[]).succeeded();
        quiet(&project, SOON);
    }
}

#[test]
fn the_schema_of_a_directory_is_its_components() {
    let project = project();
    let guest = guest("notes");
    plugin(&project, &guest);
    let shown = project.pulumi(["package", "get-schema", "../tmp/notes"]).succeeded();
    quiet(&project, SOON);
    assert_eq!(stderr(&shown), "", "a language host's stderr is shown to users");
    let engines: Value = serde_json::from_str(&shown.stdout).unwrap();
    let own = bulkhead().run(["schema".as_ref(), guest.component.as_os_str()]).succeeded();
    let own: Value = serde_json::from_str(&own.stdout).unwrap();
    for part in ["name", "version", "description", "license", "config", "provider", "types", "resources", "functions"] {
        assert_eq!(engines[part], own[part], "{part}");
    }
}

#[test]
fn an_archive_of_a_directory_is_installed() {
    let project = project();
    let guest = guest("notes");
    install(&project, ["resource", "notes", &guest.version], &plugin(&project, &guest));
    quiet(&project, SOON);
    project.program(PAGE);
    assert_eq!(project.up(&[]).succeeded().steps(), ["create page"]);
    assert_eq!(project.destroy(&[]).succeeded().steps(), ["delete page"]);
    quiet(&project, SOON);
}

#[test]
fn the_language_host_can_be_installed_too() {
    let project = Project::new(&bulkhead(), &[], Launch::Elsewhere);
    let directory = directory(&project, "host", &[]);
    fs::copy(bulkhead().executable(), directory.join("pulumi-language-wasm")).unwrap();
    install(&project, ["language", "wasm", env!("CARGO_PKG_VERSION")], &directory);
    plugin(&project, &guest("notes"));
    project.program(&program("notes", PAGE));
    let up = project.up(&[]).succeeded();
    assert_eq!(up.steps(), ["create page"]);
    assert!(!up.output().contains("warning"), "{up}");
    assert_eq!(project.destroy(&[]).succeeded().steps(), ["delete page"]);
}

/// Installs an archive of a directory as a plugin: its kind, name and version. The directory is gone afterwards.
fn install(project: &Project, plugin: [&str; 3], directory: &Path) {
    let archive = project.temporary().join("plugin.tar.gz");
    let mut packing = tar::Builder::new(GzEncoder::new(File::create(&archive).unwrap(), Compression::none()));
    // The CLI doesn't read the archives of files with holes, which executables may have.
    packing.sparse(false);
    packing.append_dir_all(".", directory).unwrap();
    packing.into_inner().unwrap().finish().unwrap();
    fs::remove_dir_all(directory).unwrap();
    let arguments = [&["plugin", "install"][..], &plugin, &["--file", archive.to_str().unwrap()]].concat();
    project.pulumi(arguments).succeeded();
}

#[test]
fn all_providers_of_a_program_run_in_one_process() {
    let project = project();
    plugin(&project, &guest("notes"));
    plugin(&project, &guest("slow"));
    let program = "
plugins:
  providers:
    - {name: notes, path: ../tmp/notes}
    - {name: slow, path: ../tmp/slow}
resources:
  ada: {type: 'pulumi:providers:notes', properties: {author: Ada}}
  grace: {type: 'pulumi:providers:notes', properties: {author: Grace}}
  first:
    type: notes:Page
    properties: {notebook: plans, heading: {text: first, level: 1}}
    options: {provider: '${ada}'}
  second:
    type: notes:Page
    properties: {notebook: plans, heading: {text: second, level: 1}}
    options: {provider: '${grace}'}
  it: {type: 'slow:Polite', properties: {seconds: 8, announced: true}}
";
    project.program(program);
    let mut up = project.start_up();
    up.wait_until_it_says("waiting for readiness");
    assert_eq!(running(&project.plugins()).len(), 1);
    up.finish().succeeded();
    quiet(&project, SOON);
    let state = project.state();
    assert_eq!((state.output("first", "author"), state.output("second", "author")), (&"Ada".into(), &"Grace".into()));
    assert_eq!(state.output("it", "ready"), true);
}

#[test]
fn a_component_that_changes_under_way_is_for_the_next_command() {
    let project = project();
    let guest = guest("slow");
    let component = plugin(&project, &guest).join("slow.wasm");
    let resources = "resources:\n  it: {type: 'slow:Polite', properties: {seconds: 2, announced: true}}\n";
    project.program(&program("slow", resources));
    let mut up = project.start_up();
    up.wait_until_it_says("waiting for readiness");
    fs::write(component, guest.of_version("7.0.0")).unwrap();
    up.finish().succeeded();
    assert_eq!(project.state().output("it", "ready"), true);
    let shown = project.pulumi(["package", "get-schema", "../tmp/slow"]).succeeded();
    let schema: Value = serde_json::from_str(&shown.stdout).unwrap();
    assert_eq!(schema["version"], "7.0.0");
    project.up(&["--expect-no-changes"]).succeeded();
    quiet(&project, SOON);
}

#[test]
fn a_killed_engine_leaves_no_language_host_behind() {
    for (kind, said) in [("Polite", "waiting for readiness"), ("Stubborn", "computing")] {
        let project = project();
        plugin(&project, &guest("slow"));
        let resources =
            format!("resources:\n  it: {{type: 'slow:{kind}', properties: {{seconds: 120, announced: true}}}}\n");
        project.program(&program("slow", &resources));
        let mut up = project.start_up();
        up.wait_until_it_says(said);
        assert_eq!(running(&project.plugins()).len(), 1);
        up.signal(Signal::KILL);
        assert_eq!(up.finish().code, None);
        quiet(&project, Duration::from_secs(10));
    }
}

#[test]
fn an_interrupted_create_is_kept_on_record() {
    let project = project();
    plugin(&project, &guest("slow"));
    let resources = "resources:\n  it: {type: 'slow:Polite', properties: {seconds: 120, announced: true}}\n";
    project.program(&program("slow", resources));
    let mut up = project.start_up();
    up.wait_until_it_says("waiting for readiness");
    up.signal(Signal::INT);
    up.finish().failed();
    quiet(&project, SOON);
    assert_eq!(project.state().resource("it")["id"], "polite-1");
}

#[test]
fn directories_without_a_usable_component_say_so() {
    let mut project = project();
    let notes = fs::read(guest("notes").component).unwrap();
    let plain: &[u8] = b"runtime: wasm\n";
    let option = |option: &str| format!("runtime:\n  name: wasm\n  options:\n    {option}\n").into_bytes();
    let [missing, misspelt, number] = ["component: b.wasm", "componnet: a.wasm", "component: 1"].map(option);
    let cases: [(&str, Files<'_>); 8] = [
        ("none", &[("PulumiPlugin.yaml", plain)]),
        ("several", &[("PulumiPlugin.yaml", plain), ("a.wasm", &notes), ("b.wasm", &notes)]),
        ("text", &[("PulumiPlugin.yaml", plain), ("a.wasm", b"(component)")]),
        ("missing", &[("PulumiPlugin.yaml", &missing), ("a.wasm", &notes)]),
        ("misspelt", &[("PulumiPlugin.yaml", &misspelt), ("a.wasm", &notes)]),
        ("number", &[("PulumiPlugin.yaml", &number), ("a.wasm", &notes)]),
        ("broken", &[("PulumiPlugin.yaml", b"runtime: [wasm\n"), ("a.wasm", &notes)]),
        ("other", &[("PulumiPlugin.yaml", b"runtime: wasmm\n"), ("a.wasm", &notes)]),
    ];
    let redaction = Redaction::new().path(&project.temporary(), "[tmp]");
    let mut text = String::new();
    for (name, files) in cases {
        directory(&project, name, files);
        let path = format!("../tmp/{name}");
        let failed = project.pulumi(["package", "get-schema", &path]).failed();
        assert_eq!(failed.stdout, "", "{failed}");
        text.push_str(&format!("$ pulumi package get-schema {path}\n{}", stderr(&failed)));
    }
    insta::assert_snapshot!(redaction.apply(&text));
    quiet(&project, SOON);

    // One of several is enough where it is named.
    directory(&project, "several", &[("PulumiPlugin.yaml", &option("component: b.wasm"))]);
    project.pulumi(["package", "get-schema", "../tmp/several"]).succeeded();

    // Why each command takes longer, the engine's log says: what a language host writes is shown as it is.
    let file = project.temporary().join("file");
    fs::write(&file, "").unwrap();
    project.set("BULKHEAD_CACHE_DIR", file.to_str().unwrap());
    let shown = project.pulumi(["package", "get-schema", "../tmp/several"]).succeeded();
    let said = stderr(&shown);
    assert!(
        said.starts_with("warning: the compilation cache ") && said.contains("\nhint: components are compiled anew"),
        "{said}"
    );
}

/// Engines say of each plugin that ends by itself, whatever it said, that this is "*always* a bug in the provider", and of one that says
/// another version than they looked for that it may be one.
#[track_caller]
fn blames_no_provider(said: &str) {
    for blame in ["exited prematurely", "*always*", "is expected to have version", "a bug in the plugin"] {
        assert!(!said.contains(blame), "{said}");
    }
}

#[test]
fn the_projects_operator_decides_here_too() {
    let project = project();
    plugin(&project, &guest("behaviours"));
    let resource = "
resources:
  hungry:
    type: behaviours:Running
    properties: {act: memory, announced: false, amount: 0}
";
    project.program(&program("behaviours", resource));
    project.pulumi(["config", "set", "behaviours:label", "operated"]).succeeded();
    let operator = project.directory().join("bulkhead.toml");
    fs::write(&operator, "[providers.behaviours.limits]\nmemory = \"16MiB\"\n").unwrap();
    let limited = project.up(&[]).failed().output();
    assert!(limited.contains("the provider needs more memory than its limit allows"), "{limited}");
    fs::write(&operator, "[providers.behaviours.limits]\ncomponent = \"1KiB\"\n").unwrap();
    let large = project.up(&[]).failed().output();
    assert!(large.contains("the limit `component`"), "{large}");
    blames_no_provider(&large);
    let own = "[providers.behaviours.limits]\ncomponent = \"1GiB\"\nmemory = \"16MiB\"\n";
    fs::write(&operator, format!("[limits]\ncomponent = \"1KiB\"\n{own}")).unwrap();
    let loaded = project.up(&[]).failed().output();
    assert!(loaded.contains("the provider needs more memory than its limit allows"), "{loaded}");
    fs::write(&operator, "[limits]\nmemroy = \"1GiB\"\n").unwrap();
    let refused = project.up(&[]).failed().output();
    assert!(refused.contains(&format!("failed to follow {}: TOML parse error", operator.display())), "{refused}");
    blames_no_provider(&refused);
    fs::write(&operator, "[audit]\nfile = \"missing/audit.jsonl\"\nrequired = true\n").unwrap();
    let unrecorded = project.up(&[]).failed().output();
    assert!(unrecorded.contains("missing/audit.jsonl, which is required: "), "{unrecorded}");
    blames_no_provider(&unrecorded);
    fs::remove_file(&operator).unwrap();
    let component = project.temporary().join("behaviours/behaviours.wasm");
    fs::copy(&component, component.with_file_name("another.wasm")).unwrap();
    let several = project.up(&[]).failed().output();
    assert!(several.contains("there are another.wasm and behaviours.wasm"), "{several}");
    blames_no_provider(&several);
    quiet(&project, SOON);
}

/// The language host as an engine starts it, and a client of it.
async fn started(project: &Project) -> (Plugin, LanguageRuntimeClient<Channel>) {
    let plugin = Plugin::start(&project.plugins().join("pulumi-language-wasm"), Stdin::Pipe);
    let client = LanguageRuntimeClient::new(connect(plugin.first_line()).await);
    (plugin, client)
}

async fn connect(port: &str) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://127.0.0.1:{}", port.trim())).unwrap();
    // As engines have it.
    endpoint.http2_max_header_list_size(16 << 20).connect().await.unwrap()
}

fn request(directory: &Path, kind: &str) -> RunPluginRequest {
    let directory = directory.to_str().unwrap().to_owned();
    let info = ProgramInfo { program_directory: directory.clone(), root_directory: directory, ..<_>::default() };
    RunPluginRequest {
        pwd: ".".to_owned(),
        args: vec!["127.0.0.1:1".to_owned()],
        info: Some(info),
        kind: kind.to_owned(),
        ..<_>::default()
    }
}

/// The first thing that a plugin writes: its port, in a line.
async fn port(stream: &mut Streaming<RunPluginResponse>) -> String {
    let written = stream.message().await.unwrap().unwrap().output.unwrap();
    let run_plugin_response::Output::Stdout(line) = written else { panic!("{written:?}") };
    let line = String::from_utf8(line.to_vec()).unwrap();
    assert!(line.strip_suffix('\n').is_some_and(|port| port.parse::<u16>().is_ok()), "{line:?}");
    line.trim().to_owned()
}

/// Why nothing is run, or why what is run has nothing to serve: engines take a plugin that doesn't start for a broken one.
async fn refused(client: &mut LanguageRuntimeClient<Channel>, asked: RunPluginRequest) -> Status {
    let mut stream = match client.run_plugin(asked).await {
        Ok(started) => started.into_inner(),
        Err(status) => return status,
    };
    let mut provider = ResourceProviderClient::new(connect(&port(&mut stream).await).await);
    provider.handshake(ProviderHandshakeRequest::default()).await.unwrap();
    provider.get_schema(GetSchemaRequest::default()).await.unwrap_err()
}

#[tokio::test]
async fn a_provider_lives_as_long_as_its_stream() {
    let project = project();
    let guest = guest("notes");
    let directory = plugin(&project, &guest);
    let (mut host, mut client) = started(&project).await;
    let mut first = client.run_plugin(request(&directory, "resource")).await.unwrap().into_inner();
    let mut second = client.run_plugin(request(&directory, "resource")).await.unwrap().into_inner();
    let ports = [port(&mut first).await, port(&mut second).await];
    assert_ne!(ports[0], ports[1]);
    for port in &ports {
        let mut provider = ResourceProviderClient::new(connect(port).await);
        provider.handshake(ProviderHandshakeRequest::default()).await.unwrap();
        assert_eq!(provider.get_plugin_info(()).await.unwrap().into_inner().version, guest.version);
    }
    drop(first);
    let deadline = Instant::now() + SOON;
    while TcpStream::connect(format!("127.0.0.1:{}", ports[0])).is_ok() {
        assert!(Instant::now() < deadline, "the provider outlived its stream");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let mut provider = ResourceProviderClient::new(connect(&ports[1]).await);
    provider.get_plugin_info(()).await.unwrap();

    // The end of the process is the end of all of them.
    host.close_stdin();
    let left = tokio::task::spawn_blocking(move || {
        let left = host.left_within(SOON);
        (left, host)
    });
    let (left, host) = left.await.unwrap();
    assert!(left.is_some_and(|status| status.success()), "{left:?}");
    assert_eq!(host.rest_of_stdout(), "");
    assert!(TcpStream::connect(format!("127.0.0.1:{}", ports[1])).is_err());
}

/// What only a broken engine asks for is an error, which says what is wrong, and the host goes on.
#[tokio::test]
async fn requests_that_nobody_can_follow_are_told_and_harm_nobody() {
    let project = project();
    let guest = guest("notes");
    let directory = plugin(&project, &guest);
    let (host, mut client) = started(&project).await;
    let unknown = Serving::by(&host).await.raw("Create", 0, &[]).await;
    assert_eq!(unknown.code(), Code::Unimplemented);
    assert!(unknown.message().starts_with("call `pulumirpc.ResourceProvider/Create`: "), "{unknown:?}");
    let named = |component: &str| {
        let mut options = Object::new();
        options.insert("component".to_owned(), component.into());
        let info = ProgramInfo { options: Some(wire(&options)), ..request(&directory, "resource").info.unwrap() };
        RunPluginRequest { info: Some(info), ..request(&directory, "resource") }
    };
    let within = |directory: &str| request(Path::new(directory), "resource");
    let long = format!("/{}", "x".repeat(1 << 20));
    let mut told = String::new();
    for (what, asked) in [
        ("no directory of the plugin", RunPluginRequest { info: None, ..within("") }),
        ("an empty one", within("")),
        ("one with a NUL", within("/tmp/a\0b")),
        ("one that is a file", within("/dev/null")),
        ("one of a megabyte", within(&long)),
        ("one that steers a terminal", within("/\u{1b}[2J\u{202e}")),
        ("a component that lies elsewhere", named("../../program/Pulumi.yaml")),
        ("one by an absolute path", named("/etc/passwd")),
        ("one with a NUL", named("a\0b.wasm")),
        ("one that isn't there", named("gone.wasm")),
        ("the directory itself", named(".")),
        ("no kind", RunPluginRequest { kind: String::new(), ..within("/") }),
        ("a kind that steers a terminal", RunPluginRequest { kind: "\u{1b}]0;x\u{7}".repeat(100_000), ..within("/") }),
        (
            "a place to work in that isn't there",
            RunPluginRequest { pwd: "/proc/nonexistent".to_owned(), ..named("notes.wasm") },
        ),
        ("one with a NUL", RunPluginRequest { pwd: "a\0b".to_owned(), ..named("notes.wasm") }),
    ] {
        let refused = refused(&mut client, asked).await;
        assert!(refused.message().len() < 64 << 10, "{what}: {} bytes", refused.message().len());
        assert!(!refused.message().contains(['\u{1b}', '\u{7}', '\0', '\u{202e}']), "{what}: {refused:?}");
        let shown: String = refused.message().chars().take(300).collect();
        told.push_str(&format!("# {what}\n{:?}: {shown}\n\n", refused.code()));
    }
    insta::assert_snapshot!(Redaction::new().path(&project.temporary(), "[tmp]").apply(&told));

    // Whatever else an engine says.
    let long = vec!["--flag".to_owned(); 100_000];
    for args in [vec![], vec!["\0".to_owned()], vec!["nowhere".to_owned()], vec!["x:y:z".to_owned()], long] {
        let asked = RunPluginRequest { args, env: vec!["=\0".to_owned()], ..request(&directory, "resource") };
        let mut stream = client.run_plugin(asked).await.unwrap().into_inner();
        let mut provider = ResourceProviderClient::new(connect(&port(&mut stream).await).await);
        provider.handshake(ProviderHandshakeRequest::default()).await.unwrap();
        assert_eq!(provider.get_plugin_info(()).await.unwrap().into_inner().version, guest.version);
    }
}

#[tokio::test]
async fn what_is_no_provider_is_not_run() {
    let project = project();
    let directory = plugin(&project, &guest("notes"));
    let (_host, mut client) = started(&project).await;
    let analyzer = client.run_plugin(request(&directory, "analyzer")).await.unwrap_err();
    assert_eq!(analyzer.code(), Code::Unimplemented);
    assert_eq!(analyzer.message(), "run the plugin: components are plugins of the kind `resource`, not `analyzer`");
    let program = client.run(RunRequest::default()).await.unwrap_err();
    assert_eq!(program.code(), Code::Unimplemented);
    assert!(program.message().starts_with("run the program: the runtime `wasm` runs providers, not programs\nhint: "));
    client.cancel(()).await.unwrap();
    fs::remove_file(directory.join("notes.wasm")).unwrap();
    fs::create_dir(directory.join("notes.wasm")).unwrap();
    let none = refused(&mut client, request(&directory, "resource")).await;
    assert_eq!(none.code(), Code::FailedPrecondition);
    assert!(none.message().contains("there is no .wasm file in it\nhint: "), "{}", none.message());
    let nowhere = refused(&mut client, request(Path::new("/proc/nonexistent"), "resource")).await;
    assert!(
        nowhere.message().starts_with("failed to read the plugin directory /proc/nonexistent: "),
        "{}",
        nowhere.message()
    );
}
