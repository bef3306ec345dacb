//! What every role of a process needs: a runtime, a stack that is deep enough, and the cache.

use std::path::PathBuf;

use tokio::runtime::{Builder, Runtime};

use crate::component::{Cache, Compiler, STACK};
use crate::threads::{Way, give_way};
use crate::user_places;

/// The runtime of all roles: one thread, since what engines ask is mostly answered sooner than another thread is woken. Guests
/// that take long and large requests leave it. What blocks has threads beside it, such as for reading files, and those give way to it.
pub(crate) fn runtime() -> std::io::Result<Runtime> {
    #[cfg(unix)]
    has_files_left()?;
    let mut builder = Builder::new_current_thread();
    // It starts no others: whoever calls this is the one that answers.
    builder.on_thread_start(|| give_way(Way::Waiting));
    let runtime = builder.thread_stack_size(STACK).enable_all().build()?;
    #[cfg(unix)]
    outlive_full_files(&runtime)?;
    Ok(runtime)
}

/// Whether the files that a runtime begins with can be opened: all of them are, and closed again. tokio panics where there are none for
/// its signals, in words that are none of ours.
#[cfg(unix)]
fn has_files_left() -> std::io::Result<()> {
    use std::os::unix::net::UnixStream;

    // What it waits with takes two, a pair of streams for signals as many, and each who listens to them one.
    let _all = [UnixStream::pair()?, UnixStream::pair()?, UnixStream::pair()?];
    Ok(())
}

/// Has a file that becomes longer than this process may make one (`ulimit -f`) fail to be written. It would end the process, whose
/// component writes as much as it likes: all of its calls, and those of others.
#[cfg(unix)]
fn outlive_full_files(runtime: &Runtime) -> std::io::Result<()> {
    use rustix::process::Signal;
    use tokio::signal::unix::{SignalKind, signal};

    let _within = runtime.enter();
    // Once somebody has listened, it ends nothing any more.
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw())).map(drop)
}

/// Runs something on a thread whose stack doesn't depend on the user's limits.
pub(crate) fn on_a_deep_stack<T: Send>(run: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    std::thread::scope(|scope| {
        let thread =
            std::thread::Builder::new().name("engine".to_owned()).stack_size(STACK).spawn_scoped(scope, run)?;
        thread.join().map_err(|_| std::io::Error::other("the host failed"))
    })
}

/// The cache of compiled components: `BULKHEAD_CACHE_DIR`, or `bulkhead` in the user's cache directory. What isn't there yet is
/// compiled by this executable, in another process.
pub(crate) fn default_cache() -> Cache {
    let named = std::env::var_os("BULKHEAD_CACHE_DIR").filter(|value| !value.is_empty()).map(PathBuf::from);
    let directory = named.or_else(user_places::compiled);
    let nowhere = || {
        tracing::warn!("there is no home directory for the compilation cache; hint: {}", Cache::NAME_ONE);
        Cache::disabled()
    };
    directory.map_or_else(nowhere, Cache::new).compiling_with(Compiler::of(executable()))
}

/// The executable of this process, which knows to be a compiler.
fn executable() -> PathBuf {
    // The very file, whatever lies under its name by now: another version's code would be refused.
    if cfg!(target_os = "linux") {
        return PathBuf::from("/proc/self/exe");
    }
    // Without a name, compiling says that nothing of that name can be started.
    std::env::current_exe().unwrap_or_default()
}

/// Lets this process have as many files open as it may at most, within reason. Systems begin with few, for the sake of programs that can't
/// count beyond; here they are shared by all providers of a process.
#[cfg(unix)]
pub(crate) fn have_files_open() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// More than what is granted ever takes: some systems name a billion, and there are programs that try each.
    const MOST: u64 = 65_536;

    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(MOST, |maximum| maximum.min(MOST));
    if current.is_some_and(|current| current < wanted) {
        // Where it is refused, what there is has to do.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
    }
}

#[cfg(not(unix))]
pub(crate) fn have_files_open() {}

#[cfg(all(test, unix))]
mod tests {
    use rustix::process::{Resource, getrlimit};

    #[cfg(target_os = "linux")]
    #[test]
    fn what_blocks_gives_way_to_the_thread_that_answers() {
        let present = || rustix::process::getpriority_process(None).unwrap();
        let before = present();
        let runtime = super::runtime().unwrap();
        let (answering, blocking) =
            runtime.block_on(async { (present(), tokio::task::spawn_blocking(present).await.unwrap()) });
        assert_eq!(answering, before);
        assert!(blocking > before || before == 19, "{blocking}");
    }

    #[test]
    fn a_process_has_as_many_files_open_as_it_may_within_reason() {
        super::have_files_open();
        let limit = getrlimit(Resource::Nofile);
        let most = limit.maximum.map_or(65_536, |maximum| maximum.min(65_536));
        assert!(limit.current.is_none_or(|current| current >= most), "{limit:?}");
    }
}
