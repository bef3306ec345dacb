//! Contents that lie on other machines.
//!
//! An address in a program is the user's word, but the request that fetches it comes from here: whoever does it asks policy, with
//! each redirection again. This says only what is needed of them.

use std::fmt;

use url::Url;

use super::spool::Spool;
use super::{Access, AssetError, Blob};

/// Fetches contents. Blocks.
pub(crate) trait Remote: Send + Sync {
    /// Hands over what lies at an address, piece by piece.
    ///
    /// # Errors
    /// A denial, whatever goes wrong on the way, or what `take` refuses.
    fn fetch(
        &self,
        address: &Url,
        take: &mut (dyn FnMut(&[u8]) -> Result<(), AssetError> + Send),
    ) -> Result<(), AssetError>;
}

impl fmt::Debug for dyn Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Remote")
    }
}

/// Fetches contents within bounds.
///
/// # Errors
/// What can't be had, or is larger than it may be.
pub(super) fn fetched(address: &Url, access: &Access) -> Result<Blob, AssetError> {
    let Some(remote) = &access.remote else {
        return Err(AssetError::Unavailable("nothing can be fetched outside of a call".to_owned()));
    };
    let mut spool = Spool::default();
    let mut all: u64 = 0;
    let mut take = |bytes: &[u8]| {
        // However fast it comes, others have their turns meanwhile.
        access.waited_for()?;
        all = all.saturating_add(bytes.len() as u64);
        access.fits("what was fetched", all)?;
        // Each opening fetches it anew, to a file of its own.
        access.unpack(bytes.len() as u64)?;
        spool.push(bytes).map_err(|error| AssetError::Unavailable(format!("what was fetched can't be kept: {error}")))
    };
    access.wait(|| remote.fetch(address, &mut take))?;
    spool.finish().map_err(|error| AssetError::Unavailable(format!("what was fetched can't be kept: {error}")))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::assets::Progress;

    /// A server that answers fast, and whoever hears of it.
    #[derive(Clone, Debug, Default)]
    struct Heard(Arc<Mutex<Vec<&'static str>>>);

    impl Heard {
        fn note(&self, what: &'static str) {
            self.0.lock().unwrap().push(what);
        }
    }

    impl Remote for Heard {
        fn fetch(
            &self,
            _: &Url,
            take: &mut (dyn FnMut(&[u8]) -> Result<(), AssetError> + Send),
        ) -> Result<(), AssetError> {
            for piece in ["one", "two"] {
                take(piece.as_bytes())?;
                self.note(piece);
            }
            Ok(())
        }
    }

    impl Progress for Heard {
        fn made(&self) {
            self.note("made");
        }

        fn waits(&self) {
            self.note("waits");
        }

        fn resumes(&self, _: &CancellationToken) {
            self.note("resumes");
        }
    }

    #[test]
    fn what_comes_from_another_machine_is_no_work_however_fast_it_comes() {
        let (heard, stop) = (Heard::default(), CancellationToken::new());
        let access = Access {
            remote: Some(Arc::new(heard.clone())),
            progress: Some(Arc::new(heard.clone())),
            stop: stop.clone(),
            ..Access::default()
        };
        let address = Url::parse("https://example.com/x").unwrap();
        fetched(&address, &access).unwrap();
        assert_eq!(*heard.0.lock().unwrap(), ["waits", "one", "two", "resumes"]);
        stop.cancel();
        assert!(matches!(fetched(&address, &access), Err(AssetError::Stopped)));
    }
}
