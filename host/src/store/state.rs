//! What a store holds beside a guest's memory: its WASI context, its meter, and the call it is serving. Data only.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use bulkhead_schema::Package;
use bulkhead_value::PropertyPath;
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::CancellationToken;
use wasmtime_wasi::filesystem::WasiFilesystemCtxView;
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};
use wasmtime_wasi_http::WasiHttpCtx;

use super::allowance::Allowance;
use super::announced::Announced;
use super::authority::Authority;
use super::chance::Chance;
use super::composing::Composing;
use super::computing::Computing;
use super::descriptions::Descriptions;
use super::file_turns::{Going, LONG};
use super::files::{Files, Opened};
use super::handles::Handles;
use super::kept::{Kept, Room};
use super::limits::Limits;
use super::memory::{Holding, Share};
use super::meter::{Meter, Wanted};
use super::session::Session;
use super::shortages::Shortages;
use super::sockets::Sockets;
use super::surroundings::{Looked, Surroundings, Way};
use crate::assets::Access;
use crate::outgoing::Connector;
use crate::provider::{Leaks, Log, PackageSource, Speaker, ViewPlace};
use crate::wit::{Held, Holds};

/// The data of a store.
pub(crate) struct State {
    /// No arguments, standard streams or network; environment and directories as far as they are granted.
    wasi: WasiCtx,
    /// Where randomness and the WASI context's time come from.
    pub(crate) chance: Chance,
    /// Handles of the guest.
    pub(crate) table: Handles,
    /// The sizes of a guest's HTTP fields.
    pub(crate) http: WasiHttpCtx,
    /// What the host keeps for the guest beside its handles.
    pub(crate) kept: Kept,
    /// What of that HTTP heads take which the guest has given since it had no handle of anything.
    pub(crate) heads: Option<Room>,
    /// What bodies take that the guest has one end of, by handle.
    pub(crate) bodies: HashMap<u32, Arc<Room>>,
    /// The ways from granted directories to those that the guest has open, by handle.
    pub(crate) ways: HashMap<u32, Way>,
    /// The right to have open what the instance began with.
    #[expect(dead_code, reason = "had for as long as the instance is there")]
    directories: Option<OwnedSemaphorePermit>,
    /// What the guest has open of directories, by handle.
    pub(crate) open: HashMap<u32, Opened>,
    /// Sockets, and what they were let connect to.
    pub(crate) sockets: Sockets,
    /// What the instance uses.
    pub(crate) meter: Meter,
    /// The call being served.
    pub(crate) call: Serving,
    /// What the guest has asked its deployment for, while it may.
    pub(crate) composing: Option<Composing>,
    /// Where messages go.
    pub(crate) log: Arc<dyn Log>,
    /// The limits of the configuration.
    pub(crate) limits: Arc<Limits>,
    /// What is around the instance.
    pub(crate) surroundings: Arc<Surroundings>,
    /// At what of that the guest has looked.
    pub(crate) looked: Looked,
}

/// One call, as imports and the clock see it.
#[derive(Clone, Debug)]
pub(crate) struct Serving {
    /// On what terms. Whatever waits for the call's sake shares them, and what they count and cancel.
    pub(crate) terms: Arc<Terms>,
    /// The request.
    pub(crate) request: Option<Arc<dyn Holds>>,
    /// Which assets the request holds, once a guest has asked.
    pub(crate) held: Option<Arc<Held>>,
    /// How many steps of views were shown.
    pub(crate) published: usize,
    /// How often the engine was asked about packages.
    pub(crate) questions: u32,
    /// How many providers of its own package it had the engine run.
    pub(crate) own_providers: u32,
    /// What the parameters that it told are known by.
    pub(crate) resolved: Vec<u64>,
    /// What the last description of one takes, which is on its way to the guest.
    pub(crate) described: Option<Arc<Holding>>,
    /// Whether its guest stood back for others, and hasn't been asked since whether it should end.
    pub(crate) rested: bool,
    /// At which tick of the clock it was asked last.
    pub(crate) asked: u64,
    /// Messages logged.
    pub(crate) messages: u32,
    /// Bytes of the messages logged.
    pub(crate) logged: usize,
}

