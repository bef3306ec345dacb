//! On what terms contents are read: from where, how much, and until when.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio_util::sync::CancellationToken;

use super::{AssetError, Guarded, Remote};

/// What a member that is looked at counts for, and an opening, beside its contents: bytes.
const EACH: u64 = 4 << 10;
/// What a member of an archive takes of the host's memory beside its texts, about, bytes: in the list that it is read into, among names that were
/// seen, and where it is looked up.
const MEMBER: usize = 256;
/// How many times what one may have is read to open assets and archives in a call.
const TIMES: u64 = 16;

/// Bounds of what is read for a guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetLimits {
    /// Bytes of one asset, or of one archive's file. 4 GiB.
    pub bytes: u64,
    /// Bytes that are unpacked and fetched in one call, over all assets and archives. 4 GiB.
    pub unpacked: u64,
    /// Bytes that are read in one call to open assets and archives, those that are hashed above all; never less than sixteen times one
    /// asset's. 64 GiB.
    pub opening: u64,
    /// How many times its packed size something may have, above 16 MiB. 250.
    pub ratio: u64,
    /// Members of one archive. 50,000.
    pub members: usize,
    /// Bytes that a guest gets at once. 16 MiB.
    pub read: usize,
    /// Assets and archives that the calls of one configuration have open at once. 256.
    pub open: usize,
}

impl Default for AssetLimits {
    fn default() -> Self {
        Self {
            bytes: 4 << 30,
            unpacked: 4 << 30,
            opening: 64 << 30,
            ratio: 250,
            members: 50_000,
            read: 16 << 20,
            open: 256,
        }
    }
}

/// Who hears of each piece of work: one that takes long and makes none waits for somebody else.
pub(crate) trait Progress: std::fmt::Debug + Send + Sync {
    /// There was some.
    fn made(&self);

    /// It waits for another machine from now on.
    fn waits(&self);

    /// It has waited for another machine, and goes on as soon as it may. Blocks.
    fn resumes(&self, stop: &CancellationToken);
}

/// Who has the memory that an archive's members are kept in. How much that is shows while they are read, and the names of as many as an
/// archive may have are gigabytes.
pub(crate) trait Lender: std::fmt::Debug + Send + Sync {
    /// Counts so many bytes more. False where there aren't as many.
    fn lends(&self, bytes: usize) -> bool;
}

/// The terms of one call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    /// Where relative paths start, if anybody knows.
    pub(crate) directory: Option<Arc<Path>>,
    /// Where links are followed with care.
    pub(crate) guarded: Arc<Guarded>,
    /// The bounds.
    pub(crate) limits: AssetLimits,
    /// Set when nobody waits any more.
    pub(crate) stop: CancellationToken,
    /// Who hears that work goes on.
    pub(crate) progress: Option<Arc<dyn Progress>>,
    /// Who has the memory for what is kept of an archive.
    pub(crate) lender: Option<Arc<dyn Lender>>,
    /// What fetches from other machines.
    pub(crate) remote: Option<Arc<dyn Remote>>,
    /// Bytes unpacked so far.
    pub(crate) unpacked: Arc<AtomicU64>,
    /// Bytes read so far to open something.
    pub(crate) opening: Arc<AtomicU64>,
}

impl Access {
    /// From a directory, within bounds, until a token is set, and from this machine only.
    pub(crate) fn new(directory: Option<Arc<Path>>, limits: AssetLimits, stop: CancellationToken) -> Self {
        Self { directory, limits, stop, ..Self::default() }
    }

    /// The place that a request's path means.
    ///
    /// # Errors
    /// It is relative to nothing.
    pub(super) fn place(&self, path: &str) -> Result<PathBuf, AssetError> {
        match &self.directory {
            Some(directory) => Ok(directory.join(path)),
            None if Path::new(path).is_absolute() => Ok(PathBuf::from(path)),
            None => Err(AssetError::Unavailable(format!(
                "`{path}` is a relative path, and the directory that it starts from isn't known; use an absolute one"
            ))),
        }
    }

