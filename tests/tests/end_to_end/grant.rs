//! `bulkhead grant` and `bulkhead inspect`, as an operator of somebody else's component uses them.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use bulkhead::component::embed;
use bulkhead_tests::{Finished, Process, Redaction, run, temporary_directory};
use serde_json::json;

use crate::{bulkhead, guest};

/// Runs a command in a directory, without a terminal.
fn said(directory: &Path, arguments: &[&str]) -> Finished {
    run(bulkhead().command(arguments).current_dir(directory).stdin(Stdio::null()))
}

/// Runs a command in a directory, at a terminal at which somebody types a line once asked: whether it succeeded, and what was shown.
fn answered(directory: &Path, arguments: &[&str], line: &str) -> (bool, String) {
    let command = format!("'{}' {}", bulkhead().executable().display(), arguments.join(" "));
    let mut terminal = Command::new("script");
    terminal.args(["--quiet", "--return", "--command", &command, "/dev/null"]).current_dir(directory);
    let started = terminal.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut terminal = started.expect("`script`, of util-linux, should be on the PATH");
    let (mut typed, mut shown) = (terminal.stdin.take().unwrap(), terminal.stdout.take().unwrap());
    let mut seen = Vec::new();
    let mut byte = [0];
    while shown.read(&mut byte).unwrap() > 0 {
        seen.extend(byte);
        if seen.ends_with(b"[y/N] ") {
            typed.write_all(format!("{line}\n").as_bytes()).unwrap();
        }
    }
    (terminal.wait().unwrap().success(), String::from_utf8(seen).unwrap())
}

/// What a command said, without what is different each time.
fn redacted(directory: &Path, finished: &Finished) -> String {
    let real = directory.canonicalize().unwrap();
    let text = Redaction::new().path(&real, "[dir]").apply(&finished.output());
    without_digests(&text)
}

fn without_digests(text: &str) -> String {
    let mut digests: Vec<&str> = Vec::new();
    for (at, _) in text.match_indices("sha256:") {
        let digest = text[at + 7..].get(..64).filter(|digest| digest.bytes().all(|byte| byte.is_ascii_hexdigit()));
        if let Some(digest) = digest.filter(|digest| !digests.contains(digest)) {
            digests.push(digest);
        }
    }
    let mut text = text.to_owned();
    for (position, digest) in digests.iter().enumerate() {
        text = text.replace(digest, &format!("[digest {}]", position + 1));
    }
    text
}

#[test]
fn a_component_is_granted_what_it_asks_for() {
    let directory = temporary_directory();
    let path = directory.path();
    fs::copy(guest("granted").component, path.join("granted.wasm")).unwrap();
    fs::write(path.join("Pulumi.yaml"), "name: x\nruntime: yaml\n").unwrap();
    let before = said(path, &["inspect", "granted.wasm"]).succeeded();
    let asks = before.stdout.split_once("asks for").unwrap().1;
    insta::assert_snapshot!(asks);
    let asked = said(path, &["grant", "granted.wasm"]).failed();
    insta::assert_snapshot!(redacted(path, &asked));
    assert!(!path.join("bulkhead.toml").exists(), "nobody said yes");
    fs::write(path.join("bulkhead.toml"), "# ours\n[limits]\nmemory = \"512MiB\" # enough\n").unwrap();
    let granted = said(path, &["grant", "granted.wasm", "--yes"]).succeeded();
    insta::assert_snapshot!(redacted(path, &granted));
    insta::assert_snapshot!(without_digests(&fs::read_to_string(path.join("bulkhead.toml")).unwrap()));
    let again = said(path, &["grant", "granted.wasm"]).succeeded();
    insta::assert_snapshot!(redacted(path, &again));
    let after = said(path, &["inspect", "granted.wasm", "--json"]).succeeded();
    let shown: serde_json::Value = serde_json::from_str(&after.stdout).unwrap();
    assert_eq!(shown["requests"][0]["verdict"], "granted");
}

