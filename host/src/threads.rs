//! Which threads give way to which, and how many of them are started.
//!
//! One thread answers an engine, and has to be woken at once, whatever guests do. A guest that computes takes as much of the
//! processors as there is, and so does a host that works on a huge answer. Their threads give way: where processors are short,
//! they get a twentieth or a third of what others get, and are interrupted for those. Where they aren't, nobody notices. It is a
//! twentieth and not nothing, since most guests that compute for long are honest: a hash of a password, a key. It isn't more, since
//! each time that such a thread comes on, all who are to be answered may wait for a tick of the system: of some sixteen thousand
//! calls a second, eight at once, a twelfth would hold up one in a hundred.
//!
//! A share says nothing of who comes first: whoever runs goes on for a slice, and milliseconds of it are an age for whoever is to
//! be woken. A thread with a longer slice is interrupted by all with shorter ones, as Linux has it since 6.12.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};

/// How long nobody tries to start threads where there are no more.
const PAUSE: Duration = Duration::from_secs(1);

/// A runtime with so many threads, each with a stack of so many bytes.
///
/// # Errors
/// The system has no more threads, or files. tokio panics over the former, in the middle of whoever needs the runtime, and keeps
/// what it had started.
pub(crate) fn runtime(builder: &mut Builder, threads: usize, stack: usize) -> io::Result<Runtime> {
    can_be_started(threads, stack)?;
    // Others may have taken them since.
    let built = catch_unwind(AssertUnwindSafe(|| builder.worker_threads(threads).thread_stack_size(stack).build()));
    built.unwrap_or_else(|_| Err(io::Error::other("there are no more threads")))
}

/// Whether the system has so many threads: all of them are started, and end.
fn can_be_started(threads: usize, stack: usize) -> io::Result<()> {
    let gate = Mutex::new(());
    thread::scope(|scope| {
        let _closed = gate.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..threads {
            thread::Builder::new().stack_size(stack).spawn_scoped(scope, || drop(gate.lock()))?;
        }
        Ok(())
    })
}

/// Has a call go on where calls wait, if it is on the one thread that answers everybody, which has no time for what comes next. Within a
/// runtime only.
pub(crate) async fn beside_others() {
    if Handle::current().runtime_flavor() == RuntimeFlavor::CurrentThread {
        tokio::task::yield_now().await;
    }
}

/// Something that needs threads: it is started when somebody first needs it, and where it can't be, it is tried again later. Others take
/// threads and give them back, and a process lives for long.
pub(crate) struct Started<T> {
    started: OnceLock<T>,
    /// When to try again.
    again: Mutex<Option<Instant>>,
}

impl<T> Started<T> {
    /// Not yet.
    pub(crate) const fn later() -> Self {
        Self { started: OnceLock::new(), again: Mutex::new(None) }
    }

    /// What was started, or is started now. None if it can't be, which is told the first time.
    pub(crate) fn get(&self, start: impl FnOnce() -> io::Result<T>) -> Option<&T> {
        if let Some(started) = self.started.get() {
            return Some(started);
        }
        let mut again = self.again.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have come first.
        if self.started.get().is_some() || again.is_some_and(|again| Instant::now() < again) {
            return self.started.get();
        }
        match start() {
            Ok(started) => return Some(self.started.get_or_init(|| started)),
            Err(error) if again.is_none() => tracing::warn!("calls that take long are in the way of others: {error}"),
            Err(_) => {}
        }
        *again = Instant::now().checked_add(PAUSE);
        None
    }

    /// What was started, if it was.
    pub(crate) fn take(&mut self) -> Option<T> {
        self.started.take()
    }
}

impl<T> Default for Started<T> {
    fn default() -> Self {
        Self::later()
    }
}

/// How a thread gives way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// To those that answer: it may have to be woken soon, too.
    Waiting,
    /// To those two: it is waited for, and ends.
    Compiling,
    /// To all others.
    Computing,
}

