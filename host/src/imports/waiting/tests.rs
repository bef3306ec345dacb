//! Every import that may wait, and that none of them outlives its call.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use bulkhead_schema::Package;
use bulkhead_value::{Archive, ArchiveSource, Asset, AssetSource, Object, Value};
use wasmtime_wasi::p2::subscribe;

mod silence;

use silence::{Never, Silence};

use super::*;
use crate::store::{Composing, Files};
use crate::wit::bindings::exports::config::ConfigureRequest;
use crate::wit::bindings::{assets, engine, operation, packages, session, values, views};
use crate::wit::{Holds, tree_from_object};

/// What an asynchronous import does when its call is ended.
enum Import {
    /// It waits, and ends: it is called here with something that never comes.
    Waits(fn(&mut State) -> Waited<'_>),
    /// It waits for nobody, for this reason.
    Immediate(&'static str),
}

type Waited<'a> = Pin<Box<dyn Future<Output = wasmtime::Result<()>> + Send + 'a>>;

fn input(waiting: &mut Waiting<'_>) -> Resource<DynInputStream> {
    waiting.table.push(Box::new(Never) as DynInputStream).unwrap()
}

fn output(waiting: &mut Waiting<'_>) -> Resource<DynOutputStream> {
    waiting.table.push(Box::new(Never) as DynOutputStream).unwrap()
}

fn pollable(waiting: &mut Waiting<'_>) -> Resource<DynPollable> {
    let never = waiting.table.push(Never).unwrap();
    subscribe(waiting.table, never).unwrap()
}

fn trap<T>(outcome: StreamResult<T>) -> wasmtime::Result<()> {
    match outcome {
        Ok(_) => Ok(()),
        Err(StreamError::Trap(trap)) => Err(trap),
        Err(other) => panic!("{other}"),
    }
}

/// A wait, written as what is called with the handles of a call.
macro_rules! waits {
    (|$waiting:ident| $wait:expr) => {
        Import::Waits(|state| {
            let mut $waiting = waiting(state);
            Box::pin(async move { $wait })
        })
    };
}

fn compose(state: &mut State) {
    state.composing = Some(Composing::new(Arc::new(Never), usize::MAX, state.meter.holding()));
}

/// A call that may ask such an engine for `random`.
fn asking_for_its_own(state: &mut State) {
    Arc::make_mut(&mut state.call.terms).packages = Some(Arc::new(Silence));
    Arc::make_mut(&mut state.call.terms).package = Some(Arc::new(Package::parse(br#"{"name":"random"}"#).unwrap()));
}

/// How contents are asked for.
#[derive(Clone, Copy)]
enum Reading {
    Asset,
    Archive,
    Blob,
    Member,
}

/// Reads this file, or the directory it lies in, on threads that others have taken.
async fn unread(state: &mut State, reading: Reading) -> wasmtime::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file!().trim_start_matches("host/"));
    let place = |path: &Path| path.to_str().unwrap().to_owned();
    let (directory, path) = (place(path.parent().unwrap()), place(&path));
    let inputs = Object::from([
        ("asset".to_owned(), Value::from(Asset { hash: None, source: AssetSource::Path(path.clone()) })),
        ("archive".to_owned(), Value::from(Archive { hash: None, source: ArchiveSource::Path(directory.clone()) })),
    ]);
    let request = ConfigureRequest { inputs: tree_from_object(&inputs), replay: false };
    state.call.request = Some(Arc::new(request) as Arc<dyn Holds>);
    let asset = values::Asset { hash: None, source: values::AssetSource::Path(path) };
    let archive = values::Archive { hash: None, source: values::ArchiveSource::Path(directory) };
    let files = state.call.files.clone();
    match reading {
        Reading::Asset => {
            let _others = files.none_left().await;
            assets::Host::open_asset(state, asset).await.map(drop)
        }
        Reading::Archive => {
            let _others = files.none_left().await;
            assets::Host::open_archive(state, archive).await.map(drop)
        }
        Reading::Blob => {
            let blob = assets::Host::open_asset(state, asset).await?.unwrap();
            let _others = files.none_left().await;
            assets::HostBlob::read(state, blob, 0.0, 1).await.map(drop)
        }
        Reading::Member => {
            Arc::make_mut(&mut state.call.terms).files = Files::new(2, <_>::default());
            let files = state.call.files.clone();
            let reader = assets::Host::open_archive(state, archive).await?.unwrap();
            let _others = files.none_left().await;
            assets::HostReader::open(state, reader, "tests.rs".to_owned()).await.map(drop)
        }
    }
}

const NO_DESCRIPTOR: Import =
    Import::Immediate("no directory is granted, so that there is no descriptor to call it on");
const NOBODY: Import = Import::Immediate("it is denied to everybody (`imports/sockets/tcp.rs`)");
const NO_DATAGRAMS: Import = Import::Immediate("no socket for datagrams is made, so that there is none to call it on");

fn imports() -> Vec<(&'static str, Import)> {
    use streams::{HostInputStream as In, HostOutputStream as Out};
    vec![
        (
            "bulkhead:provider/engine.get-deployment",
            Import::Waits(|state| {
                compose(state);
                Box::pin(async move { engine::Host::get_deployment(state).await.map(drop) })
            }),
        ),
        (
            "bulkhead:provider/engine.register-outputs",
            Import::Waits(|state| {
                compose(state);
                let outputs = tree_from_object(&Object::new());
                Box::pin(
                    async move { engine::Host::register_outputs(state, "urn".to_owned(), outputs).await.map(drop) },
                )
            }),
        ),
        (
            "bulkhead:provider/engine.[method]pending-resource.wait",
            Import::Waits(|state| {
                compose(state);
                let pending = engine::Host::hydrate(state, "urn".to_owned()).unwrap().unwrap();
                Box::pin(async move { engine::HostPendingResource::wait(state, pending).await.map(drop) })
            }),
        ),
        (
            "bulkhead:provider/engine.[method]pending-value.wait",
            Import::Waits(|state| {
                compose(state);
                let request = state.composing.as_mut().unwrap().value(0, std::future::pending()).unwrap();
                let pending = super::super::handles::added(&mut state.table, request).unwrap();
                Box::pin(async move { engine::HostPendingValue::wait(state, pending).await.map(drop) })
            }),
        ),
        (
            "bulkhead:provider/operation.sleep",
            Import::Waits(|state| Box::pin(async move { operation::Host::sleep(state, u32::MAX).await.map(drop) })),
        ),
        (
            "bulkhead:provider/session.lock",
            Import::Waits(|state| {
                Box::pin(async move {
                    let _others = state.call.session.lock("lock".to_owned()).await;
                    session::Host::lock(state, "lock".to_owned()).await.map(drop)
                })
            }),
        ),
        (
            "bulkhead:provider/packages.get-schema",
            Import::Waits(|state| {
                Box::pin(async move {
                    asking_for_its_own(state);
                    let reference = packages::PackageReference { name: "random".to_owned(), version: None };
                    packages::Host::get_schema(state, reference).await.map(drop)
                })
            }),
        ),
        (
            "bulkhead:provider/packages.get-parameterized-schema",
            Import::Waits(|state| {
                Box::pin(async move {
                    asking_for_its_own(state);
                    let plugin = packages::PackageReference { name: "random".to_owned(), version: None };
                    let (name, version) = ("made".to_owned(), "1.0.0".to_owned());
                    let parameter = packages::PackageParameter { name, version, value: Vec::new() };
                    packages::Host::get_parameterized_schema(state, plugin, parameter).await.map(drop)
                })
            }),
        ),
        (
            "bulkhead:provider/packages.get-mapping",
            Import::Waits(|state| {
                Box::pin(async move {
                    asking_for_its_own(state);
                    packages::Host::get_mapping(state, "random".to_owned(), None).await.map(drop)
                })
            }),
        ),
        (
            "bulkhead:provider/packages.resolve",
            Import::Waits(|state| {
                Box::pin(async move {
                    asking_for_its_own(state);
                    let spec =
                        packages::PackageSpec { source: "random".to_owned(), version: None, parameters: Vec::new() };
                    packages::Host::resolve(state, spec).await.map(drop)
                })
            }),
        ),
        (
            "bulkhead:provider/views.publish",
            Import::Waits(|state| {
                Box::pin(async move {
                    asking_for_its_own(state);
                    Arc::make_mut(&mut state.call.terms).views = Some(Arc::new(Silence));
                    let request = ConfigureRequest { inputs: tree_from_object(&Object::new()), replay: false };
                    state.call.request = Some(Arc::new(request));
                    let step = views::ViewStep {
                        token: "view".to_owned(),
                        name: "view".to_owned(),
                        parent: None,
                        operation: views::ViewOperation::Create,
                        status: views::ViewStatus::Done,
                        error: String::new(),
                        old_state: None,
                        new_state: None,
                        changes: Vec::new(),
                    };
                    views::Host::publish(state, vec![step]).await.map(drop)
                })
            }),
        ),
        ("bulkhead:provider/assets.open-asset", Import::Waits(|state| Box::pin(unread(state, Reading::Asset)))),
        ("bulkhead:provider/assets.open-archive", Import::Waits(|state| Box::pin(unread(state, Reading::Archive)))),
        ("bulkhead:provider/assets.[method]blob.read", Import::Waits(|state| Box::pin(unread(state, Reading::Blob)))),
        (
            "bulkhead:provider/assets.[method]reader.open",
            Import::Waits(|state| Box::pin(unread(state, Reading::Member))),
        ),
        (
            "wasi:io/poll.poll",
            waits!(|waiting| {
                let all = vec![pollable(&mut waiting), pollable(&mut waiting)];
                poll::Host::poll(&mut waiting, all).await.map(drop)
            }),
        ),
        (
            "wasi:io/poll.[method]pollable.block",
            waits!(|waiting| {
                let never = pollable(&mut waiting);
                poll::HostPollable::block(&mut waiting, never).await
            }),
        ),
        ("wasi:io/poll.[method]pollable.ready", Import::Immediate("it looks once")),
        (
            "wasi:io/streams.[method]input-stream.blocking-read",
            waits!(|waiting| {
                let never = input(&mut waiting);
                trap(In::blocking_read(&mut waiting, never, 1).await)
            }),
        ),
        (
            "wasi:io/streams.[method]input-stream.blocking-skip",
            waits!(|waiting| {
                let never = input(&mut waiting);
                trap(In::blocking_skip(&mut waiting, never, 1).await)
            }),
        ),
        (
            "wasi:io/streams.[drop]input-stream",
            waits!(|waiting| {
                let never = input(&mut waiting);
                In::drop(&mut waiting, never).await
            }),
        ),
        (
            "wasi:io/streams.[method]output-stream.blocking-splice",
            waits!(|waiting| {
                let (to, from) = (output(&mut waiting), input(&mut waiting));
                trap(Out::blocking_splice(&mut waiting, to, from, 1).await)
            }),
        ),
        (
            "wasi:io/streams.[method]output-stream.blocking-flush",
            waits!(|waiting| {
                let never = output(&mut waiting);
                trap(Out::blocking_flush(&mut waiting, never).await)
            }),
        ),
        (
            "wasi:io/streams.[method]output-stream.blocking-write-and-flush",
            waits!(|waiting| {
                let never = output(&mut waiting);
                trap(Out::blocking_write_and_flush(&mut waiting, never, vec![0]).await)
            }),
        ),
        (
            "wasi:io/streams.[method]output-stream.blocking-write-zeroes-and-flush",
            waits!(|waiting| {
                let never = output(&mut waiting);
                trap(Out::blocking_write_zeroes_and_flush(&mut waiting, never, 1).await)
            }),
        ),
        (
            "wasi:io/streams.[drop]output-stream",
            waits!(|waiting| {
                let never = output(&mut waiting);
                Out::drop(&mut waiting, never).await
            }),
        ),
        ("wasi:filesystem/types.*", NO_DESCRIPTOR),
        ("wasi:sockets/tcp.[method]tcp-socket.start-bind", NOBODY),
        ("wasi:sockets/tcp.[method]tcp-socket.start-listen", NOBODY),
        ("wasi:sockets/udp-create-socket.create-udp-socket", NOBODY),
        ("wasi:sockets/udp.[method]udp-socket.start-bind", NO_DATAGRAMS),
        ("wasi:sockets/udp.[method]udp-socket.stream", NO_DATAGRAMS),
        ("wasi:sockets/udp.[drop]outgoing-datagram-stream", NO_DATAGRAMS),
    ]
}

/// The imports that some bindings declare as asynchronous.
fn declared(bindings: &Path) -> BTreeSet<String> {
    let source = std::fs::read_to_string(bindings).unwrap();
    let entries = source.lines().filter_map(|line| line.trim().strip_prefix('"')?.split_once("\": async"));
    entries.map(|(name, _)| name.to_owned()).collect()
}

/// Where the sources of a dependency lie.
fn sources(package: &str) -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = metadata["packages"].as_array().unwrap().iter().find(|found| found["name"] == package);
    Path::new(found.unwrap()["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned()
}

#[test]
fn every_asynchronous_import_is_listed() {
    let mut asynchronous = declared(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/wit/bindings.rs"));
    asynchronous.extend(declared(&sources("wasmtime-wasi-io").join("src/bindings.rs")));
    let wasi = declared(&sources("wasmtime-wasi").join("src/p2/bindings.rs"));
    assert!(wasi.len() > 20, "{wasi:?}");
    asynchronous.extend(wasi);
    // None of `wasi:http` is: what it waits for is waited for through `wasi:io`.
    let http = std::fs::read_to_string(sources("wasmtime-wasi-http").join("src/p2/bindings.rs")).unwrap();
    assert!(
        http.contains("imports: { default: tracing | trappable },"),
        "some of `wasi:http` may wait, and isn't listed"
    );
    let listed = imports();
    let covers = |listed: &str, name: &str| match listed.strip_suffix('*') {
        Some(interface) => name.starts_with(interface),
        None => name == listed,
    };
    for name in &asynchronous {
        assert!(listed.iter().any(|(listed, _)| covers(listed, name)), "`{name}` may wait, and isn't listed");
    }
    for (listed, _) in &listed {
        assert!(asynchronous.iter().any(|name| covers(listed, name)), "`{listed}` isn't asynchronous");
    }
}

#[tokio::test]
async fn every_wait_ends_with_its_call() {
    for (name, import) in imports() {
        let wait = match import {
            Import::Waits(wait) => wait,
            Import::Immediate(reason) => {
                assert!(!reason.is_empty(), "{name}");
                continue;
            }
        };
        let mut state = State::of_nobody();
        let hard = state.call.hard.clone();
        let mut waited = wait(&mut state);
        tokio::select! {
            outcome = &mut waited => panic!("{name} didn't wait: {outcome:?}"),
            () = tokio::time::sleep(Duration::from_millis(20)) => {}
        }
        hard.cancel();
        let error = tokio::time::timeout(Duration::from_secs(1), waited).await.expect(name).expect_err(name);
        assert_eq!(error.downcast_ref::<Ending>(), Some(&Ending::Cancelled), "{name}");
    }
}

#[tokio::test]
async fn what_can_return_early_does_so_when_the_call_should_end() {
    let mut state = State::of_nobody();
    state.call.soft.cancel();
    let begun = Instant::now();
    assert!(operation::Host::sleep(&mut state, u32::MAX).await.unwrap(), "cancelled");
    let others = state.call.session.lock("lock".to_owned()).await.unwrap();
    let locked = session::Host::lock(&mut state, "lock".to_owned()).await.unwrap();
    assert!(matches!(locked, Err(session::SessionError::Cancelled)), "{locked:?}");
    drop(others);
    let mut waiting = waiting(&mut state);
    let never = pollable(&mut waiting);
    poll::HostPollable::block(&mut waiting, never).await.unwrap();
    let never = pollable(&mut waiting);
    assert_eq!(poll::Host::poll(&mut waiting, vec![never]).await.unwrap(), [0]);
    compose(&mut state);
    let pending = engine::Host::hydrate(&mut state, "urn".to_owned()).unwrap().unwrap();
    let waited = engine::HostPendingResource::wait(&mut state, pending).await.unwrap();
    assert!(matches!(waited, Err(crate::wit::bindings::types::Error::Cancelled)));
    let took = begun.elapsed();
    assert!(took >= PAUSE * 2 && took < Duration::from_secs(5), "a loop around a wait doesn't spin: {took:?}");
}
