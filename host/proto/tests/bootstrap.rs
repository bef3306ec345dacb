//! The checked-in Rust code is what the `.proto` files say.
//!
//! Generated code is checked in so that building the host needs neither `protoc` nor a build script, and so that a change of the
//! protocol shows in review. This test generates it anew and compares; `BULKHEAD_BLESS=1` rewrites the files instead.

#![expect(clippy::expect_used, reason = "a test whose premises don't hold has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use prost_types::FileDescriptorSet;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Messages that may hold a secret outside of a `Struct`. Their `Debug` is written by hand, in `src/confidential.rs`.
const CONFIDENTIAL: [&str; 10] = [
    ".pulumirpc.CallRequest",
    ".pulumirpc.CallbackInvokeRequest",
    ".pulumirpc.CallbackInvokeResponse",
    ".pulumirpc.ConfigureRequest",
    ".pulumirpc.ConstructRequest",
    ".pulumirpc.DeploymentInfo",
    ".pulumirpc.RunPluginRequest",
    ".pulumirpc.RunRequest",
    ".pulumirpc.StateMigrationRequest",
    ".pulumirpc.StateMigrationResponse",
];

#[test]
fn generated_code_is_current() {
    let checked_in = Path::new(ROOT).join("src/generated");
    let fresh = tempfile::tempdir().expect("a temporary directory");
    generate(fresh.path());

    let (fresh, old) = (rust_files(fresh.path()), rust_files(&checked_in));
    if std::env::var_os("BULKHEAD_BLESS").is_some() {
        for name in old.keys().filter(|name| !fresh.contains_key(*name)) {
            fs::remove_file(checked_in.join(name)).expect("a stale file to be removable");
        }
        for (name, text) in &fresh {
            fs::write(checked_in.join(name), text).expect("the generated file to be writable");
        }
        return;
    }

    let names = |files: &BTreeMap<String, String>| files.keys().cloned().collect::<Vec<_>>();
    let hint = "hint: BULKHEAD_BLESS=1 cargo test -p bulkhead-proto --test bootstrap";
    assert_eq!(names(&old), names(&fresh), "src/generated holds other files than the protocol has packages; {hint}");
    for (name, text) in &fresh {
        assert!(
            old.get(name) == Some(text),
            "src/generated/{name} differs from what the .proto files generate; {hint}"
        );
    }
}

#[test]
fn every_definition_is_exported_by_the_module_of_its_file() {
    let include = Path::new(ROOT).join("proto");
    let files = protox::compile(proto_files(&include), [&include]).expect("the .proto files to compile");
    for file in files.file.iter().filter(|file| !file.name().starts_with("google/protobuf/")) {
        let module = Path::new(file.name()).with_extension("rs");
        let path = Path::new(ROOT).join("src").join(module.file_name().expect("a file name"));
        let text =
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("failed to read {}: {error}", path.display()));
        let exported: BTreeSet<_> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let messages = file.message_type.iter().map(|message| message.name());
        let names = messages.chain(file.enum_type.iter().map(|enumeration| enumeration.name())).map(str::to_owned);
        let services = file
            .service
            .iter()
            .flat_map(|service| ["", "Client", "Server"].map(|suffix| format!("{}{suffix}", service.name())));
        for name in names.chain(services) {
            assert!(exported.contains(name.as_str()), "{} doesn't export {name}", path.display());
        }
    }
}

/// Compiles every file below `proto/` and writes one Rust file per protobuf package into `out`.
fn generate(out: &Path) {
    let include = Path::new(ROOT).join("proto");
    let mut files = protox::compile(proto_files(&include), [&include]).expect("the .proto files to compile");
    keep_deprecation_out_of_rust(&mut files);
    let mut types = tonic_prost_build::Config::new();
    types.enable_type_names();
    types.type_name_domain(["."], "type.googleapis.com");
    tonic_prost_build::configure()
        .out_dir(out)
        .emit_rerun_if_changed(false)
        .generate_default_stubs(true)
        .btree_map(".")
        .bytes(".")
        .extern_path(".google.protobuf.Struct", "crate::raw::Struct")
        .extern_path(".google.protobuf.Value", "crate::raw::Value")
        .skip_debug(CONFIDENTIAL)
        .compile_fds_with_config(files, types)
        .expect("code to be generated");
}

/// A host has to read what old engines send: `deprecated` informs readers of the `.proto`, it is no lint for our own code.
fn keep_deprecation_out_of_rust(files: &mut FileDescriptorSet) {
    for file in &mut files.file {
        for field in file.message_type.iter_mut().flat_map(|message| &mut message.field) {
            if let Some(options) = &mut field.options {
                options.deprecated = None;
            }
        }
        for method in file.service.iter_mut().flat_map(|service| &mut service.method) {
            if let Some(options) = &mut method.options {
                options.deprecated = None;
            }
        }
    }
}

/// Every `.proto` file below `directory`, sorted, so that the output doesn't depend on the file system.
fn proto_files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).expect("a readable directory") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "proto") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// File names and contents of the generated files in `directory`.
fn rust_files(directory: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(directory).expect("a readable directory") {
        let path = entry.expect("a readable entry").path();
        let name = path.file_name().expect("a file name").to_string_lossy().into_owned();
        files.insert(name, fs::read_to_string(&path).expect("a readable file"));
    }
    files
}