/// What a call is about, what it may do and have, what it has used up of that, and what ends it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    /// The resource's URN.
    pub(crate) urn: Option<String>,
    /// The package that describes what the call is about, once it is known.
    pub(crate) package: Option<Arc<Package>>,
    /// What it may do.
    pub(crate) authority: Arc<Authority>,
    /// When the call is ended.
    pub(crate) deadline: Option<Instant>,
    /// Set when the call should end by itself.
    pub(crate) soft: CancellationToken,
    /// Set when the call is ended.
    pub(crate) hard: CancellationToken,
    /// Which of the recorded inputs the host named.
    pub(crate) generated: Vec<PropertyPath>,
    /// The last checkpoint, where one makes sense.
    pub(crate) announced: Option<Announced>,
    /// What the instances of the configuration share.
    pub(crate) session: Arc<Session>,
    /// On what terms assets are read.
    pub(crate) access: Access,
    /// How many files may be read.
    pub(crate) files: Files,
    /// The way out of this machine.
    pub(crate) outgoing: Connector,
    /// Where descriptions of other packages come from.
    pub(crate) packages: Option<Arc<dyn PackageSource>>,
    /// How many of them there may be at once.
    pub(crate) descriptions: Descriptions,
    /// Where views are shown.
    pub(crate) views: Option<Arc<dyn ViewPlace>>,
    /// As whom the guest says something to a user.
    pub(crate) speaker: Speaker,
    /// What nobody may be shown of what the guest says.
    pub(crate) leaks: Leaks,
    /// What was computed.
    pub(crate) computing: Computing,
    /// What may still be sent elsewhere.
    pub(crate) sent: Allowance,
    /// What may still be written to files.
    pub(crate) written: Allowance,
    /// The limits that were met.
    pub(crate) shortages: Shortages,
    /// Set once the host has told a user something on its behalf.
    pub(crate) told: Arc<AtomicBool>,
}

impl From<Arc<Terms>> for Serving {
    fn from(terms: Arc<Terms>) -> Self {
        let (published, questions, resolved, described, rested, asked, messages, logged) = Default::default();
        let (request, held, own_providers) = (None, None, 0);
        Self {
            terms,
            request,
            held,
            published,
            questions,
            own_providers,
            resolved,
            described,
            rested,
            asked,
            messages,
            logged,
        }
    }
}

impl Deref for Serving {
    type Target = Terms;

    fn deref(&self) -> &Terms {
        &self.terms
    }
}

impl Terms {
    /// Does something in a granted directory, in a turn of the provider. Who should end hardly waits for one: what it may want to save would
    /// come after all that others unpack. Who was only told to has a moment to wait each time, or many of those would work at once.
    pub(crate) async fn in_turn<T>(&self, work: impl Future<Output = T>) -> T {
        self.files.turns().take(self.patience(), work).await
    }

    /// The same of what may take long, and says that it goes on.
    pub(crate) async fn in_long_turn<T>(&self, progress: &Going, work: impl Future<Output = T>) -> T {
        self.files.turns().take_long(self.patience(), progress, work).await
    }

    /// Over once the call should wait for no turn any more.
    async fn patience(&self) {
        let told = async {
            self.soft.cancelled().await;
            tokio::time::sleep(LONG).await;
        };
        tokio::select! { () = self.hard.cancelled() => {}, () = told => {} }
    }
}

impl Serving {
    /// That of an instance which serves none. There is one set of terms for all: to make another would take longer than some calls.
    pub(crate) fn none() -> Self {
        static NONE: LazyLock<Arc<Terms>> = LazyLock::new(Arc::default);
        Arc::clone(&NONE).into()
    }
}

impl State {
    /// What a fresh instance begins with, for its first call.
    ///
    /// # Errors
    /// One of its directories can't be opened, or there are too many of other instances.
    pub(crate) fn new(
        limits: &Arc<Limits>,
        share: &Share,
        log: Arc<dyn Log>,
        surroundings: Arc<Surroundings>,
        call: Serving,
    ) -> wasmtime::Result<Self> {
        let chance = Chance::default();
        let mut wasi = WasiCtx::builder();
        chance.supply(&mut wasi);
        let directories = call.files.directories(surroundings.directories())?;
        surroundings.supply(&mut wasi)?;
        let sockets = Sockets::default();
        sockets.supply(&mut wasi);
        let mut meter = Meter::new(limits, share);
        meter.arm(&call.computing);
        Ok(Self {
            wasi: wasi.build(),
            chance,
            table: Handles::new(share.holding()),
            http: WasiHttpCtx::new(),
            kept: Kept::new(share),
            heads: None,
            bodies: HashMap::new(),
            ways: HashMap::new(),
            directories,
            open: HashMap::new(),
            sockets,
            meter,
            call,
            composing: None,
            log,
            limits: Arc::clone(limits),
            surroundings,
            looked: Looked::default(),
        })
    }
}

#[cfg(test)]
impl State {
    /// What surrounds an instance that was granted nothing, in a call that nobody made.
    pub(crate) fn of_nobody() -> Self {
        let (limits, share) = (Arc::new(Limits::default()), super::memory::Memory::new(|| 1 << 30).share(1 << 30));
        let log = Arc::new(crate::provider::Silent);
        Self::new(&limits, &share, log, Arc::default(), Arc::<Terms>::default().into()).unwrap()
    }
}

impl State {
    /// What the instance was refused, from now on nothing.
    pub(crate) fn last_refused(&mut self) -> Option<Wanted> {
        self.meter.refused.take().or_else(|| self.table.wanted())
    }

    /// The guest's descriptors, beside what says of them where they lie and whose they are.
    pub(crate) fn descriptors(&mut self) -> (WasiFilesystemCtxView<'_>, &HashMap<u32, Way>, &Serving, &Surroundings) {
        let view = WasiFilesystemCtxView { ctx: self.wasi.filesystem(), table: &mut self.table };
        (view, &self.ways, &self.call, &self.surroundings)
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}