#[cfg(target_os = "linux")]
impl Way {
    /// By how much, in the steps of `nice`. Each is worth a fifth of a share.
    const fn steps(self) -> i32 {
        match self {
            Self::Waiting | Self::Compiling => 5,
            Self::Computing => 13,
        }
    }
}

/// Has the present thread give way. Where the system can't, it goes on as it is.
pub(crate) fn give_way(way: Way) {
    // By Linux, which has a priority for each thread and not for all of a process. A thread begins as the one that starts it, which may
    // give way already: what counts is how the process began.
    #[cfg(target_os = "linux")]
    if let Ok(present) = rustix::process::getpriority_process(None) {
        static BEGAN: OnceLock<i32> = OnceLock::new();
        let nice = BEGAN.get_or_init(|| present).saturating_add(way.steps());
        linux::schedule(nice.max(present).min(19), linux::slice(way));
    }
    #[cfg(not(target_os = "linux"))]
    let _ = way;
}

#[cfg(target_os = "linux")]
mod linux {
    use std::time::Duration;

    use super::Way;

    /// For how long a thread goes on unless somebody with a shorter slice is woken. Others have some 3 ms, and none has more than 100.
    pub(super) fn slice(way: Way) -> Duration {
        Duration::from_millis(match way {
            Way::Waiting => 20,
            Way::Compiling | Way::Computing => 100,
        })
    }

    pub(super) fn schedule(nice: i32, slice: Duration) {
        let attributes = libc::sched_attr {
            size: u32::try_from(size_of::<libc::sched_attr>()).unwrap_or_default(),
            sched_policy: u32::try_from(libc::SCHED_OTHER).unwrap_or_default(),
            sched_flags: 0,
            sched_nice: nice,
            sched_priority: 0,
            sched_runtime: u64::try_from(slice.as_nanos()).unwrap_or_default(),
            sched_deadline: 0,
            sched_period: 0,
        };
        #[expect(unsafe_code, reason = "no library of ours has this call")]
        // SAFETY: the kernel reads as many bytes of the structure as it says it has. It concerns this thread alone, and what it
        // returns is of no interest.
        unsafe {
            libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0)
        };
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn threads_that_cannot_be_are_an_error() {
        let started = |stack| runtime(&mut Builder::new_multi_thread(), 2, stack);
        assert!(started(1 << 20).is_ok());
        // More than there are addresses.
        assert!(started(1 << 50).is_err());
    }

    #[test]
    fn what_cannot_be_started_is_tried_again_after_a_while_and_not_before() {
        let (started, tries) = (Started::later(), Cell::new(0));
        let start = || {
            tries.set(tries.get() + 1);
            if tries.get() < 3 { Err(io::Error::other("there are no more threads")) } else { Ok("started") }
        };
        let begun = Instant::now();
        while started.get(start).is_none() {
            assert!(begun.elapsed() < PAUSE * 30);
            thread::sleep(PAUSE / 100);
        }
        assert!(begun.elapsed() >= PAUSE * 2);
        assert_eq!((started.get(start), tries.get()), (Some(&"started"), 3));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_gives_way_alone() {
        let present = || rustix::process::getpriority_process(None).unwrap();
        let before = present();
        for way in [Way::Waiting, Way::Compiling, Way::Computing] {
            let there = std::thread::spawn(move || {
                give_way(way);
                present()
            });
            assert_eq!(there.join().unwrap(), (before + way.steps()).min(19));
        }
        assert_eq!(present(), before);
        let both = std::thread::spawn(move || {
            give_way(Way::Waiting);
            let there = std::thread::spawn(move || {
                give_way(Way::Computing);
                present()
            });
            there.join().unwrap()
        });
        let steps = Way::Computing.steps();
        assert_eq!(both.join().unwrap(), (before + steps).min(19), "what such a thread starts gives way no further");
    }
}