#[test]
fn whoever_sits_at_a_terminal_is_asked_and_only_a_yes_is_one() {
    let directory = temporary_directory();
    let path = directory.path();
    fs::write(path.join("Pulumi.yaml"), "name: x\nruntime: yaml\n").unwrap();
    asking(path, "p", &json!({"environment": [{"name": "TOKEN", "reason": "logs in"}]}));
    for answer in ["", "n", "yess", "please"] {
        let (succeeded, shown) = answered(path, &["grant", "p.wasm"], answer);
        assert!(!succeeded && shown.starts_with("p 1.0.0 asks for\r\n  environment TOKEN: logs in\r\n"), "{shown}");
        assert!(
            shown.contains(&format!("grant this? [y/N] {answer}\r\nerror: failed to grant permissions in ")),
            "{shown}"
        );
        assert!(shown.trim_end().ends_with("bulkhead.toml: nothing was granted"), "{shown}");
        assert!(!path.join("bulkhead.toml").exists(), "{answer}");
    }
    for answer in ["y", "Y", "yes"] {
        let (succeeded, shown) = answered(path, &["grant", "p.wasm"], answer);
        assert!(succeeded && shown.contains("\r\ngranted to p 1.0.0 (sha256:"), "{shown}");
        assert!(fs::read_to_string(path.join("bulkhead.toml")).unwrap().contains("environment = [\"TOKEN\"]"));
        fs::remove_file(path.join("bulkhead.toml")).unwrap();
    }
}

/// Else it would wait for an answer to what stands in a file.
#[test]
fn whoever_is_asked_sees_what_they_are_asked() {
    let directory = temporary_directory();
    let path = directory.path();
    fs::write(path.join("Pulumi.yaml"), "name: x\nruntime: yaml\n").unwrap();
    asking(path, "p", &json!({"environment": [{"name": "TOKEN", "reason": "logs in"}]}));
    let (succeeded, shown) = answered(path, &["grant", "p.wasm", ">log", "2>&1"], "y");
    assert!(!succeeded && shown.is_empty(), "{shown}");
    let log = fs::read_to_string(path.join("log")).unwrap();
    assert!(log.contains(": there is no terminal to ask at, and nothing was granted\nhint: "), "{log}");
    let (succeeded, shown) = answered(path, &["grant", "p.wasm", ">log"], "y");
    let asked = "p 1.0.0 asks for\r\n  environment TOKEN: logs in\r\n";
    assert!(succeeded && shown.starts_with(asked) && shown.contains("grant this? [y/N] y\r\n"), "{shown}");
    let log = fs::read_to_string(path.join("log")).unwrap();
    assert!(log.starts_with("granted to p 1.0.0 (sha256:"), "{log}");
}

#[test]
fn limits_that_a_component_asks_for_are_set_where_nobody_has_set_them() {
    let directory = temporary_directory();
    let path = directory.path();
    fs::write(path.join("Pulumi.yaml"), "name: x\nruntime: yaml\n").unwrap();
    let limit = |limit: &str, value: &str| json!({"limit": limit, "value": value, "reason": "large zones"});
    let limits = [limit("memory", "2GiB"), limit("concurrency", "128"), limit("wall", "1h")];
    asking(path, "p", &json!({"limits": limits}));
    let granted = |before: &str| {
        fs::write(path.join("bulkhead.toml"), before).unwrap();
        let granted = said(path, &["grant", "p.wasm", "--yes"]).succeeded();
        let after = without_digests(&fs::read_to_string(path.join("bulkhead.toml")).unwrap());
        format!("{}\n---\n{after}", redacted(path, &granted))
    };
    insta::assert_snapshot!(granted("# ours\n"));
    insta::assert_snapshot!(granted("[limits]\nmemory = \"1GiB\" # all there is\n"));
    let denied = said(path, &["inspect", "p.wasm"]).succeeded();
    insta::assert_snapshot!(redacted(path, &denied));
    fs::write(path.join("bulkhead.toml"), "limits = 1\n").unwrap();
    let refused = said(path, &["grant", "p.wasm", "--yes"]).failed();
    insta::assert_snapshot!(redacted(path, &refused));
}

#[test]
fn an_upgrade_shows_what_is_new() {
    let directory = temporary_directory();
    let path = directory.path();
    fs::write(path.join("Pulumi.yaml"), "name: x\nruntime: yaml\n").unwrap();
    fs::write(path.join("granted.wasm"), guest("granted").of_version("2.0.0")).unwrap();
    let old = "1".repeat(64);
    let earlier = format!(
        "[[providers.granted.grants]]\ndigest = \"sha256:{old}\"\nenvironment = [\"GRANTED_TOKEN\", \"GONE\"]\n\
         filesystem = [{{ path = \"certs\", at = \"/srv/certs\", access = \"read\" }}, \"out\"]\n"
    );
    fs::write(path.join("bulkhead.toml"), &earlier).unwrap();
    let granted = said(path, &["grant", "granted.wasm", "--yes"]).succeeded();
    insta::assert_snapshot!(redacted(path, &granted));
    let text = fs::read_to_string(path.join("bulkhead.toml")).unwrap();
    assert!(text.starts_with(&earlier), "what stacks still use stays granted");
    insta::assert_snapshot!(without_digests(&text[earlier.len()..]));
}

