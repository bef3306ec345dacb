//! The cache of compiled code, as plugins meet it: whatever state it is in costs time and nothing else.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bulkhead_tests::serving::Serving;
use bulkhead_tests::{Plugin, Stdin, temporary_directory};
use bulkhead_value::Object;

use crate::{bulkhead, guest};

fn bundle(directory: &Path) -> PathBuf {
    guest("liar").bundle(&bulkhead(), directory);
    directory.join("pulumi-resource-liar")
}

/// Starts a plugin with a cache of its own. What it says goes to a file.
fn start(executable: &Path, cache: &Path, said: &Path) -> Plugin {
    let mut command = Command::new(executable);
    command.arg("127.0.0.1:1").env("BULKHEAD_CACHE_DIR", cache).stderr(Stdio::from(fs::File::create(said).unwrap()));
    Plugin::spawn(&mut command, Stdin::Pipe)
}

/// Asks it for something real.
async fn serves(plugin: &Plugin) {
    let line = plugin.first_line();
    assert!(line.trim_end().parse::<u16>().is_ok(), "{line:?} should be a port");
    let serving = Serving::by(plugin).await.ready(Object::new()).await;
    let created = serving.create("liar:index:Lie", Object::from([("lie", "truth")])).await.unwrap();
    assert_eq!(created.id, "lie-1");
}

fn compiled(cache: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(cache).into_iter().flatten().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "cwasm")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cache_that_cannot_be_used_is_told_and_does_without() {
    let directory = temporary_directory();
    let executable = bundle(directory.path());
    let place = |name: &str| directory.path().join(name);
    fs::write(place("file"), b"").unwrap();
    fs::create_dir(place("open")).unwrap();
    fs::set_permissions(place("open"), fs::Permissions::from_mode(0o777)).unwrap();
    for (cache, expected) in [
        (place("file"), "exists"),
        (place("file/below"), "Not a directory"),
        // Nothing can be made there, by whomever.
        (PathBuf::from("/proc/bulkhead"), "No such file or directory"),
        (place("open"), "others may write to it, which `chmod go-w` ends"),
        // Another one in each project, which may bring code along.
        (PathBuf::from("target"), "it is a relative path, and machine code is run only from one place"),
    ] {
        let plugin = start(&executable, &cache, &place("said"));
        serves(&plugin).await;
        let said = fs::read_to_string(place("said")).unwrap();
        assert!(said.contains("can't be used: ") && said.contains(expected), "{}: {said}", cache.display());
        let hint =
            "; hint: components are compiled anew each time; name a directory of your own with BULKHEAD_CACHE_DIR\n";
        assert!(said.ends_with(hint), "{said}");
    }
    assert!(compiled(&place("open")).is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_keeps_nobody_from_serving() {
    let directory = temporary_directory();
    let executable = bundle(directory.path());
    let cache = directory.path().join("cache");
    // No file may be larger than 16 KiB, which is as good as a full disk to whoever writes machine code.
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 32; exec \"$0\" 127.0.0.1:1"]).arg(&executable);
    let said = directory.path().join("said");
    command.env("BULKHEAD_CACHE_DIR", &cache).stderr(Stdio::from(fs::File::create(&said).unwrap()));
    serves(&Plugin::spawn(&mut command, Stdin::Pipe)).await;
    let told = fs::read_to_string(&said).unwrap();
    assert!(told.contains("the provider can't be cached in "), "{told}");
    assert!(told.contains(", so each command may have to compile it anew: "), "{told}");
    assert!(told.contains("; hint: see that there is room and that you may write there, or name another"), "{told}");
    let left: Vec<PathBuf> = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.iter().all(|path| fs::metadata(path).unwrap().len() > 0), "{left:?}");
    assert!(!left.iter().any(|path| path.extension().is_some_and(|extension| extension == "tmp")), "{left:?}");
    assert!(compiled(&cache).is_empty());

    serves(&start(&executable, &cache, &said)).await;
    assert_eq!(compiled(&cache).len(), 1, "once there is room");
}

/// Compilers have no environment, and a host would refuse what was compiled under another setting than its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_variable_of_the_runtime_keeps_code_from_being_used() {
    let directory = temporary_directory();
    let mut command = Command::new(bundle(directory.path()));
    command.arg("127.0.0.1:1").env("BULKHEAD_CACHE_DIR", directory.path().join("cache"));
    serves(&Plugin::spawn(command.env("WASMTIME_BACKTRACE_DETAILS", "1"), Stdin::Pipe)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plugins_that_start_at_once_do_not_disturb_each_other() {
    let directory = temporary_directory();
    let executable = bundle(directory.path());
    let cache = directory.path().join("cache");
    let said = directory.path().join("said");
    let starting = || {
        let mut command = Command::new(&executable);
        command.arg("127.0.0.1:1").env("BULKHEAD_CACHE_DIR", &cache).stderr(Stdio::null());
        Plugin::spawn(&mut command, Stdin::Pipe)
    };
    let plugins: Vec<Plugin> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..8).map(|_| scope.spawn(starting)).collect();
        started.into_iter().map(|plugin| plugin.join().unwrap()).collect()
    });
    for plugin in &plugins {
        serves(plugin).await;
    }
    let [code] = compiled(&cache).try_into().unwrap();
    let whole = fs::read(&code).unwrap();
    serves(&start(&executable, &cache, &said)).await;
    assert_eq!(fs::read_to_string(&said).unwrap(), "", "what the eight left is whole");

    // Damaged, it is compiled anew, which is told once.
    for damaged in [&b"garbage"[..], &whole[..whole.len() / 2], b""] {
        fs::write(&code, damaged).unwrap();
        serves(&start(&executable, &cache, &said)).await;
        let told = fs::read_to_string(&said).unwrap();
        assert!(told.contains("can't be used and is compiled anew: "), "{told}");
        assert!(told.contains("; hint: if this comes again, delete the file"), "{told}");
        assert!(fs::read(&code).unwrap().len() == whole.len());
    }
}
