//! When a plugin leaves: on SIGINT, on SIGTERM, on SIGHUP, or when its engine is gone. Never on Cancel.
//!
//! An engine that is killed says nothing. What it leaves behind is a pipe on stdin that ends; or, where others hold that pipe
//! too or there is none, an address at which nobody listens any more and a process whose parent is another one. A provider that
//! nobody named an engine to was started by hand, to be attached to: it stays.

use std::io::ErrorKind;
use std::time::Duration;

use tokio::net::TcpStream;

#[cfg(not(unix))]
pub(crate) use other::Departure;
#[cfg(unix)]
pub(crate) use unix::Departure;

/// How often somebody looks whether the engine is still there.
const PAUSE: Duration = Duration::from_secs(1);
/// How often in a row nobody may listen. An engine that restarts its server is given another chance.
const CHANCES: u32 = 3;

/// Who started this process: the address of an engine, if one was named, and a process.
pub(super) struct Starter {
    engine: Option<String>,
    #[cfg(unix)]
    parent: u32,
}

impl Starter {
    /// To be called first of all: whoever is gone later can't be told from nobody.
    pub(super) fn now(engine: Option<String>) -> Self {
        Self {
            engine,
            #[cfg(unix)]
            parent: std::os::unix::process::parent_id(),
        }
    }

    /// The engine's address.
    pub(super) fn engine(&self) -> Option<String> {
        self.engine.clone()
    }
}

