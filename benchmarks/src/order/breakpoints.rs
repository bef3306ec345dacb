//! Runs an executable with a breakpoint at the beginning of each of its functions, and notes which are reached.
//!
//! Each is taken away once it was hit, so that all of it costs a second. This process stands between whoever started it and the executable,
//! which has its streams.

#![expect(unsafe_code, reason = "no library of ours traces processes")]

use std::fs::{self, File, OpenOptions};
use std::io::{Error, Write};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use libc::{c_int, c_uint, c_ulong, pid_t};

use super::symbols::{Function, functions};

/// What the processor stops at, of x86-64.
const BREAKPOINT: u8 = 0xcc;

/// Where a breakpoint is, and what was there before. Nothing once it was hit.
struct Breakpoint {
    address: u64,
    before: Option<u8>,
}

/// Runs an executable with this process's own arguments, and writes the addresses of functions to a file as they are reached.
///
/// # Errors
/// It has no symbols, or can't be traced.
pub(super) fn run(executable: &Path, reached: &Path) -> Result<ExitCode> {
    let mut reached = File::create(reached).with_context(|| format!("create {}", reached.display()))?;
    let functions = functions(executable)?;
    let mut command = Command::new(executable);
    command.args(std::env::args_os().skip(1));
    // SAFETY: it's a single system call.
    unsafe {
        command.pre_exec(|| ptrace(libc::PTRACE_TRACEME, 0, 0));
    }
    let process = pid_t::try_from(command.spawn().context("start the executable")?.id())?;
    stopped()?;
    let options = libc::PTRACE_O_TRACECLONE | libc::PTRACE_O_EXITKILL;
    ptrace(libc::PTRACE_SETOPTIONS, process, c_ulong::try_from(options)?)?;
    let (base, memory) = (base(process, executable)?, memory(process)?);
    let mut breakpoints = functions.iter().map(|function| set(&memory, base, function)).collect::<Result<Vec<_>>>()?;
    ptrace(libc::PTRACE_CONT, process, 0)?;
    loop {
        let (thread, status) = stopped()?;
        if !libc::WIFSTOPPED(status) {
            if thread == process {
                return Ok(ExitCode::SUCCESS);
            }
            continue;
        }
        let signal = match libc::WSTOPSIG(status) {
            // What the tracer asked to be told of.
            libc::SIGTRAP if status >> 16 != 0 => 0,
            libc::SIGTRAP => {
                if let Some(address) = hit(thread, base, &mut breakpoints, &memory)? {
                    writeln!(reached, "{address}")?;
                }
                0
            }
            // Threads begin so.
            libc::SIGSTOP => 0,
            signal => signal,
        };
        ptrace(libc::PTRACE_CONT, thread, c_ulong::try_from(signal)?)?;
    }
}

/// Waits until a thread stops or ends: which, and how.
fn stopped() -> Result<(pid_t, c_int)> {
    let mut status = 0;
    // SAFETY: the pointer is that of a number.
    match unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL) } {
        -1 => Err(Error::last_os_error()).context("wait for the executable"),
        thread => Ok((thread, status)),
    }
}

/// A request about a thread, with a number or a pointer.
fn ptrace(request: c_uint, thread: pid_t, data: c_ulong) -> std::io::Result<()> {
    // SAFETY: whoever passes a pointer passes one to what the request reads or writes.
    match unsafe { libc::ptrace(request, thread, 0, data) } {
        -1 => Err(Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Where the executable is in its memory.
fn base(process: pid_t, executable: &Path) -> Result<u64> {
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).context("read its mappings")?;
    let name = executable.to_string_lossy();
    let line = maps.lines().find(|line| line.ends_with(name.as_ref())).context("find it among its mappings")?;
    let (from, _) = line.split_once('-').context("read its mappings")?;
    Ok(u64::from_str_radix(from, 16)?)
}

fn memory(process: pid_t) -> Result<File> {
    let memory = format!("/proc/{process}/mem");
    OpenOptions::new().read(true).write(true).open(&memory).with_context(|| format!("open {memory}"))
}

fn set(memory: &File, base: u64, function: &Function) -> Result<Breakpoint> {
    let mut before = [0];
    memory.read_exact_at(&mut before, base + function.address)?;
    memory.write_all_at(&[BREAKPOINT], base + function.address)?;
    Ok(Breakpoint { address: function.address, before: Some(before[0]) })
}

/// Takes a breakpoint away and goes back to it. Nothing if another thread did.
fn hit(thread: pid_t, base: u64, breakpoints: &mut [Breakpoint], memory: &File) -> Result<Option<u64>> {
    // SAFETY: they are numbers.
    let mut registers: libc::user_regs_struct = unsafe { std::mem::zeroed() };
    ptrace(libc::PTRACE_GETREGS, thread, &raw mut registers as c_ulong)?;
    let address = registers.rip - 1;
    let found = breakpoints.binary_search_by_key(&address, |breakpoint| base + breakpoint.address);
    let Some(breakpoint) = found.ok().and_then(|at| breakpoints.get_mut(at)) else { return Ok(None) };
    registers.rip = address;
    ptrace(libc::PTRACE_SETREGS, thread, &raw mut registers as c_ulong)?;
    let Some(before) = breakpoint.before.take() else { return Ok(None) };
    memory.write_all_at(&[before], address)?;
    Ok(Some(breakpoint.address))
}
