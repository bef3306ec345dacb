//! What an operator decides in `bulkhead.toml`, and that it holds in the process that engines start.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use bulkhead_tests::serving::{Serving, init_failed};
use bulkhead_tests::{Plugin, Stdin, hide_settings, run, running, temporary_directory};
use bulkhead_value::{Object, Value};
use tempfile::TempDir;
use tonic::Code;

use crate::{bulkhead, guest, labelled, object, serves_on};

/// A project with a bundle of `behaviours` in it.
fn project() -> TempDir {
    let directory = temporary_directory();
    guest("behaviours").bundle(&bulkhead(), &directory.path().join("bin"));
    fs::write(directory.path().join("Pulumi.yaml"), "name: operated\nruntime: yaml\n").unwrap();
    directory
}

fn write(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

async fn served(project: &Path) -> (Plugin, Serving) {
    let plugin = Plugin::start_in(project, &project.join("bin/pulumi-resource-behaviours"), Stdin::Pipe);
    let serving = Serving::by(&plugin).await.ready(labelled("operated")).await;
    (plugin, serving)
}

async fn created(serving: &Serving, act: &str) -> Result<Value, (Code, String)> {
    let inputs = object([("act", Value::from(act)), ("announced", false.into()), ("amount", 0.0.into())]);
    let created = serving.create("behaviours:index:Running", inputs).await;
    created.map(|created| created.state["text"].clone()).map_err(|error| (error.code(), error.message().to_owned()))
}

/// Through the executable, which compiles in a process of its own; as a library it is in `tests/tests/hostile/code.rs`.
#[test]
fn a_project_limits_compiling() {
    let project = project();
    write(&project.path().join("bulkhead.toml"), "[limits]\ncompile = \"10ms\"\n");
    let mut command = Command::new(project.path().join("bin/pulumi-resource-behaviours"));
    command.current_dir(project.path());
    command.env("XDG_CONFIG_HOME", project.path().join("user")).env("BULKHEAD_CACHE_DIR", project.path().join("cache"));
    let slow = run(&mut command).failed();
    assert_eq!(slow.stdout, "");
    let end = ": compiling the component took longer than 0.01 s\n\
               hint: if it is to take that long, set the limit `compile` in bulkhead.toml\n";
    assert!(slow.stderr.ends_with(end), "{slow}");
    assert_eq!(running(project.path()), []);
}

const MEMORY: &str = "create the resource: the provider needs more memory than its limit allows\n\
                      hint: it may have 16.0 MiB; if the provider should have more, raise the limit `memory` in bulkhead.toml";
const COMPUTE: &str = "create the resource: the provider computed for longer than it may in one call\n\
                       hint: if the provider should have more, raise the limit `compute` in bulkhead.toml";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_project_limits_a_provider() {
    let project = project();
    let text =
        "[limits]\ncompute = \"200ms\"\n[providers.behaviours.limits]\nmemory = \"16MiB\"\nisolation = \"call\"\n";
    write(&project.path().join("bulkhead.toml"), text);
    let (_plugin, serving) = served(project.path()).await;
    assert_eq!(created(&serving, "memory").await, Err((Code::ResourceExhausted, MEMORY.to_owned())));
    assert_eq!(created(&serving, "loop").await, Err((Code::ResourceExhausted, COMPUTE.to_owned())));
    for _ in 0..2 {
        let counted = serving.create("behaviours:index:Counter", Object::new()).await.unwrap();
        assert_eq!(counted.state["count"], Value::from(1.0), "each call has an instance of its own");
    }
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_user_narrows_what_a_project_allows() {
    let project = project();
    write(&project.path().join("bulkhead.toml"), "[limits]\nmemory = \"8GiB\"\ncompute = \"1h\"\n");
    write(&project.path().join("user/bulkhead/bulkhead.toml"), "[limits]\nmemory = \"16MiB\"\ncompute = \"200ms\"\n");
    let (_plugin, serving) = served(project.path()).await;
    // To raise them in the project's file would change nothing.
    let user = project.path().join("user/bulkhead/bulkhead.toml").display().to_string();
    let told = |text: &str| Err((Code::ResourceExhausted, text.replace("bulkhead.toml", &user)));
    assert_eq!(created(&serving, "memory").await, told(MEMORY));
    assert_eq!(created(&serving, "loop").await, told(COMPUTE));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_that_are_too_large_for_an_operator_are_told_with_the_limit() {
    let project = project();
    write(&project.path().join("user/bulkhead/bulkhead.toml"), "[limits]\nnodes = 1\n");
    let (_plugin, serving) = served(project.path()).await;
    let status = serving.create("behaviours:index:Counter", Object::new()).await.unwrap_err();
    let left = init_failed(&status);
    let raise = format!(
        "if the provider should have more, raise the limit `nodes` in {}",
        project.path().join("user/bulkhead/bulkhead.toml").display()
    );
    let returned = "the provider's result can't be used: it returned a value tree of more than 1 nodes";
    assert_eq!(left.reasons, [format!("{returned}; hint: {raise}")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_goes_out_is_the_projects_to_set_and_the_users_to_narrow() {
    let directory = temporary_directory();
    let project = directory.path();
    fs::write(project.join("Pulumi.yaml"), "name: operated\nruntime: yaml\n").unwrap();
    guest("networked").bundle(&bulkhead(), &project.join("bin"));
    run(bulkhead().command(["grant", "bin/networked.wasm", "--yes"]).current_dir(project)).succeeded();
    let granted = fs::read_to_string(project.join("bulkhead.toml")).unwrap();
    let hoarded = async |own: &str, above: &str| {
        write(&project.join("bulkhead.toml"), &format!("{granted}\n[providers.networked.limits]\n{own}\n"));
        write(&project.join("user/bulkhead/bulkhead.toml"), &format!("[limits]\n{above}\n"));
        let plugin = Plugin::start_in(project, &project.join("bin/pulumi-resource-networked"), Stdin::Pipe);
        let serving = Serving::by(&plugin).await.ready(Object::new()).await;
        let hoard = [("act", Value::from("hoard")), ("host", "".into()), ("port", 0.0.into()), ("amount", 40.0.into())];
        let status = serving.invoke("networked:index:talk", object(hoard)).await.unwrap_err();
        status.message().split(',').next().unwrap().to_owned()
    };
    assert_eq!(hoarded("", "").await, "32 sockets");
    assert_eq!(hoarded("sockets = 34", "").await, "34 sockets");
    assert_eq!(hoarded("sockets = 34", "sockets = 3").await, "3 sockets");
    assert_eq!(hoarded("", "sockets = 35").await, "32 sockets", "nobody above the project widens anything");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_are_limited_too() {
    let project = project();
    write(&project.path().join("user/bulkhead/bulkhead.toml"), "[limits]\nmessage = \"2MiB\"\n");
    write(&project.path().join("bulkhead.toml"), "[limits]\nmessage = \"1MiB\"\n");
    let (_plugin, serving) = served(project.path()).await;
    let large = object([("act", "x".repeat(2 << 20))]);
    let error = serving.check("behaviours:index:Creating", large).await.unwrap_err();
    assert_eq!(
        (error.code(), error.message()),
        (
            Code::ResourceExhausted,
            "read the request: it is larger than 1.0 MiB\nhint: pass large contents as assets, by path or URI, or raise the limit \
             `message` in bulkhead.toml"
        )
    );
    serves_on(&serving).await;
}

#[test]
fn a_file_that_cannot_be_followed_keeps_the_provider_from_starting() {
    let project = project();
    let file = project.path().join("bulkhead.toml");
    write(&file, "[limits]\nmemroy = \"1GiB\"\n");
    let mut command = Command::new(project.path().join("bin/pulumi-resource-behaviours"));
    command.current_dir(project.path());
    let Output { status, stdout, stderr } = hide_settings(&mut command).output().unwrap();
    let (stdout, stderr) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    assert!(!status.success() && stdout.is_empty(), "{stdout}");
    let beginning = format!("error: failed to follow {}: TOML parse error at line 2", file.display());
    assert!(stderr.starts_with(&beginning) && stderr.contains("unknown field `memroy`"), "{stderr}");
    let hint = concat!("docs/operator.md has the form of the file; what Bulkhead ", env!("CARGO_PKG_VERSION"));
    assert!(stderr.trim_end().ends_with(&format!("hint: {hint} doesn't know, a later one may")), "{stderr}");
}