/// Completes when nobody listens any more at an address where somebody did.
async fn gone(engine: &str) {
    let (mut seen, mut refused) = (false, 0);
    while refused < CHANCES {
        match tokio::time::timeout(PAUSE, TcpStream::connect(engine)).await {
            Ok(Ok(_)) => (seen, refused) = (true, 0),
            Ok(Err(error)) if seen && error.kind() == ErrorKind::ConnectionRefused => refused += 1,
            // A name that can't be resolved, a network that is down: nothing that tells of the engine.
            _ => {}
        }
        tokio::time::sleep(PAUSE).await;
    }
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::unix::process::parent_id;
    use std::pin::Pin;

    use tokio::signal::unix::{Signal, SignalKind, signal};
    use tokio_util::sync::CancellationToken;

    use super::{PAUSE, Starter, gone};

    /// Everything that may ask this process to leave.
    pub(crate) struct Departure {
        interrupt: Signal,
        terminate: Signal,
        hangup: Option<Signal>,
        abandoned: CancellationToken,
        orphaned: Pin<Box<dyn Future<Output = ()> + Send>>,
    }

    impl Departure {
        /// Starts listening. From here on no signal kills the process, so it comes before the port line: an engine that is
        /// interrupted while it starts its plugins would call a killed one buggy.
        ///
        /// # Errors
        /// Signals that can't be listened to.
        pub(in crate::plugin) fn watch(starter: Starter) -> io::Result<Self> {
            let abandoned = CancellationToken::new();
            watch_stdin(abandoned.clone());
            let orphaned: Pin<Box<dyn Future<Output = ()> + Send>> = match starter.engine {
                Some(engine) => Box::pin(async move {
                    tokio::select! { () = gone(&engine) => {}, () = reparented(starter.parent) => {} }
                }),
                None => Box::pin(std::future::pending()),
            };
            Ok(Self {
                interrupt: signal(SignalKind::interrupt())?,
                terminate: signal(SignalKind::terminate())?,
                hangup: hangup()?,
                abandoned,
                orphaned,
            })
        }

        /// For a process that somebody started by hand, and ends by hand: only signals count, since what its stdin is tells
        /// nothing.
        ///
        /// # Errors
        /// Signals that can't be listened to.
        pub(crate) fn by_hand() -> io::Result<Self> {
            Ok(Self {
                interrupt: signal(SignalKind::interrupt())?,
                terminate: signal(SignalKind::terminate())?,
                hangup: hangup()?,
                abandoned: CancellationToken::new(),
                orphaned: Box::pin(std::future::pending()),
            })
        }

        /// Completes when the process should leave.
        pub(crate) async fn asked(&mut self) {
            let hung_up = async {
                match &mut self.hangup {
                    Some(signal) => signal.recv().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                _ = self.interrupt.recv() => {}
                _ = self.terminate.recv() => {}
                _ = hung_up => {}
                () = self.abandoned.cancelled() => {}
                () = &mut self.orphaned => {}
            }
        }
    }

    /// What tells that the terminal was closed. None where this process was started to survive that, as by `nohup`: who listens is
    /// told in any case.
    fn hangup() -> io::Result<Option<Signal>> {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|signals| u64::from_str_radix(signals.trim(), 16).ok());
        // The first bit is its own. Where nobody says, it stays as it is.
        ignored.filter(|signals| signals & 1 == 0).map(|_| signal(SignalKind::hangup())).transpose()
    }

    /// Completes when the process that started this one is gone, and another one took it over.
    async fn reparented(parent: u32) {
        while parent_id() == parent {
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Sets the token when stdin is a pipe and ends. A thread of its own, since a blocked read can't be taken back.
    fn watch_stdin(abandoned: CancellationToken) {
        if !stdin_is_pipe() {
            return;
        }
        let watching = std::thread::Builder::new().name("stdin".to_owned()).spawn(move || {
            outlast(io::stdin());
            abandoned.cancel();
        });
        if let Err(error) = watching {
            tracing::warn!("stdin can't be watched, so this process may outlive its engine: {error}");
        }
    }

    /// Returns when a pipe ends. Nobody writes there; whatever comes is of no interest, and a signal isn't its end. Nor is it one that there
    /// is nothing to read yet, which is said at once where somebody else who holds the pipe doesn't wait there.
    fn outlast(mut pipe: impl io::Read) {
        while io::copy(&mut pipe, &mut io::sink()).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock) {
            std::thread::sleep(PAUSE);
        }
    }

    fn stdin_is_pipe() -> bool {
        use rustix::fs::{FileType, fstat};

        // Looked at as it is: where no more files can be opened, it is a pipe all the same.
        let kind = fstat(io::stdin()).map(|found| FileType::from_raw_mode(found.st_mode));
        matches!(kind, Ok(FileType::Fifo | FileType::Socket))
    }

    #[cfg(test)]
    mod tests {
        use std::os::unix::net::UnixStream;
        use std::time::Duration;

        use super::*;

        #[test]
        fn a_pipe_that_nobody_waits_at_ends_when_its_other_end_is_gone() {
            let (engine, pipe) = UnixStream::pair().unwrap();
            pipe.set_nonblocking(true).unwrap();
            let watching = std::thread::spawn(|| outlast(pipe));
            std::thread::sleep(Duration::from_millis(200));
            assert!(!watching.is_finished());
            drop(engine);
            watching.join().unwrap();
        }
    }
}

#[cfg(not(unix))]
mod other {
    use std::io;

    use super::{Starter, gone};

    /// Everything that may ask this process to leave.
    pub(crate) struct Departure {
        engine: Option<String>,
    }

    impl Departure {
        /// Starts listening.
        ///
        /// # Errors
        /// None here.
        pub(in crate::plugin) fn watch(starter: Starter) -> io::Result<Self> {
            Ok(Self { engine: starter.engine })
        }

        /// For a process that somebody started by hand, and ends by hand.
        ///
        /// # Errors
        /// None here.
        pub(crate) fn by_hand() -> io::Result<Self> {
            Ok(Self { engine: None })
        }

        /// Completes when the process should leave.
        pub(crate) async fn asked(&mut self) {
            let gone = async {
                match &self.engine {
                    Some(engine) => gone(engine).await,
                    None => std::future::pending().await,
                }
            };
            let interrupted = async {
                // A console without interrupts leaves the engine's end.
                if tokio::signal::ctrl_c().await.is_err() {
                    std::future::pending().await
                }
            };
            tokio::select! { () = gone => {}, () = interrupted => {} }
        }
    }
}
