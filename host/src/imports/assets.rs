//! `assets`: contents of the assets and archives in the request that a call serves, and of no others.
//!
//! What a guest names is looked for in the request first (`wit::Held`): a path that the engine didn't send opens nothing. Files
//! are read on threads of their own, and nothing of it outlives the call.

use std::sync::{Arc, Mutex, PoisonError};

use bulkhead_policy::{Capability, Denial, Why};
use tokio::sync::OwnedSemaphorePermit;
use wasmtime::component::Resource;

use super::handles;
use super::waiting::Waiting;
use crate::assets::{self, Access, Lender};
use crate::store::{Ending, Holding, Shortage, State};
use crate::threads::beside_others;
use crate::wit::Held;
use crate::wit::bindings::assets::{AssetError, Blob, Host, HostBlob, HostReader, Reader};
use crate::wit::bindings::values::{Archive, Asset};

/// What a handle stands for, with the right to be open and to be kept.
struct Open<T> {
    contents: Arc<T>,
    _permit: OwnedSemaphorePermit,
    _kept: Holding,
}

/// What of the host's memory is taken at once while an archive is read: the account is shared with other threads.
const PORTION: usize = 64 << 10;

/// What is kept of something while it is opened.
#[derive(Debug)]
struct Opening(Mutex<Counted>);

#[derive(Debug)]
struct Counted {
    bytes: usize,
    taken: Holding,
}

impl Lender for Opening {
    fn lends(&self, bytes: usize) -> bool {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes = kept.bytes.saturating_add(bytes);
        let missing = kept.bytes.saturating_sub(kept.taken.bytes());
        missing == 0 || kept.taken.take(missing.max(PORTION)).is_ok() || kept.taken.take(missing).is_ok()
    }
}

impl Opening {
    /// What is kept of it once it is open, with so many bytes beside those that were counted on the way. None where there aren't as many.
    fn opened(&self, beside: usize) -> Option<Holding> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = kept.bytes.saturating_add(beside);
        let mut taken = kept.taken.leave();
        taken.give(taken.bytes().saturating_sub(all));
        taken.take(all.saturating_sub(taken.bytes())).ok()?;
        Some(taken)
    }
}

type Answer<T> = wasmtime::Result<Result<T, AssetError>>;

impl Host for State {
    async fn open_asset(&mut self, asset: Asset) -> Answer<Resource<Blob>> {
        match self.held().and_then(|held| held.asset(&asset)) {
            Some(asset) => self.opened(move |access| assets::open_asset(&asset, access), assets::Blob::weight).await,
            None => Ok(Err(AssetError::NotInRequest)),
        }
    }

    async fn open_archive(&mut self, archive: Archive) -> Answer<Resource<Reader>> {
        match self.held().and_then(|held| held.archive(&archive)) {
            Some(archive) => {
                // Its members are counted one by one, while they are read.
                self.opened(move |access| assets::open_archive(&archive, access), |_| 0).await
            }
            None => Ok(Err(AssetError::NotInRequest)),
        }
    }
}

impl HostBlob for State {
    fn size(&mut self, blob: Resource<Blob>) -> wasmtime::Result<Option<f64>> {
        let blob: &Open<assets::Blob> = handles::found(&self.table, &blob)?;
        Ok(Some(blob.contents.size() as f64))
    }

    async fn read(&mut self, blob: Resource<Blob>, offset: f64, length: u32) -> Answer<Vec<u8>> {
        // Exact up to 2^53, and what isn't a place in a file is a mistake rather than its end.
        if !(offset >= 0.0 && offset.fract() == 0.0 && offset <= 9_007_199_254_740_992.0) {
            return Err(wasmtime::Error::msg("it reads an asset from an offset that isn't a whole number"));
        }
        let open: &Open<assets::Blob> = handles::found(&self.table, &blob)?;
        let blob = Arc::clone(&open.contents);
        let read = move |access: &Access| blob.read(offset as u64, length.into(), access);
        if open.contents.at_hand() {
            return said(read(&self.call.access), self);
        }
        self.beside(self.call.access.clone(), read).await
    }

    fn drop(&mut self, blob: Resource<Blob>) -> wasmtime::Result<()> {
        handles::removed::<Open<assets::Blob>, _>(&mut self.table, &blob).map(drop)
    }
}

impl HostReader for State {
    fn names(&mut self, reader: Resource<Reader>) -> Answer<Vec<String>> {
        let reader: &Open<assets::Reader> = handles::found(&self.table, &reader)?;
        Ok(Ok(reader.contents.names()))
    }

    async fn open(&mut self, reader: Resource<Reader>, name: String) -> Answer<Resource<Blob>> {
        let reader: &Open<assets::Reader> = handles::found(&self.table, &reader)?;
        match reader.contents.member(&name) {
            Some(member) => self.opened(member, assets::Blob::weight).await,
            None => Ok(Err(AssetError::Unavailable(format!("the archive has no member `{name}`")))),
        }
    }

    fn drop(&mut self, reader: Resource<Reader>) -> wasmtime::Result<()> {
        handles::removed::<Open<assets::Reader>, _>(&mut self.table, &reader).map(drop)
    }
}

impl State {
    /// What the request holds. None outside of a call that has one.
    fn held(&mut self) -> Option<Arc<Held>> {
        if self.call.held.is_none() {
            self.call.held = self.call.request.clone().map(|request| Arc::new(Held::of(request)));
        }
        self.call.held.clone()
    }

