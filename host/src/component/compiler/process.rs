//! The host's side of the compiler's process: it is started, told, waited for, and always ended.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::{self, Scope};
use std::time::Duration;

use wasmtime::Engine;
use wasmtime::component::Component;

use super::super::load_error::LoadError;
use super::super::machine;
use super::inside::{ARGUMENT, DENIED, REFUSED};
use super::unfolded;
use crate::store::Limits;
use crate::threads::{Way, give_way};

/// The most machine code of one component, bytes.
const MOST_CODE: u64 = 1 << 30;
/// What a process may have of memory however little there is, bytes: it can't address less and be of use, and needn't fill it.
const LEAST_MEMORY: u64 = 4 << 30;
/// The most that is read of why a component can't be compiled, bytes.
const MOST_WORDS: u64 = 16 << 10;

/// Compiles components, each in a process of its own.
#[derive(Clone, Debug)]
pub struct Compiler {
    executable: PathBuf,
    memory: Option<u64>,
}

/// What came out of a process.
struct Answer {
    code: Vec<u8>,
    words: Vec<u8>,
    status: ExitStatus,
}

impl Compiler {
    /// The compiler of an executable, which has to be Bulkhead's own: what it answers is run as machine code.
    pub fn of(executable: impl Into<PathBuf>) -> Self {
        Self { executable: executable.into(), memory: None }
    }

    /// The same with so much memory for each component, bytes, in place of half of what there is. On Linux only.
    #[must_use]
    pub fn within(self, memory: u64) -> Self {
        Self { memory: Some(memory), ..self }
    }

    /// Compiles a component.
    ///
    /// # Errors
    /// A component that the compiler refuses or doesn't survive, or that takes too long. A process that can't be started.
    pub(in super::super) fn compile(
        &self,
        engine: &Engine,
        component: &[u8],
        limits: &Limits,
    ) -> Result<Component, LoadError> {
        let code = self.code(component, limits)?;
        unfolded::fits(&code)?;
        #[expect(
            unsafe_code,
            reason = "it is this host's executable that made it, and nobody else can have written to its pipe"
        )]
        // SAFETY: `code` is all of what `precompile_component` returned in a process of the executable that this one is, which `of`
        // asks for, and which ended as it does when that was all. Another version's is refused here.
        let deserialized = unsafe { Component::deserialize(engine, code) };
        deserialized.map_err(|error| {
            let useless = || LoadError::Compile(format!("its machine code can't be used: {error}"));
            LoadError::unmapped(&error).unwrap_or_else(useless)
        })
    }

    fn code(&self, component: &[u8], limits: &Limits) -> Result<Vec<u8>, LoadError> {
        let limit = limits.compile;
        let memory = self.memory.or_else(half_of_all);
        let answer = self.start(component.len(), memory).and_then(|process| process.answer(component, limit));
        let Some(Answer { code, words, status }) = answer.map_err(LoadError::NoCompiler)? else {
            return Err(LoadError::Slow { limit, place: limits.place("compile") });
        };
        if code.len() as u64 > MOST_CODE {
            return Err(LoadError::Compile("it has more than 1 GiB of machine code".to_owned()));
        }
        match status.code() {
            Some(0) if !code.is_empty() => Ok(code),
            Some(ended) if ended == i32::from(REFUSED) => {
                Err(LoadError::Compile(String::from_utf8_lossy(&words).into_owned()))
            }
            Some(ended)
                if ended == i32::from(DENIED)
                    && let Some(error) = denied(&words) =>
            {
                Err(LoadError::NoCompiler(error))
            }
            _ => {
                let memory = had(memory);
                let scarce = is_killed(status) || memory.is_some_and(|memory| memory < LEAST_MEMORY);
                Err(LoadError::Crashed { memory, scarce, how: how(status, &words) })
            }
        }
    }

    fn start(&self, length: usize, memory: Option<u64>) -> io::Result<Process> {
        let mut command = Command::new(&self.executable);
        command.arg(ARGUMENT).arg(length.to_string()).args(memory.map(|bytes| bytes.to_string()));
        command.env_clear().current_dir("/");
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // A key that interrupts whoever started this host is for the host to answer.
            command.arg0("bulkhead").process_group(0);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // It gives way as the thread that starts it does, which knows how far this process does already.
        let start = || {
            give_way(Way::Compiling);
            command.spawn()
        };
        let child = thread::scope(|scope| aside(scope, start)?.recv().map_err(io::Error::other)?)?;
        Ok(Process(child))
    }
}

/// The system's error that a process names.
fn denied(words: &[u8]) -> Option<io::Error> {
    let number = std::str::from_utf8(words).ok()?.parse().ok()?;
    Some(io::Error::from_raw_os_error(number))
}

