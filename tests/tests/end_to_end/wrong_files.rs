//! Components that can't be served, found beside a plugin's executable. By hand: an exit code, nothing on stdout, and words that say what is
//! wrong and what to do. To an engine: the same words, from a process that stays. Through the command line they are shown in `command_line`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use bulkhead::component::{Sections, embed};
use bulkhead_tests::{Finished, Launch, Project, Redaction, hide_settings, run, temporary_directory};

use crate::{bulkhead, guest};

const MANIFEST: &str = r#"{"manifestVersion":1,"contract":"0.1.0"}"#;

/// Runs a plugin that can't serve, and shows what it says.
fn refused(directory: &Path, executable: &Path) -> String {
    let mut command = Command::new(executable);
    command.env("BULKHEAD_CACHE_DIR", directory.join("cache"));
    said(directory, run(hide_settings(&mut command)))
}

fn said(directory: &Path, finished: Finished) -> String {
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(1), ""), "{finished}");
    assert!(finished.stderr.starts_with("error: failed to "), "{finished}");
    assert!(finished.stderr.contains("\nhint: "), "{finished}");
    assert!(!finished.stderr.contains("panicked"), "{finished}");
    Redaction::new().path(directory, "[dir]").apply(&finished.stderr)
}

/// The bytes with one text in place of another of the same length.
fn patched(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut patched = bytes.to_vec();
    for at in 0..=bytes.len() - from.len() {
        if bytes[at..].starts_with(from.as_bytes()) {
            patched[at..at + to.len()].copy_from_slice(to.as_bytes());
        }
    }
    assert_ne!(patched, bytes, "`{from}` should stand in the component");
    patched
}

