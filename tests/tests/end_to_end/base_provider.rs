//! Components that are added as packages, through `pulumi-resource-wasm`: what is recorded of them, and how they are found again.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bulkhead::component::{digest, embed};
use bulkhead_proto::provider::parameterize_request::{Parameters, ParametersArgs, ParametersValue};
use bulkhead_proto::provider::{
    CheckRequest, GetSchemaRequest, ParameterizeRequest, ParameterizeResponse, ProviderHandshakeRequest,
    ResourceProviderClient,
};
use bulkhead_tests::serving::Serving;
use bulkhead_tests::{
    Finished, Guest, Launch, Plugin, Project, Redaction, Stdin, quiet_within, run, running, temporary_directory,
};
use flate2::Compression;
use flate2::write::GzEncoder;
use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::TempDir;
use tonic::transport::Channel;
use tonic::{Code, Status};

use crate::{bulkhead, guest};

/// How long leaving may take.
const SOON: Duration = Duration::from_secs(5);
const VERSION: &str = env!("CARGO_PKG_VERSION");

const PAGE: &str = "
resources:
  page:
    type: notes:Page
    properties: {notebook: plans, heading: {text: first, level: 1}}
";

/// A project with the base provider installed, and a cache of its own.
fn project() -> Project {
    let mut project = Project::new(&bulkhead(), &[], Launch::Elsewhere);
    let cache = project.temporary().join("cache");
    project.set("BULKHEAD_CACHE_DIR", cache.to_str().unwrap());
    let executable = project.plugins().join("pulumi-resource-wasm");
    fs::hard_link(bulkhead().executable(), executable).unwrap();
    let archive = project.temporary().join("wasm.tar.gz");
    let mut packing = tar::Builder::new(GzEncoder::new(File::create(&archive).unwrap(), Compression::none()));
    // The CLI doesn't read the archives of files with holes, which executables may have.
    packing.sparse(false);
    packing.append_dir_all(".", project.plugins()).unwrap();
    packing.into_inner().unwrap().finish().unwrap();
    project.pulumi(["plugin", "install", "resource", "wasm", VERSION, "--file", archive.to_str().unwrap()]).succeeded();
    project
}

/// The installed base provider's directory.
fn installed(project: &Project) -> PathBuf {
    project.temporary().parent().unwrap().join("home")
}

/// Puts a guest's component into the project's directory.
fn place(project: &Project, guest: &Guest) -> PathBuf {
    let component = project.directory().join(format!("{}.wasm", guest.name));
    fs::copy(&guest.component, &component).unwrap();
    component
}

fn add(project: &Project, component: &str) -> Finished {
    project.pulumi(["package", "add", "wasm", component])
}