    /// Refuses what is larger than one asset may be.
    ///
    /// # Errors
    /// It is.
    pub(super) fn fits(&self, what: &str, bytes: u64) -> Result<(), AssetError> {
        match bytes <= self.limits.bytes {
            true => Ok(()),
            false => Err(too_large(what, bytes, "asset", self.limits.bytes)),
        }
    }

    /// Counts bytes that were unpacked or fetched.
    ///
    /// # Errors
    /// They are too many for this call.
    pub(super) fn unpack(&self, bytes: u64) -> Result<(), AssetError> {
        let before = self.unpacked.fetch_add(bytes, Ordering::Relaxed);
        match before.saturating_add(bytes) {
            all if all <= self.limits.unpacked => Ok(()),
            all => Err(too_large("what is unpacked and fetched in this call", all, "unpacked", self.limits.unpacked)),
        }
    }

    /// Counts bytes that are read to open something. Each opening reads all of it anew, on a thread whose work counts for nobody.
    ///
    /// # Errors
    /// They are too many for this call.
    pub(super) fn opening(&self, bytes: u64) -> Result<(), AssetError> {
        let most = self.limits.opening.max(self.limits.bytes.saturating_mul(TIMES));
        let before = self.opening.fetch_add(bytes, Ordering::Relaxed);
        match before.saturating_add(bytes) <= most {
            true => Ok(()),
            false => Err(AssetError::TooLarge(format!(
                "the provider has had more than {most} bytes read in this call to open assets and archives; open each once"
            ))),
        }
    }

    /// Counts a member that is looked at, or something that is opened, whatever is in it.
    ///
    /// # Errors
    /// Nobody waits, or they are too many for this call.
    pub(crate) fn one(&self) -> Result<(), AssetError> {
        self.wanted()?;
        self.opening(EACH)
    }

    /// Counts a member of an archive, which is kept with so many bytes of texts.
    ///
    /// # Errors
    /// There is no memory for it.
    pub(super) fn keep_member(&self, texts: usize) -> Result<(), AssetError> {
        self.keep(texts.saturating_add(MEMBER))
    }

    /// Counts bytes that are kept of an archive.
    ///
    /// # Errors
    /// There is no memory for them.
    pub(super) fn keep(&self, bytes: usize) -> Result<(), AssetError> {
        match self.lender.as_ref().is_none_or(|lender| lender.lends(bytes)) {
            true => Ok(()),
            false => {
                let message = "the provider has more assets and archives open than there is memory for, with the names of their members";
                Err(AssetError::TooLarge(message.to_owned()))
            }
        }
    }

    /// Ends work that nobody waits for, and tells of what goes on.
    ///
    /// # Errors
    /// Nobody waits.
    pub(super) fn wanted(&self) -> Result<(), AssetError> {
        self.waited_for()?;
        if let Some(progress) = &self.progress {
            progress.made();
        }
        Ok(())
    }

    /// Ends what is waited for once nobody does. It is no work.
    ///
    /// # Errors
    /// Nobody waits.
    pub(super) fn waited_for(&self) -> Result<(), AssetError> {
        if self.stop.is_cancelled() { Err(AssetError::Stopped) } else { Ok(()) }
    }

    /// Waits for another machine, and goes on with work afterwards. Blocks.
    pub(super) fn wait<T>(&self, wait: impl FnOnce() -> T) -> T {
        let Some(progress) = &self.progress else { return wait() };
        progress.waits();
        let outcome = wait();
        progress.resumes(&self.stop);
        outcome
    }
}

fn too_large(what: &str, bytes: u64, name: &'static str, limit: u64) -> AssetError {
    AssetError::Limited(name, format!("{what} has {bytes} bytes, and the limit `{name}` is {limit}"))
}