    /// Opens something and makes a handle of it, which weighs what it keeps: members of archives are opened anew each time, and texts
    /// copied.
    async fn opened<T: Send + Sync + 'static, H: 'static>(
        &mut self,
        open: impl FnOnce(&Access) -> Result<T, assets::AssetError> + Send + 'static,
        weight: fn(&T) -> usize,
    ) -> Answer<Resource<H>> {
        // A connection that is made on the way stays where the call is.
        beside_others().await;
        let Some(permit) = self.call.files.opening() else {
            let limit = self.limits.assets.open;
            return Ok(Err(AssetError::TooLarge(format!("{limit} assets and archives are open, and no more may be"))));
        };
        let kept = Arc::new(Opening(Mutex::new(Counted { bytes: 0, taken: self.meter.holding() })));
        let lender = Some(Arc::clone(&kept) as _);
        let access = Access { remote: Some(self.fetching()), lender, ..self.call.access.clone() };
        let surroundings = Arc::clone(&self.surroundings);
        let open = move |access: &Access| {
            // There, too: it looks at all that components may write, and a mount among that may not answer.
            let access = Access { guarded: surroundings.guarded(), ..access.clone() };
            access.one().and_then(|()| open(&access))
        };
        match self.beside(access, open).await? {
            Ok(contents) => {
                let Some(kept) = kept.opened(weight(&contents)) else {
                    let message = "the provider has more assets and archives open than there is memory for";
                    return Ok(Err(AssetError::TooLarge(message.to_owned())));
                };
                let open = Open { contents: Arc::new(contents), _permit: permit, _kept: kept };
                handles::added(&mut self.table, open).map(Ok)
            }
            Err(error) => Ok(Err(error)),
        }
    }

    /// Reads on another thread, no longer than the call goes on. One that is cancelled may have something to undo, and a server takes its time.
    async fn beside<T: Send + 'static>(
        &mut self,
        access: Access,
        read: impl FnOnce(&Access) -> Result<T, assets::AssetError> + Send + 'static,
    ) -> Answer<T> {
        let files = self.call.files.clone();
        let going = files.going();
        let access = Access { progress: Some(Arc::clone(&going) as _), ..access };
        let reading = async move {
            let permit = files.reading().await;
            // What is read aside begins when it is asked for, and not when somebody waits for it.
            let reading = async move {
                tokio::task::spawn_blocking(move || {
                    // Held until it is over, even if nobody waits any more.
                    let _permit = permit;
                    read(&access)
                })
                .await
            };
            files.in_turns(&going, reading).await
        };
        match Waiting::race(&self.call, reading).await? {
            Some(outcome) => said(outcome?, self),
            None => Ok(Err(AssetError::Unavailable("the call is cancelled".to_owned()))),
        }
    }
}

fn said<T>(outcome: Result<T, assets::AssetError>, state: &State) -> Answer<T> {
    Ok(Err(match outcome {
        Ok(value) => return Ok(Ok(value)),
        Err(assets::AssetError::Stopped) => return Err(Ending::of(&state.call).into()),
        Err(assets::AssetError::Elided) => AssetError::Elided,
        Err(assets::AssetError::Changed) => AssetError::Changed,
        Err(assets::AssetError::Denied(reason)) => AssetError::Denied(reason),
        Err(assets::AssetError::OutOfReach(reason)) => {
            // The guest may have put it there, and need not say that it was refused.
            let (capability, subject) = (Capability::Filesystem, "an asset (read)".to_owned());
            let denial = Denial { capability, subject, why: Why::Other(reason.clone()), remedy: None };
            let _ = state.call.authority.decided::<()>(Err(denial));
            AssetError::Denied(reason)
        }
        Err(assets::AssetError::Unavailable(reason)) => AssetError::Unavailable(reason),
        Err(assets::AssetError::Malformed(reason)) => AssetError::Malformed(reason),
        Err(assets::AssetError::TooLarge(reason)) => AssetError::TooLarge(reason),
        Err(assets::AssetError::Limited(limit, reason)) => {
            state.call.shortages.met(Shortage::Told(limit));
            AssetError::TooLarge(reason)
        }
    }))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::wit::bindings::types::{Context, CreateRequest};
    use crate::wit::bindings::values::{AssetSource, Node, Tree};

    /// It may be another provider's, and this one would answer nobody.
    #[tokio::test]
    async fn a_mount_that_does_not_answer_keeps_no_call_beyond_its_end() {
        let mut state = State::of_nobody();
        let asset = Asset { hash: None, source: AssetSource::Text("x".to_owned()) };
        let inputs = Tree { nodes: vec![Node::Asset(asset.clone())] };
        let context = Context { token: "p:index:T".to_owned(), name: None, urn: None, timeout: None };
        state.call.request = Some(Arc::new(CreateRequest { context, inputs }));
        let (unanswered, hard) = (state.surroundings.unanswered(), state.call.hard.clone());
        let ended = async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            hard.cancel();
        };
        let (opened, ()) = tokio::join!(state.open_asset(asset), ended);
        assert!(opened.unwrap_err().is::<Ending>());
        assert!(unanswered.send(()).is_ok(), "it didn't wait for an answer");
    }
}
