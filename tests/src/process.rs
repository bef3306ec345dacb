//! Processes that end: run to the end or for as long as is reasonable, with what they said.
//!
//! Output goes to files, not pipes: a pipe stays open for as long as any grandchild holds it, and whether grandchildren
//! stay is what some tests are about.

use std::fmt;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::NamedTempFile;

/// How long a process may take. Generous, since a test machine may be busy; a test that takes this long has failed.
const PATIENCE: Duration = Duration::from_secs(600);
/// How often a process is looked at.
const PAUSE: Duration = Duration::from_millis(10);

/// What remains of a process.
pub struct Finished {
    /// The command line, for messages.
    pub command: String,
    /// The exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// What it wrote to stdout.
    pub stdout: String,
    /// What it wrote to stderr.
    pub stderr: String,
}

impl Finished {
    /// Itself, if the process succeeded.
    #[track_caller]
    pub fn succeeded(self) -> Self {
        assert_eq!(self.code, Some(0), "{self}");
        self
    }

    /// Itself, if the process failed with an exit code of its own.
    #[track_caller]
    pub fn failed(self) -> Self {
        assert!(self.code.is_some_and(|code| code != 0), "{self}");
        self
    }

    /// Both streams.
    pub fn output(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

impl fmt::Display for Finished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { command, code, stdout, stderr } = self;
        write!(f, "`{command}` ended with {code:?}\n--- stdout\n{stdout}\n--- stderr\n{stderr}\n---")
    }
}

/// Cargo, which these tests were started by.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a command to its end.
#[track_caller]
pub fn run(command: &mut Command) -> Finished {
    Process::start(command).finish()
}

/// A process under way, in a process group of its own as engines start theirs. Killed when dropped.
pub struct Process {
    command: String,
    child: Child,
    stdout: NamedTempFile,
    stderr: NamedTempFile,
}

impl Process {
    /// Starts a command. Its stdin is empty.
    #[track_caller]
    pub fn start(command: &mut Command) -> Self {
        let capture = || NamedTempFile::new().expect("there should be room for temporary files");
        let (stdout, stderr) = (capture(), capture());
        let stdio = |file: &NamedTempFile| Stdio::from(file.reopen().expect("a new file should open"));
        command.stdin(Stdio::null()).stdout(stdio(&stdout)).stderr(stdio(&stderr)).process_group(0);
        let described = describe(command);
        let child = command.spawn().unwrap_or_else(|error| panic!("can't start `{described}`: {error}"));
        Self { command: described, child, stdout, stderr }
    }

    /// The process's id.
    pub fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        let pid = self.pid();
        kill_process(pid, signal).unwrap_or_else(|error| panic!("can't signal `{}`: {error}", self.command));
    }

    /// Waits until the process has written a text.
    #[track_caller]
    pub fn wait_until_it_says(&mut self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.said().contains(text) {
            let ended = self.child.try_wait().expect("a child should be waitable");
            assert!(ended.is_none() && Instant::now() < deadline, "never said `{text}`: {}", self.seen(ended));
            thread::sleep(PAUSE);
        }
    }

    /// Waits for the end.
    #[track_caller]
    pub fn finish(mut self) -> Finished {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let ended = self.child.try_wait().expect("a child should be waitable");
            if ended.is_some() {
                return self.seen(ended);
            }
            assert!(Instant::now() < deadline, "took more than {PATIENCE:?}: {}", self.seen(None));
            thread::sleep(PAUSE);
        }
    }

    /// Whether the process has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child should be waitable").is_some()
    }

    /// What the process has written so far.
    pub fn said(&self) -> String {
        format!("{}{}", read(&self.stdout), read(&self.stderr))
    }

    fn seen(&self, ended: Option<ExitStatus>) -> Finished {
        let code = ended.and_then(|status| status.code());
        Finished { command: self.command.clone(), code, stdout: read(&self.stdout), stderr: read(&self.stderr) }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Most have ended long ago.
        let _: io::Result<()> = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(file: &NamedTempFile) -> String {
    let bytes = std::fs::read(file.path()).expect("what a process wrote should be readable");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The command line, without the directories of the executable.
fn describe(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let words = program.file_name().into_iter().chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
