//! What the process of an ungranted provider asks of the kernel, whatever the provider tries: its own files, and its engine.
//!
//! The other tests ask a guest what it got. This one asks the kernel, which nobody can lie to.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use bulkhead_tests::serving::Serving;
use bulkhead_tests::{Plugin, Stdin, temporary_directory};
use bulkhead_value::Object;

use crate::{bulkhead, guest, labelled, object};

/// The calls of a trace that succeeded: what was called, and the rest of the line.
fn calls(trace: &str) -> Vec<(String, String)> {
    let line = |line: &str| {
        let call = line.split_once(' ')?.1.trim_start();
        let failed = call.contains(" = -1 ") && !call.contains("EINPROGRESS");
        let (name, rest) = call.split_once('(')?;
        (!failed).then(|| (name.to_owned(), rest.to_owned()))
    };
    trace.lines().filter_map(line).collect()
}

/// The first text in quotes.
fn quoted(rest: &str) -> &str {
    rest.split('"').nth(1).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ungranted_provider_reaches_its_own_files_and_its_engine() {
    let directory = temporary_directory();
    let path = directory.path().canonicalize().unwrap();
    fs::write(path.join("Pulumi.yaml"), "name: traced\nruntime: yaml\n").unwrap();
    for name in ["behaviours", "networked"] {
        guest(name).bundle(&bulkhead(), &path.join("bin"));
    }
    // What isn't compiled yet takes a second process of the executable.
    for (name, function, arguments, processes) in [
        ("behaviours", "behaviours:index:surroundings", object([("address", "127.0.0.1:9")]), 2),
        ("networked", "networked:index:fetch", object([("authority", "127.0.0.1:9")]), 2),
        ("networked", "networked:index:fetch", object([("authority", "bulkhead.invalid")]), 1),
    ] {
        let trace = path.join("trace");
        let mut command = Command::new("strace");
        command.args([
            "--follow-forks",
            "--string-limit=4096",
            "--trace=open,openat,openat2,creat,execve,socket,connect,bind,sendto",
        ]);
        command
            .arg("--output")
            .arg(&trace)
            .arg(path.join("bin").join(format!("pulumi-resource-{name}")))
            .arg("127.0.0.1:1");
        command
            .current_dir(&path)
            .env("BULKHEAD_CACHE_DIR", path.join("cache"))
            .env("XDG_CONFIG_HOME", path.join("user"));
        let plugin = Plugin::spawn(command.stderr(Stdio::null()), Stdin::Pipe);
        let configuration = if name == "behaviours" { labelled("traced") } else { Object::new() };
        let serving = Serving::by(&plugin).await.ready(configuration).await;
        let asked = serving.invoke(function, arguments).await;
        if name == "networked" {
            let refused = asked.unwrap_err();
            assert!(refused.message().contains("is denied: nothing grants it"), "it should have asked: {refused:?}");
        }
        drop((serving, plugin));
        let trace = fs::read_to_string(&trace).expect("strace should be installed, and allowed to trace");
        let calls = calls(&trace);
        assert!(calls.iter().any(|(call, _)| call == "openat"), "{trace}");
        assert_eq!(calls.iter().filter(|(call, _)| call == "execve").count(), processes, "{trace}");
        for (call, rest) in calls {
            let allowed = match call.as_str() {
                "open" | "openat" | "openat2" | "creat" => {
                    // Libraries of the executable, what Rust's runtime asks for its main thread and the number of processors, and how much
                    // memory there is; and which signals it ignores.
                    let system = [
                        "/lib/",
                        "/lib64/",
                        "/usr/lib/",
                        "/etc/ld.so",
                        "/proc/self/maps",
                        "/proc/sys/vm/overcommit_memory",
                        "/proc/meminfo",
                        "/proc/self/cgroup",
                        "/proc/self/status",
                        "/sys/fs/cgroup",
                        "/sys/devices/system/cpu/",
                    ];
                    let opened = Path::new(quoted(&rest));
                    let own = ["bin", "cache", "bulkhead.toml"].map(|name| path.join(name));
                    system.iter().any(|prefix| quoted(&rest).starts_with(prefix))
                        || own.iter().any(|own| opened.starts_with(own))
                        || opened == Path::new("/dev/null")
                        // Which process is to end where there is no memory left.
                        || opened == Path::new("/proc/self/oom_score_adj")
                }
                "execve" => {
                    quoted(&rest).starts_with(path.join("bin").to_str().unwrap())
                        || rest.starts_with(r#""/proc/self/exe", ["bulkhead", "--compile-component", "#)
                }
                // Only an address makes a socket anything.
                "socket" => rest.starts_with("AF_INET,") || rest.starts_with("AF_UNIX,"),
                "connect" => rest.contains("sin_port=htons(1), sin_addr=inet_addr(\"127.0.0.1\")"),
                "bind" => rest.contains("sin_port=htons(0), sin_addr=inet_addr(\"127.0.0.1\")"),
                // Answers to the engine are written to a socket that it opened.
                "sendto" => !rest.contains("sin_addr") && !rest.contains("sin6_addr"),
                _ => true,
            };
            assert!(allowed, "{name}: {call}({rest}");
        }
    }
}
