//! Assets and archives: a guest reads those that its request holds, and no others.

use std::fs;
use std::path::Path;

use bulkhead::component::{AssetLimits, Limits};
use bulkhead_proto::provider as pb;
use bulkhead_tests::serving::{Serving, creation, init_failed, wire};
use bulkhead_tests::{Plugin, Stdin, temporary_directory};
use bulkhead_value::{Archive, ArchiveSource, Asset, AssetSource, Object, Value};
use tempfile::TempDir;
use tonic::{Code, Status};

use crate::{bulkhead, guest, object};

const CONTENTS: &str = "reading:index:Contents";
const TRIMMED: &str = "reading:index:Trimmed";

async fn reading(limits: Limits) -> Serving {
    Serving::start(&guest("reading"), limits).await.ready(Object::new()).await
}

/// A directory with files.
fn disk(files: &[(&str, &str)]) -> TempDir {
    let directory = temporary_directory();
    for (name, contents) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    directory
}

fn file(path: &Path) -> Value {
    let hash = fs::read(path).ok().map(|contents| Asset::hash_of(&contents));
    Value::from(Asset { hash, source: AssetSource::Path(path.display().to_string()) })
}

fn packed(path: &Path) -> Value {
    Value::from(Archive { hash: None, source: ArchiveSource::Path(path.display().to_string()) })
}

fn texts(state: &Object) -> Vec<String> {
    let found = state["found"].as_list().unwrap().iter();
    found.map(|text| text.as_str().unwrap().to_owned()).collect()
}

async fn found(serving: &Serving, name: &str, value: Value) -> Result<Vec<String>, Status> {
    let created = serving.create(CONTENTS, object([(name, value)])).await?;
    Ok(texts(&created.state))
}

