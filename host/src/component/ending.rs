//! How a call into a guest ended when it didn't return, and what that means.

use std::io;

use bytesize::ByteSize;
use wasmtime::Trap;
use wasmtime_wasi::I32Exit;

use super::engine::MOST_STACK;
use super::exports::Mistyped;
use super::load_error::REBUILT;
use crate::provider::{Error, ErrorKind};
use crate::scarcity;
use crate::store::{Ending, HANDLES, KEPT, Limits, MEMORIES, Refused, Unopened, Unrecorded, Wanted};

/// What it means that a call ended before there was a place for it.
pub(super) fn unbegun(ending: Ending, limits: &Limits) -> Error {
    match ending {
        Ending::Deadline => {
            let hint = format!(
                "ask for less at once (`pulumi up --parallel`), or raise the limit `concurrency` in {}",
                limits.place("concurrency")
            );
            let message = "other calls of the provider went on until the deadline of the operation, which hadn't begun";
            Error::new(ErrorKind::Overdue, message).hint(hint)
        }
        other => error(&other.into(), None, limits),
    }
}

/// What it means that a call's deadline passed before it had a turn.
pub(super) fn overdue(limits: &Limits) -> Error {
    let message = "the deadline of the operation passed before its turn came, and it hasn't begun";
    let hint = format!("ask for less at once (`pulumi up --parallel`), or {}", more_time(limits));
    Error::new(ErrorKind::Overdue, message).hint(hint)
}

fn more_time(limits: &Limits) -> String {
    let wall = limits.place("wall");
    format!(
        "give it more time with the resource option `customTimeouts`, or where there is none with the limit `wall` in {wall}"
    )
}

/// What a failed call means: it ended from outside, met a limit, or crashed.
pub(super) fn error(trap: &wasmtime::Error, refused: Option<Wanted>, limits: &Limits) -> Error {
    let raise = |limit| limits.raise(limit);
    if let Some(ending) = trap.downcast_ref::<Ending>() {
        return match ending {
            Ending::Cancelled => Error::cancelled(),
            Ending::Deadline => Error::late().hint(more_time(limits)),
            Ending::Compute => {
                Error::new(ErrorKind::Exhausted, "the provider computed for longer than it may in one call")
                    .hint(raise("compute"))
            }
        };
    }
    if let Some(unopened) = trap.downcast_ref::<Unopened>() {
        let hint = "make it again; or where too many files are open, let processes have more (`ulimit -n`)";
        return Error::new(ErrorKind::Failed, unopened.to_string()).hint(hint);
    }
    if let Some(unrecorded) = trap.downcast_ref::<Unrecorded>() {
        return Error::new(ErrorKind::Failed, unrecorded.to_string());
    }
    if let Some(mistyped) = trap.downcast_ref::<Mistyped>() {
        return Error::new(ErrorKind::ProviderBug, mistyped.to_string()).hint(REBUILT);
    }
    // wasmtime keeps the types of these errors to itself.
    let cause = trap.root_cause().to_string();
    if cause.contains("fuel allocated for hostcalls") {
        return Error::new(ErrorKind::Exhausted, "the provider passed more data to the host than its limit allows")
            .hint(raise("value"));
    }
    let refused = refused.or_else(|| trap.downcast_ref::<Refused>().map(|Refused(wanted)| *wanted));
    if let Some(wanted) = refused {
        return match wanted {
            Wanted::Memory => {
                let most = ByteSize::b(u64::try_from(limits.memory).unwrap_or(u64::MAX));
                exhausted("memory").hint(format!("it may have {most}; {}", raise("memory")))
            }
            Wanted::MemoryTogether => {
                let message = "the calls of the provider need more memory together than their limit allows";
                Error::new(ErrorKind::Exhausted, message).hint(raise("memory-together"))
            }
            Wanted::MemoryOfProcess => {
                let message = "the calls of the provider need more memory together than this machine has for them";
                let hint =
                    "ask for less at once (`pulumi up --parallel`), or lower the limit `concurrency` in bulkhead.toml";
                Error::new(ErrorKind::Exhausted, message).hint(hint)
            }
            Wanted::Addresses => {
                let message = "the calls of all providers have more linear memories together than one process can";
                let hint = "ask for less at once (`pulumi up --parallel`), or run providers in processes of their own";
                Error::new(ErrorKind::Exhausted, message).hint(hint)
            }
            Wanted::Kept(what) => exhausted(&format!("memory for {what}")).hint(fixed(&format!("{} MiB", KEPT >> 20))),
            Wanted::TableElements => exhausted("table elements").hint(raise("table-elements")),
            Wanted::Directories => {
                let message = "the calls of the provider have more granted directories open together than they may";
                let hint = "ask for less at once (`pulumi up --parallel`), or let processes have more files open (`ulimit -n`)";
                Error::new(ErrorKind::Exhausted, message).hint(hint)
            }
        };
    }
    // "resource limit exceeded: instance count too high at 201"
    if let Some((what, _)) =
        cause.split_once(" count too high").filter(|_| cause.starts_with("resource limit exceeded"))
    {
        return match () {
            () if what.ends_with("memory") => exhausted("linear memories").hint(fixed(&MEMORIES.to_string())),
            () if what.ends_with("instance") => exhausted("core instances").hint(raise("instances")),
            () => exhausted("tables").hint(raise("instances")),
        };
    }
    if cause.contains("resource table has no free keys") || cause.contains("handle limit exceeded") {
        return exhausted("handles").hint(fixed(&HANDLES.to_string()));
    }
    if cause.contains("total size of fields exceeds limit") {
        return exhausted("memory for the headers of one message").hint(fixed("128 KiB"));
    }
    // No guest brings about such an error: to its own wishes it gets an answer.
    if let Some(refused) = scarcity::error_of_system(trap.root_cause()) {
        if refused.kind() == io::ErrorKind::OutOfMemory {
            let message = "this process can't have the addresses that an instance of the provider takes";
            let hint = "let it have more (`ulimit -v`), 4 GiB for each linear memory and a stack, or ask for less at once (`pulumi up --parallel`)";
            return Error::new(ErrorKind::Exhausted, message).hint(hint);
        }
        let error = Error::new(ErrorKind::Failed, format!("the system refused what the provider runs in: {refused}"));
        return match scarcity::remedy(&refused) {
            Some(remedy) => error.hint(remedy),
            None => error,
        };
    }
    if trap.is::<I32Exit>() {
        return Error::provider_bug("the provider ended its own process");
    }
    match trap.downcast_ref::<Trap>() {
        Some(Trap::StackOverflow) => exhausted("stack").hint(fixed(&format!("{} KiB", MOST_STACK >> 10))),
        Some(trap) => Error::provider_bug(format!("the provider crashed: {trap}")),
        // The error's chain names wasm frames and types, never values.
        None => Error::provider_bug(format!("the provider broke the contract: {cause}")),
    }
}

