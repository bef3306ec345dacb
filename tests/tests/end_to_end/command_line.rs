//! Each command with what users get wrong: an exit code, an empty stdout, and an error that says what to do.

use std::fs;
use std::path::Path;

use bulkhead::component::embed;
use bulkhead_tests::{Redaction, hide_settings, repository, run, temporary_directory};
use serde_json::Value;

use crate::{bulkhead, guest, random};

/// Runs commands that fail in a directory: what they say, as one text.
fn failures(directory: &Path, commands: &[&[&str]]) -> String {
    let redaction = Redaction::new().path(repository(), "[repository]").path(directory, "[dir]");
    let mut text = String::new();
    for command in commands {
        let finished = run(bulkhead().command(*command).current_dir(directory));
        assert_eq!(finished.code, Some(1), "{finished}");
        assert_eq!(finished.stdout, "", "{finished}");
        // What the compiler says of a crate stands before what the command says.
        let own = finished.stderr.find("error: failed to").unwrap_or_else(|| panic!("no error: {finished}"));
        assert!(own == 0 || command[0] == "build", "{finished}");
        text.push_str(&format!("$ bulkhead {}\n{}\n", command.join(" "), &finished.stderr[own..]));
    }
    redaction.apply(&text)
}

#[test]
fn nobody_is_waited_for_at_the_other_end_of_a_pipe() {
    let directory = temporary_directory();
    run(std::process::Command::new("mkfifo").arg(directory.path().join("pipe.wasm"))).succeeded();
    for command in [&["check"][..], &["inspect"], &["schema"], &["grant"], &["serve"], &["bundle", "-o", "out"]] {
        let command = [command, &["pipe.wasm"]].concat();
        let finished = run(bulkhead().command(&command).current_dir(directory.path())).failed();
        assert!(finished.stderr.contains("can't read pipe.wasm: it is no regular file\nhint: "), "{finished}");
    }
    fs::copy(guest("notes").component, directory.path().join("notes.wasm")).unwrap();
    run(std::process::Command::new("mkfifo").arg(directory.path().join("bulkhead.toml"))).succeeded();
    for command in ["inspect", "grant", "check"] {
        let finished = run(bulkhead().command([command, "notes.wasm"]).current_dir(directory.path())).failed();
        assert!(finished.stderr.contains("bulkhead.toml: it is no regular file"), "{finished}");
    }
}

/// As where threads are many and memory is dear.
#[test]
fn a_shell_that_leaves_a_small_stack_ends_no_command() {
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -s 128 && exec \"$0\" \"$@\""]).arg(bulkhead().executable());
    let inspected = run(hide_settings(command.arg("inspect").arg(guest("notes").component))).succeeded();
    assert!(inspected.stdout.starts_with("notes "), "{inspected}");
}

#[test]
fn files_that_are_no_components() {
    let directory = temporary_directory();
    let component = fs::read(guest("notes").component).unwrap();
    let files: [(&str, &[u8]); 6] = [
        ("empty.wasm", b""),
        ("text.wasm", b"(component)"),
        ("module.wasm", b"\0asm\x01\0\0\0"),
        ("bare.wasm", b"\0asm\x0d\0\x01\0"),
        ("damaged.wasm", &component[..component.len() / 2]),
        ("directory.wasm/file", b""),
    ];
    for (name, contents) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    insta::assert_snapshot!(failures(
        directory.path(),
        &[
            &["inspect", "missing.wasm"],
            &["inspect", "directory.wasm"],
            &["inspect", "empty.wasm"],
            &["inspect", "text.wasm"],
            &["inspect", "module.wasm"],
            &["inspect", "bare.wasm"],
            &["inspect", "damaged.wasm"],
            &["schema", "missing.wasm"],
            &["schema", "module.wasm"],
            &["bundle", "missing.wasm", "-o", "out"],
            &["bundle", "text.wasm", "-o", "out"],
        ],
    ));
    assert!(!directory.path().join("out").exists(), "a command that fails leaves nothing behind");
}

#[test]
fn outputs_that_cannot_be_written() {
    let directory = temporary_directory();
    fs::copy(guest("notes").component, directory.path().join("notes.wasm")).unwrap();
    fs::write(directory.path().join("file"), "").unwrap();
    let provider = repository().join("tests/guests/notes");
    let provider = provider.to_str().unwrap();
    insta::assert_snapshot!(failures(
        directory.path(),
        &[
            &["build", provider, "-o", "file/notes.wasm"],
            &["bundle", "notes.wasm", "-o", "file"],
            &["bundle", "notes.wasm", "-o", "file/out"],
        ],
    ));
}

#[test]
fn crates_that_are_no_providers() {
    let directory = temporary_directory();
    fs::create_dir(directory.path().join("nothing")).unwrap();
    write_crate(directory.path(), "library", "rlib", "");
    write_crate(directory.path(), "module", "cdylib", "");
    write_crate(directory.path(), "broken", "cdylib", "fn broken() -> u8 { \"\" }");
    fs::create_dir(directory.path().join("several")).unwrap();
    fs::write(directory.path().join("several/Cargo.toml"), "[workspace]\nmembers = [\"../module\"]\n").unwrap();
    insta::assert_snapshot!(failures(
        directory.path(),
        &[
            &["build", "missing"],
            &["build", "nothing"],
            &["build"],
            &["build", "several"],
            &["build", "library"],
            &["build", "module"]
        ],
    ));
    let broken = bulkhead().run(["build".as_ref(), directory.path().join("broken").as_os_str()]);
    assert_eq!((broken.code, broken.stdout.as_str()), (Some(1), ""), "{broken}");
    assert!(broken.stderr.contains("mismatched types"), "the compiler's messages are shown: {broken}");
    assert!(broken.stderr.ends_with("cargo didn't succeed; its messages are above\n"), "{broken}");
}

