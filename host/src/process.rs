//! What every role of a process needs: a runtime, a stack that is deep enough, and the cache.

use std::path::PathBuf;

use tokio::runtime::{Builder, Runtime};

use crate::component::{Cache, STACK};

/// The runtime of all roles: one thread, since what engines ask is mostly answered sooner than another thread is woken. Guests
/// that take long and large requests leave it.
pub(crate) fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().thread_stack_size(STACK).enable_all().build()
}

/// Runs something on a thread whose stack doesn't depend on the user's limits.
pub(crate) fn on_a_deep_stack<T: Send>(run: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    std::thread::scope(|scope| {
        let thread =
            std::thread::Builder::new().name("engine".to_owned()).stack_size(STACK).spawn_scoped(scope, run)?;
        thread.join().map_err(|_| std::io::Error::other("the host failed"))
    })
}

/// The cache of compiled components: `BULKHEAD_CACHE_DIR`, or `bulkhead` in the user's cache directory.
pub(crate) fn default_cache() -> Cache {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let directory = named("BULKHEAD_CACHE_DIR")
        .or_else(|| named("XDG_CACHE_HOME").map(|cache| cache.join("bulkhead")))
        .or_else(|| std::env::home_dir().map(|home| home.join(".cache").join("bulkhead")));
    directory.map_or_else(Cache::disabled, Cache::new)
}