/// The same of a call that hadn't come to what it asks of the guest.
pub(super) fn unentered(error: Error) -> Error {
    match error.kind {
        ErrorKind::DeadlineExceeded => Error { kind: ErrorKind::Overdue, ..error },
        _ => error,
    }
}

/// What to do about a limit that no setting raises.
pub(super) fn fixed(most: &str) -> String {
    format!("{most} are the most, whatever is set; please report it to the provider's author")
}

fn exhausted(what: &str) -> Error {
    Error::new(ErrorKind::Exhausted, format!("the provider needs more {what} than its limit allows"))
}

/// Whether a call failed over what the guest said, rather than because it stopped: then it may well have done what it was asked.
pub(super) fn is_unreadable(trap: &wasmtime::Error) -> bool {
    let never_ran = trap.is::<Unopened>() || trap.is::<Unrecorded>() || trap.is::<Mistyped>();
    !(never_ran || trap.is::<Ending>() || trap.is::<Trap>() || trap.is::<I32Exit>())
}

#[cfg(all(test, unix))]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn what_the_system_refuses_is_no_fault_of_the_providers() {
        let told = |errno: Errno| error(&wasmtime::Error::from(errno).context("made"), None, &Limits::default());
        for (errno, message, hint) in [
            (Errno::NOMEM, "can't have the addresses", Some("ulimit -v")),
            (Errno::AGAIN, "the system refused", Some("ulimit -u")),
            (Errno::ACCESS, "Permission denied (os error 13)", None),
        ] {
            let told = told(errno);
            assert!(told.message.contains(message), "{told}");
            assert_eq!(told.hint.is_some(), hint.is_some(), "{told}");
            assert!(hint.is_none_or(|hint| told.hint.is_some_and(|told| told.contains(hint))), "{message}");
        }
    }
}
