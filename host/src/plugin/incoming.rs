//! Connections, as they come.
//!
//! Where a process may have no more files, to take a connection fails at once, and leaves it where it was: whoever asks again and
//! again takes a whole processor, and gets nothing for it. So nobody asks for a while then. The engine waits, its connection
//! being open already, and is served once there are files again.

use std::io::{Error, ErrorKind};
use std::time::Duration;

use futures_util::stream::{self, Stream};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

/// For how long no connection is taken where none can be.
const PAUSE: Duration = Duration::from_millis(100);

/// Takes connections, each of which sends at once what is written to it.
pub(super) fn incoming(listener: TcpListener) -> impl Stream<Item = Result<TcpStream, Error>> {
    stream::unfold(listener, |listener| async move {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    // It would only be slower.
                    let _ = stream.set_nodelay(true);
                    return Some((Ok(stream), listener));
                }
                // That one is gone, and takes nothing with it.
                Err(error) if error.kind() == ErrorKind::ConnectionAborted => {}
                Err(error) => {
                    tracing::warn!("no connection can be taken: {error}");
                    sleep(PAUSE).await;
                }
            }
        }
    })
}
