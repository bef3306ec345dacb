//! What the compiler's process does. It may look at nothing but its arguments and its stdin.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::process::{ExitCode, exit};
use std::sync::mpsc::sync_channel;
use std::thread;

use rayon_core::ThreadPoolBuilder;
use wasmtime::Engine;

use super::super::engine::configuration;
use super::super::workers::STACK;

/// The first argument of a process that compiles.
pub(super) const ARGUMENT: &str = "--compile-component";
/// Its exit code if the component can't be compiled; stderr has why.
pub(super) const REFUSED: u8 = 1;
/// Its exit code if nothing was compiled, and the component isn't to blame for it.
const FAILED: u8 = 70;
/// Its exit code if the system refused it what it needs; stderr has the number of the system's error.
pub(super) const DENIED: u8 = 71;
/// Its exit code if the arguments aren't a host's.
const MISUSED: u8 = 64;

/// Compiles a component, if these arguments, the program's name first, are what a host starts a compiler with.
pub(crate) fn compile_component(arguments: &[OsString]) -> Option<ExitCode> {
    let [argument, numbers @ ..] = arguments.get(1..)? else { return None };
    if argument != ARGUMENT {
        return None;
    }
    let number = |text: &OsStr| text.to_str()?.parse::<u64>().ok();
    let numbers: Option<Vec<u64>> = numbers.iter().map(|text| number(text)).collect();
    let code = match numbers.as_deref() {
        Some([length]) => answer(*length, None),
        Some([length, memory]) => answer(*length, Some(*memory)),
        _ => MISUSED,
    };
    Some(ExitCode::from(code))
}

/// Reads a component, and writes what becomes of it.
fn answer(length: u64, memory: Option<u64>) -> u8 {
    // The threads that compile are there before memory is bounded: what keeps them from being started is none of the component's.
    let (watch, whole) = sync_channel(1);
    let (compile, components) = sync_channel(1);
    // One thread does it where there are none for more, over which the pool that wasmtime takes would panic.
    let together = ThreadPoolBuilder::new().build_global().is_ok();
    // Nothing comes after the component, so this returns when the host is gone, however it went: then nobody wants an answer.
    let watching = thread::Builder::new().name("host".to_owned()).spawn(move || {
        if whole.recv() == Ok(()) {
            let _ = io::stdin().read(&mut [0]);
            exit(FAILED.into())
        }
    });
    let compiling = thread::Builder::new().name("compiler".to_owned()).stack_size(STACK).spawn(move || {
        let component: Vec<u8> = components.recv()?;
        let engine = Engine::new(configuration().parallel_compilation(together))?;
        engine.precompile_component(&component)
    });
    let compiling = match watching.and(compiling) {
        Ok(compiling) => compiling,
        Err(error) => return refused(&error),
    };
    if let Some(Err(error)) = memory.map(bound) {
        return refused(&error);
    }
    let Some(component) = component(length) else { return FAILED };
    if watch.send(()).is_err() || compile.send(component).is_err() {
        return FAILED;
    }
    match compiling.join() {
        Ok(Ok(code)) => written(io::stdout(), &code).map_or(FAILED, |()| 0),
        Ok(Err(error)) => {
            let why = error.root_cause().to_string();
            written(io::stderr(), why.as_bytes()).map_or(FAILED, |()| REFUSED)
        }
        Err(_) => FAILED,
    }
}

/// Writes why the system lets nothing be compiled.
fn refused(error: &io::Error) -> u8 {
    let number = error.raw_os_error().map(|number| number.to_string());
    let told = number.map(|number| written(io::stderr(), number.as_bytes()));
    if let Some(Ok(())) = told { DENIED } else { FAILED }
}

/// The component. None if there is no memory for it, or the host is gone before it is complete.
fn component(length: u64) -> Option<Vec<u8>> {
    let mut component = Vec::new();
    component.try_reserve_exact(usize::try_from(length).ok()?).ok()?;
    let read = io::stdin().take(length).read_to_end(&mut component).ok()?;
    (u64::try_from(read) == Ok(length)).then_some(component)
}

fn written(mut stream: impl Write, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(bytes)?;
    stream.flush()
}

/// Bounds the memory of this process, bytes: that which it may address, since Linux bounds nothing else of a single process.
///
/// # Errors
/// The system doesn't.
#[cfg(target_os = "linux")]
fn bound(memory: u64) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    // Somebody else may have bounded it more tightly, which can't be undone.
    let most = getrlimit(Resource::As).maximum.map_or(memory, |most| most.min(memory));
    setrlimit(Resource::As, Rlimit { current: Some(most), maximum: Some(most) })?;
    // What it leaves behind of itself, if it crashes, may be as large, and is of no use to anybody.
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    // Where others take the memory meanwhile, this process is to end and not its host. Without it, the system decides.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn bound(_: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Engines' addresses and commands stand where the argument would.
    #[test]
    fn a_process_compiles_only_if_it_is_told_to() {
        for arguments in [&[][..], &["bulkhead"], &["bulkhead", "serve"], &["bulkhead", "check", ARGUMENT], &[ARGUMENT]]
        {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            assert!(compile_component(&arguments).is_none(), "{arguments:?}");
        }
    }
}