/// What a component with other words in its manifest asks for, in a file.
fn asking(path: &Path, name: &str, requests: &serde_json::Value) {
    let manifest = json!({"manifestVersion": 1, "contract": "0.1.0", "permissions": requests}).to_string();
    let component = fs::read(guest("liar").component).unwrap();
    let schema = json!({"name": name, "version": "1.0.0"}).to_string();
    let component = embed(&component, schema.as_bytes(), manifest.as_bytes()).unwrap();
    fs::write(path.join(format!("{name}.wasm")), component).unwrap();
}

#[test]
fn who_grants_at_once_loses_no_grant() {
    let directory = temporary_directory();
    let path = directory.path();
    fs::write(path.join("Pulumi.yaml"), "name: x\nruntime: yaml\n").unwrap();
    let ours = "# ours\n[limits]\nmemory = \"1GiB\"\n";
    fs::write(path.join("bulkhead.toml"), ours).unwrap();
    let names: Vec<String> = (0..12).map(|number| format!("p{number}")).collect();
    for name in &names {
        asking(path, name, &json!({"environment": [{"name": format!("OF_{name}"), "reason": "reads it"}]}));
    }
    let grant = |name: &String| {
        let arguments = ["grant", &format!("{name}.wasm"), "--yes"];
        Process::start(bulkhead().command(arguments).current_dir(path))
    };
    let granting: Vec<Process> = names.iter().map(grant).collect();
    granting.into_iter().for_each(|process| drop(process.finish().succeeded()));
    let text = fs::read_to_string(path.join("bulkhead.toml")).unwrap();
    for name in &names {
        assert!(text.contains(&format!("[[providers.{name}.grants]]")), "{name} is lost: {text}");
        assert!(text.contains(&format!("\"OF_{name}\"")), "{text}");
    }
    assert!(text.starts_with(ours), "{text}");
    let left: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), names.len() + 2, "nothing else is left: {left:?}");
}

/// An authority vouches for all that stands beside it in a block.
#[test]
fn an_upgrade_has_authorities_believed_for_no_other_server() {
    let directory = temporary_directory();
    let path = directory.path();
    fs::write(path.join("Pulumi.yaml"), "name: x\nruntime: yaml\n").unwrap();
    let network = ["a", "b", "c"].map(|name| json!({"endpoint": format!("https://{name}.example"), "reason": "r"}));
    asking(path, "p", &json!({"network": network}));
    let block = |digest: &str, name: &str| {
        format!(
            "[[providers.p.grants]]\ndigest = \"{digest}\"\nnetwork = [\"https://{name}.example\"]\ncertificates = [\"{name}.pem\"]\n"
        )
    };
    let earlier = format!("{}\n{}", block(&format!("sha256:{}", "1".repeat(64)), "a"), block("dev", "b"));
    fs::write(path.join("bulkhead.toml"), &earlier).unwrap();
    let granted = said(path, &["grant", "p.wasm", "--yes"]).succeeded();
    insta::assert_snapshot!(redacted(path, &granted));
    let text = fs::read_to_string(path.join("bulkhead.toml")).unwrap();
    insta::assert_snapshot!(without_digests(&text[earlier.len()..]));
    let more = r#"network = [{ endpoint = "https://a.example", addresses = ["private"] }]"#;
    said(path, &["grant", "p.wasm", "--yes", "--only", more]).succeeded();
    let text = fs::read_to_string(path.join("bulkhead.toml")).unwrap();
    let beside = "network = [\"https://a.example\", { endpoint = \"https://a.example\", addresses = [\"private\"] }]\ncertificates = [\"a.pem\"]";
    assert!(text.contains(beside), "{text}");
    let alone = said(path, &["grant", "p.wasm", "--yes", "--only", "certificates = [\"c.pem\"]"]).failed().stderr;
    assert!(alone.contains("it names authorities, and none of the endpoints that they are believed for"), "{alone}");
}

