//! A provider plugin, started as an engine starts it.

use std::fs::{self, DirEntry, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use bulkhead_proto::provider::ResourceProviderClient;
use rustix::process::{Pid, Signal, kill_process};
use tonic::transport::{Channel, Endpoint};

use crate::bulkhead::cache;
use crate::settings::hide_settings;

/// How long a plugin may take until it serves. Generous, since a test machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a plugin's stdin is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stdin {
    /// A pipe that nobody writes to, as engines give it.
    Pipe,
    /// `/dev/null`, as somebody who attaches an engine later gives it.
    Null,
}

/// A plugin's process. Killed when dropped.
pub struct Plugin {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    port: String,
}

impl Plugin {
    /// Starts an executable and waits for the port. The engine's address is one where nobody listens.
    pub fn start(executable: &Path, stdin: Stdin) -> Self {
        Self::start_for("127.0.0.1:1", executable, stdin)
    }

    /// Starts an executable for the engine at an address.
    pub fn start_for(engine: &str, executable: &Path, stdin: Stdin) -> Self {
        let mut command = Command::new(executable);
        command.arg(engine).env("BULKHEAD_CACHE_DIR", cache()).stderr(Stdio::null());
        Self::spawn(&mut command, stdin)
    }

    /// Starts an executable as engines do for a project: in its directory, where the user's own settings lie in `user`.
    pub fn start_in(project: &Path, executable: &Path, stdin: Stdin) -> Self {
        let mut command = Command::new(executable);
        command.arg("127.0.0.1:1").env("BULKHEAD_CACHE_DIR", cache()).stderr(Stdio::null());
        command.current_dir(project).env("XDG_CONFIG_HOME", project.join("user"));
        Self::spawn(&mut command, stdin)
    }

    /// Starts a command that becomes a plugin.
    pub fn spawn(command: &mut Command, stdin: Stdin) -> Self {
        hide_settings(command).stdout(Stdio::piped()).stdin(match stdin {
            Stdin::Pipe => Stdio::piped(),
            Stdin::Null => Stdio::from(File::open("/dev/null").expect("there should be a /dev/null")),
        });
        let mut child = command.spawn().unwrap_or_else(|error| panic!("can't start {command:?}: {error}"));
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("stdout should be a pipe"));
        let Ok((port, stdout)) = first_line(stdout).recv_timeout(PATIENCE) else {
            let _ = child.kill();
            panic!("{command:?} should write its port within {PATIENCE:?}");
        };
        Self { child, stdin, stdout, port }
    }

    /// The first line on stdout, as it was written.
    pub fn first_line(&self) -> &str {
        &self.port
    }

    /// A client of the provider.
    pub async fn client(&self) -> ResourceProviderClient<Channel> {
        let address = format!("http://127.0.0.1:{}", self.port.trim());
        let endpoint = Endpoint::from_shared(address).expect("the first line should be a port");
        ResourceProviderClient::new(endpoint.connect().await.expect("the provider should listen on its port"))
    }

    /// What its threads are called, as Linux tells.
    pub fn threads(&self) -> Vec<String> {
        let threads = fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("the plugin should run");
        let name = |thread: DirEntry| fs::read_to_string(thread.path().join("comm")).unwrap_or_default();
        threads.flatten().map(|thread| name(thread).trim_end().to_owned()).collect()
    }

    /// How long it has computed, as Linux tells, which counts in hundredths.
    pub fn computed(&self) -> Duration {
        let said = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("the plugin should run");
        // Behind its name, in which anything may stand, the 12th and the 13th.
        let numbers = said.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
        let hundredths = numbers.map(|number| number.parse::<u32>().expect("times should be numbers")).sum::<u32>();
        Duration::from_millis(10) * hundredths
    }

    /// The most memory that it has had so far, bytes, as Linux tells.
    pub fn most_memory(&self) -> usize {
        let said = fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("the plugin should run");
        let line = said.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux should tell");
        let kibibytes = line.split_whitespace().next().expect("a number should come first");
        kibibytes.parse::<usize>().expect("sizes should be numbers") << 10
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("the plugin should be there to be signalled");
    }

    /// Ends the stdin, as the kernel does for an engine that was killed.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Whether the process has left, after waiting for at most this long.
    pub fn left_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            let left = self.child.try_wait().expect("a child should be waitable");
            if left.is_some() || Instant::now() > deadline {
                return left;
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// What stood on stdout after the port. The process must have left.
    pub fn rest_of_stdout(mut self) -> String {
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("stdout should be text");
        rest
    }
}

/// The first line, once it was written: nobody can wait for a pipe and look at a clock.
fn first_line(mut stdout: BufReader<ChildStdout>) -> Receiver<(String, BufReader<ChildStdout>)> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut line = String::new();
        stdout.read_line(&mut line).expect("a plugin should write its port");
        // Whoever waited may have lost patience.
        let _ = sender.send((line, stdout));
    });
    receiver
}

impl Drop for Plugin {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