/// How a process ended that didn't mean to, in a line.
fn how(status: ExitStatus, words: &[u8]) -> String {
    let words = String::from_utf8_lossy(words);
    let words = words.split(|character: char| character.is_whitespace() || character.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let words: String = words.join(" ").chars().take(200).collect();
    if words.is_empty() { status.to_string() } else { format!("{status}: {words}") }
}

/// What a process may have of memory, bytes: half of what there is, where that is known.
fn half_of_all() -> Option<u64> {
    let all = u64::try_from(machine::memory()?).ok()?;
    Some((all / 2).max(LEAST_MEMORY))
}

/// What a process had of memory, bytes: the least of what it may have, what anybody lets it address, and what there is.
fn had(memory: Option<u64>) -> Option<u64> {
    let all = machine::memory().and_then(|all| u64::try_from(all).ok());
    memory.into_iter().chain(addressable()).chain(all).min()
}

#[cfg(unix)]
fn addressable() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).maximum
}

#[cfg(not(unix))]
fn addressable() -> Option<u64> {
    None
}

/// Whether a process was ended as systems do that have no memory left.
#[cfg(unix)]
fn is_killed(status: ExitStatus) -> bool {
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(rustix::process::Signal::KILL.as_raw())
}

#[cfg(not(unix))]
fn is_killed(_: ExitStatus) -> bool {
    false
}

/// A process that doesn't outlive its owner.
struct Process(Child);

impl Process {
    /// What it makes of a component. None if it takes longer than it may.
    fn answer(mut self, component: &[u8], limit: Duration) -> io::Result<Option<Answer>> {
        let pipes = (self.0.stdin.take(), self.0.stdout.take(), self.0.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else { return Err(io::ErrorKind::BrokenPipe.into()) };
        // What is written to stays open until the end: to the process it means that somebody waits for it.
        thread::scope(|scope| {
            // It ends when this returns, in whichever way, and with it the threads, which have nothing else to wait for.
            let mut process = self;
            aside(scope, || stdin.write_all(component))?;
            let code = aside(scope, || read(stdout, MOST_CODE))?;
            let words = aside(scope, || heard(stderr))?;
            let code = match code.recv_timeout(limit) {
                Ok(code) => code?,
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::BrokenPipe.into()),
            };
            let status = process.end()?;
            let words = words.recv().map_err(io::Error::other)??;
            Ok(Some(Answer { code, words, status }))
        })
    }

