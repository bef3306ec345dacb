//! One engine's conversation with a provider: what was negotiated, and the sessions behind it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use bulkhead_proto::provider::ProviderHandshakeRequest;
use bulkhead_schema::Package;
use bulkhead_value::Object;
use bulkhead_value::wire::encode::Capabilities;

use super::large::Weight;
use super::monitor::{Connections, PackageOrigin};
use super::share::Share;
use crate::provider::{Component, Leaving, Log, Origin, PackageSource, Sessions};

/// What a front end serves.
pub struct Offer {
    /// The package schema's text, as GetSchema returns it.
    pub schema: Arc<[u8]>,
    /// The package.
    pub package: Arc<Package>,
    /// The component.
    pub component: Arc<dyn Component>,
}

/// The way back to the engine.
pub trait EngineLink: Send + Sync {
    /// Sends messages to the engine at an address from now on.
    fn connect(&self, address: &str);

    /// Where messages go.
    fn log(&self) -> Arc<dyn Log>;

    /// The directory that relative paths in requests start from, if it is known. Engines start a plugin in their own working
    /// directory, which is that of the program.
    fn directory(&self) -> Option<PathBuf> {
        std::env::current_dir().ok()
    }
}

/// What an engine said of itself.
#[derive(Clone, Copy)]
pub(super) struct Engine {
    /// What it accepts in results.
    pub(super) accepts: Capabilities,
    /// It heeds `refresh_before_update`.
    pub(super) refreshes_before_update: bool,
    /// It exchanges outputs in Check.
    pub(super) outputs_in_check: bool,
    /// It exchanges outputs in Invoke.
    pub(super) outputs_in_invoke: bool,
}

impl Engine {
    /// An engine that never shook hands, and hence is an old one: nothing is accepted until its Configure says so.
    const UNKNOWN: Self = Self {
        accepts: Capabilities { unknowns: true, ..Capabilities::NONE },
        refreshes_before_update: false,
        outputs_in_check: false,
        outputs_in_invoke: false,
    };

    /// An engine that shook hands.
    pub(super) fn of(handshake: &ProviderHandshakeRequest) -> Self {
        let byte_strings = handshake.accepts_byte_string;
        Self {
            accepts: Capabilities { outputs: false, byte_strings, ..Capabilities::ALL },
            refreshes_before_update: handshake.supports_refresh_before_update,
            outputs_in_check: handshake.accepts_outputs_in_check,
            outputs_in_invoke: handshake.accepts_outputs_in_invoke,
        }
    }
}

/// From one Handshake to the next. An engine that attaches repeatedly starts afresh each time.
pub(super) struct Conversation {
    pub(super) sessions: Sessions,
    engine: Mutex<Engine>,
    /// What it was configured with.
    configuration: OnceLock<Object>,
    /// The resource monitors that components were constructed with.
    pub(super) monitors: Connections,
    /// Where messages to the user go.
    pub(super) log: Arc<dyn Log>,
    /// The threads that its answers are worked on.
    pub(super) share: Share,
    /// Whether the process leaves.
    pub(super) leaving: Leaving,
}

impl Conversation {
    fn new(
        offer: &Offer,
        link: &dyn EngineLink,
        engine: Engine,
        packages: Option<Arc<dyn PackageSource>>,
        made: Option<Arc<PackageOrigin>>,
        leaving: &Leaving,
    ) -> Arc<Self> {
        let (schema, package) = (Arc::clone(&offer.schema), Arc::clone(&offer.package));
        let origin = Origin { directory: link.directory().map(Into::into), packages };
        let sessions = Sessions::new(schema, package, offer.component.as_ref(), link.log(), origin, leaving);
        let (monitors, configuration) = (Connections::of(made), OnceLock::new());
        let (engine, share, leaving) = (Mutex::new(engine), Share::default(), leaving.clone());
        Arc::new(Self { sessions, monitors, log: link.log(), engine, configuration, share, leaving })
    }

    /// The engine.
    pub(super) fn engine(&self) -> Engine {
        *self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the engine accepts in results.
    pub(super) fn capabilities(&self) -> Capabilities {
        self.engine().accepts
    }

    /// Notes what it was configured with, which happens once.
    pub(super) fn configured(&self, configuration: Object) {
        let _ = self.configuration.set(configuration);
    }

    /// What it was configured with, if it was.
    pub(super) fn configuration(&self) -> Option<&Object> {
        self.configuration.get()
    }

    /// What a request counts for, bytes: where the schemas make more work of values than usual, it is as good as so much longer.
    pub(super) fn weight(&self, request: &impl prost::Message) -> Weight {
        Weight::of(request.encoded_len().saturating_mul(self.sessions.labour()), &self.share)
    }

    /// Takes over the flags of Configure, the only ones that an engine without Handshake sends.
    pub(super) fn negotiate(&self, secrets: bool, resources: bool) {
        let accepts = &mut self.engine.lock().unwrap_or_else(PoisonError::into_inner).accepts;
        accepts.secrets = secrets;
        accepts.resources = resources;
    }
}

/// The present conversation.
pub(super) struct Current {
    offer: Arc<Offer>,
    link: Arc<dyn EngineLink>,
    /// How engines get the package, if a parameter made it.
    made: Option<Arc<PackageOrigin>>,
    leaving: Leaving,
    conversation: RwLock<Arc<Conversation>>,
}

impl Current {
    pub(super) fn new(
        offer: Arc<Offer>,
        link: Arc<dyn EngineLink>,
        made: Option<PackageOrigin>,
        leaving: Leaving,
    ) -> Self {
        let made = made.map(Arc::new);
        let first = Conversation::new(&offer, link.as_ref(), Engine::UNKNOWN, None, made.clone(), &leaving);
        Self { offer, link, made, leaving, conversation: RwLock::new(first) }
    }

    pub(super) fn offer(&self) -> &Offer {
        &self.offer
    }

    pub(super) fn leaving(&self) -> &Leaving {
        &self.leaving
    }

    pub(super) fn link(&self) -> &dyn EngineLink {
        self.link.as_ref()
    }

    pub(super) fn get(&self) -> Arc<Conversation> {
        Arc::clone(&self.conversation.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Begins a new conversation with an engine that shook hands, and ends the one before.
    pub(super) fn restart(&self, engine: Engine, packages: Arc<dyn PackageSource>) {
        let made = self.made.clone();
        let fresh = Conversation::new(&self.offer, self.link.as_ref(), engine, Some(packages), made, &self.leaving);
        let before = std::mem::replace(&mut *self.conversation.write().unwrap_or_else(PoisonError::into_inner), fresh);
        before.sessions.cancel();
    }
}