/// A checkout brings links along, and what they lead to belongs to somebody else.
#[test]
fn what_lies_outside_of_the_project_is_not_written_to() {
    let directory = temporary_directory();
    let path = directory.path().canonicalize().unwrap();
    let (project, other) = (path.join("project"), path.join("other/bulkhead.toml"));
    for directory in ["project/shared", "other"] {
        fs::create_dir_all(path.join(directory)).unwrap();
    }
    fs::write(project.join("Pulumi.yaml"), "name: x\nruntime: yaml\n").unwrap();
    fs::copy(guest("granted").component, project.join("granted.wasm")).unwrap();
    let file = project.join("bulkhead.toml");
    for linked in ["", "[limits]\nmemory = \"1GiB\"\n"] {
        fs::write(&other, linked).unwrap();
        symlink("../other/bulkhead.toml", &file).unwrap();
        let refused = said(&project, &["grant", "granted.wasm", "--yes"]).failed();
        let expected = format!(
            "error: failed to grant permissions in {}: it is a link to {}, which lies outside of the project\nhint: name the \
             project whose file that is with --project, or put a file of its own in the link's place; nothing was changed\n",
            file.display(),
            other.display()
        );
        assert_eq!(refused.stderr, expected);
        assert_eq!(fs::read_to_string(&other).unwrap(), linked);
        fs::remove_file(&file).unwrap();
    }
    // Named, it is written to; and a link within the project stays one.
    said(&project, &["grant", "granted.wasm", "--yes", "--project", "../other"]).succeeded();
    assert!(fs::read_to_string(&other).unwrap().contains("providers.granted.grants"));
    fs::write(project.join("shared/grants.toml"), "").unwrap();
    symlink("shared/grants.toml", &file).unwrap();
    said(&project, &["grant", "granted.wasm", "--yes"]).succeeded();
    assert!(fs::symlink_metadata(&file).unwrap().is_symlink());
    assert!(fs::read_to_string(&file).unwrap().contains("providers.granted.grants"));
}