#[test]
fn a_plugin_says_what_is_wrong_with_its_component() {
    let directory = temporary_directory();
    guest("liar").bundle(&bulkhead(), directory.path());
    let (executable, component) = (directory.path().join("pulumi-resource-liar"), directory.path().join("liar.wasm"));
    let whole = fs::read(&component).unwrap();
    let mut corrupt = whole.clone();
    let middle = whole.len() / 2;
    corrupt[middle..middle + 64].fill(0xff);
    let described = |schema: &str, manifest: &str| embed(&whole, schema.as_bytes(), manifest.as_bytes()).unwrap();
    let lie = |more: &str| format!(r#"{{"name":"liar","resources":{{"liar:index:Lie":{{}}}}{more}}}"#);
    let facts = |facts: &str| format!(r#"{{"manifestVersion":1,"contract":"0.1.0",{facts}}}"#);
    let without = |interface: &str, instead: &str| {
        patched(&whole, &format!("bulkhead:provider/{interface}@0.1.0"), &format!("bulkhead:provider/{instead}@0.1.0"))
    };
    let files: Vec<(&str, Vec<u8>)> = vec![
        ("empty", Vec::new()),
        ("text", b"(component)".to_vec()),
        ("a core module", b"\0asm\x01\0\0\0".to_vec()),
        ("cut short", whole[..middle].to_vec()),
        ("of another world", b"\0asm\x0d\0\x01\0".to_vec()),
        ("of another contract", patched(&whole, "@0.1.0", "@0.2.0")),
        ("with a schema that is no JSON", described("{", MANIFEST)),
        ("with a schema that is no schema", described(r#"{"name":"liar","resources":[1]}"#, MANIFEST)),
        ("with a schema of another package", described(r#"{"name":"aws"}"#, MANIFEST)),
        ("with a manifest that is no JSON", described(&lie(""), "manifest")),
        ("with a manifest of a later format", described(&lie(""), r#"{"manifestVersion":2,"contract":"0.1.0"}"#)),
        ("with a manifest of other resources", described(&lie(""), &facts(r#""resources":{"liar:index:Lye":{}}"#))),
        (
            "with an override that isn't there",
            described(&lie(""), &facts(r#""resources":{"liar:index:Lie":{"overrides":["check"]}}"#)),
        ),
        (
            "with an override of the configuration",
            described(&lie(""), &facts(r#""configuration":{"overrides":["diff"]}"#)),
        ),
        ("with resources that aren't there", without("resources", "resourcez")),
        ("with functions that aren't there", without("functions", "functionz")),
    ];
    fs::write(&component, corrupt).unwrap();
    // Where it is found to be depends on what was built.
    let said = refused(directory.path(), &executable);
    assert!(
        said.starts_with("error: failed to load [dir]/liar.wasm: the component can't be compiled: Invalid input "),
        "{said}"
    );
    let mut text = String::new();
    for (what, contents) in files {
        fs::write(&component, contents).unwrap();
        text.push_str(&format!("# {what}\n{}\n", refused(directory.path(), &executable)));
    }
    fs::remove_file(&component).unwrap();
    text.push_str(&format!("# missing\n{}\n", refused(directory.path(), &executable)));
    fs::create_dir(&component).unwrap();
    text.push_str(&format!("# a directory\n{}\n", refused(directory.path(), &executable)));
    fs::remove_dir(&component).unwrap();
    symlink("liar.wasm", &component).unwrap();
    text.push_str(&format!("# a link to itself\n{}\n", refused(directory.path(), &executable)));
    insta::assert_snapshot!(text);

    // Nothing that was tried keeps the right one from being served.
    fs::remove_file(&component).unwrap();
    fs::write(&component, whole).unwrap();
    let mut plugin = Command::new(&executable);
    plugin.arg("127.0.0.1:1").env("BULKHEAD_CACHE_DIR", directory.path().join("cache"));
    bulkhead_tests::Plugin::spawn(&mut plugin, bulkhead_tests::Stdin::Null);
}

#[test]
fn a_component_that_may_not_be_read_is_told_as_such() {
    let directory = temporary_directory();
    guest("liar").bundle(&bulkhead(), directory.path());
    let component = directory.path().join("liar.wasm");
    fs::set_permissions(&component, fs::Permissions::from_mode(0o000)).unwrap();
    let mut command = Command::new(directory.path().join("pulumi-resource-liar"));
    command.env("BULKHEAD_CACHE_DIR", directory.path().join("cache"));
    command.env("XDG_CONFIG_HOME", directory.path());
    // Who may do anything may read it: somebody else has to look, and to get there.
    let privileged = fs::read(&component).is_ok();
    if privileged {
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).unwrap();
        fs::create_dir(directory.path().join("cache")).unwrap();
        chown(directory.path().join("cache"), Some(65_534), None).unwrap();
        command.uid(65_534).gid(65_534);
    }
    insta::assert_snapshot!(said(directory.path(), run(&mut command)), @r"
    error: failed to load [dir]/liar.wasm: can't read [dir]/liar.wasm: Permission denied (os error 13)
    hint: name an existing .wasm file that you may read
    ");
}

/// A full disk is nothing for the provider's author.
#[test]
fn records_that_have_to_be_written_and_cannot_be_are_told_by_themselves() {
    let project = Project::new(&bulkhead(), &[&guest("liar")], Launch::Plugins);
    let required = "[audit]\nfile = \"missing/audit.jsonl\"\nrequired = true\n";
    fs::write(project.directory().join("bulkhead.toml"), required).unwrap();
    project.program("resources: {it: {type: liar:Lie, properties: {lie: truth}}}\n");
    let failed = project.preview(&[]).failed().output();
    assert!(
        failed.contains("missing/audit.jsonl, which is required: ") && failed.contains("hint: see that "),
        "{failed}"
    );
    assert!(!failed.contains("exited prematurely") && !failed.contains("always"), "{failed}");
}

/// The version that a component's schema says.
fn version_of(component: &[u8]) -> String {
    let schema = Sections::read(component).unwrap().schema.unwrap();
    let schema: serde_json::Value = serde_json::from_slice(&schema).unwrap();
    schema["version"].as_str().unwrap().to_owned()
}

#[test]
fn the_engine_shows_what_its_plugin_said() {
    let project = Project::new(&bulkhead(), &[&guest("liar")], Launch::Plugins);
    let component = project.plugins().join("liar.wasm");
    let whole = fs::read(&component).unwrap();
    fs::remove_file(&component).unwrap();
    fs::write(&component, patched(&whole, "@0.1.0", "@0.2.0")).unwrap();
    let version = version_of(&whole);
    project.program(&format!(
        "resources: {{it: {{type: liar:Lie, properties: {{lie: truth}}, options: {{version: {version}}}}}}}\n"
    ));
    let failed = project.preview(&[]).failed().output();
    assert!(failed.contains("of contract 0.2.0, and this host speaks 0.1.0"), "{failed}");
    assert!(
        failed.contains("hint: use a Bulkhead of the version that it was built for, or build the provider "),
        "{failed}"
    );
    // An engine says of each plugin that ends by itself, whatever it said, that this is "*always* a bug in the provider".
    assert!(!failed.contains("exited prematurely") && !failed.contains("always"), "{failed}");
    // So it says of one of another version than it looked for, or of none.
    assert!(!failed.contains("is expected to have version") && !failed.contains("a bug in the plugin"), "{failed}");
    fs::write(&component, &whole).unwrap();
    fs::write(project.directory().join("bulkhead.toml"), "[limits]\nmemroy = \"1GiB\"\n").unwrap();
    let failed = project.preview(&[]).failed().output();
    assert!(failed.contains("unknown field `memroy`") && failed.contains("hint: docs/operator.md"), "{failed}");
    assert!(!failed.contains("exited prematurely") && !failed.contains("always"), "{failed}");
    // So it says of one of another version than it looked for, or of none.
    assert!(!failed.contains("is expected to have version") && !failed.contains("a bug in the plugin"), "{failed}");
    fs::remove_file(project.directory().join("bulkhead.toml")).unwrap();
    // It parses what a plugin says that its version is, and takes one that says none for broken.
    let (schema, manifest) = (r#"{"name":"liar","version":"latest","resources":{"liar:index:Lie":{}}}"#, MANIFEST);
    fs::write(&component, embed(&whole, schema.as_bytes(), manifest.as_bytes()).unwrap()).unwrap();
    project.program("resources: {it: {type: liar:Lie, properties: {lie: truth}}}\n");
    let failed = project.preview(&[]).failed().output();
    assert!(failed.contains("this isn't a semantic version"), "{failed}");
    assert!(!failed.contains("exited prematurely") && !failed.contains("always"), "{failed}");
}
