//! Environment and directories: nothing without a grant, and with one what it says, in the process that engines start.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use bulkhead_tests::serving::Serving;
use bulkhead_tests::{Finished, Plugin, Process, Stdin, hide_settings, run, temporary_directory};
use bulkhead_value::{Object, Value};
use tempfile::TempDir;

use crate::{bulkhead, guest, object};

/// A project that uses `granted`, with a directory of certificates and one for reports.
struct Project(TempDir);

impl Project {
    fn new() -> Self {
        let directory = temporary_directory();
        let path = directory.path();
        fs::write(path.join("Pulumi.yaml"), "name: granting\nruntime: yaml\n").unwrap();
        for name in ["certs/below/deeper", "out", "user/bulkhead", "home"] {
            fs::create_dir_all(path.join(name)).unwrap();
        }
        fs::write(path.join("certs/a.pem"), "certificate").unwrap();
        fs::write(path.join("secret"), "nobody's").unwrap();
        guest("granted").bundle(&bulkhead(), &path.join("bin"));
        Self(directory)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// `bulkhead` in the project's directory.
    fn bulkhead(&self, arguments: &[&str]) -> Finished {
        run(bulkhead().command(arguments).current_dir(self.path()).stdin(Stdio::null()))
    }

    fn grant(&self) {
        self.bulkhead(&["grant", "bin/granted.wasm", "--yes"]).succeeded();
    }

    fn command(&self) -> Command {
        let mut command = self.by_hand();
        command.arg("127.0.0.1:1");
        command
    }

    /// The plugin, with no engine to serve.
    fn by_hand(&self) -> Command {
        let mut command = bulkhead().command(["127.0.0.1:1"; 0]);
        command = {
            let mut plugin = Command::new(self.path().join("bin/pulumi-resource-granted"));
            plugin.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
            plugin
        };
        command.current_dir(self.path()).env("XDG_CONFIG_HOME", self.path().join("user"));
        command.env("GRANTED_TOKEN", "token of the environment").env("GRANTED_COLOUR", "blue").env("OTHER", "other");
        command.env("PULUMI_ACCESS_TOKEN", "the engine's own").env("PULUMI_CONFIG_PASSPHRASE", "the engine's too");
        command
    }

    async fn served(&self) -> (Plugin, Serving) {
        let plugin = Plugin::spawn(self.command().stderr(Stdio::null()), Stdin::Pipe);
        let serving = Serving::by(&plugin).await.ready(Object::new()).await;
        (plugin, serving)
    }
}

async fn texts(serving: &Serving, function: &str, arguments: Object) -> Result<Vec<String>, String> {
    let invoked = serving.invoke(&format!("granted:index:{function}"), arguments).await;
    let invoked = invoked.map_err(|error| error.message().to_owned())?;
    assert!(invoked.failures.is_empty(), "{:?}", invoked.failures);
    let texts = invoked.value["texts"].as_list().unwrap().iter().map(|text| text.plain().as_str().unwrap().to_owned());
    Ok(texts.collect())
}

async fn attempt(serving: &Serving, act: &str, path: &str, other: &str) -> Result<Vec<String>, String> {
    let arguments =
        object([("act", act), ("path", path), ("other", other)].map(|(name, text)| (name, Value::from(text))));
    texts(serving, "attempt", arguments).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_grant_there_is_nothing() {
    let project = Project::new();
    let (_plugin, serving) = project.served().await;
    assert_eq!(texts(&serving, "variables", Object::new()).await, Ok(Vec::new()));
    assert_eq!(texts(&serving, "token", Object::new()).await, Ok(Vec::new()));
    let denied = attempt(&serving, "read", "certs/a.pem", "").await.unwrap_err();
    let line = "filesystem certs (read) is denied: nothing grants it; the same command grants it, or add a block \
                [[providers.granted.grants]] with digest = \"sha256:";
    assert!(denied.contains(line) && denied.contains(" and filesystem = [\"certs\"] to "), "{denied}");
    assert!(
        denied.contains("environment GRANTED_TOKEN is denied: nothing grants it; run `bulkhead grant "),
        "{denied}"
    );
    assert!(!denied.contains("nobody's") && !denied.contains("token of the environment"), "{denied}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_missing_is_told_once_somebody_has_looked_for_it() {
    let project = Project::new();
    let (_plugin, serving) = project.served().await;
    let missing = async |act: &str| {
        let told = attempt(&serving, act, "certs/a.pem", "").await.unwrap_err();
        ["environment GRANTED_TOKEN", "environment GRANTED_COLOUR", "filesystem certs", "filesystem out"]
            .into_iter()
            .filter(|missing| told.contains(&format!("{missing} ")))
            .collect::<Vec<_>>()
    };
    assert_eq!(missing("fail").await, ["environment GRANTED_TOKEN"], "a default was to come from there");
    let (token, certs, out) = ("environment GRANTED_TOKEN", "filesystem certs", "filesystem out");
    assert_eq!(missing("read").await, [token, certs, out], "libraries ask for all directories at once");
    assert_eq!(missing("fail").await, [token, certs, out], "and once for all");
    texts(&serving, "variables", Object::new()).await.unwrap();
    assert_eq!(missing("fail").await, [token, "environment GRANTED_COLOUR", certs, out]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn variables_are_those_that_were_granted_and_never_the_engines() {
    let project = Project::new();
    project.grant();
    let (_plugin, serving) = project.served().await;
    let mut variables = texts(&serving, "variables", Object::new()).await.unwrap();
    variables.sort();
    assert_eq!(variables, ["GRANTED_COLOUR=blue", "GRANTED_TOKEN=token of the environment"]);
    let token = texts(&serving, "token", Object::new()).await.unwrap();
    assert_eq!(token, ["token of the environment"], "defaults of the configuration come from there too");
}

/// As where credentials are mounted elsewhere, and only linked to in the engine's home.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_directory_with_the_engines_secrets_is_not_given_wherever_they_lie() {
    let project = Project::new();
    project.grant();
    let at = |name: &str| project.path().join(name);
    fs::write(at("certs/engines.json"), "the engine's own").unwrap();
    symlink(at("certs/engines.json"), at("home/credentials.json")).unwrap();
    let state = format!("file://{}", at("certs").display()).into();
    for (variable, value, owner) in [
        ("PULUMI_HOME", at("home"), "credentials"),
        ("PULUMI_CREDENTIALS_PATH", at("home"), "credentials"),
        ("PULUMI_CONFIG_PASSPHRASE_FILE", at("certs/engines.json"), "passphrase"),
        ("PULUMI_BACKEND_URL", state, "state"),
    ] {
        let plugin = Plugin::spawn(project.command().env(variable, value).stderr(Stdio::null()), Stdin::Pipe);
        let serving = Serving::by(&plugin).await.ready(Object::new()).await;
        let denied = attempt(&serving, "read", "certs/engines.json", "").await.unwrap_err();
        let owned = format!("holds the engine's {owner}, which no grant gives away");
        assert!(denied.contains(&owned), "{variable}: {denied}");
        assert_eq!(
            attempt(&serving, "write", "out/report", "x").await,
            Ok(Vec::new()),
            "{variable} is of nothing else"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn directories_are_used_as_they_were_granted() {
    let project = Project::new();
    project.grant();
    fs::write(project.path().join("certs/below/b.pem"), "certificate").unwrap();
    let (_plugin, serving) = project.served().await;
    assert_eq!(attempt(&serving, "read", "certs/a.pem", "").await.unwrap(), ["certificate"]);
    for act in ["date", "dateFollowed", "dateOpened"] {
        assert_eq!(attempt(&serving, "write", "out/report", "x").await, Ok(Vec::new()));
        assert_eq!(attempt(&serving, act, "out/report", "").await, Ok(Vec::new()), "{act}");
    }
    assert_eq!(attempt(&serving, "list", "certs", "").await.unwrap().len(), 2);
    assert_eq!(attempt(&serving, "write", "out/report", "all is well").await, Ok(Vec::new()));
    assert_eq!(fs::read_to_string(project.path().join("out/report")).unwrap(), "all is well");
    for (act, path, other) in [
        ("write", "certs/b.pem", "forged"),
        ("write", "certs/a.pem", "forged"),
        ("remove", "certs/a.pem", ""),
        ("makeDirectory", "certs/more", ""),
        ("rename", "certs/a.pem", "out/a.pem"),
        ("rename", "out/report", "certs/report"),
        ("hardLink", "certs/a.pem", "out/a.pem"),
        ("hardLink", "out/report", "certs/report"),
        ("remove", "certs/below/b.pem", ""),
        ("removeDirectory", "certs/below/deeper", ""),
        ("symbolicLink", "certs/linked", "a.pem"),
        ("date", "certs/a.pem", ""),
        ("dateFollowed", "certs/a.pem", ""),
        ("dateFollowed", "certs/below", ""),
        ("dateOpened", "certs/a.pem", ""),
        ("dateOpened", "certs/below", ""),
        ("cutOpened", "certs/a.pem", ""),
        ("writeOpened", "certs/a.pem", ""),
        ("streamOpened", "certs/a.pem", ""),
        ("appendOpened", "certs/a.pem", ""),
    ] {
        let denied = attempt(&serving, act, path, other).await.unwrap_err();
        let named = if act.starts_with("date") || act.ends_with("Opened") {
            format!("filesystem {path} ")
        } else {
            String::new()
        };
        assert!(
            denied.contains(&format!("{named}(write) is denied: `certs` is granted for reading; ")),
            "{act} {path} {other}: {denied}"
        );
    }
    assert_eq!(fs::read_to_string(project.path().join("certs/a.pem")).unwrap(), "certificate");
    assert_eq!(fs::read_dir(project.path().join("certs")).unwrap().count(), 2);
    let denied = attempt(&serving, "write", "certs/b.pem", "forged").await.unwrap_err();
    let narrow = "filesystem certs/b.pem (write) is denied: `certs` is granted for reading; no grant is wider than what the manifest asks";
    assert!(denied.contains(narrow), "{denied}");
    let below = attempt(&serving, "makeStepByStep", "certs/below/deeper/c.pem", "").await.unwrap_err();
    let narrow =
        "filesystem certs/below/deeper/c.pem (write) is denied: `certs` is granted for reading; no grant is wider";
    assert!(below.contains(narrow), "however deep the handle is: {below}");
    let outside = attempt(&serving, "write", "out/../stolen", "x").await.unwrap_err();
    assert!(!outside.contains("granted for reading"), "it may be written to: {outside}");
    // What is open for reading where it may be written to is nobody's denial.
    for act in ["cutOpened", "writeOpened"] {
        let refused = attempt(&serving, act, "out/report", "").await.unwrap_err();
        assert!(!refused.contains("is denied"), "{act}: {refused}");
    }
}

/// Who looks around is told of, though nothing is opened and nothing fails.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_look_out_of_a_granted_directory_is_denied_and_told() {
    let project = Project::new();
    project.grant();
    symlink("../secret", project.path().join("certs/relative")).unwrap();
    symlink("..", project.path().join("certs/up")).unwrap();
    let audit = project.path().join("audit.jsonl");
    let plugin = Plugin::spawn(project.command().env("BULKHEAD_AUDIT", &audit).stderr(Stdio::null()), Stdin::Pipe);
    let serving = Serving::by(&plugin).await.ready(Object::new()).await;
    let denied = || {
        let lines = fs::read_to_string(&audit).unwrap_or_default();
        // What an instance begins without is none of it.
        let denied =
            |line: &&str| line.contains(r#""capability":"filesystem""#) && line.contains(r#""verdict":"denied""#);
        lines.lines().filter(denied).map(str::to_owned).collect::<Vec<_>>()
    };
    for (act, path) in [
        ("lookAt", "certs/../secret"),
        ("lookAt", "certs//etc/passwd"),
        ("lookAt", "certs/relative"),
        ("lookAt", "certs/up/secret"),
        ("readLink", "certs/../secret"),
        ("readLink", "certs/up/secret"),
        ("hash", "certs/../secret"),
        ("hash", "certs/relative"),
    ] {
        let before = denied().len();
        assert_eq!(attempt(&serving, act, path, "").await.unwrap(), ["not-permitted"], "{act} {path}");
        let (denied, path) = (denied().split_off(before), path.strip_prefix("certs/").unwrap());
        let [line] = denied.as_slice() else { panic!("{act} {path}: {denied:?}") };
        let reason = r#""verdict":"denied","why":"it lies outside of what is granted""#;
        assert!(line.contains(&format!(r#""subject":"{path} (read)",{reason}"#)), "{line}");
    }
    for act in ["read", "write"] {
        let before = denied().len();
        attempt(&serving, act, "certs/up/secret", "x").await.unwrap_err();
        let told = denied().split_off(before);
        assert_eq!(told.len(), 1, "what is opened is looked at before, and told of once: {told:#?}");
    }
    let before = denied().len();
    for (act, path, found) in
        [("lookAt", "certs/a.pem", "seen"), ("lookAt", "certs/none", "no-entry"), ("readLink", "certs/up", "seen")]
    {
        assert_eq!(attempt(&serving, act, path, "").await.unwrap(), [found], "{act} {path}");
    }
    assert_eq!(denied().len(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_directory_that_may_only_be_read_is_denied_with_what_grants_more() {
    let project = Project::new();
    project.grant();
    let file = project.path().join("bulkhead.toml");
    let granted = fs::read_to_string(&file).unwrap();
    let read = granted.replace(r#"{ path = "out", access = "write" }"#, r#""out""#);
    assert_ne!(granted, read);
    fs::write(&file, read).unwrap();
    let (_plugin, serving) = project.served().await;
    let denied = attempt(&serving, "write", "out/report", "all is well").await.unwrap_err();
    let narrow = "filesystem out/report (write) is denied: `out` is granted for reading; run `bulkhead grant ";
    assert!(
        denied.contains(narrow)
            && denied.contains(" --only 'filesystem = [{ path = \"out\", access = \"write\" }]'`, or add "),
        "{denied}"
    );
    assert!(denied.contains(r#" and filesystem = [{ path = "out", access = "write" }] to /"#), "{denied}");
    project
        .bulkhead(&[
            "grant",
            "bin/granted.wasm",
            "--yes",
            "--only",
            r#"filesystem = [{ path = "out", access = "write" }]"#,
        ])
        .succeeded();
    let (_plugin, serving) = project.served().await;
    assert_eq!(attempt(&serving, "write", "out/report", "all is well").await, Ok(Vec::new()), "and what it says works");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_path_leads_out_of_a_granted_directory() {
    let project = Project::new();
    project.grant();
    let certs = project.path().join("certs");
    symlink("/etc/passwd", certs.join("absolute")).unwrap();
    symlink("../secret", certs.join("relative")).unwrap();
    symlink("..", certs.join("up")).unwrap();
    symlink("/proc/self/environ", certs.join("environ")).unwrap();
    symlink("a.pem", certs.join("within")).unwrap();
    symlink("loop", certs.join("loop")).unwrap();
    run(Command::new("mkfifo").arg(certs.join("pipe"))).succeeded();
    let (_plugin, serving) = project.served().await;
    assert_eq!(attempt(&serving, "read", "certs/within", "").await.unwrap(), ["certificate"]);
    assert_eq!(attempt(&serving, "read", "certs/below/../a.pem", "").await.unwrap(), ["certificate"]);
    for path in [
        "certs/../secret",
        "certs/below/../../secret",
        "certs/absolute",
        "certs/relative",
        "certs/up/secret",
        "certs/environ",
        "certs/loop",
        "certs/pipe",
        "secret",
        "../secret",
        "/etc/passwd",
        "/proc/self/environ",
        "/proc/1/environ",
        "/dev/zero",
        "certs/a.pem/../../secret",
        "certs/a\0b",
    ] {
        let read = attempt(&serving, "read", path, "").await;
        assert!(read.is_err(), "{path}: {read:?}");
    }
    let outside = project.path().join("stolen");
    for (act, path, other) in [
        ("rename", "out/../certs/a.pem", "stolen"),
        ("write", "out/../stolen", "x"),
        ("hardLink", "certs/../secret", "out/stolen"),
        ("rename", "certs/../secret", "out/stolen"),
    ] {
        assert!(attempt(&serving, act, path, other).await.is_err(), "{act} {path}");
    }
    assert!(!outside.exists() && !project.path().join("out/stolen").exists());
}

/// Else nobody learns why it fails, nor that somebody has put a link there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_is_done_by_way_of_a_link_that_leads_out_is_denied() {
    let project = Project::new();
    project.grant();
    let (out, audit) = (project.path().join("out"), project.path().join("audit.jsonl"));
    symlink("..", out.join("up")).unwrap();
    symlink("../secret", out.join("led")).unwrap();
    fs::write(out.join("report"), "x").unwrap();
    fs::create_dir(out.join("below")).unwrap();
    let plugin = Plugin::spawn(project.command().env("BULKHEAD_AUDIT", &audit).stderr(Stdio::null()), Stdin::Pipe);
    let serving = Serving::by(&plugin).await.ready(Object::new()).await;
    for (act, path, other, subject) in [
        ("write", "out/up/secret", "x", "up/secret"),
        ("makeDirectory", "out/up/made", "", "up/made"),
        ("remove", "out/up/secret", "", "up/secret"),
        ("removeDirectory", "out/up/home", "", "up/home"),
        ("rename", "out/up/secret", "out/taken", "up/secret"),
        ("rename", "out/report", "out/up/report", "up/report"),
        ("hardLink", "out/up/secret", "out/taken", "up/secret"),
        ("hardLink", "out/report", "out/up/report", "up/report"),
        ("symbolicLink", "out/up/link", "secret", "up/link"),
        ("symbolicLink", "out/absolute", "/etc/passwd", "absolute"),
        ("date", "out/up/secret", "", "up/secret"),
        ("dateFollowed", "out/led", "", "led"),
    ] {
        let told = attempt(&serving, act, path, other).await.unwrap_err();
        let denied = format!("filesystem {subject} (write) is denied: it lies outside of what is granted");
        assert!(told.contains(&denied), "{act} {path} {other}: {told}");
        let lines = fs::read_to_string(&audit).unwrap();
        let line = format!(r#""subject":"{subject} (write)","verdict":"denied""#);
        assert!(lines.contains(&line), "{act} {path} {other}: {lines}");
        fs::write(&audit, "").unwrap();
    }
    assert_eq!(fs::read_to_string(project.path().join("secret")).unwrap(), "nobody's");
    // Links themselves lie within, and what a system permits nobody is nobody's denial.
    assert_eq!(attempt(&serving, "date", "out/led", "").await, Ok(Vec::new()));
    assert_eq!(attempt(&serving, "rename", "out/led", "out/still").await, Ok(Vec::new()));
    let refused = attempt(&serving, "hardLink", "out/below", "out/again").await.unwrap_err();
    assert!(refused.contains("not permitted") && !refused.contains("denied"), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_above_narrow_what_a_project_grants() {
    let project = Project::new();
    project.grant();
    let out = project.path().join("out").display().to_string();
    let allow = format!(
        "[allow]\nenvironment = [\"GRANTED_TOKEN\"]\nfilesystem = [{{ path = {out:?}, access = \"write\" }}]\n"
    );
    fs::write(project.path().join("user/bulkhead/bulkhead.toml"), allow).unwrap();
    let (_plugin, serving) = project.served().await;
    assert_eq!(texts(&serving, "variables", Object::new()).await.unwrap(), ["GRANTED_TOKEN=token of the environment"]);
    assert_eq!(attempt(&serving, "write", "out/report", "x").await, Ok(Vec::new()));
    let denied = attempt(&serving, "read", "certs/a.pem", "").await.unwrap_err();
    assert!(denied.contains("user/bulkhead/bulkhead.toml doesn't allow it"), "{denied}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_fills_no_disk() {
    let project = Project::new();
    project.grant();
    fs::write(project.path().join("user/bulkhead/bulkhead.toml"), "[limits]\nwritten = \"10KiB\"\n").unwrap();
    let (_plugin, serving) = project.served().await;
    let written = async |bytes: usize| attempt(&serving, "write", "out/report", &"x".repeat(bytes)).await;
    let length = || fs::metadata(project.path().join("out/report")).unwrap().len();
    assert!(written(10 << 10).await.is_err(), "what is made counts too");
    for _ in 0..2 {
        assert_eq!(written(10 << 10).await, Ok(Vec::new()), "the next call may write as much");
        assert_eq!(length(), 10 << 10);
    }
    let refused = written((10 << 10) + 1).await.unwrap_err();
    let hint = format!(
        "a call writes at most 10.0 KiB; if the provider should have more, raise the limit `written` in {}",
        project.path().join("user/bulkhead/bulkhead.toml").display()
    );
    assert!(refused.contains(&hint), "the file that decides is named: {refused}");
    assert!(length() <= 10 << 10, "what is too much isn't written");
    assert_eq!(written(1).await, Ok(Vec::new()), "and the next call goes on");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_longer_than_the_process_may_make_one_is_not_written_and_ends_nothing() {
    let project = Project::new();
    project.grant();
    let command = project.command();
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -f 16; exec \"$0\" \"$@\""]).arg(command.get_program()).args(command.get_args());
    limited.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?)))).current_dir(project.path());
    let plugin = Plugin::spawn(limited.stderr(Stdio::null()), Stdin::Pipe);
    let serving = Serving::by(&plugin).await.ready(Object::new()).await;
    let written = async |bytes: usize| attempt(&serving, "write", "out/report", &"x".repeat(bytes)).await;
    for _ in 0..2 {
        let refused = written(1 << 20).await.unwrap_err();
        assert!(!refused.contains("transport"), "{refused}");
    }
    assert_eq!(written(1_000).await, Ok(Vec::new()), "and the next call goes on");
    // A file that people wrote stays as it was, and nothing is left beside it.
    let there = || fs::read_dir(project.path()).unwrap().count();
    let text = || fs::read_to_string(project.path().join("bulkhead.toml")).unwrap();
    let before = (there(), text());
    let mut grant = Command::new("sh");
    let command = bulkhead().command(["grant", "bin/granted.wasm", "--yes", "--dev"]);
    grant.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\""]).arg(command.get_program()).args(command.get_args());
    grant.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?)))).current_dir(project.path());
    run(hide_settings(grant.stdin(Stdio::null()))).failed();
    assert_eq!((there(), text()), before);
}

/// Two things that only an operator can mend, and no interface says: a disk that is read-only isn't broken, and was granted all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_system_refuses_is_told_as_it_is_and_is_no_denial() {
    let project = Project::new();
    project.grant();
    let (audit, trace) = (project.path().join("audit.jsonl"), project.path().join("trace"));
    for (error, code, told) in [
        ("EROFS", "Read-only file system", None),
        (
            "EMFILE",
            "I/O error",
            Some("\nhint: the host can't have more files and connections open; let processes have more (`ulimit -n`)"),
        ),
    ] {
        let command = project.command();
        let mut traced = Command::new("strace");
        // Files of components alone are opened so.
        let faults = format!("--inject=openat2:error={error}:when=1+");
        traced.args(["--follow-forks", "--quiet=all", "--trace=openat2", &faults, "--output"]).arg(&trace);
        traced.arg(command.get_program()).args(command.get_args()).current_dir(project.path());
        traced.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?)))).env("BULKHEAD_AUDIT", &audit);
        let plugin = Plugin::spawn(traced.stderr(Stdio::null()), Stdin::Pipe);
        let serving = Serving::by(&plugin).await.ready(Object::new()).await;
        let refused = attempt(&serving, "write", "out/report", "x").await.unwrap_err();
        assert!(refused.contains(code), "{refused}");
        assert!(told.is_none_or(|told| refused.contains(told)), "{refused}");
        assert!(!refused.contains("denied"), "{refused}");
        let lines = fs::read_to_string(&audit).unwrap();
        assert!(!lines.contains(r#""verdict":"denied","why":"it lies"#) && !lines.contains("out/report"), "{lines}");
    }
}

#[test]
fn only_a_project_grants() {
    let project = Project::new();
    project.grant();
    let user = project.path().join("user/bulkhead/bulkhead.toml");
    fs::rename(project.path().join("bulkhead.toml"), &user).unwrap();
    let refused = run(project.by_hand().stdin(Stdio::null())).failed();
    assert!(
        refused.stderr.contains("it grants the provider `granted` something, which only a project's file can"),
        "{refused}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_granted_to_development_counts_only_there() {
    let project = Project::new();
    project.bulkhead(&["grant", "bin/granted.wasm", "--yes", "--dev"]).succeeded();
    let (_plugin, serving) = project.served().await;
    assert_eq!(texts(&serving, "variables", Object::new()).await, Ok(Vec::new()), "a bundle is somebody's release");
    let mut served = Process::start(bulkhead().command(["serve", "bin/granted.wasm"]).current_dir(project.path()));
    served.wait_until_it_says("Ctrl-C ends\n");
    let warning =
        "\nwarning: `granted` (bin/granted.wasm) has permissions that bulkhead.toml grants to digest = \"dev\"";
    assert!(served.said().contains(warning), "{}", served.said());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_component_is_granted_nothing() {
    let project = Project::new();
    project.grant();
    fs::write(project.path().join("bin/granted.wasm"), guest("granted").of_version("2.0.0")).unwrap();
    let (_plugin, serving) = project.served().await;
    assert_eq!(texts(&serving, "variables", Object::new()).await, Ok(Vec::new()));
}
