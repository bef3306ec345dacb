//! A Pulumi project with one stack, in a directory of its own, as a user has it on a machine with nothing else on it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use rustix::process::{Signal, kill_process};
use tempfile::TempDir;

use crate::bulkhead::{Bulkhead, cache};
use crate::guest::Guest;
use crate::keys;
use crate::process::{Finished, Process, run};
use crate::pulumi::Pulumi;
use crate::running::running_with;
use crate::state::State;
use crate::target::temporary_directory;
use crate::update::Update;

/// How the CLI finds the providers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launch {
    /// `plugins: providers:` of the program names their directory.
    Plugins,
    /// Their directory is on the PATH.
    SearchPath,
    /// The test sees to it.
    Elsewhere,
}

/// A project with the stack `dev`. Its processes and its directory are gone when it is dropped.
pub struct Project {
    directory: TempDir,
    pulumi: Pulumi,
    launch: Launch,
    providers: Vec<String>,
    variables: Vec<(String, String)>,
}

impl Project {
    /// A project without a program or providers; the stack isn't made yet.
    pub fn empty(pulumi: Pulumi) -> Self {
        let directory = temporary_directory();
        for part in ["home", "state", "program", "bin", "tmp"] {
            fs::create_dir(directory.path().join(part)).expect("a temporary directory should be writable");
        }
        Self { directory, pulumi, launch: Launch::Plugins, providers: Vec::new(), variables: Vec::new() }
    }

    /// A project that uses guests, with a stack and an empty program.
    #[track_caller]
    pub fn new(bulkhead: &Bulkhead, guests: &[&Guest], launch: Launch) -> Self {
        #[allow(clippy::print_stderr, reason = "shown by the test runner while it waits")]
        let pulumi = Pulumi::obtain(|message| eprintln!("{message}")).unwrap_or_else(|error| panic!("{error}"));
        let mut project = Self::empty(pulumi);
        project.launch = launch;
        for guest in guests {
            guest.bundle(bulkhead, &project.plugins());
            project.providers.push(guest.name.clone());
        }
        project.program("");
        project.stack();
        project
    }

    /// Has the stack `dev`. It is the same in every project at first, so the CLI makes it once, and the others get copies of its files.
    #[track_caller]
    fn stack(&mut self) {
        static MADE: OnceLock<Vec<(PathBuf, Vec<u8>)>> = OnceLock::new();
        self.set("VAULT_ADDR", keys::address());
        self.set("PULUMI_STACK", "dev");
        let made = MADE.get_or_init(|| {
            self.pulumi(["stack", "init", "dev", "--secrets-provider", keys::PROVIDER]).succeeded();
            let mut files = files_below(&self.directory.path().join("state"));
            files.extend(files_below(&self.directory()));
            let own = files.into_iter().filter(|(path, _)| !path.ends_with("Pulumi.yaml"));
            let relative = |path: PathBuf| path.strip_prefix(self.directory.path()).map(Path::to_owned);
            own.map(|(path, text)| (relative(path).expect("a project's files lie in its directory"), text)).collect()
        });
        for (path, text) in made {
            let path = self.directory.path().join(path);
            let parent = path.parent().expect("a file lies in a directory");
            let written = fs::create_dir_all(parent).and_then(|()| fs::write(&path, text));
            written.expect("a temporary directory should be writable");
        }
    }

    /// The program's directory: `Pulumi.yaml` lies there.
    pub fn directory(&self) -> PathBuf {
        self.directory.path().join("program")
    }

    /// The directory of the providers' bundles.
    pub fn plugins(&self) -> PathBuf {
        self.directory.path().join("bin")
    }

    /// A directory for anything else.
    pub fn temporary(&self) -> PathBuf {
        self.directory.path().join("tmp")
    }

    /// Writes the program: the sections of a `Pulumi.yaml` that follow name and runtime.
    pub fn program(&self, sections: &str) {
        let mut text = String::from("name: test\nruntime: yaml\n");
        if self.launch == Launch::Plugins {
            text.push_str("plugins:\n  providers:\n");
            for name in &self.providers {
                text.push_str(&format!("    - {{name: {name}, path: ../bin}}\n"));
            }
        }
        text.push_str(sections);
        fs::write(self.directory().join("Pulumi.yaml"), text).expect("a temporary directory should be writable");
    }

    /// Writes the program anew, and keeps the packages that the CLI has added to it.
    pub fn program_again(&self, sections: &str) {
        let path = self.directory().join("Pulumi.yaml");
        let before = fs::read_to_string(&path).expect("there should be a program");
        let packages: String = before
            .lines()
            .skip_while(|line| !line.starts_with("packages:"))
            .enumerate()
            .take_while(|(line, text)| *line == 0 || text.starts_with(' '))
            .map(|(_, text)| format!("{text}\n"))
            .collect();
        self.program(&format!("{packages}{sections}"));
    }

    /// Sets an environment variable for all further commands.
    pub fn set(&mut self, variable: &str, value: impl Into<String>) {
        self.variables.push((variable.to_owned(), value.into()));
    }

    /// An environment variable that was set for all commands.
    pub(crate) fn variable(&self, variable: &str) -> Option<&str> {
        let set = self.variables.iter().rev().find(|(name, _)| name == variable);
        set.map(|(_, value)| value.as_str())
    }

