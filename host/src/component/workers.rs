//! Threads for guests that take their time.
//!
//! Most calls into a guest return at once, and another thread for each would cost more than the call. So a call begins where
//! it is awaited, and only one that computes for longer than a tick of the clock, or waits, goes on here. The threads are
//! started when the first call needs them.

use std::sync::OnceLock;

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// The stack of a thread that values pass through, bytes: what the deepest need in the least optimised build.
pub(crate) const STACK: usize = 16 << 20;

/// The threads of one process.
#[derive(Default)]
pub(super) struct Workers(OnceLock<Option<Runtime>>);

impl Workers {
    /// Goes on with a call on one of the threads; where none can be started, beside what awaits it.
    pub(super) fn spawn<T: Send + 'static>(&self, call: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
        // A guest that computes holds its thread for a tick at a time, so threads look for what has happened, and for new calls,
        // after each poll.
        let start = || {
            let mut runtime = Builder::new_multi_thread();
            runtime
                .event_interval(1)
                .global_queue_interval(1)
                .thread_name("guest")
                .thread_stack_size(STACK)
                .enable_all()
                .build()
        };
        let runtime = self.0.get_or_init(|| start().inspect_err(|error| tracing::warn!("no threads: {error}")).ok());
        match runtime {
            Some(runtime) => runtime.spawn(call),
            None => tokio::spawn(call),
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        // Waiting for what still runs isn't possible inside another runtime, and whoever cared has cancelled it.
        if let Some(runtime) = self.0.take().flatten() {
            runtime.shutdown_background();
        }
    }
}
