//! When a plugin leaves: on SIGINT, on SIGTERM, or when the pipe on stdin ends, which is all that is left when the engine
//! is killed. Never on Cancel. A stdin that isn't a pipe says nothing: an attached provider has none.

use std::io::{self, Read};

use tokio_util::sync::CancellationToken;

/// Completes when the process should leave.
///
/// # Errors
/// Signals that can't be listened to.
#[cfg(unix)]
pub(super) async fn asked() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let abandoned = CancellationToken::new();
    watch_stdin(abandoned.clone());
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        () = abandoned.cancelled() => {}
    }
    Ok(())
}

/// Completes when the process should leave.
///
/// # Errors
/// Signals that can't be listened to.
#[cfg(not(unix))]
pub(super) async fn asked() -> io::Result<()> {
    tokio::signal::ctrl_c().await
}

/// Sets the token when stdin is a pipe and ends. A thread of its own, since a blocked read can't be taken back.
#[cfg(unix)]
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

#[cfg(unix)]
fn stdin_is_pipe() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;

    let file = io::stdin().as_fd().try_clone_to_owned().map(std::fs::File::from);
    let kind = file.and_then(|file| file.metadata()).map(|metadata| metadata.file_type());
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket())
}