    /// The home of the CLI, as the variable that its processes and all they start carry. It tells them from everybody else's.
    fn home(&self) -> String {
        format!("PULUMI_HOME={}", self.directory.path().join("home").display())
    }

    /// A command of the CLI, not started.
    pub fn command(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = Command::new(self.pulumi.directory().join("pulumi"));
        command.args(arguments);
        self.prepare(&mut command);
        command
    }

    /// Puts a command into the project's directory and environment, and into no other.
    pub(crate) fn prepare(&self, command: &mut Command) {
        let place = |name: &str| self.directory.path().join(name);
        let mut path = vec![self.pulumi.directory().to_owned(), "/usr/bin".into(), "/bin".into()];
        if self.launch == Launch::SearchPath {
            path.push(self.plugins());
        }
        command.current_dir(self.directory()).env_clear();
        command.env("PATH", std::env::join_paths(path).expect("directories should have no colons in their names"));
        command.env("HOME", place("home")).env("TMPDIR", place("tmp")).env("PULUMI_HOME", place("home"));
        command.env("PULUMI_BACKEND_URL", format!("file://{}", place("state").display()));
        command.env("PULUMI_CONFIG_PASSPHRASE", "correct horse battery staple");
        command.env("PULUMI_SKIP_UPDATE_CHECK", "true").env("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION", "true");
        // Shows `--event-log`, which says what an update did without a screen to read.
        command.env("PULUMI_DEBUG_COMMANDS", "true").env("BULKHEAD_CACHE_DIR", cache());
        // The CLI spends most of its time on its start, and a quarter of that on garbage.
        command.env("GOGC", "400");
        command.envs(self.variables.iter().map(|(variable, value)| (variable, value)));
    }

    /// Runs a command of the CLI.
    #[track_caller]
    pub fn pulumi(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Finished {
        run(self.command(arguments).arg("--non-interactive"))
    }

    /// `pulumi preview`.
    #[track_caller]
    pub fn preview(&self, options: &[&str]) -> Update {
        self.update("preview", options)
    }

    /// `pulumi up`, without a preview before it.
    #[track_caller]
    pub fn up(&self, options: &[&str]) -> Update {
        self.update("up", &[&["--yes", "--skip-preview"], options].concat())
    }

    /// `pulumi refresh`.
    #[track_caller]
    pub fn refresh(&self, options: &[&str]) -> Update {
        self.update("refresh", &[&["--yes", "--skip-preview"], options].concat())
    }

    /// `pulumi destroy`.
    #[track_caller]
    pub fn destroy(&self, options: &[&str]) -> Update {
        self.update("destroy", &[&["--yes", "--skip-preview"], options].concat())
    }

    /// `pulumi import` of one resource, `token name id`, which isn't protected afterwards.
    #[track_caller]
    pub fn import(&self, token: &str, name: &str, id: &str) -> Update {
        self.update("import", &[token, name, id, "--yes", "--skip-preview", "--protect=false", "--generate-code=false"])
    }

    /// `pulumi up`, under way.
    pub fn start_up(&self) -> Process {
        Process::start(&mut self.command(["up", "--yes", "--skip-preview", "--non-interactive"]))
    }

    /// The stack's state as it lies in the backend, secrets encrypted.
    #[track_caller]
    pub fn state(&self) -> State {
        let file = self.directory.path().join("state/.pulumi/stacks/test/dev.json");
        State::kept(&fs::read_to_string(file).expect("the backend should have the stack's state"))
    }

    /// The stack's state with secrets in clear, for comparing: to encrypt them twice gives two texts.
    #[track_caller]
    pub fn state_in_clear(&self) -> State {
        State::exported(&self.pulumi(["stack", "export", "--show-secrets"]).succeeded().stdout)
    }

    /// The stack's outputs as JSON; secret ones are shown as such.
    #[track_caller]
    pub fn outputs(&self) -> serde_json::Value {
        let output = self.pulumi(["stack", "output", "--json"]).succeeded().stdout;
        serde_json::from_str(&output).expect("outputs should be JSON")
    }

    /// Everything that the CLI has written to disk for this stack, as text.
    pub fn files(&self) -> String {
        let mut text = String::new();
        for part in ["state", "program"] {
            text += &text_below(&self.directory.path().join(part));
        }
        text
    }

    /// Everything that the CLI has written to disk of the stack's state and its past, as text.
    pub fn state_files(&self) -> String {
        text_below(&self.directory.path().join("state"))
    }

    #[track_caller]
    fn update(&self, kind: &str, options: &[&str]) -> Update {
        let log = tempfile::NamedTempFile::new_in(self.temporary()).expect("a temporary directory should be writable");
        let mut command = self.command([kind, "--non-interactive"]);
        let finished = run(command.args(options).arg("--event-log").arg(log.path()));
        Update::new(finished, &fs::read_to_string(log.path()).expect("the log of events should be readable"))
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        // An interrupted command leaves its language host behind, which is nobody else's to clear away.
        for pid in running_with(&self.home()) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

fn text_below(directory: &Path) -> String {
    files_below(directory).iter().map(|(_, bytes)| String::from_utf8_lossy(bytes)).collect()
}

/// All files of a directory and those in it.
fn files_below(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).expect("a project's files should be readable").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            let bytes = fs::read(&path).expect("a project's files should be readable");
            files.push((path, bytes));
        }
    }
    files
}