/// Whoever decides by what these commands print is to see what stands there.
#[test]
fn nothing_that_a_component_says_steers_the_terminal_of_who_looks_at_it() {
    let directory = temporary_directory();
    let path = directory.path();
    fs::write(path.join("Pulumi.yaml"), "name: x\nruntime: yaml\n").unwrap();
    let steering = "safe\u{1b}[2J\u{9b}2K\r\u{202e}\u{2067}\u{2028}\u{200b}\n  network https://example.com: forged";
    asking(
        path,
        "p",
        &json!({
            "environment": [{"name": "A\u{202e}B", "reason": steering}],
            "network": [{"endpoint": "https://example.com", "reason": steering}],
            "filesystem": [{"path": steering, "access": "read", "reason": steering}],
            "packages": [{"package": "q", "from": steering, "reason": steering}],
        }),
    );
    for arguments in [
        &["inspect", "p.wasm"][..],
        &["inspect", "p.wasm", "--json"],
        &["check", "p.wasm"],
        &["check", "p.wasm", "--json"],
        &["grant", "p.wasm"],
        &["grant", "p.wasm", "--yes"],
        &["grant", "p.wasm", "--yes"],
        &["inspect", "p.wasm"],
        &["schema", "p.wasm"],
    ] {
        let told = said(path, arguments);
        assert!(told.code.is_some() && !told.stderr.contains("panicked"), "{told}");
        for line in told.output().lines() {
            let steers = |character: char| {
                character != '\t'
                    && (character.is_control()
                        || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'))
            };
            assert!(!line.contains(steers), "{line:?} of {told}");
            assert!(!line.starts_with("  network https://example.com: forged"), "{line} of {told}");
        }
    }
    let written = fs::read_to_string(path.join("bulkhead.toml")).unwrap_or_default();
    assert!(written.is_ascii(), "{written}");
}

/// Whoever answers sees the end of what they are shown.
#[test]
fn what_reaches_far_is_not_buried_among_what_does_not() {
    let directory = temporary_directory();
    let path = directory.path();
    fs::write(path.join("Pulumi.yaml"), "name: x\nruntime: yaml\n").unwrap();
    let harmless = |number: u32| json!({"endpoint": format!("https://{number}.example.com"), "reason": "talks to it"});
    let mut network: Vec<_> = (1..=998).map(harmless).collect();
    network.insert(500, json!({"endpoint": "https://*", "methods": ["GET"], "reason": "looks up where it is"}));
    let filesystem = json!([{"path": "certs/../../other", "access": "write", "reason": "certificates"}]);
    asking(path, "p", &json!({"network": network, "filesystem": filesystem}));
    let expected = [
        "any server: network { endpoint = \"https://*\", methods = [\"GET\"] }",
        "a directory outside of the project: filesystem { path = \"certs/../../other\", access = \"write\" }",
    ];
    let inspected = said(path, &["inspect", "p.wasm"]).succeeded().stdout;
    let last = |text: &str, count: usize| {
        text.lines().skip(text.lines().count() - count).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(last(&inspected, 2), [format!("  widest     {}", expected[0]), format!("             {}", expected[1])]);
    let json = said(path, &["inspect", "p.wasm", "--json"]).succeeded().stdout;
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap()["widest"], json!(expected));
    let granted = said(path, &["grant", "p.wasm", "--yes"]).succeeded().stdout;
    let end = last(&granted, 4);
    assert_eq!(end[0], "widest of all 1000 that would be granted");
    assert_eq!(end[1..3], expected.map(|line| format!("  {line}")));
    assert!(end[3].starts_with("granted to p 1.0.0 ("), "{granted}");
    let written = fs::read_to_string(path.join("bulkhead.toml")).unwrap();
    assert!(written.lines().any(|line| line == "  { endpoint = \"https://*\", methods = [\"GET\"] },"), "{written}");
}

#[test]
fn what_no_provider_would_run_under_is_not_written() {
    let directory = temporary_directory();
    let path = directory.path();
    fs::write(path.join("Pulumi.yaml"), "name: x\nruntime: yaml\n").unwrap();
    let long =
        |number: u32| json!({"path": format!("{number}{}", "\u{202e}".repeat(300)), "access": "read", "reason": "r"});
    asking(path, "p", &json!({"filesystem": (0..1000).map(long).collect::<Vec<_>>()}));
    let refused = said(path, &["grant", "p.wasm", "--yes"]).failed().stderr;
    assert!(refused.contains("it wouldn't be an operator's file any more: it is larger than 1 MiB"), "{refused}");
    assert!(!path.join("bulkhead.toml").exists());
}

#[test]
fn who_inspects_from_below_reads_the_projects_file() {
    let directory = temporary_directory();
    let path = directory.path();
    fs::create_dir(path.join("below")).unwrap();
    fs::write(path.join("Pulumi.yaml"), "name: x\nruntime: yaml\n").unwrap();
    asking(path, "p", &json!({"environment": [{"name": "A", "reason": "reads it"}]}));
    let below = path.join("below");
    said(&below, &["grant", "../p.wasm", "--yes"]).succeeded();
    let inspected = said(&below, &["inspect", "../p.wasm"]).succeeded().stdout;
    let file = path.canonicalize().unwrap().join("bulkhead.toml");
    let expected =
        format!("  granted in {}\n  asks for   environment A: reads it\n               granted\n", file.display());
    assert!(inspected.ends_with(&expected), "{inspected}");
}

#[test]
fn what_asks_for_nothing_needs_no_grant() {
    let directory = temporary_directory();
    fs::copy(guest("notes").component, directory.path().join("notes.wasm")).unwrap();
    let told = said(directory.path(), &["grant", "notes.wasm"]).succeeded();
    assert_eq!(told.stdout, "notes 1.2.3 asks for nothing, and runs without a grant\n");
}

#[test]
fn files_that_cannot_be_extended_are_left_alone() {
    let directory = temporary_directory();
    let path = directory.path();
    fs::write(path.join("Pulumi.yaml"), "name: x\nruntime: yaml\n").unwrap();
    fs::copy(guest("granted").component, path.join("granted.wasm")).unwrap();
    let mut told = String::new();
    for text in ["[limits]\nmemroy = 1\n", "providers = { granted = { grants = [] } }\n", "not toml"] {
        fs::write(path.join("bulkhead.toml"), text).unwrap();
        let failed = said(path, &["grant", "granted.wasm", "--yes"]).failed();
        told.push_str(&redacted(path, &failed));
        assert_eq!(fs::read_to_string(path.join("bulkhead.toml")).unwrap(), text);
    }
    insta::assert_snapshot!(told);
}

#[test]
fn who_grants_is_told_of_what_keeps_it_from_counting() {
    let directory = temporary_directory();
    let path = directory.path();
    fs::create_dir_all(path.join("config/bulkhead")).unwrap();
    fs::create_dir(path.join("project")).unwrap();
    fs::copy(guest("granted").component, path.join("granted.wasm")).unwrap();
    let above = path.join("config/bulkhead/bulkhead.toml");
    let grant = |arguments: &[&str]| {
        let arguments = [&["grant", "granted.wasm"], arguments].concat();
        let mut command = bulkhead().command(&arguments);
        run(command.current_dir(path).stdin(Stdio::null()).env("XDG_CONFIG_HOME", path.join("config")))
    };
    let tables = ["[allow]", "[providers.granted.allow]"];
    fs::write(&above, tables.map(|table| format!("{table}\nenvironment = [\"GRANTED_TOKEN\"]\n")).concat()).unwrap();
    let denied = grant(&["--project", "project", "--yes"]).succeeded().stderr;
    let expected = |table| {
        format!(
            "warning: {table} of {} doesn't allow all of this, whatever is granted: environment GRANTED_COLOUR: likes colours\n",
            above.display()
        )
    };
    assert_eq!(denied, tables.map(expected).concat(), "all tables at once");
    fs::write(&above, "[allow]\nenvironmant = []\n").unwrap();
    let broken = grant(&["--project", "project"]).succeeded().stderr;
    let expected = format!("warning: no provider runs until this is mended: failed to follow {}: ", above.display());
    assert!(broken.starts_with(&expected), "{broken}");
    fs::remove_file(&above).unwrap();
    let nowhere = grant(&["--yes"]).succeeded().stderr;
    assert!(nowhere.starts_with("warning: there is no Pulumi.yaml here or above"), "{nowhere}");
    let missing = grant(&["--project", "gone", "--yes"]).failed().stderr;
    assert_eq!(
        missing,
        "error: failed to grant permissions in gone: there is no such directory\nhint: name a directory of the project with \
         --project\n"
    );
}

#[test]
fn who_grants_is_told_of_directories_that_no_grant_gives_away() {
    let directory = temporary_directory();
    let path = directory.path();
    let manifest = r#"{"manifestVersion":1,"contract":"0.1.0","permissions":{"filesystem":[
        {"path":".","access":"write","reason":"writes"},{"path":"/","access":"read","reason":"reads"},
        {"path":"out","access":"write","reason":"writes"}]}}"#;
    let component = fs::read(guest("liar").component).unwrap();
    let component = embed(&component, br#"{"name":"p","version":"1.0.0"}"#, manifest.as_bytes()).unwrap();
    fs::write(path.join("p.wasm"), component).unwrap();
    fs::create_dir(path.join("out")).unwrap();
    let granted = said(path, &["grant", "p.wasm", "--project", ".", "--yes"]).succeeded().stderr;
    let real = path.canonicalize().unwrap();
    let expected = format!(
        "warning: this can't be granted as it lies: filesystem . (write) is denied: {} holds the project's own files, which no \
         grant gives away; make a directory to stand for it, and add a block [[providers.p.grants]] with digest = ",
        real.display()
    );
    assert!(granted.contains(&expected), "{granted}");
    let line = r#"" and filesystem = [{ path = ".", at = "./files-for-p", access = "write" }] to "#;
    assert!(granted.contains(&format!("{line}{}\n", real.join("bulkhead.toml").display())), "{granted}");
    assert!(granted.contains("filesystem / (read) is denied: / holds "), "{granted}");
    assert_eq!(granted.lines().count(), 2, "{granted}");
    // Whoever looks it over later reads the same.
    let inspected = said(path, &["inspect", "p.wasm"]).succeeded().stdout;
    let verdicts: Vec<&str> = inspected.lines().filter_map(|line| line.strip_prefix("               ")).collect();
    let [project, root, out] = verdicts[..3] else { panic!("{inspected}") };
    let held = format!("not granted: {} holds the project's own files, which no grant gives away", real.display());
    assert_eq!((project, out), (held.as_str(), "granted"), "{inspected}");
    assert!(root.starts_with("not granted: / holds "), "{inspected}");
    fs::remove_dir(path.join("out")).unwrap();
    let inspected = said(path, &["inspect", "p.wasm"]).succeeded().stdout;
    let gone =
        format!("granted, but {} can't be used: No such file or directory (os error 2)\n", real.join("out").display());
    assert!(inspected.contains(&gone), "{inspected}");
}
