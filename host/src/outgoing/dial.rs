//! Connections to addresses that were checked, and to no others.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};

use super::error::OutgoingError;

/// The least time that each address gets, as long as there is any.
const LEAST: Duration = Duration::from_millis(250);
/// How long an address is tried by itself before the next one is, too (RFC 8305, 5). Where nothing answers at one, such as by a network
/// that has IPv6 by name only, each request would wait for half of its time otherwise.
const HEAD_START: Duration = Duration::from_millis(250);
/// Addresses that are tried at once. A guest chooses names, and whoever answers for them how many addresses there are.
const AT_ONCE: usize = 3;

/// Connects to the first address that answers. What is left of the time is shared by those that are left. For each is asked just before it
/// is connected to, so that what is written down of it is what was done.
///
/// # Errors
/// None answers, or not in time; or what comes of asking for one.
pub(super) async fn dial(
    addresses: &[IpAddr],
    port: u16,
    until: Instant,
    asked: impl Fn(IpAddr) -> Result<(), OutgoingError>,
) -> Result<TcpStream, OutgoingError> {
    let mut failed = OutgoingError::ConnectTimeout;
    let mut untried = addresses.iter();
    let mut trying = FuturesUnordered::new();
    loop {
        if trying.len() < AT_ONCE
            && let Some(address) = untried.next()
        {
            asked(*address)?;
            let others = u32::try_from(untried.len()).unwrap_or(u32::MAX).saturating_add(1);
            let left = until.saturating_duration_since(Instant::now());
            let share = (left / others).max(LEAST).min(left);
            trying.push(timeout_at(Instant::now() + share, TcpStream::connect(SocketAddr::new(*address, port))));
        }
        match timeout(HEAD_START, trying.next()).await {
            Ok(Some(Ok(Ok(stream)))) => {
                // Requests are small, and waiting for more of them helps nobody.
                stream.set_nodelay(true).map_err(OutgoingError::Connect)?;
                return Ok(stream);
            }
            Ok(Some(Ok(Err(error)))) => failed = OutgoingError::Connect(without_address(error)),
            Ok(None) => return Err(failed),
            Ok(Some(Err(_))) | Err(_) => {}
        }
    }
}

/// An error in the system's words, which name no address, and as it is to be told from others; or else its kind in words.
fn without_address(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(number) => io::Error::from_raw_os_error(number),
        None => io::Error::new(error.kind(), error.kind().to_string()),
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::{TcpListener, TcpSocket};

    use super::*;

    /// Of addresses all of which may be connected to.
    async fn dial(addresses: &[IpAddr], port: u16, until: Instant) -> Result<TcpStream, OutgoingError> {
        super::dial(addresses, port, until, |_| Ok(())).await
    }

    #[tokio::test]
    async fn an_address_at_which_nothing_answers_holds_up_no_other() {
        // Who has no room for a connection is silent, as an address without a machine is.
        let addresses: [IpAddr; 2] = ["127.0.0.2", "127.0.0.1"].map(|address| address.parse().unwrap());
        // Others' connections have ports at the second address, and none at the first: what is free there is free at both.
        let listener = TcpListener::bind((addresses[1], 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let silent = TcpSocket::new_v4().unwrap();
        silent.bind((addresses[0], port).into()).unwrap();
        let _silent = silent.listen(0).unwrap();
        let mut room = Vec::new();
        while let Ok(stream) = timeout(LEAST, TcpStream::connect((addresses[0], port))).await {
            room.push(stream.unwrap());
        }
        // Half of that is the silent one's, and much longer than anybody here waits.
        let until = Instant::now() + Duration::from_secs(86_400);
        let dialled = timeout(Duration::from_secs(60), dial(&addresses, port, until)).await;
        let stream = dialled.expect("it should try the next one").unwrap();
        assert_eq!(stream.peer_addr().unwrap(), listener.local_addr().unwrap());
        let behind = [addresses[0], addresses[0], addresses[0], addresses[1]];
        let dialled = timeout(HEAD_START * 8, dial(&behind, port, until)).await;
        assert!(dialled.is_err(), "three are tried at once, and no more");
        let alone = dial(&addresses[..1], port, Instant::now() + LEAST).await;
        assert!(matches!(alone, Err(OutgoingError::ConnectTimeout)), "{alone:?}");
    }

    /// A host that has no file left was told as an address that nobody reaches.
    #[cfg(unix)]
    #[test]
    fn what_the_system_lacks_is_still_told_apart_and_no_address_is_told() {
        let lacking = without_address(rustix::io::Errno::MFILE.into());
        assert_eq!(rustix::io::Errno::from_io_error(&lacking), Some(rustix::io::Errno::MFILE));
        let told = without_address(io::Error::new(io::ErrorKind::InvalidInput, "10.0.0.1:80 is no place"));
        assert_eq!((told.kind(), told.to_string().contains("10.0.0.1")), (io::ErrorKind::InvalidInput, false));
    }

    #[tokio::test]
    async fn an_address_that_refuses_gives_way_at_once_and_is_told_of_at_last() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let addresses: Vec<IpAddr> = (2..12).chain([1]).map(|last| IpAddr::from([127, 0, 0, last])).collect();
        let until = Instant::now() + Duration::from_secs(60);
        assert!(dial(&addresses, port, until).await.is_ok());
        let none = dial(&addresses[..3], port, until).await;
        assert!(
            matches!(&none, Err(OutgoingError::Connect(error)) if error.kind() == io::ErrorKind::ConnectionRefused)
        );
        assert!(matches!(dial(&[], port, until).await, Err(OutgoingError::ConnectTimeout)));
    }

    #[tokio::test]
    async fn each_address_is_asked_for_just_before_it_is_connected_to() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let addresses: Vec<IpAddr> = [2, 1, 3].map(|last| IpAddr::from([127, 0, 0, last])).to_vec();
        let until = Instant::now() + Duration::from_secs(60);
        let asked = std::cell::RefCell::new(Vec::new());
        let noted = |address| {
            asked.borrow_mut().push(address);
            Ok(())
        };
        assert!(super::dial(&addresses, port, until, noted).await.is_ok());
        assert_eq!(asked.take(), addresses[..2], "nobody asks for one that isn't tried");
        let refused = super::dial(&addresses[1..], port, until, |_| Err(OutgoingError::Connections(0))).await;
        assert!(matches!(refused, Err(OutgoingError::Connections(0))), "{refused:?}");
        // What was connected to first is the only one.
        listener.accept().await.unwrap();
        assert!(timeout(LEAST, listener.accept()).await.is_err());
    }
}