    /// Ends it and says how it ended: by itself, if it has said all that it had to. Its streams close after that is settled.
    fn end(&mut self) -> io::Result<ExitStatus> {
        let _ = self.0.kill();
        self.0.wait()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Does something on another thread; what comes of it can be received.
fn aside<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<Receiver<T>> {
    let (sender, receiver) = sync_channel(1);
    // Nobody may want to know any more.
    let work = move || sender.send(work()).unwrap_or_default();
    thread::Builder::new().name("compiler".to_owned()).spawn_scoped(scope, work)?;
    Ok(receiver)
}

/// All of a stream; of one that is longer than it may be, a little more than that.
fn read(stream: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut read = Vec::new();
    stream.take(most + 1).read_to_end(&mut read)?;
    Ok(read)
}

/// The beginning of what is said, which is listened to for as long as somebody speaks: who talks too much may still have an answer.
fn heard(mut stream: impl Read) -> io::Result<Vec<u8>> {
    let heard = read(&mut stream, MOST_WORDS)?;
    io::copy(&mut stream, &mut io::sink())?;
    Ok(heard)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(600);
    const LOST: &str = "the component can't be compiled: the compiler needed more memory than the 1.0 GiB that it may have, or crashed, and ended";

    fn within(compile: Duration) -> Limits {
        Limits { compile, ..Limits::default() }
    }

    /// What comes of a process that may have so many bytes, and does what a script says.
    fn ended(memory: u64, script: &str, limit: Duration) -> Result<Vec<u8>, LoadError> {
        let stand_in = concat!(env!("CARGO_MANIFEST_DIR"), "/src/component/compiler/stand-in.sh");
        Compiler::of(stand_in).within(memory).code(script.as_bytes(), &within(limit))
    }

    /// What is made of it.
    fn made(script: &str, limit: Duration) -> Result<String, String> {
        let made = ended(1 << 30, script, limit);
        made.map(|code| String::from_utf8(code).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn code_is_what_a_process_says_that_ends_well() {
        assert_eq!(made("printf code", LONG), Ok("code".to_owned()));
        assert_eq!(made("yes why | head -c 1000000 >&2; printf code", LONG), Ok("code".to_owned()), "it talks much");
        let refused = made("printf half; printf 'no good' >&2; exit 1", LONG);
        assert_eq!(refused, Err("the component can't be compiled: no good".to_owned()));
        for (script, how) in [
            ("", "exit status: 0"),
            ("printf half; exit 3", "exit status: 3"),
            ("printf half; kill -9 $$", "signal: 9 (SIGKILL)"),
            ("printf 'no\\n  room\\n' >&2; exit 101", "exit status: 101: no room"),
            // It has said all, and stays: nobody waits for that.
            ("printf code; exec sleep 600 >&- 2>&-", "signal: 9 (SIGKILL)"),
        ] {
            assert_eq!(made(script, LONG), Err(format!("{LOST} ({how})")), "{script}");
        }
    }

    /// It is told what there was, and no component is accused that needs no more than others; nor is anybody to give a stranger's more memory,
    /// however it ended: that is a bomb's way, too.
    #[test]
    fn a_process_that_ends_where_there_is_little_memory_may_be_an_honest_one() {
        let crash = |memory: u64, script: &str| ended(memory, script, LONG).unwrap_err();
        let all = u64::try_from(machine::memory().unwrap()).unwrap();
        let told = crash(u64::MAX, "exit 3").to_string();
        let there = bytesize::ByteSize::b(addressable().map_or(all, |most| most.min(all)));
        assert!(told.contains(&format!("than the {there} that it may have")), "{told}");

        let cautious = "if you know where it comes from, let this process have more memory";
        let accused = "no provider's code is known to do that; don't run it unless you know where it comes from";
        let plenty = if had(None) < Some(LEAST_MEMORY) { cautious } else { accused };
        for (memory, script, hint) in [
            (1 << 30, "exit 3", cautious),
            (1 << 30, "kill -6 $$", cautious),
            (1 << 30, "kill -11 $$", cautious),
            (1 << 40, "kill -9 $$", cautious),
            (1 << 40, "kill -6 $$", plenty),
            (1 << 40, "kill -11 $$", plenty),
        ] {
            let error = crash(memory, script);
            assert!(error.hint().starts_with(hint), "{memory} {script}: {}", error.hint());
        }
    }

    #[test]
    fn what_the_system_refuses_a_process_is_no_fault_of_the_components() {
        assert_eq!(
            made("printf 11 >&2; exit 71", LONG),
            Err("the component can't be compiled: nothing can do it here: Resource temporarily unavailable (os error 11)"
                .to_owned())
        );
    }

    #[test]
    fn a_process_is_told_its_bounds_and_knows_nothing_else() {
        assert_eq!(made("echo $*", LONG), Ok("--compile-component 7 1073741824\n".to_owned()));
        assert_eq!(made("env | grep CARGO; pwd", LONG), Ok("/\n".to_owned()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_gives_way_to_all_that_answer_and_no_further_however_its_host_does() {
        let before = rustix::process::getpriority_process(None).unwrap();
        let host = thread::spawn(|| {
            give_way(Way::Waiting);
            made("nice", LONG)
        });
        assert_eq!(host.join().unwrap(), Ok(format!("{}\n", (before + 5).min(19))));
    }

    #[test]
    fn nobody_waits_for_longer_than_it_may_take() {
        let limit = Duration::from_millis(50);
        for script in ["exec sleep 600", "exec cat /dev/zero", "exec cat /dev/zero 3>&1 >&2"] {
            let expected = "compiling the component took longer than 0.05 s".to_owned();
            assert_eq!(made(script, limit), Err(expected), "{script}");
        }
    }

    #[test]
    fn words_without_end_are_cut_off() {
        let words = made("yes no | head -c 1000000 >&2; exit 1", LONG).unwrap_err();
        assert!(words.len() < 20_000, "{}", words.len());
    }

    #[test]
    fn a_process_that_does_not_listen_or_is_not_there_is_told() {
        let made =
            |executable: &str| Compiler::of(executable).code(&vec![0; 1 << 20], &within(LONG)).unwrap_err().to_string();
        assert!(made("/bin/true").ends_with(", or crashed, and ended (exit status: 0)"), "{}", made("/bin/true"));
        assert_eq!(
            made("/proc/nonexistent"),
            "the component can't be compiled: nothing can do it here: No such file or directory (os error 2)"
        );
    }

    #[test]
    fn what_is_no_machine_code_is_refused() {
        let stand_in = Compiler::of(concat!(env!("CARGO_MANIFEST_DIR"), "/src/component/compiler/stand-in.sh"));
        let error = stand_in.compile(&Engine::default(), b"printf code", &within(LONG)).unwrap_err().to_string();
        assert!(error.starts_with("the component can't be compiled: its machine code can't be used: "), "{error}");
    }
}