/// The message of a create that failed over an asset.
async fn refused(serving: &Serving, name: &str, value: Value) -> String {
    let status = found(serving, name, value).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted, "{status:?}");
    status.message().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_asset_is_what_a_state_records_of_stacks() {
    let recorded =
        [".pulumi/stacks/p/dev.json", ".pulumi/history/p/dev/dev-1.history.json", ".pulumi/backups/p/dev/dev.json"];
    let project = disk(&recorded.map(|name| (name, "ciphertext")));
    let at = |name: &str| project.path().join(name);
    fs::write(at("Pulumi.yaml"), "name: p\nruntime: yaml\nbackend:\n  url: file://.\n").unwrap();
    fs::write(at(".pulumi/stacks.md"), "a file of ours").unwrap();
    std::os::unix::fs::symlink(at(recorded[0]), at("linked")).unwrap();
    guest("reading").bundle(&bulkhead(), &at("bin"));
    let plugin = Plugin::start_in(project.path(), &at("bin/pulumi-resource-reading"), Stdin::Pipe);
    let serving = Serving::by(&plugin).await.ready(Object::new()).await;
    for name in recorded.into_iter().chain(["linked"]) {
        let told = refused(&serving, "asset", file(&at(name))).await;
        assert!(told.contains("is a file with the engine's own secrets, which no provider is given"), "{name}: {told}");
        assert!(!told.contains("ciphertext"), "{told}");
    }
    for directory in [".pulumi/stacks", ".pulumi/history/p"] {
        let told = refused(&serving, "archive", packed(&at(directory))).await;
        assert!(told.contains("is a file with the engine's own secrets"), "{directory}: {told}");
    }
    assert_eq!(found(&serving, "asset", file(&at(".pulumi/stacks.md"))).await.unwrap(), ["a file of ours"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn contents_of_every_source_are_read() {
    let disk = disk(&[("a.txt", "from a file"), ("dir/one", "1"), ("dir/deep/two", "2")]);
    let at = |name: &str| disk.path().join(name);
    let serving = reading(Limits::default()).await;
    assert_eq!(found(&serving, "asset", Value::from(Asset::text("a text"))).await.unwrap(), ["a text"]);
    assert_eq!(found(&serving, "asset", Value::from(Asset::text(""))).await.unwrap(), [""]);
    assert_eq!(found(&serving, "asset", file(&at("a.txt"))).await.unwrap(), ["from a file"]);
    let uri = AssetSource::Uri(format!("file://{}", at("a.txt").display()));
    let uri = Value::from(Asset { hash: None, source: uri });
    assert_eq!(found(&serving, "asset", uri).await.unwrap(), ["from a file"]);
    assert_eq!(found(&serving, "archive", packed(&at("dir"))).await.unwrap(), ["deep/two: 2", "one: 1"]);
    let literal = Archive::members([
        ("b", file(&at("a.txt"))),
        ("a", packed(&at("dir"))),
        ("c", Value::from(Archive::members([("d", Value::from(Asset::text("inner")))]))),
    ]);
    let all = ["a/deep/two: 2", "a/one: 1", "b: from a file", "c/d: inner"];
    assert_eq!(found(&serving, "archive", Value::from(literal)).await.unwrap(), all);
    let nested: Value = object([("list", Value::List(vec![file(&at("a.txt")).secret()].into()))]).into();
    assert_eq!(found(&serving, "any", nested).await.unwrap(), ["from a file"], "wherever it lies in the request");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_contents_are_read_in_pieces() {
    let long = "0123456789".repeat(300_000);
    let disk = disk(&[("large", &long)]);
    let serving = reading(Limits::default()).await;
    assert_eq!(found(&serving, "asset", file(&disk.path().join("large"))).await.unwrap(), ["3000000 bytes"]);
    assert_eq!(found(&serving, "asset", Value::from(Asset::text(long))).await.unwrap(), ["3000000 bytes"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn state_and_arguments_are_part_of_a_request_too() {
    let disk = disk(&[("old", "old"), ("new", "new")]);
    let (old, new) = (file(&disk.path().join("old")), file(&disk.path().join("new")));
    let serving = reading(Limits::default()).await;
    let state = |asset: &Value| object([("asset", asset.clone()), ("found", Value::List(Vec::new().into()))]);
    let inputs = |asset: &Value| object([("asset", asset.clone())]);
    let read = serving.read(CONTENTS, "contents-1", state(&old), inputs(&old)).await.unwrap();
    assert_eq!(texts(&bulkhead_tests::serving::object(read.properties.unwrap())), ["old"]);
    let updated = serving.update(CONTENTS, state(&old), inputs(&old), inputs(&new)).await.unwrap();
    assert_eq!(texts(&bulkhead_tests::serving::object(updated.properties.unwrap())), ["old", "new"]);
    serving.delete(CONTENTS, state(&old)).await.unwrap();
    assert_eq!(serving.messages().pop().unwrap().text, "old");
    let looked = serving.invoke("reading:index:look", inputs(&new)).await.unwrap();
    assert_eq!(texts(&looked.value), ["new"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_guest_makes_up_opens_nothing() {
    let disk = disk(&[("secret", "hunter2"), ("real", "real")]);
    let serving = reading(Limits::default()).await;
    let (secret, directory) = (disk.path().join("secret"), disk.path());
    let forge = async |kind: &str, path: &Path, real: Option<Value>| {
        let mut arguments = object([("kind", kind), ("path", path.to_str().unwrap())]);
        real.map(|real| arguments.insert("real".to_owned(), real));
        serving.invoke("reading:index:forge", arguments).await.unwrap_err()
    };
    let unknown = "call the function: an asset was opened that isn't part of the request; this is a bug in the provider\n\
                   hint: please report it to the provider's author";
    for (kind, path, real) in [
        ("asset", secret.as_path(), None),
        ("archive", directory, None),
        ("text", Path::new("hunter2"), None),
        ("asset", secret.as_path(), Some(file(&disk.path().join("real")))),
        ("withoutHash", Path::new(""), Some(file(&disk.path().join("real")))),
    ] {
        let status = forge(kind, path, real).await;
        assert_eq!((status.code(), status.message()), (Code::Aborted, unknown), "{kind}");
    }
    // What another call held is another call's.
    found(&serving, "asset", file(&secret)).await.unwrap();
    assert_eq!(forge("asset", &secret, None).await.message(), unknown);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_names_no_file_that_nobody_gave() {
    // It would come back in the next request, and be read from there.
    let disk = disk(&[("secret", "hunter2"), ("given", "given")]);
    let at = |name: &str| disk.path().join(name).display().to_string();
    let serving = reading(Limits::default()).await;
    let status = serving.create(CONTENTS, object([("forged", at("secret"))])).await.unwrap_err();
    let left = init_failed(&status);
    assert_eq!(left.id, "contents-1");
    let reason = &left.reasons[0];
    assert!(
        reason.contains("names a file or an address that nobody gave it; this is a bug in the provider"),
        "{reason}"
    );
    assert!(!left.state.contains_key("asset"), "{:?}", left.state);

    let mut inputs = object([("any", file(&disk.path().join("given")))]);
    inputs.insert("forged".to_owned(), at("given").into());
    let created = serving.create(CONTENTS, inputs).await.unwrap();
    assert_eq!(texts(&created.state), ["given"], "what was given may be passed on");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_guest_makes_has_the_hash_by_which_engines_tell_changes() {
    let disk = disk(&[("given", "given")]);
    let serving = reading(Limits::default()).await;
    let given = file(&disk.path().join("given"));
    let checked = async |asset: Value| {
        let checked = serving.check(TRIMMED, object([("asset", asset)])).await.unwrap();
        checked.value["asset"].clone()
    };
    assert_eq!(checked(Value::from(Asset::text(" hello "))).await, Value::from(Asset::text("hello")));
    assert_eq!(checked(Value::from(Asset::text(" "))).await, Value::from(Asset::text("")));
    assert_eq!(checked(given.clone()).await, given, "passed on without it, by a guest");
    let large = format!(" {}", "x".repeat(10 << 20));
    assert!(checked(Value::from(Asset::text(large.clone()))).await == Value::from(Asset::text(large.trim())));

    let packed = async |members: Archive| {
        let checked = serving.check(TRIMMED, object([("archive", Value::from(members))])).await.unwrap();
        let Value::Archive(archive) = &checked.value["archive"] else { panic!("{:?}", checked.value) };
        archive.hash.clone()
    };
    assert_eq!(
        packed(Archive::members([("a", Value::from(Asset::text("hello ")))])).await.as_deref(),
        Some("aae7be6f39c5b5f8deaedeea71b980ae06b3f1c252913d37c766ba6d257eb82c")
    );
    assert_eq!(packed(Archive::members([("a", given)])).await, None, "nothing is read for it");

    let created = serving.create(TRIMMED, object([("asset", Value::from(Asset::text("x")))])).await.unwrap();
    assert_eq!(created.state["made"], Value::from(Asset::text("hello")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cant_be_read_says_why() {
    let disk = disk(&[("file", "contents"), ("other.rar", "")]);
    let at = |name: &str| disk.path().join(name).display().to_string();
    let serving = reading(Limits::default()).await;
    let asset = |hash: Option<&str>, source| Value::from(Asset { hash: hash.map(str::to_owned), source });
    let path = |name: &str| AssetSource::Path(at(name));
    let elided = Value::from(Asset::elided("00"));
    assert_eq!(refused(&serving, "asset", elided).await, "only the hash of the asset is known, not its contents");
    assert_eq!(
        refused(&serving, "asset", asset(Some(Asset::EMPTY_HASH), path("file"))).await,
        "the asset changed while it was used: its contents don't have its hash"
    );
    assert_eq!(
        refused(&serving, "asset", asset(None, path("none"))).await,
        format!("`{}` can't be read: No such file or directory (os error 2)", at("none"))
    );
    assert_eq!(
        refused(&serving, "asset", asset(None, AssetSource::Uri("https://example.com/a?key=hunter2".to_owned()))).await,
        "network https://example.com (GET) is denied: the component's manifest doesn't ask for it\n\
         hint: network https://example.com (GET) is denied: the component's manifest doesn't ask for it; \
         no grant is wider than what the manifest asks for, which only the component's author can change"
    );
    assert_eq!(
        refused(&serving, "archive", packed(&disk.path().join("other.rar"))).await,
        format!("`{}` is neither a directory nor ends in .tar, .tgz, .tar.gz, .zip or .jar", at("other.rar"))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_read_is_bounded() {
    let disk = disk(&[("file", "0123456789")]);
    let assets = AssetLimits { bytes: 9, open: 3, ..AssetLimits::default() };
    let serving = reading(Limits { assets, ..Limits::default() }).await;
    let large = file(&disk.path().join("file"));
    assert_eq!(
        refused(&serving, "asset", large).await,
        "the asset has 10 bytes, and the limit `asset` is 9\n\
         hint: if the provider should have more, raise the limit `asset` in bulkhead.toml"
    );
    let keep = |times: f64| {
        let asset = Value::from(Asset::text("text"));
        serving.invoke("reading:index:keep", object([("asset", asset), ("times", times.into())]))
    };
    assert_eq!(keep(3.0).await.unwrap().value["text"], Value::from("0"));
    let status = keep(4.0).await.unwrap_err();
    assert_eq!(status.message(), "3 assets and archives are open, and no more may be");
    assert_eq!(keep(3.0).await.unwrap().value["text"], Value::from("0"), "handles end with their call");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_ends_with_its_call() {
    // So large that hashing it takes minutes.
    const LARGE: u64 = 256 << 30;
    let disk = disk(&[]);
    let path = disk.path().join("large");
    fs::File::create(&path).unwrap().set_len(LARGE).unwrap();
    let assets = AssetLimits { bytes: LARGE, ..AssetLimits::default() };
    let serving = reading(Limits { assets, ..Limits::default() }).await;
    let source = AssetSource::Path(path.display().to_string());
    let inputs = object([("asset", Value::from(Asset { hash: Some("00".to_owned()), source }))]);
    let begun = std::time::Instant::now();
    let request =
        pb::CreateRequest { timeout: 0.3, properties: Some(wire(&inputs)), ..creation(CONTENTS, Object::new()) };
    let status = serving.create_as(request).await.unwrap_err();
    assert_eq!(status.code(), Code::DeadlineExceeded, "{status:?}");
    assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{:?}", begun.elapsed());
}