/// What the CLI recorded of a package, below `sdks`.
fn recorded(project: &Project) -> String {
    let mut found = String::new();
    let mut directories = vec![project.directory().join("sdks")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else {
                found.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }
    found
}

/// Fails unless nothing that the CLI started runs any more.
#[track_caller]
fn quiet(project: &Project, patience: Duration) {
    assert!(quiet_within(&installed(project), patience), "the base provider outlived its engine");
}

#[test]
fn a_component_that_was_added_lives_a_whole_life() {
    let project = project();
    place(&project, &guest("notes"));
    project.program(PAGE);
    add(&project, "./notes.wasm").succeeded();
    quiet(&project, SOON);
    let lock = recorded(&project);
    assert!(lock.contains("name: notes") && lock.len() < 1024, "a reference, not the component: {lock}");
    assert_eq!(project.preview(&[]).succeeded().steps(), ["create page"]);
    quiet(&project, SOON);
    assert_eq!(project.up(&[]).succeeded().steps(), ["create page"]);
    quiet(&project, SOON);
    project.up(&["--expect-no-changes"]).succeeded();
    project.pulumi(["config", "set", "notes:author", "Ada"]).succeeded();
    project.program_again(&PAGE.replace("plans", "diary"));
    project.up(&[]).succeeded();
    let state = project.state();
    assert_eq!(state.output("page", "author"), "Ada");
    assert!(state.to_string().len() < 20_000, "a reference, not the component: {state}");
    assert_eq!(project.refresh(&[]).succeeded().steps(), [""; 0]);
    quiet(&project, SOON);
    assert_eq!(project.destroy(&[]).succeeded().steps(), ["delete page"]);
    quiet(&project, SOON);
}

#[test]
fn component_resources_have_children_of_the_same_package() {
    let project = project();
    place(&project, &guest("site"));
    project.program(
        "
resources:
  home:
    type: site:Site
    properties: {text: welcome, pages: 1}
outputs:
  pages: ${home.pages}
",
    );
    add(&project, "./site.wasm").succeeded();
    project.preview(&[]).succeeded();
    project.up(&[]).succeeded();
    assert_eq!(project.outputs(), json!({"pages": ["https://web.example/0"]}));
    assert_eq!(project.state().providers().len(), 1, "children have their parent's provider");
    project.up(&["--expect-no-changes"]).succeeded();
    project.destroy(&[]).succeeded();
    quiet(&project, SOON);
}

#[test]
fn sdks_are_made_again_from_the_project() {
    let project = project();
    place(&project, &guest("notes"));
    project.program(PAGE);
    add(&project, "./notes.wasm").succeeded();
    fs::remove_dir_all(project.directory().join("sdks")).unwrap();
    project.pulumi(["install"]).succeeded();
    quiet(&project, Duration::from_secs(10));
    assert_eq!(project.up(&[]).succeeded().steps(), ["create page"]);
}

#[test]
fn packages_of_one_base_are_providers_of_their_own() {
    let project = project();
    place(&project, &guest("notes"));
    place(&project, &guest("slow"));
    project.program(&format!("{PAGE}  it: {{type: 'slow:Polite', properties: {{seconds: 1, announced: true}}}}\n"));
    add(&project, "./notes.wasm").succeeded();
    add(&project, "./slow.wasm").succeeded();
    project.up(&[]).succeeded();
    let state = project.state();
    assert_eq!(state.output("it", "ready"), true);
    assert_eq!(state.output("page", "notebook"), "plans");
    quiet(&project, SOON);
}

#[test]
fn what_was_added_is_what_runs() {
    let mut project = project();
    let guest = guest("notes");
    let component = project.directory().join("my notes.wasm");
    fs::rename(place(&project, &guest), &component).unwrap();
    project.program(PAGE);
    add(&project, "./my notes.wasm").succeeded();
    project.up(&[]).succeeded();

    // Another one in its place isn't run, and that is said.
    fs::write(&component, guest.of_version("7.0.0")).unwrap();
    let changed = project.up(&[]).succeeded();
    assert_eq!(changed.steps(), [""; 0]);
    let warnings = changed.messages("warning").join("\n");
    assert!(warnings.contains("notes.wasm has changed since the package `notes` was added; notes"), "{changed}");
    let hint = "hint: to use what is there now, add the package again: `pulumi package add wasm './my notes.wasm'`";
    assert!(warnings.contains(hint), "{changed}");

    // Without the file the cache has it.
    fs::remove_file(&component).unwrap();
    let gone = project.up(&["--expect-no-changes"]).succeeded();
    assert_eq!(gone.messages("warning"), [""; 0]);

    // Added again, it is the new one that runs, and the stack that the old one made goes over to it.
    fs::write(&component, guest.of_version("7.0.0")).unwrap();
    add(&project, "./my notes.wasm").succeeded();
    let renewed = project.up(&[]).succeeded();
    assert!(renewed.messages("warning").is_empty(), "{renewed}");
    assert_eq!(project.state().providers().len(), 1);
    assert_eq!(project.state().providers()[0]["inputs"]["version"], "7.0.0");

    // A machine that never saw it, and where it isn't, can't go on.
    let elsewhere = project.temporary().join("elsewhere");
    project.set("BULKHEAD_CACHE_DIR", elsewhere.to_str().unwrap());
    let told = |project: &Project| {
        let text = project.up(&[]).failed().messages("error").join("\n");
        Redaction::new().path(&project.directory(), "[project]").apply(&text)
    };
    fs::copy(&guest.component, &component).unwrap();
    let changed = told(&project);
    fs::remove_file(&component).unwrap();
    let missing = told(&project);
    insta::assert_snapshot!(format!("{changed}\n---\n{missing}"));
    quiet(&project, SOON);
}

/// Engines show nobody what a plugin writes to stderr. Without the file, what was recorded is nowhere then.
#[test]
fn what_no_cache_keeps_is_told_to_who_adds_it() {
    let mut project = project();
    let file = project.temporary().join("file");
    fs::write(&file, "").unwrap();
    project.set("BULKHEAD_CACHE_DIR", file.to_str().unwrap());
    place(&project, &guest("notes"));
    project.program(PAGE);
    let added = add(&project, "./notes.wasm").succeeded();
    for told in
        ["warning: ./notes.wasm couldn't be kept in the cache", "warning: the compilation cache ", "hint: keep it"]
    {
        assert!(added.to_string().contains(told), "{told}: {added}");
    }
    let up = project.up(&[]).succeeded();
    let warnings = up.messages("warning");
    let told = |warning: &String| {
        warning.contains("can't be used: ") && warning.contains("\nhint: components are compiled anew")
    };
    assert!(!warnings.is_empty() && warnings.iter().all(told), "{up}");
}

#[test]
fn a_killed_engine_leaves_no_base_provider_behind() {
    let project = project();
    place(&project, &guest("slow"));
    project.program("resources:\n  it: {type: 'slow:Polite', properties: {seconds: 120, announced: true}}\n");
    add(&project, "./slow.wasm").succeeded();
    let mut up = project.start_up();
    up.wait_until_it_says("waiting for readiness");
    assert!(!running(&installed(&project)).is_empty());
    up.signal(Signal::KILL);
    assert_eq!(up.finish().code, None);
    quiet(&project, Duration::from_secs(10));
}

#[test]
fn the_projects_operator_decides_here_too() {
    let project = project();
    place(&project, &guest("behaviours"));
    project.program(
        "
resources:
  hungry:
    type: behaviours:Running
    properties: {act: memory, announced: false, amount: 0}
",
    );
    add(&project, "./behaviours.wasm").succeeded();
    project.pulumi(["config", "set", "behaviours:label", "operated"]).succeeded();
    let operator = project.directory().join("bulkhead.toml");
    fs::write(&operator, "[providers.behaviours.limits]\nmemory = \"16MiB\"\n").unwrap();
    let limited = project.up(&[]).failed().output();
    assert!(limited.contains("the provider needs more memory than its limit allows"), "{limited}");
    fs::write(&operator, "[limits]\nmemroy = \"1GiB\"\n").unwrap();
    let refused = project.up(&[]).failed().output();
    assert!(refused.contains(&format!("failed to follow {}: TOML parse error", operator.display())), "{refused}");
    quiet(&project, SOON);
}

#[test]
fn a_kept_component_that_was_damaged_is_not_run() {
    let project = project();
    let component = place(&project, &guest("notes"));
    project.program(PAGE);
    add(&project, "./notes.wasm").succeeded();
    let digest = digest(&fs::read(&component).unwrap());
    let kept = project.temporary().join("cache").join(format!("{digest}.wasm"));
    fs::write(&kept, fs::read(guest("slow").component).unwrap()).unwrap();
    // With the file there it is of no interest, and mended.
    project.preview(&[]).succeeded();
    assert_eq!(fs::read(&kept).unwrap(), fs::read(&component).unwrap());
    fs::write(&kept, fs::read(guest("slow").component).unwrap()).unwrap();
    fs::remove_file(&component).unwrap();
    let refused = project.preview(&[]).failed().output();
    assert!(refused.contains(&format!("and the cache doesn't have sha256:{digest} either")), "{refused}");
}

#[test]
fn wrong_arguments_are_told() {
    let project = project();
    place(&project, &guest("notes"));
    fs::write(project.directory().join("text.wasm"), "(component)").unwrap();
    let redaction = Redaction::new().path(&project.directory(), "[project]");
    let mut text = String::new();
    for arguments in [
        &["./missing.wasm"][..],
        &["./text.wasm"],
        &["."],
        &["./notes.wasm", "./notes.wasm"],
        &["https://example.com/notes.wasm"],
    ] {
        let failed = project.pulumi([&["package", "add", "wasm"], arguments].concat()).failed();
        text.push_str(&format!("$ pulumi package add wasm {}\n{}\n", arguments.join(" "), failed.stderr));
    }
    insta::assert_snapshot!(redaction.apply(&text));
    quiet(&project, SOON);
    assert!(!project.directory().join("sdks").exists());
}

#[test]
fn the_schema_says_how_to_get_the_package_again() {
    let project = project();
    let guest = guest("notes");
    let component = place(&project, &guest);
    let executable = project.plugins().join("pulumi-resource-wasm");
    let shown = project.pulumi(["package", "get-schema", executable.to_str().unwrap(), "./notes.wasm"]).succeeded();
    let schema: Value = serde_json::from_str(&shown.stdout).unwrap();
    let own = bulkhead().run(["schema".as_ref(), guest.component.as_os_str()]).succeeded();
    let own: Value = serde_json::from_str(&own.stdout).unwrap();
    for part in ["name", "version", "description", "config", "provider", "types", "resources", "functions"] {
        assert_eq!(schema[part], own[part], "{part}");
    }
    let parameterization = &schema["parameterization"];
    assert_eq!(parameterization["baseProvider"], json!({"name": "wasm", "version": VERSION}));
    let parameter = decoded(parameterization["parameter"].as_str().unwrap());
    let digest = digest(&fs::read(component).unwrap());
    assert_eq!(
        serde_json::from_slice::<Value>(&parameter).unwrap(),
        json!({"source": "./notes.wasm", "digest": format!("sha256:{digest}"), "version": guest.version})
    );
    let bare = project.pulumi(["package", "get-schema", executable.to_str().unwrap()]).succeeded();
    let bare: Value = serde_json::from_str(&bare.stdout).unwrap();
    assert_eq!((&bare["name"], &bare["version"]), (&"wasm".into(), &VERSION.into()));
}

#[test]
fn no_bundle_takes_its_name() {
    let directory = temporary_directory();
    let component = fs::read(guest("notes").component).unwrap();
    let manifest = br#"{"manifestVersion":1,"contract":"0.1.0"}"#;
    let renamed = embed(&component, br#"{"name":"wasm","version":"1.0.0"}"#, manifest).unwrap();
    fs::write(directory.path().join("x.wasm"), renamed).unwrap();
    let refused = run(bulkhead().command(["bundle", "x.wasm", "-o", "out"]).current_dir(directory.path())).failed();
    assert_eq!(
        refused.stderr,
        "error: failed to bundle x.wasm: `wasm` is the base provider's name\nhint: give the package another name\n"
    );
    assert!(!directory.path().join("out").exists());
}

/// Base64, as the schema has it.
fn decoded(text: &str) -> Vec<u8> {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.decode(text).unwrap()
}

type Client = ResourceProviderClient<Channel>;

async fn parameterize(client: &mut Client, parameters: Parameters) -> Result<ParameterizeResponse, Status> {
    let request = ParameterizeRequest { parameters: Some(parameters) };
    client.parameterize(request).await.map(tonic::Response::into_inner)
}

fn arguments(component: &Path) -> Parameters {
    Parameters::Args(ParametersArgs { args: vec![component.to_str().unwrap().to_owned()] })
}

/// The base provider in a directory without anything else.
fn alone() -> (TempDir, Plugin) {
    let directory = temporary_directory();
    let executable = directory.path().join("pulumi-resource-wasm");
    fs::hard_link(bulkhead().executable(), &executable).unwrap();
    let plugin = Plugin::start(&executable, Stdin::Pipe);
    (directory, plugin)
}

/// Engines ask whether there is a method by calling it, and go on without it.
#[tokio::test]
async fn what_a_later_protocol_adds_is_lacking_without_a_component_too() {
    let (_directory, plugin) = alone();
    let serving = Serving::by(&plugin).await;
    for method in ["GetMapping", "AddedLater"] {
        let status = serving.raw(method, 0, &[]).await;
        assert_eq!(status.code(), Code::Unimplemented, "{method}");
        assert!(status.message().starts_with(&format!("call `pulumirpc.ResourceProvider/{method}`: ")), "{status:?}");
    }
    assert_eq!(serving.raw("Create", 0, &[]).await.code(), Code::FailedPrecondition);
}

/// As providers tell it: INTERNAL means to engines that nobody knows what exists now.
#[tokio::test]
async fn what_cannot_be_read_is_the_callers_mistake_without_a_component_too() {
    let (_directory, plugin) = alone();
    let serving = Serving::by(&plugin).await;
    for method in ["Handshake", "Parameterize", "GetSchema"] {
        let status = serving.raw(method, 3, b"\xff\xff\xff").await;
        assert_eq!(status.code(), Code::InvalidArgument, "{method}: {status:?}");
        assert!(status.message().starts_with("read the request: "), "{method}: {status:?}");
    }
    let value = ParametersValue { name: "notes".to_owned(), value: vec![b' '; 5 << 20].into(), ..<_>::default() };
    let refused = parameterize(&mut plugin.client().await, Parameters::Value(value)).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument, "{refused:?}");
    assert!(refused.message().contains("more than a reference to a component has"), "{refused:?}");
}

#[tokio::test]
async fn each_handshake_starts_without_a_component() {
    let project = project();
    let guest = guest("notes");
    let plugin = Plugin::start(&project.plugins().join("pulumi-resource-wasm"), Stdin::Pipe);
    let mut client = plugin.client().await;
    for _ in 0..2 {
        let answer = client.handshake(ProviderHandshakeRequest::default()).await.unwrap().into_inner();
        assert!(answer.accept_secrets && answer.accept_resources);
        let early = client.check_config(CheckRequest::default()).await.unwrap_err();
        assert_eq!(early.code(), Code::FailedPrecondition);
        assert_eq!(
            early.message(),
            "the provider `wasm` is nothing without a component\n\
             hint: add one with `pulumi package add wasm ./NAME.wasm`"
        );
        let became = parameterize(&mut client, arguments(&guest.component)).await.unwrap();
        assert_eq!((became.name.as_str(), became.version.as_str()), ("notes", guest.version.as_str()));
        client.check_config(CheckRequest::default()).await.unwrap();
        let asked = GetSchemaRequest {
            subpackage_name: became.name,
            subpackage_version: became.version,
            ..GetSchemaRequest::default()
        };
        let schema = client.get_schema(asked).await.unwrap().into_inner().schema;
        assert!(schema.contains("\"parameterization\""), "{schema}");
        let others = GetSchemaRequest { subpackage_name: "aws".to_owned(), ..GetSchemaRequest::default() };
        let unmade = client.get_schema(others).await.unwrap_err();
        assert!(unmade.message().contains("there is no sub-package `aws`"), "{unmade:?}");
        client.cancel(()).await.unwrap();
        let refused = client.check_config(CheckRequest::default()).await.unwrap_err();
        assert_eq!(refused.code(), Code::Cancelled, "{refused:?}");
    }
}

#[tokio::test]
async fn recorded_parameters_are_not_trusted() {
    let project = project();
    let guest = guest("notes");
    let plugin = Plugin::start(&project.plugins().join("pulumi-resource-wasm"), Stdin::Pipe);
    let mut client = plugin.client().await;
    client.handshake(ProviderHandshakeRequest::default()).await.unwrap();
    let digest = digest(&fs::read(&guest.component).unwrap());
    let source = guest.component.to_str().unwrap();
    let value = |name: &str, version: &str, value: Value| {
        Parameters::Value(ParametersValue {
            name: name.to_owned(),
            version: version.to_owned(),
            value: value.to_string().into_bytes().into(),
        })
    };
    let reference = json!({"source": source, "digest": format!("sha256:{digest}"), "version": guest.version});
    let became = parameterize(&mut client, value("notes", &guest.version, reference.clone())).await.unwrap();
    assert_eq!(became.name, "notes");

    let other = parameterize(&mut client, value("aws", "1.0.0", reference)).await.unwrap_err();
    assert_eq!(other.code(), Code::FailedPrecondition);
    assert!(other.message().contains("use the component of the package `aws` 1.0.0: sha256:"), "{}", other.message());
    assert!(other.message().contains(&format!("is the package `notes` {}", guest.version)), "{}", other.message());
    let bytes = parameterize(&mut client, value("notes", &guest.version, json!([0, 97, 115, 109]))).await.unwrap_err();
    assert_eq!(bytes.code(), Code::InvalidArgument);
    assert!(bytes.message().contains("read the recorded parameter of the package `notes`: "), "{}", bytes.message());
    assert!(bytes.message().ends_with("\nhint: add the package again: `pulumi package add wasm ./NAME.wasm`"));
    let remote = json!({"source": "https://example.com/x.wasm", "digest": format!("sha256:{digest}"), "version": ""});
    let remote = parameterize(&mut client, value("notes", &guest.version, remote)).await.unwrap_err();
    assert!(remote.message().contains("only files can be read"), "{}", remote.message());

    // What it became before holds: a refused parameter changes nothing.
    client.check_config(CheckRequest::default()).await.unwrap();
}
