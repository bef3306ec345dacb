//! When a plugin leaves: on SIGINT, on SIGTERM, or when the pipe on stdin ends, which is all that is left when the engine
//! is killed. Never on Cancel. A stdin that isn't a pipe says nothing: an attached provider has none.

#[cfg(not(unix))]
pub(super) use other::Departure;
#[cfg(unix)]
pub(super) use unix::Departure;

#[cfg(unix)]
mod unix {
    use std::io::{self, Read};

    use tokio::signal::unix::{Signal, SignalKind, signal};
    use tokio_util::sync::CancellationToken;

    /// Everything that may ask this process to leave.
    pub(in crate::plugin) struct Departure {
        interrupt: Signal,
        terminate: Signal,
        abandoned: CancellationToken,
    }

    impl Departure {
        /// Starts listening. From here on no signal kills the process, so it comes before the port line: an engine that is
        /// interrupted while it starts its plugins would call a killed one buggy.
        ///
        /// # Errors
        /// Signals that can't be listened to.
        pub(in crate::plugin) fn watch() -> io::Result<Self> {
            let abandoned = CancellationToken::new();
            watch_stdin(abandoned.clone());
            Ok(Self {
                interrupt: signal(SignalKind::interrupt())?,
                terminate: signal(SignalKind::terminate())?,
                abandoned,
            })
        }

        /// Completes when the process should leave.
        pub(in crate::plugin) async fn asked(&mut self) {
            tokio::select! {
                _ = self.interrupt.recv() => {}
                _ = self.terminate.recv() => {}
                () = self.abandoned.cancelled() => {}
            }
        }
    }

    /// Sets the token when stdin is a pipe and ends. A thread of its own, since a blocked read can't be taken back.
    fn watch_stdin(abandoned: CancellationToken) {
        if !stdin_is_pipe() {
            return;
        }
        let watching = std::thread::Builder::new().name("stdin".to_owned()).spawn(move || {
            let mut buffer = [0; 256];
            // Nobody writes there; whatever comes is of no interest.
            while io::stdin().read(&mut buffer).is_ok_and(|read| read > 0) {}
            abandoned.cancel();
        });
        if let Err(error) = watching {
            tracing::warn!("stdin can't be watched, so this process may outlive its engine: {error}");
        }
    }

    fn stdin_is_pipe() -> bool {
        use std::os::fd::AsFd;
        use std::os::unix::fs::FileTypeExt;

        let file = io::stdin().as_fd().try_clone_to_owned().map(std::fs::File::from);
        let kind = file.and_then(|file| file.metadata()).map(|metadata| metadata.file_type());
        kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket())
    }
}

#[cfg(not(unix))]
mod other {
    use std::io;

    /// Everything that may ask this process to leave.
    pub(in crate::plugin) struct Departure;

    impl Departure {
        /// Starts listening.
        ///
        /// # Errors
        /// None here.
        pub(in crate::plugin) fn watch() -> io::Result<Self> {
            Ok(Self)
        }

        /// Completes when the process should leave.
        pub(in crate::plugin) async fn asked(&mut self) {
            // A console without interrupts leaves the engine's kill.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending().await
            }
        }
    }
}