/// Writes a crate with a library and no dependencies.
fn write_crate(parent: &Path, name: &str, kind: &str, code: &str) {
    let directory = parent.join(name);
    fs::create_dir_all(directory.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"1.0.0\"\nedition = \"2024\"\n\n\
         [lib]\ncrate-type = [\"{kind}\"]\n\n[workspace]\n"
    );
    fs::write(directory.join("Cargo.toml"), manifest).unwrap();
    fs::write(directory.join("src/lib.rs"), code).unwrap();
}

#[test]
fn bad_usage_exits_with_64_and_shows_the_usage() {
    for arguments in [&["destroy-all"][..], &["inspect"], &["bundle", "x.wasm"], &["build", "--frobnicate"], &[]] {
        let finished = bulkhead().run(arguments);
        assert_eq!((finished.code, finished.stdout.as_str()), (Some(64), ""), "{finished}");
        assert!(finished.stderr.contains("Usage: bulkhead"), "{finished}");
    }
    let wrong = bulkhead().run(["check", "x.wasm", "--seed", "x"]);
    assert_eq!((wrong.code, wrong.stdout.as_str()), (Some(64), ""), "{wrong}");
    assert!(wrong.stderr.starts_with("error: invalid value 'x' for '--seed <SEED>'"), "{wrong}");
    let unknown = bulkhead().run(["inspekt"]);
    assert!(unknown.stderr.starts_with("error: unrecognized subcommand 'inspekt'\n"), "{unknown}");
}

#[test]
fn help_and_version_are_no_errors() {
    let help = bulkhead().run(["--help"]).succeeded();
    for command in ["build", "bundle", "check", "inspect", "schema", "serve"] {
        assert!(help.stdout.contains(&format!("\n  {command} ")), "{help}");
    }
    assert_eq!(help.stderr, "");
    let version = bulkhead().run(["--version"]).succeeded();
    assert_eq!(version.stdout, format!("bulkhead {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_schema_is_shown_without_compiling_anything() {
    let directory = temporary_directory();
    let path = directory.path().join("x.wasm");
    let schema = r#"{"name":"x"}"#;
    let empty = b"\0asm\x0d\0\x01\0";
    let wasm = embed(empty, schema.as_bytes(), br#"{"manifestVersion":1,"contract":"0.1.0"}"#).unwrap();
    fs::write(&path, wasm).unwrap();
    let shown = bulkhead().run(["schema".as_ref(), path.as_os_str()]).succeeded();
    assert_eq!((shown.stdout, shown.stderr), (format!("{schema}\n"), String::new()));
    bulkhead().run(["inspect".as_ref(), path.as_os_str()]).failed();
}

#[test]
fn inspect_shows_what_a_component_is_before_it_runs() {
    let component = random().component;
    let shown = bulkhead().run(["inspect".as_ref(), component.as_os_str()]).succeeded();
    let (before, names) = shown.stdout.split_once("  exports").unwrap();
    insta::assert_snapshot!(Redaction::new().apply(before), @"
    random 4.22.0
      digest     sha256:[digest]
      size       [size] bytes
      contract   bulkhead:provider@0.1.0
      built with bulkhead-sdk 0.1.0
      offers     10 resource types, 0 functions
    ");
    assert!(names.ends_with("\n  asks for   nothing\n"), "{shown}");

    let json = bulkhead().run(["inspect".as_ref(), "--json".as_ref(), component.as_os_str()]).succeeded();
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((&json["package"], &json["version"]), (&"random".into(), &"4.22.0".into()));
    assert_eq!(json["bytes"], fs::metadata(&component).unwrap().len());
    assert!(before.contains(json["digest"].as_str().unwrap()), "{shown}");
    assert_eq!(json["requests"], Value::Array(Vec::new()));
    let listed = |what: &str, name: &str| json[what].as_array().unwrap().contains(&name.into()) && names.contains(name);
    for interface in ["resources", "check", "diff", "preview", "upgrade", "schema"] {
        assert!(listed("exports", &format!("bulkhead:provider/{interface}@0.1.0")), "{interface}: {shown}");
    }
    assert!(listed("imports", "bulkhead:provider/defaults@0.1.0"), "{shown}");
}

#[test]
fn a_bundle_can_be_written_again_over_itself() {
    let directory = temporary_directory();
    let guest = guest("notes");
    guest.bundle(&bulkhead(), directory.path());
    guest.bundle(&bulkhead(), directory.path());
    let mut names: Vec<_> = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["notes.wasm", "pulumi-resource-notes"]);
}

#[test]
fn an_output_that_is_not_all_there_is_a_failure() {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let component = guest("notes").component;
    let mut command = bulkhead().command(["schema".as_ref(), component.as_os_str()]);
    let finished = command.stdout(full).output().unwrap();
    let said = String::from_utf8(finished.stderr).unwrap();
    assert_eq!(finished.status.code(), Some(1), "{said}");
    assert!(said.starts_with("error: failed to write the output: No space left on device"), "{said}");
}

#[test]
fn warnings_are_plain_text_where_nobody_sits_at_a_terminal() {
    let directory = temporary_directory();
    fs::write(directory.path().join("file"), "").unwrap();
    let component = guest("notes").component;
    let mut command = bulkhead().command(["inspect".as_ref(), component.as_os_str()]);
    let finished = run(command.env("BULKHEAD_CACHE_DIR", directory.path().join("file/cache"))).succeeded();
    assert!(finished.stderr.starts_with("warning: the compilation cache "), "{finished}");
}
