//! Components that hurt the compiler of the executable: that is a process of its own, and all that is lost by them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use bulkhead::component::{Cache, Compiler, Limits};
use bulkhead_proto::language::{
    LanguageRuntimeClient, ProgramInfo, RunPluginRequest, RunPluginResponse, run_plugin_response,
};
use bulkhead_tests::serving::{Serving, load_with};
use bulkhead_tests::{Plugin, Stdin, quiet_within, running, temporary_directory};
use bulkhead_value::Object;
use rustix::process::{Pid, Signal, kill_process};
use tonic::{Response, Streaming};

use crate::{aside, assembled, bulkhead, served, undisturbed, well};

/// How long a process may take to appear, or to be gone. Only one that never does is slower.
const PATIENCE: Duration = Duration::from_secs(60);

/// Something that takes the compiler many seconds, and much memory.
fn large() -> Vec<u8> {
    assembled::with_start(&assembled::behaved(), assembled::functions(20_000, 30))
}

/// The executable in a directory of its own, where its processes are told from all others.
fn executable(directory: &Path, name: &str) -> PathBuf {
    let executable = directory.join(name);
    fs::hard_link(bulkhead().executable(), &executable).unwrap();
    executable
}

#[tokio::test]
async fn a_compiler_that_takes_too_long_is_ended() {
    undisturbed(aside(|| {
        let directory = temporary_directory();
        let compiler = Compiler::of(executable(directory.path(), "bulkhead"));
        let limits = Limits { compile: Duration::from_millis(200), ..Limits::default() };
        let error = load_with(&Cache::disabled().compiling_with(compiler), &large(), limits).err().unwrap();
        assert_eq!(error.to_string(), "compiling the component took longer than 0.2 s");
        assert!(running(directory.path()).is_empty());
    }))
    .await;
}

#[tokio::test]
async fn compiling_takes_no_more_memory_than_it_may() {
    undisturbed(aside(|| {
        let cache = |compiler| Cache::disabled().compiling_with(compiler);
        let compiler = Compiler::of(bulkhead().executable());
        load_with(&cache(compiler.clone()), &assembled::behaved(), Limits::default()).unwrap();
        let few = compiler.within(64 << 20);
        let error = load_with(&cache(few), &assembled::behaved(), Limits::default()).err().unwrap();
        let start = "the component can't be compiled: the compiler needed more memory than the 64.0 MiB that it may have, or \
                     crashed, and ended (";
        assert!(error.to_string().starts_with(start), "{error}");
        assert!(error.hint().starts_with("if you know where it comes from, let this process have more memory"), "{}", error.hint());
    }))
    .await;
}

/// The host would read as much, and keep much more, whenever it starts.
#[tokio::test]
async fn a_few_kilobytes_do_not_unfold_into_megabytes_of_names() {
    undisturbed(aside(|| {
        let cache = Cache::disabled().compiling_with(Compiler::of(bulkhead().executable()));
        let loaded =
            |times| load_with(&cache, &assembled::type_handed_on(1_000, times), Limits::default()).err().unwrap();
        assert_eq!(
            loaded(2_000).to_string(),
            "the component isn't compiled: its types and names unfold into more than 8 MiB"
        );
        assert_eq!(loaded(200).to_string(), "the component isn't a provider: it exports nothing");
    }))
    .await;
}

/// The compiler's exit code and what it says, if a host starts it so, and is gone after so much.
fn compiled(arguments: &[&str], component: &[u8]) -> (Option<i32>, String) {
    let mut command = Command::new(bulkhead().executable());
    command
        .arg("--compile-component")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    // It may be gone first.
    let _ = process.stdin.take().unwrap().write_all(component);
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"", "{arguments:?}");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_compiler_ends_with_its_host() {
    let large = large();
    for (arguments, given, code) in [
        (&[][..], &[][..], 64),
        (&["many"], &[], 64),
        (&["8", "9", "10"], &[], 64),
        (&["9"], b"\0asm\x0d\0\x01\0", 70),
        // Complete, and it would go on for long.
        (&[&*large.len().to_string()], &large, 70),
    ] {
        assert_eq!(compiled(arguments, given), (Some(code), String::new()), "{arguments:?}");
    }
}

/// A plugin directory with a component.
fn plugin(directory: &Path, name: &str, component: &[u8]) -> RunPluginRequest {
    let place = directory.join(name);
    fs::create_dir(&place).unwrap();
    fs::write(place.join("PulumiPlugin.yaml"), "runtime: wasm\n").unwrap();
    fs::write(place.join("hostile.wasm"), component).unwrap();
    let place = place.to_str().unwrap().to_owned();
    let info = ProgramInfo { program_directory: place.clone(), root_directory: place, ..<_>::default() };
    RunPluginRequest {
        pwd: directory.to_str().unwrap().to_owned(),
        args: vec!["127.0.0.1:1".to_owned()],
        info: Some(info),
        kind: "resource".to_owned(),
        ..<_>::default()
    }
}

/// The process beside a host's, once there is one.
async fn compiler(directory: &Path, host: &[Pid]) -> Pid {
    let found = async {
        loop {
            if let Some(compiler) = running(directory).into_iter().find(|pid| !host.contains(pid)) {
                return compiler;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, found).await.expect("the host should start a compiler")
}

/// The plugin that writes its port here.
async fn begun(said: &mut Streaming<RunPluginResponse>) -> Serving {
    let Some(run_plugin_response::Output::Stdout(port)) = said.message().await.unwrap().unwrap().output else {
        panic!("a plugin should write its port first")
    };
    Serving::at(std::str::from_utf8(&port).unwrap()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_compiler_that_is_lost_is_the_end_of_nothing_else() {
    let directory = temporary_directory();
    let at = directory.path().canonicalize().unwrap();
    let mut command = Command::new(executable(&at, "pulumi-language-wasm"));
    command.arg("127.0.0.1:1").current_dir(&at).env("BULKHEAD_CACHE_DIR", at.join("cache"));
    command.env("XDG_CONFIG_HOME", at.join("user")).stderr(Stdio::null());
    let host = Plugin::spawn(&mut command, Stdin::Pipe);
    let own = running(&at);
    assert_eq!(own.len(), 1);
    let address = format!("http://127.0.0.1:{}", host.first_line().trim());
    let mut client = LanguageRuntimeClient::connect(address).await.unwrap();

    let mut stream = client.run_plugin(plugin(&at, "behaved", &assembled::behaved())).await.unwrap().into_inner();
    let behaved = begun(&mut stream).await.ready(well()).await;
    assert_eq!(running(&at), own, "what is compiled needs no compiler");

    let request = plugin(&at, "large", &large());
    let start = || {
        let (mut client, request) = (client.clone(), request.clone());
        tokio::spawn(async move { client.run_plugin(request).await.map(Response::into_inner) })
    };
    let starting = start();
    let lost = compiler(&at, &own).await;
    served(&behaved).await;
    kill_process(lost, Signal::KILL).unwrap();
    let mut refusing = starting.await.unwrap().unwrap();
    let status = begun(&mut refusing).await.configure(Object::new()).await.unwrap_err();
    let told = status.message();
    assert!(told.contains("the component can't be compiled: the compiler needed more memory than "), "{told}");
    assert!(told.contains(", or crashed, and ended (signal: 9 (SIGKILL))\nhint: "), "{told}");
    served(&behaved).await;
    assert_eq!(running(&at), own);

    // The other way round: a host that is killed has no time to end its compiler.
    let _starting = start();
    compiler(&at, &own).await;
    host.signal(Signal::KILL);
    assert!(quiet_within(&at, PATIENCE), "the compiler outlived its host");
}
